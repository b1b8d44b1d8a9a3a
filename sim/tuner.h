/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tuner.h - all a tuner, the search algorithm of an experiment, may see and do.
 *
 * A tuner decides what deserves to run; the policy decides what runs now, and where. The trials of
 * an experiment are numbered 0 .. tune_trials() - 1 and fixed when the run begins. A tuner submits
 * them, hears what they report, and may pause, promote and stop them. Same shape as policy.h.
 */
#ifndef SIM_TUNER_H
#define SIM_TUNER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/field.h"
#include "sim/types.h"

#define TUNER_ABI 1
#ifndef SIM_API
#define SIM_API __attribute__((visibility("default")))
#endif

struct tx; /* one call of a tuner */

enum tune_verdict {
    TUNE_GO_ON,
    TUNE_PAUSE, /* its state is saved; tune_promote() lets it wait for GPUs again */
    TUNE_STOP
};

struct tuner {
    uint32_t abi;  /* TUNER_ABI */
    uint32_t size; /* sizeof(struct tuner) */
    const char *name;
    const char *about;
    size_t state_size;
    const struct field *params; /* filled into self before open(); may be NULL */

    void (*open)(void *self, struct tx *); /* required: the experiment begins */
    /* Absent: go on. Not called for the report of the last epoch: the trial has ended by itself. */
    enum tune_verdict (*report)(void *self, struct tx *, uint32_t trial, uint32_t epoch,
                                double metric);
    void (*ended)(void *self, struct tx *, uint32_t trial); /* done, stopped or rejected */
    void (*close)(void *self);                              /* the run is over; may be NULL */
};

SIM_API sim_time tune_now(const struct tx *);
SIM_API uint32_t tune_trials(const struct tx *);
SIM_API uint32_t tune_epochs(const struct tx *, uint32_t trial);
SIM_API bool tune_falls(const struct tx *);             /* better metrics are lower */
SIM_API bool tune_submit(struct tx *, uint32_t trial);  /* false: it was submitted before */
SIM_API bool tune_promote(struct tx *, uint32_t trial); /* false: it is not paused */
SIM_API bool tune_stop(struct tx *, uint32_t trial);    /* false: it is not alive */

#endif
