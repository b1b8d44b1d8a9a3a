/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fluid.h - the mean rates of jobs that share GPUs, solved together (eq. 20-21f).
 *
 * The answer is a pure function of the jobs and their shares: it does not depend on how they came
 * about. Permuting jobs or GPUs permutes it.
 */
#ifndef SIM_FLUID_H
#define SIM_FLUID_H

#include "sim/model/world.h"

/* A job that runs, and what becomes of it. */
struct fluid_job {
    job_id id;
    const struct job_spec *spec;
    struct placement held;
    double jitter;
    double rate; /* out: as world_rate() */
};

/* A GPU on which at least one of them runs. */
struct fluid_gpu {
    gpu_id gpu;
    uint32_t n;  /* out: jobs on it */
    double busy; /* out: part of the time in which at least one job computes (eq. 25) */
    double work; /* out: exclusive seconds done a second / the most that its type could do */
};

struct fluid; /* workspace */

struct fluid *fluid_new(const struct world *);
void fluid_free(struct fluid *);

/*
 * Jobs in order of submission that share GPUs directly or through others; the GPUs of all of them,
 * each once. false: the rates did not settle within the bound on rounds; the last ones stand.
 */
bool fluid_solve(struct fluid *, struct fluid_job *, uint32_t n_jobs, struct fluid_gpu *,
                 uint32_t n_gpus);

/* Of the last solution: seconds that the k-th share of the i-th job takes of a step, its jitter not
 * counted. */
double fluid_resid(const struct fluid *, uint32_t i, uint32_t k);

uint32_t fluid_rounds(const struct fluid *); /* that it took */

/*
 * The rates of any jobs, which need not hang together; f may be NULL where GPUs are not shared.
 * false: more on a GPU than it may have residents. Memory from the arena.
 */
bool fluid_rates(struct fluid *, struct arena *, const struct world *, struct fluid_job *,
                 uint32_t n_jobs);
/* Exclusive seconds a second that a GPU does at most for n jobs, whatever they are. */
double fluid_peak(const struct world *, gpu_id, uint32_t n);

#define FLUID_RESIDUAL 1e-9 /* greatest relative change of a step time in the last round */
#define FLUID_ROUNDS   400

#endif
