/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pair_speed.h - what two jobs on one GPU keep of their speed, by the simulator's own solver.
 *
 * The contention is processor sharing: jobs that compute at the same time do phi(2) = 1 + eta/2
 * exclusive seconds a second together (eq. 19). What a job does not compute stretches nothing.
 */
#ifndef ANALYSIS_PAIR_SPEED_H
#define ANALYSIS_PAIR_SPEED_H

#include "sim/model/cost.h"

struct pair_speed; /* one GPU with two seats */

struct pair_speed *pair_speed_new(struct arena *);
void pair_speed_free(struct pair_speed *);

/* The speed of the first of two jobs beside the second, of its speed alone; steps by parts. */
double pair_speed(struct pair_speed *, double eta, struct step_parts me, struct step_parts other);

/* A step of one second, so much of it busy; in the rest the GPU stands still. */
static inline struct step_parts pair_busy(double share)
{
    return (struct step_parts){.busy = share, .gap = 1 - share};
}

#endif
