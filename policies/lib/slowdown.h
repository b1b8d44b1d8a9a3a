/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slowdown.h - the parts of slowdown_fair: slowdowns by eq. 22, and the controller of eq. 23. */
#ifndef POLICIES_SLOWDOWN_H
#define POLICIES_SLOWDOWN_H

#include "policies/lib/watch.h"

enum controller { FULL, LOCAL, OPTIMAL };
enum predictor { ELAPSED, INSTANT, EWMA };
enum gpus { ALL, STARTED, ANY };

struct slowdown_fair {
    struct watch watch; /* first */
    int controller, predictor, gpus;
    int64_t p, moves, parts;
    double eta, gain, weight, kappa, deadband;
    sim_time copy;
    uint32_t *place; /* by GPU: position in the group + 1 while it is built; else 0 */
    uint64_t tried;  /* moves, in the model */
    /* optimal: problems solved; largest slowdown attained / bound, summed up; greatest */
    uint64_t solved, asked;
    double gaps, widest;
};

struct job_memory {
    struct watch_job watch; /* first */
    double smooth;          /* EWMA of the step time */
};

/* What a step time means: slowdown = base + slope * seconds (eq. 22). */
struct slowdown_line {
    double base, slope;
};
struct slowdown_line slowdown_line(const struct slowdown_fair *, const struct cx *,
                                   const struct watched *);
/* The step time to judge by; a moving average that is still on its way is looked at again. */
double slowdown_step(struct slowdown_fair *, struct cx *, const struct watched *);
/* Jobs given by a duration have no shares, and nobody knows what they would take alone. */
bool slowdown_movable(const struct watched *);

/* The position of a GPU in a group that is being built; the next one, and *n grows, if it is new.
 */
uint32_t slowdown_place(struct slowdown_fair *, gpu_id, uint32_t *n);
/* New shares; n becomes 0 where they are the old ones. */
struct placement slowdown_new(struct placement to, const struct placement *held);
/* The GPUs that a job may use, those it holds among them; returns how many. */
uint32_t slowdown_usable(struct slowdown_fair *, struct cx *, const struct watched *, gpu_id **);
/* To other shares, where n is not 0, in an order in which they fit the memory; what fits in none
 * waits for the next period. */
#define SLOWDOWN_WHY 120 /* room for a reason */
void slowdown_act(struct slowdown_fair *, struct cx *, const struct watched *, uint32_t n,
                  struct placement *to, char (*why)[SLOWDOWN_WHY]);

/* Looks at a group with the controller of eq. 23. */
void slowdown_full(struct slowdown_fair *, struct cx *, const struct watched *, uint32_t n);
/* Looks at a group, and at all that it could meet, as an oracle. */
void slowdown_best(struct slowdown_fair *, struct cx *, const struct watched *, uint32_t n);

#endif
