/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print.h - results on standard output.
 */
#ifndef SIM_PRINT_H
#define SIM_PRINT_H

#include "analysis/result.h"
#include "sim/cli/cli.h"
#include "sim/text/out.h"

/* Writes a memory out to standard output and drops it. */
void print_out(struct out *);
/* Whether all that was printed has arrived: 0, or the errno of the first failure. */
int print_end(void);
/* One run for people, or summary.json. */
void print_result(const struct result *, bool json);
/* Whether a folder holds one run; reports which it holds if not. */
bool print_one_run(struct diag *, const char *command, const struct results *, const char *path);
/* Several runs against a baseline, as the options say. The exit code. */
int print_comparison(struct arena *, struct diag *, const struct results *, const struct args *);

#endif
