/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * microbench_run.h - a recorded microbenchmark run: what one GPU was measured to do.
 *
 * A run is a JSON file of the schema `hetune-microbench`, version 1 (traces/README.md). Everything
 * that hands out a pointer hands it out for as long as the arena.
 */
#ifndef ANALYSIS_MICROBENCH_RUN_H
#define ANALYSIS_MICROBENCH_RUN_H

#include <stdint.h>

#include "analysis/microbench_ops.h"
#include "sim/base/diag.h"
#include "sim/base/mem.h"

#define MICROBENCH_SCHEMA       "hetune-microbench"
#define MICROBENCH_VERSION_TEXT "1"

struct run_gpu {
    const char *type, *product;
    double memory_gib; /* NAN: not said */
    int64_t sms;       /* 0: not said */
    double clock_mhz;  /* NAN: not said */
};

struct run_origin {
    const char *source, *commit, *licence;
    const char *note; /* "": none */
};

/* What a rule has excluded from a series. */
struct run_aside {
    const char *rule;
    size_t rows;
};

/*
 * The measurements of one operator. Cells lie row by row: cell[row * columns + column]. Times are
 * seconds; rates B/s (of GB/s), FLOP/s (of TFLOP/s) or 1; sizes are as in the file.
 */
struct series {
    const struct microbench_op *op;
    const char *kind, *precision; /* "": none */
    struct mark at;
    const char *const *column; /* names */
    size_t columns, rows;
    const double *cell;
    const struct mark *row_at; /* where each row stands */
    size_t result;             /* the column of times or rates */
    bool is_rate;
    const struct run_aside *aside;
    size_t asides, aside_rows; /* rules, and the rows that they exclude together */
};

struct run {
    const char *path;
    struct run_gpu gpu;
    struct run_origin origin;
    const char *const *software; /* a name and a value for each of its `softwares` entries */
    size_t softwares;
    const struct series *series; /* in the order of the file */
    size_t count;
};

/* NULL: reported, with the place of each fault. */
struct run *run_load(struct arena *, struct diag *, const char *path);

/* NULL: there is none. kind, precision: NULL is the same as "". */
const struct series *run_series(const struct run *, const char *op, const char *kind,
                                const char *precision);

/* The place of a column, -1: there is none. */
int series_column(const struct series *, const char *name);

static inline double series_cell(const struct series *s, size_t row, size_t column)
{
    return s->cell[row * s->columns + column];
}

#endif
