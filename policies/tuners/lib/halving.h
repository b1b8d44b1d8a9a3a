/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halving.h - brackets of successive halving: each rung is a barrier.
 *
 * Who has trained until the end of a rung is paused. When the last one has come, the best are
 * promoted in the order of their ranks, and the others have lost; the one that came last needs no
 * pause. A trial that has no epochs left has come to all further rungs with its last metric: where
 * it is among the best, it takes a place. A trial that was rejected leaves its rung.
 */
#ifndef POLICIES_TUNERS_HALVING_H
#define POLICIES_TUNERS_HALVING_H

#include "policies/tuners/lib/bracket.h"
#include "sim/heap.h"
#include "sim/tuner.h"

struct halving {
    struct bracket plan;
    struct heap come;   /* to the end of the rung, by (rank, trial) */
    uint32_t rung, out; /* where they are; how many have not come yet */
};

struct halvings {
    struct halving *bracket;
    uint32_t begun, open;   /* brackets: so many have begun, so many of them are not finished */
    uint32_t *of;           /* by trial: 1 + its bracket; 0: it is in none, or has left */
    uint32_t *lost, n_lost; /* trials that did not go on, still to be stopped */
};

/* Room for so many brackets. */
void halvings_open(struct halvings *, struct tx *, uint32_t brackets);
/* The next bracket: submits these trials, as many as the plan wants. */
void halvings_begin(struct halvings *, struct tx *, const struct bracket *plan,
                    const uint32_t *trial);
/* Both are for the callbacks of struct tuner of that name. After them, and after it has begun what
 * is to begin, the tuner stops those that have lost: an experiment ends when nobody is alive. */
enum tune_verdict halvings_report(struct halvings *, struct tx *, uint32_t trial, uint32_t epoch,
                                  double metric);
/* false: nothing to do, it had left before. */
bool halvings_ended(struct halvings *, struct tx *, uint32_t trial);
/* Whether it is in a bracket, and has not lost. */
static inline bool halvings_in(const struct halvings *s, uint32_t trial)
{
    return s->of[trial] != 0;
}
void halvings_stop(struct halvings *, struct tx *);
void halvings_close(struct halvings *);

#endif
