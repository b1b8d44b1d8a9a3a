/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * microbench_ops.h - the operators that a recorded microbenchmark may have timed, and what a row
 * of each must say. traces/README.md describes them for people.
 */
#ifndef ANALYSIS_MICROBENCH_OPS_H
#define ANALYSIS_MICROBENCH_OPS_H

#include <stdbool.h>
#include <stddef.h>

struct microbench_op {
    const char *name;
    const char *const *kinds;    /* ended by NULL; NULL: any kind, "" too */
    bool computes;               /* its speed hangs on the precision, which must be said */
    bool relative;               /* its result has no unit: "1" */
    const char *const *columns;  /* required beside the result, ended by NULL */
    const char *const *optional; /* may be there as well, ended by NULL */
};

/* Ended by a NULL name. */
extern const struct microbench_op microbench_ops[];

const struct microbench_op *microbench_op(const char *name); /* NULL: there is none */

extern const char *const microbench_precisions[]; /* ended by NULL */

/* What a column but the result may hold: whole numbers of at least 0 or 1, numbers from 0 to 100,
 * numbers from 0. */
enum column_range { COLUMN_FROM_0, COLUMN_FROM_1, COLUMN_PER_CENT, COLUMN_SHARE };
enum column_range microbench_column(const char *name);

#endif
