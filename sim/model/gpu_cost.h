/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpu_cost.h - what kernels cost on a GPU: a calibration, as `hetune calibrate` writes it.
 *
 * A calibration is a YAML file: the GPU, the runs that it was made from, a fit for each class of
 * kernels and precision, and single figures (rates, latencies). docs/calibration.md has the keys.
 */
#ifndef SIM_GPU_COST_H
#define SIM_GPU_COST_H

#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/field.h"
#include "sim/model/op_terms.h"

enum precision { FP32, TF32, FP16, BF16, PRECISIONS };
extern const char *const precision_names[PRECISIONS + 1]; /* ended by NULL */
double precision_bytes(enum precision);                   /* of an activation */
int precision_named(const char *); /* as measurements write it; amp is fp16; -1: unknown */

/* The fit of a class in a precision (eq. C1). */
struct op_fit {
    int class, precision;
    double price[TERMS], se[TERMS]; /* s per unit of the term, and standard errors */
    double floor;                   /* s: no kernel is faster */
    double latency;                 /* s in launch that the source's host took; see C2 */
    double p50, p90;                /* of |fitted - measured| / measured */
    double flop_min, flop_max;      /* of the measured kernels; bytes where there are no FLOP */
    int64_t points, set_aside;      /* that were fitted; that a rule left out */
    const char *from; /* "": measured on this GPU; else the GPU it was carried over from */
};
extern const struct field op_fit_fields[];

/* A figure that is no fit. */
struct gpu_figure {
    const char *name; /* "copy h2d_pinned", "launch stream", ... */
    double value;     /* s, B/s or FLOP/s */
    const char *unit;
    const char *from;
};
extern const struct field gpu_figure_fields[];

struct gpu_cost {
    const char *path, *gpu, *product;
    double memory_gib;                             /* NAN: not known */
    const struct op_fit *fit[CLASSES][PRECISIONS]; /* NULL: none */
    const struct gpu_figure *figure;
    uint32_t n_figures;
};

/* Good as long as the arena; NULL: reported. */
struct gpu_cost *gpu_cost_load(struct arena *, struct diag *, const char *path);

/* The value of a figure; NAN: there is none. */
double gpu_cost_figure(const struct gpu_cost *, const char *name);

/* Seconds of one kernel with such amounts, in a run that keeps the GPU busy (eq. C2). */
double op_fit_time(const struct op_fit *, const double amount[TERMS]);

#endif
