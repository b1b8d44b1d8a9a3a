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

#define TUNER_ABI 2
#ifndef SIM_API
#define SIM_API __attribute__((visibility("default")))
#endif

struct tx; /* one call of a tuner */

enum tune_verdict {
    TUNE_GO_ON,
    TUNE_PAUSE, /* its state is saved; tune_promote() lets it wait for GPUs again */
    TUNE_STOP
};

/* What is known of an experiment when its configuration is read. */
struct tune_outline {
    uint32_t trials;
    uint32_t epochs; /* of the longest trial that may be drawn */
    uint32_t axes;   /* as tune_axes() */
};

struct tuner {
    uint32_t abi;  /* TUNER_ABI */
    uint32_t size; /* sizeof(struct tuner) */
    const char *name;
    const char *about;
    size_t state_size;
    const struct field *params; /* filled into self before open(); may be NULL */
    /* When the configuration is read: whether the parameters go together, and with the experiment.
     * false: `why` says what is wrong, as "KEY: ...". May be NULL. */
    bool (*check)(const void *params, const struct tune_outline *, char *why, size_t size);

    void (*open)(void *self, struct tx *); /* required: the experiment begins */
    /* Absent: go on. Not called for the report of the last epoch: the trial has ended by itself. */
    enum tune_verdict (*report)(void *self, struct tx *, uint32_t trial, uint32_t epoch,
                                double metric);
    /* It was paused, as report() wanted: its state is set aside, and it may be promoted now. */
    void (*paused)(void *self, struct tx *, uint32_t trial);
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

/* Epochs reported so far, and the last metric (NAN: none); known after the trial has ended, too. */
SIM_API uint32_t tune_epoch(const struct tx *, uint32_t trial);
SIM_API double tune_metric(const struct tx *, uint32_t trial);

/* Hyper-parameters of the trials: how many are known (0: none), and where a trial stands, 0 .. 1.
 */
SIM_API uint32_t tune_axes(const struct tx *);
SIM_API double tune_coordinate(const struct tx *, uint32_t trial, uint32_t axis);

/*
 * A paused trial takes over the checkpoint of another one's last report, and goes on with the
 * hyper-parameters of a third, `like`, which need not have been submitted: from now on it follows
 * the curve of `like`, from where that comes closest to the metric taken over (if `like` is `from`:
 * from the same epoch). It has still as many epochs to go. The copy lies in storage once it is
 * written there, and is read at the next start. false: the trial is not paused, there is no such
 * trial, the three are not of one model and batch size, or `from` is the trial itself or has not
 * reported.
 */
SIM_API bool tune_copy(struct tx *, uint32_t trial, uint32_t from, uint32_t like);

SIM_API uint64_t tune_random(struct tx *);          /* from the experiment's own stream */
SIM_API void *tune_keep(struct tx *, size_t bytes); /* zeroed; gone when the run ends */

#endif
