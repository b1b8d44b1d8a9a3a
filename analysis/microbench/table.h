/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h - the benchmarks: one row each. A new one is a grid, a function and a row.
 */
#ifndef MICROBENCH_TABLE_H
#define MICROBENCH_TABLE_H

#include "analysis/microbench/report.h"

struct mb_bench {
    struct mb_format format; /* its op is the benchmark's name */
    const char *what;        /* one line, for --list */
    mb_plan *plan;
    mb_run *run;
};

extern const struct mb_bench mb_benches[];
extern const size_t mb_bench_count;

#endif
