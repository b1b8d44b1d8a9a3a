/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tune.h - experiments while they run: tune.c has their course and their ends, tune_asks.c what a
 * tuner asks for.
 */
#ifndef SIM_TUNE_H
#define SIM_TUNE_H

#include "sim/engine/state.h"

struct tx {
    struct engine *e;
    uint32_t experiment;
};

/* What is known of a trial as long as its experiment, however long its job lives. */
struct track {
    job_id job; /* NO_JOB before submission */
    double metric;
    uint32_t epoch;  /* reported so far */
    uint32_t curve;  /* the one it follows */
    int64_t ahead;   /* how many epochs it is further there than by its own count */
    uint32_t breaks; /* the epoch with which it ends unplanned; UINT32_MAX: none */
    bool ended;
};

struct study {
    void *tuner_self;
    struct track *track; /* by trial */
    gsl_rng *random;     /* the tuner's stream; made on first use */
    uint32_t alive, good_left, n_ended;
    uint32_t held;       /* GPUs, by its trials */
    sim_time held_since; /* spent is good up to then */
    sim_area spent;      /* GPU nanoseconds */
    bool open, closed;
};

static inline const struct experiment *tune_spec(const struct tx *tx)
{
    return &tx->e->world->experiment[tx->experiment];
}

static inline struct track *tune_track(const struct tx *tx, uint32_t trial)
{
    return &tx->e->study[tx->experiment].track[trial];
}

#endif
