/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot_sweep.h - the points of a sweep as pictures need them: by case, policy and seed.
 */
#ifndef ANALYSIS_PLOT_SWEEP_H
#define ANALYSIS_PLOT_SWEEP_H

#include "analysis/plot_kinds.h"

/* Values of an axis are numbers from 0 in the order in which the plan first has them. */
struct plot_axis {
    const char *name;
    const char **text; /* of each value; of files that differ in their names those alone */
    uint32_t n;
    uint32_t same_as; /* its own number; or that of the first axis that it is zipped with, which is
                         to say that in all cases both have the same value's number */
};

struct plot_point {
    uint32_t which, policy; /* case, policy */
    uint64_t seed;
    struct result result;
};

struct plot_sweep {
    struct plot_axis *axis;
    uint32_t n_axes, n_cases;
    uint32_t **at;            /* by case: the value of each axis */
    struct plot_point *point; /* those that are complete, in the order of the plan */
    uint32_t n, missing;
};

/* Reads DIR/plan.jsonl and the points that are complete; fills what the set says of policies, too.
 * false: reported. */
bool plot_sweep_load(struct plot_set *, const struct plot_request *);

struct plot_group { /* runs that differ in their seeds only */
    uint32_t which, policy;
};

/* The run of a group after another, or the first (after NULL); NULL: there is no more. */
const struct plot_point *plot_sweep_next(const struct plot_set *, struct plot_group,
                                         const struct plot_point *);
/* The relative change of the mean of a metric from one group to another, over the seeds that both
 * have; n 0: there is none. */
struct interval plot_sweep_change(const struct plot_set *, struct plot_group from,
                                  struct plot_group to, enum metric_id);
double plot_metric_number(const struct result *, enum metric_id); /* seconds if it is a time; NAN */

/* The values of a case, "1, 72", or with the names of their axes: of all, or of one axis and those
 * that are zipped with it. Clean. */
const char *plot_case_text(const struct plot_set *, uint32_t which, uint32_t axis, bool names);
#define PLOT_ALL_AXES UINT32_MAX
/* Whether an axis is zipped with one before it that has the same texts. */
bool plot_says_nothing(const struct plot_sweep *, uint32_t axis);

#endif
