/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * world_small.h - small worlds made in memory: by hand, or at random within a shape.
 *
 * A world is a plain value: a law makes the same one twice from the same seed, changes one of them
 * and runs both. All times, step times included, are whole multiples of 8 ns, so that a world
 * without jitter can be scaled by powers of two and nothing is rounded.
 */
#ifndef TESTS_WORLD_SMALL_H
#define TESTS_WORLD_SMALL_H

#include "sim/model/trace.h"
#include "sim/model/world.h"

#define SMALL_KINDS 4 /* models and GPU types, at most */
#define SMALL_NODES 64
#define SMALL_JOBS  4096
/* How many worlds are enough: under sanitizers, where each takes ten times as long, fewer. */
#ifdef __SANITIZE_ADDRESS__
#define SMALL_WORLDS(n) ((n) / 4)
#else
#define SMALL_WORLDS(n) (n)
#endif

/* Step times of a model on a GPU type: alpha + beta * samples; alpha NAN: unknown. */
struct small_cost {
    double alpha[SMALL_KINDS][SMALL_KINDS], beta[SMALL_KINDS][SMALL_KINDS]; /* s */
    double gap[SMALL_KINDS];                                                /* s */
    struct sync_cost sync;
};

struct small {
    struct arena *arena;
    struct world world;
    struct small_cost *cost;
    struct job_spec *job; /* plain jobs, by submission */
    uint32_t n_jobs, most_jobs, most_nodes;
    sim_time until;
    const char *predictor; /* its label */
};

/* ---- by hand ---- */

struct small *small_new(uint64_t seed);
void small_free(struct small *);
type_id small_type(struct small *);
void small_nodes(struct small *, type_id, uint32_t count, uint32_t gpus);
/* alpha and beta in ns, on every type; an epoch has so many samples. */
uint32_t small_model(struct small *, double alpha, double beta, int64_t samples);
struct job_spec *small_job(struct small *, sim_time submit, uint32_t gpus, sim_time duration);
struct job_spec *small_training(struct small *, sim_time submit, uint32_t gpus, uint32_t model,
                                uint32_t batch, uint32_t epochs);
/* An experiment of the first model, one GPU a trial, with the batch given. Curves rise from 0 to
 * 0.5 in equal steps; none is good. */
struct experiment *small_study(struct small *, sim_time submit, uint32_t trials, uint32_t epochs,
                               uint32_t batch);
/* The value of a curve, to be changed. */
double *small_metric(struct experiment *, uint32_t trial, uint32_t epoch);
/* The experiment is searched by the tuner of a label. */
void small_tuner(struct small *, struct experiment *, const char *label);

/* ---- at random ---- */

struct small_shape {
    uint32_t types, nodes, node_gpus; /* at most; at least 1 */
    uint32_t jobs, gang;              /* plain jobs; GPUs of a job; at most */
    uint32_t trials; /* of each of up to two experiments, at most; 0: there are none */
    bool models;     /* plain jobs train models; else they are given by durations */
    bool speeds;     /* GPUs have individual speeds */
    bool costs;      /* moving a job takes time */
    bool jitter;
};

struct small *small_random(uint64_t seed, const struct small_shape *);

/* A tuner that pauses trials at their first report, goes on with the better half, and stops the
 * rest. */
extern const struct tuner small_halving;

#endif
