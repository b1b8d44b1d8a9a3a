/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * history.h - a run of a small world under a policy, as the list of its records.
 *
 * Every run checks all invariants after every instant. A refused act, a stall or a livelock fails
 * the test at once: no law is about a policy that misbehaves.
 */
#ifndef TESTS_HISTORY_H
#define TESTS_HISTORY_H

#include "analysis/metrics.h"
#include "sim/engine/engine.h"
#include "sim/model/plug.h"
#include "tests/laws/world_small.h"

struct history {
    struct arena *arena;
    struct record *record;
    uint32_t n;
    enum run_end end; /* drained, or until */
    uint64_t digest;
    struct metric_value value[METRICS];
};

/* ---- policies ---- */

enum {
    IS_ORACLE = 1,  /* knows what lies ahead */
    IS_GREEDY = 2,  /* leaves no GPU idle that a waiting job of one GPU could use */
    IS_BOUND = 4,   /* binds jobs to GPUs */
    IS_SINGLE = 8,  /* takes jobs of one GPU only */
    IS_SHARING = 16 /* puts several jobs on a GPU where it may */
};

struct law_policy {
    const char *label;
    unsigned is;
};

extern const struct law_policy law_policies[]; /* ended by a label of NULL */
#define LAW_PERIOD (4 * SIM_SECOND)            /* every quantum of theirs divides it */

/* A policy by its label; good as long as the arena. */
struct chosen_policy law_policy(struct arena *, const char *label);
/* Multiplies all its parameters in seconds. */
void law_scale_policy(const struct chosen_policy *, int64_t by);

/* ---- runs ---- */

struct history *history_of(const struct small *, const char *label);
struct history *history_with(const struct small *, const struct chosen_policy *);
/* Two runs at once, instant by instant in turn. */
void history_twins(const struct small *, const struct chosen_policy *, struct history *out[2]);
void history_free(struct history *);

/* The first record with a time below `before` in which two histories differ, as both tell it, NULL
 * if there is none. Reasons and names do not count. Good as long as the arena of a. */
const char *history_differs(const struct history *a, const struct history *b, sim_time before);
/* One record as a row of events.csv. */
const char *history_row(struct arena *, const struct record *);

/* The first record of a kind about the job of a number, from a position on; NULL: there is none. */
const struct record *history_find(const struct history *, enum record_kind, uint32_t number);

#endif
