/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trials.h - what a history tells of the trials of an experiment. */
#ifndef TESTS_TRIALS_H
#define TESTS_TRIALS_H

#include "tests/laws/history.h"

/* What a record is about; false: not about a trial of this experiment. Good in order of records:
 * zero-initialise. */
struct trial_map {
    struct {
        uint32_t experiment, trial;
    } of[2 * SMALL_JOBS];
};

bool trial_of(struct trial_map *, const struct record *, uint32_t experiment, uint32_t *trial);

/* The epochs that each trial has reported, as "3 1 1 ...". Good as long as the history. */
const char *trials_epochs(const struct history *, uint32_t experiment);
/* The trials of the records of a kind, in order. */
const char *trials_in(const struct history *, uint32_t experiment, enum record_kind);

/* Curves that stay at a value each: trials and epochs as many as the study has. */
void trials_flat(struct experiment *, const double *value);

/* A random world of one or two experiments, without an end before they are done: many equal
 * metrics, trials of 1 to 5 epochs, some of which break off. */
struct small *trials_random(uint64_t seed, const char *tuner);
extern const char *const trials_policies[]; /* ended by NULL */

#endif
