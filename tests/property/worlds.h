/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worlds.h - random small worlds: everything an engine is handed, from one number.
 *
 * Durations, overheads and step times of a world share a scale between 1 ns and a minute and are
 * mostly small multiples of it, so that events tie.
 */
#ifndef PROPERTY_WORLDS_H
#define PROPERTY_WORLDS_H

#include "sim/engine/engine.h"
#include "sim/model/plug.h"

struct random_world {
    uint64_t seed;
    struct arena *arena;
    struct world world;
    struct chosen_policy policy;
    const char *predictor;     /* its label */
    struct engine_setup setup; /* all but the sinks */
    struct job_spec *job;      /* what the trace holds */
    uint32_t n_jobs;
    bool breaks; /* the trace ends in an error */
    sim_time scale;
};

struct random_world *world_draw(uint64_t seed);
void world_drop(struct random_world *);
/* In words, for people. */
void world_describe(const struct random_world *, FILE *out);

/* Extra policies, known to label texts by their names, and a tuner. */
extern const struct policy policy_anything, policy_meek, policy_throng;
extern const struct tuner tuner_anything;
struct anything_tuner {
    uint64_t seed;
    uint32_t at_first; /* trials submitted when the experiment begins */
    bool wild;         /* stops and promotes trials in every call */
    uint32_t calls;
};

/* A small stream of numbers. */
struct chance {
    uint64_t state;
};
uint64_t chance_bits(struct chance *);
uint32_t chance_below(struct chance *, uint32_t n); /* 0 .. n-1; n > 0 */
bool chance_of(struct chance *, uint32_t percent);

#endif
