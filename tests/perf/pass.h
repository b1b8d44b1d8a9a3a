/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pass.h - the one function in which a case's work is done; icount.sh counts what is executed in
 * it.
 */
#ifndef PERF_PASS_H
#define PERF_PASS_H

#include "tests/perf/bench.h"

void bench_pass(const struct bench_case *, void *self, struct outcome *);

#endif
