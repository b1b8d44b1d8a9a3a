/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve.h - recorded learning curves: the metric of each trial by epoch.
 *
 * A set is described by a YAML file (what was recorded, where it comes from) that names a CSV file
 * with the columns trial, epoch, metric: trials 0, 1, 2, ... in order, epochs 1, 2, 3, ... of each
 * without a gap. Trials may differ in length. No metric is better than the ideal, and the initial
 * one is worse: what a policy makes of a metric does not depend on its scale.
 */
#ifndef SIM_CURVE_H
#define SIM_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/field.h"

struct curves {
    const char *name; /* of the metric: accuracy, loss, ... */
    const char *file; /* the CSV file */
    bool falls;       /* better is lower */
    double start;     /* before training */
    double ideal;     /* the best there can be */
    uint32_t trials;
    uint32_t *first; /* trials + 1: where each trial's epochs begin in value */
    double *value;
    uint32_t axes;           /* hyper-parameters that are known; 0: none */
    const char **axis;       /* their names */
    double *point;           /* trials x axes, in [0, 1] */
    uint32_t *batch;         /* by trial, 0: not recorded; NULL: of none */
    uint32_t *planned;       /* epochs by trial, at least as many as recorded; NULL: as many */
    const char *trials_file; /* where these are from; NULL: from nowhere */
};

extern const struct field curve_fields[]; /* the keys of the YAML file, for documentation */

/* Reads a set; NULL: reported. Good as long as the arena. */
struct curves *curves_load(struct arena *, struct diag *, const char *path);

static inline uint32_t curve_epochs(const struct curves *c, uint32_t trial)
{
    return c->first[trial + 1] - c->first[trial];
}

/* How long a trial is meant to be: one that diverged was not recorded to its planned end. */
static inline uint32_t curve_planned(const struct curves *c, uint32_t trial)
{
    return c->planned ? c->planned[trial] : curve_epochs(c, trial);
}

/* The metric at the end of an epoch, 1 .. curve_epochs(). */
static inline double curve_at(const struct curves *c, uint32_t trial, uint32_t epoch)
{
    return c->value[c->first[trial] + epoch - 1];
}

/* The same at any epoch: a curve goes on as it ends, and begins with its first value. */
static inline double curve_from(const struct curves *c, uint32_t trial, int64_t epoch)
{
    int64_t last = curve_epochs(c, trial);

    return curve_at(c, trial, (uint32_t)(epoch < 1 ? 1 : epoch < last ? epoch : last));
}

/* Whether metric a is better than b. */
static inline bool curve_better(const struct curves *c, double a, double b)
{
    return c->falls ? a < b : a > b;
}

#endif
