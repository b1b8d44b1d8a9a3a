/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gains.h - what stations would give a trial of one GPU, by the run's predictor (eq. 12-14).
 */
#ifndef POLICIES_GAINS_H
#define POLICIES_GAINS_H

#include "policies/lib/bound.h"

/* Steps/s on a station's GPU. */
double gains_rate(struct cx *, const struct bound *, job_id, uint32_t station);
/* Its gain on a type over the slowest it can run on; absolute: samples/s there. 0: it cannot. */
double gains_on(struct cx *, const struct bound *, job_id, type_id, bool absolute);
/* Eq. 14: its gain from one station to another. */
double gains_from(struct cx *, const struct bound *, job_id, uint32_t slow, uint32_t fast);

/* What moves are taken to cost and to save: eq. 16. */
struct gains_rules {
    sim_time move;    /* of one trial */
    sim_time horizon; /* what is saved later does not count; 0: all remaining steps do */
    bool victim_loss; /* the remaining work of the trial that goes back counts, too */
};
/* Seconds that i gains from the slow to the fast station, less what k (or NO_JOB) loses the other
 * way, and less what the moves of those cost that have a state. */
double gains_saving(struct cx *, const struct bound *, const struct gains_rules *, job_id i,
                    job_id k, uint32_t slow, uint32_t fast);

/* Numbers in their order as integers. */
int64_t gains_key(double);

/*
 * Residents by who goes first from one GPU type to a slow one: by the smallest gain, then the
 * lowest convergence, or the other way round; both to 7 digits, so that what rounding made unequal
 * is equal. An untried trial has not shown a low convergence.
 */
enum leavers_rule { LEAVERS_GAIN, LEAVERS_CONVERGENCE };
extern const char *const leavers_rules[];

struct leavers {
    int rule;
    uint32_t n_types;
    struct heap *of; /* leavers_of() */
};

void leavers_init(struct leavers *, struct cx *);
void leavers_free(struct leavers *);
struct heap *leavers_of(const struct leavers *, type_id fast, type_id slow);
int64_t leavers_key(const struct leavers *, struct cx *, struct bound *, job_id, uint32_t slow,
                    uint32_t fast);
/* The keys of a resident of a station: when it comes and whenever it has reported. */
void leavers_note(struct leavers *, struct cx *, struct bound *, job_id, uint32_t station);
void leavers_drop(struct leavers *, const struct bound *, job_id, uint32_t station);

#endif
