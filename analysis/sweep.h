/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep.h - many runs of one configuration: every combination of the values of some of its keys.
 *
 * configs/sweeps/NAME.yaml names a run and axes. An axis is a key of the run with its values; axes
 * that are zipped advance together, all others form a grid, and what `exclude` matches is left out.
 * Policies and seeds are axes, too: those of the run, unless the sweep names its own. A case is one
 * combination of all other axes: its policies meet the same world, seed by seed.
 *
 * A point is one run. Points are numbered case by case, the first axis of the file changing
 * slowest, then policy by policy, then seed by seed.
 */
#ifndef ANALYSIS_SWEEP_H
#define ANALYSIS_SWEEP_H

#include "sim/model/config.h"

struct axis {
    const char *name;        /* a key path: policy, seed, cluster, experiments.0.trials */
    const struct tree *key;  /* the same, with its place */
    struct tree *values;     /* a list */
    const char *const *text; /* of each value, as tables and results show it */
    uint32_t n, group;       /* axes of one group advance together */
};

/* Overrides besides those of the file, for all points; applied after them. */
struct sweep_more {
    const struct override *set;
    uint32_t n;
};

struct sweep {
    const char *path, *about;
    const char *run;  /* path of the configuration */
    struct tree *set; /* a map of key paths and values, for all points; NULL: none */
    struct sweep_more more;
    uint32_t n_axes; /* at least two: policy and seed are among them */
    struct axis *axis;
    uint32_t policy, seed; /* which axes they are */
    struct tree *exclude;  /* a list of maps, checked */
    uint32_t n_groups;
    uint32_t *group;         /* how many positions each has; the last advances fastest */
    uint64_t n_combinations; /* of all groups, with what is excluded */
};

/* Reads the sweep and the run it names. NULL: reported. Good as long as the arena. */
struct sweep *sweep_load(struct arena *, struct diag *, const char *path, const struct sweep_more *,
                         const struct plugs *);

/* The positions of all axes in a combination; false: it is excluded. at: room for n_axes. */
bool sweep_at(const struct sweep *, uint64_t combination, uint32_t *at);

/* Whether two combinations are of one case. */
bool sweep_same_case(const struct sweep *, const uint32_t *a, const uint32_t *b);

/* The configuration of a case, with all policies of the sweep, in the order of their axis. NULL:
 * reported. */
struct config *sweep_config(struct arena *, struct diag *, const struct sweep *, const uint32_t *at,
                            const struct plugs *);

#endif
