/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * crowd.h - small worlds whose GPUs are shared, and a policy that puts jobs where each wants to be.
 *
 * The policy is told where by the law, not by the world: it knows GPUs by their places in a job's
 * list. Permuted GPUs, or a world that is part of a larger one, see the very same acts. Every
 * `period`, each job that holds GPUs may get other shares, go to other GPUs of its list, or be
 * preempted, as its key and the time say.
 */
#ifndef TESTS_CROWD_H
#define TESTS_CROWD_H

#include "tests/laws/history.h"

#define CROWD_GPUS 8 /* of a job's list, at most */

struct wish {
    uint32_t n, begin; /* GPUs of the list; it starts on the first `begin` of them */
    gpu_id gpu[CROWD_GPUS];
    uint32_t part[CROWD_GPUS]; /* its shares at the start; all 0: even ones */
    uint64_t key;
};

struct crowd {
    struct small *small;
    struct wish wish[64]; /* by job */
    sim_time period;      /* 0: jobs stay where they start */
};

/* No GPUs or jobs yet; so many seats each. */
struct crowd *crowd_new(uint64_t seed, const char *contention, uint32_t residents);
void crowd_free(struct crowd *);
/* A node of one GPU of the latest type; returns it. */
gpu_id crowd_gpu(struct crowd *, double speed);
/* One more job at 0 on GPUs first .. first+n-1: without a model by its duration, else by steps. */
struct wish *crowd_job(struct crowd *, gpu_id first, uint32_t n, sim_time duration);
struct wish *crowd_steps(struct crowd *, gpu_id first, uint32_t n, uint32_t model, uint32_t batch,
                         int64_t steps);

struct crowd_shape {
    uint32_t jobs, gang; /* at most */
    uint32_t residents;  /* 0: 2 .. 5 */
    sim_time period;
    bool costs, one_instant; /* moving takes time; all jobs come at once */
};
/* Half of a world: those of one seed and shape share their overheads and seats. */
struct crowd *crowd_random(uint64_t seed, uint32_t half, const struct crowd_shape *);

/* Writes even shares into the wishes. */
void crowd_even(struct crowd *);

struct history *crowd_run(const struct crowd *);
sim_time crowd_end(const struct history *, uint32_t number);

#endif
