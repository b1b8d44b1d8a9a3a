/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep_plan.h - the points of a sweep, one after the other, and the plan as a file.
 *
 * A point's hash is of all that its result hangs on: the resolved configuration, the contents of
 * all inputs, policy, seed, loaded libraries, and the version and commit of hetune. DIR/plan.jsonl
 * has a line for each: {"point": HASH, "world": ..., "policy": ..., "seed": ..., "axes": {...}}.
 */
#ifndef ANALYSIS_SWEEP_PLAN_H
#define ANALYSIS_SWEEP_PLAN_H

#include "analysis/identity.h"
#include "analysis/sweep.h"
#include "sim/text/out.h"

struct planned {        /* good until the next point */
    uint64_t number;    /* from 0, in the order of the plan */
    const uint32_t *at; /* position of each axis */
    const struct config *config;
    struct arena *arena; /* of the case: the configuration lives in it */
    const struct identity *identity;
    const struct chosen_policy *policy;
    uint64_t seed;
    const char *hash;
};

/* Calls visit for each point in order, until it returns false. libraries: hashes of shared objects,
 * or "". false: reported, or visit said so. */
bool sweep_each(const struct sweep *, struct diag *, const struct plugs *, const char *libraries,
                bool (*visit)(void *user, const struct planned *), void *user);

/* The line of a point. */
void sweep_line(struct out *, const struct sweep *, const struct planned *);

/* A plan that was written, for those that have no sweep at hand. */
struct plan_point {
    const char *hash, *policy, *seed;
    const char **value; /* of each axis but policy and seed */
};
struct plan {
    uint32_t n_axes, n;
    const char **axis;
    struct plan_point *point;
};
/* DIR/plan.jsonl; false: reported. Its texts are good as long as the arena; plan_free in any case.
 */
bool plan_read(struct arena *, struct diag *, const char *dir, struct plan *);
void plan_free(struct plan *);

#endif
