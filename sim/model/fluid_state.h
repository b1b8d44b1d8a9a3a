/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fluid_state.h - what fluid.c and fluid_join.c work on; nobody else's. */
#ifndef SIM_FLUID_STATE_H
#define SIM_FLUID_STATE_H

#include "sim/model/fluid.h"

#define FLUID_JOIN 8u /* replicas of a job whose residences are joined as random times */

/* A job's part on one GPU. */
struct replica {
    uint32_t job, gpu; /* positions among those that are solved */
    struct step_parts part;
    double resid;
    uint32_t at; /* its position on the GPU */
};

/* A job's replicas with the longest residences, and how these vary together. */
struct join {
    uint32_t n;
    uint32_t replica[FLUID_JOIN]; /* longest first */
    double cov[FLUID_JOIN][FLUID_JOIN];
};

struct fluid {
    const struct world *world;
    uint32_t *place; /* by GPU of the cluster: position + 1 while solving; else 0 */
    struct replica *replica;
    size_t cap_replicas;
    uint32_t n_replicas;

    uint32_t *on; /* replicas by GPU, in order of jobs: on[first[g]] .. on[first[g + 1] - 1] */
    uint32_t *first;
    size_t cap_on, cap_first;

    double *tau;       /* by job: seconds of a step */
    uint32_t *of;      /* by job: its first replica */
    struct join *join; /* by job */
    size_t cap_tau, cap_of, cap_join;

    /* By pairs of residents of a GPU, from square[g]: how much longer the first takes beside the
     * second alone, and the presence of the first where the second is not. */
    size_t *square;
    double *longer, *present, *next;
    size_t cap_square, cap_longer, cap_present, cap_next;
    uint32_t rounds; /* of the last solution */
};

/* Seconds of a step of the i-th job: the mean of the longest replica, then all that follows. */
double join_step(const struct fluid *, const struct fluid_job *, uint32_t i);
/* Chooses the replicas to join, and how their residences vary as the phases of others do. */
void join_vary(struct fluid *, const struct fluid_job *, uint32_t n_jobs);

/* How much longer the a-th resident of a GPU takes beside the b-th alone. */
static inline double fluid_longer(const struct fluid *f, uint32_t g, uint32_t a, uint32_t b)
{
    return f->longer[f->square[g] + (size_t)a * (f->first[g + 1] - f->first[g]) + b];
}

#endif
