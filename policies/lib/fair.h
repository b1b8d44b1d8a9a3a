/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fair.h - shares with which the slowdowns of jobs that hang together become similar (eq. 20-23).
 *
 * Pure arithmetic on a model of one group: what a step of each replica takes alone, and a belief of
 * how GPUs are shared. Greedy: of all moves of `step` samples of one job between two GPUs the one
 * that lowers (sum of slowdowns^p)^(1/p) most, again and again.
 *
 * A move is tried by solving the jobs on its two GPUs alone, with all others held as they are; what
 * is known of a job's best move stays good until something changed on GPUs of jobs that it meets.
 */
#ifndef POLICIES_FAIR_H
#define POLICIES_FAIR_H

#include <stdbool.h>
#include <stdint.h>

struct fair_job {
    double base, slope;    /* slowdown = base + slope * seconds of a step, as modelled */
    double gap;            /* seconds of a step beside its replicas */
    double copy;           /* slowdown that a replica on a further GPU costs, once */
    double bytes[2];       /* of GPU memory: of a replica, of each sample */
    double band;           /* a move must lower the objective by more than this part */
    uint32_t step, stay;   /* samples of a move; that stay on each of its GPUs at least */
    uint32_t first, n;     /* its replicas; also those that could be */
    double seconds, soft;  /* out: of a step; the same with the p-norm of its replicas */
    double slowdown, hard; /* out: with soft seconds, with true ones */
    struct fair_move {
        double gain;
        uint32_t from, to, samples; /* replicas */
    } best;
    bool stale; /* best is not known */
};

/* Of one job on one GPU; samples 0: it is not there. In order of jobs. */
struct fair_replica {
    uint32_t job, gpu, samples;
    bool held;                 /* there is one now: its return costs nothing */
    double fixed, each, floor; /* max(floor, stretched (fixed + each * samples)) seconds */
    double resid, duty;        /* out: seconds, and their part of a step */
};

struct fair_gpu {
    uint32_t id;         /* the caller's */
    double bytes, slice; /* free; for one job at most */
    uint32_t seats;      /* free */
    uint32_t others;     /* jobs that always compute and cannot be moved */
    double load;         /* out: sum of duties, others included */
};

struct fair {
    uint32_t n_jobs, n_replicas, n_gpus;
    struct fair_job *job;
    struct fair_replica *replica;
    struct fair_gpu *gpu;
    uint32_t *on, *first; /* replicas on a GPU: on[first[g]] .. on[first[g + 1] - 1] */
    double eta, settled;  /* greatest change of a duty in the last round */
    uint32_t p;
    /* room for fair_*: n_jobs, n_replicas or n_gpus of each */
    uint32_t *some;
    bool *chosen, *touched;
    double *resid, *duty, *seconds, *soft, *slowdown, *hard, *load;
    uint32_t *least;
    uint64_t tried; /* moves */
};

#define FAIR_ROUNDS 60u
#define FAIR_WEIGHT 0.7 /* of new duties */

/* Fills on and first from the replicas. */
void fair_index(struct fair *);
/* Solves all jobs. */
void fair_solve(struct fair *);
/* (sum of slowdowns^p)^(1/p), of soft or hard ones */
double fair_objective(const struct fair *, bool hard);
/* At most so many moves; returns how many were made. Shares, solution, memory and seats follow. */
uint32_t fair_improve(struct fair *, uint32_t most);
/*
 * The same, and back to the shares on the way with which the hard objective is lowest: the soft one
 * takes a job on fewer GPUs for better than it is. Those of the beginning, if none lowers it by
 * more than this part.
 */
void fair_search(struct fair *, uint32_t most, double part);

#endif
