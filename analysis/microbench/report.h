/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - a run as JSON, in the schema "hetune-microbench", version 1 (README.md).
 */
#ifndef MICROBENCH_REPORT_H
#define MICROBENCH_REPORT_H

#include "analysis/microbench/grid.h"
#include "sim/text/out.h"

/* How a row of the table is written: its name is the op. */
struct mb_format {
    const char *op;
    const char *unit;                 /* of the results: ns us ms s, or GB/s, 1 */
    const char *columns[MB_DIMS + 1]; /* of the dimensions, ended by NULL */
    bool once;                        /* measured once: there is no spread to write */
};

/* Whether the unit is one of times, and how many of it a value of 1 is. */
bool mb_is_time(const char *unit);
double mb_in_unit(double value, const char *unit);

struct mb_outcome {
    bool done;
    double value, spread;
};

/* Text under a key of "software". */
struct mb_fact {
    const char *key, *text;
};

struct mb_run_facts {
    const struct mb_gpu *gpu;
    const char *commit;
    const struct mb_fact *software;
    size_t facts;
};

/* The name that tables of GPUs use: V100 for "Tesla V100-SXM2-16GB"; another product's own name
 * without the maker, blanks as '-'. */
void mb_gpu_type(const char *product, char *type, size_t size);

/* From the opening brace to the list of series; then each op that has outcomes; then the end. */
void mb_report_begin(struct out *, const struct mb_run_facts *);
void mb_report_series(struct out *, const struct mb_format *, const struct mb_grid *,
                      const struct mb_outcome *, bool *any);
void mb_report_end(struct out *);

#endif
