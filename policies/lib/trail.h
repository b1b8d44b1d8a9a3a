/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trail.h - how far a trial has converged, from what it reported (eq. 9, 9').
 *
 * The loss is what is left of the way to the ideal: 1 before training, 0 at the ideal, whatever the
 * scale of the metric and whether it rises or falls.
 */
#ifndef POLICIES_TRAIL_H
#define POLICIES_TRAIL_H

#include "sim/policy.h"

enum measure {
    MEASURE_CUMULATIVE,
    MEASURE_MARGINAL,
    MEASURE_METRIC,
    MEASURE_SLOPE,
    MEASURE_FINAL /* what only an oracle knows */
};
extern const char *const trail_measures[];

struct trail_rules {
    int measure;
    double weight;  /* of a new report in the smoothed loss */
    int64_t window; /* reports that marginal and slope look back */
};

/* Zero-initialised; the memory is kept when a slot is used again. */
struct trail {
    double *score, *smooth, *loss; /* by report, from 0 */
    uint32_t n, cap[3];
    double largest_drop; /* of the loss, between two reports or the start and the first */
};

void trail_begin(struct trail *);
/* After each report of the trial. */
void trail_add(struct trail *, const struct trail_rules *, struct cx *, job_id);

/* The convergence after so many reports, 1 .. n; larger is better. */
static inline double trail_score(const struct trail *t, uint32_t reports)
{
    return t->score[reports - 1];
}

#endif
