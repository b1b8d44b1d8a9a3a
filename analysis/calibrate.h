/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate.h - from recorded microbenchmark runs to what kernels cost on a GPU.
 *
 * docs/calibration.md has the method: which series count for which class of kernels, the fit, what
 * is carried over from another GPU, and how good the fits are.
 */
#ifndef ANALYSIS_CALIBRATE_H
#define ANALYSIS_CALIBRATE_H

#include <stdint.h>

#include "analysis/microbench_run.h"
#include "sim/model/gpu_cost.h"
#include "sim/text/out.h"

/* Nominal figures of a GPU, from its data sheet; 0: not given. */
struct nominal {
    const char *gpu, *product;
    double memory_gib, memory_gbps, tflops[PRECISIONS];
    const char *links; /* between GPUs, set apart by blanks */
};
struct nominal_table {
    const char *path;
    struct nominal *row;
    uint32_t n;
};
bool nominal_load(struct arena *, struct diag *, const char *path, struct nominal_table *);
const struct nominal *nominal_of(const struct nominal_table *, const char *gpu); /* or NULL */

/* A measured kernel and what the fit makes of it, s. */
struct calib_point {
    enum op_class class;
    enum precision precision;
    double amount[TERMS], measured, fitted;
    double latency; /* of its run's host, s */
    bool at_floor;  /* too short to say more than the latency: not fitted */
    struct mark at;
};

struct calibration {
    struct gpu_cost cost;
    struct nominal_table nominal;
    const struct run *const *run;
    uint32_t n_runs;
    struct calib_point *point; /* by class and precision, else as in the runs */
    size_t n_points;
    const char *const *donor; /* paths */
    uint32_t n_donors;
};

struct calib_request {
    const char *const *path; /* of runs, all of one type of GPU */
    uint32_t n_paths;
    const char *const *donor; /* calibrations of other GPUs, the first that has something counts */
    uint32_t n_donors;
    const char *nominal; /* the table of nominal figures; NULL: none, wanted with donors */
    const char *gpu;     /* the type; NULL: that of the runs */
};

/* Good as long as the arena; NULL: reported. */
struct calibration *calibrate(struct arena *, struct diag *, const struct calib_request *);

/* As YAML; inputs that cannot be read again are reported. */
void calibration_write(struct out *, struct diag *, const struct calibration *);
/* Its points as tab-separated values. */
void calibration_points(struct out *, const struct calibration *);
/* Pictures calibration_fit, calibration_flop and calibration_bytes into r->out. */
struct plot_request;
bool calibration_plot(struct arena *, struct diag *, const struct plot_request *r,
                      const struct calibration *);

/* For calibrate.c: the parts, each in a file of its own. */
bool calib_collect(struct arena *, struct diag *, struct calibration *);
bool calib_fit(struct arena *, struct diag *, struct calibration *);
bool calib_figures(struct arena *, struct diag *, struct calibration *);
bool calib_carry(struct arena *, struct diag *, struct calibration *, const struct gpu_cost *donor);
void calib_add_figure(struct arena *, struct calibration *, const char *name, double value,
                      const char *unit, const char *from);

#endif
