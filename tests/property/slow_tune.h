/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_tune.h - experiments in the slow twin. */
#ifndef PROPERTY_SLOW_TUNE_H
#define PROPERTY_SLOW_TUNE_H

#include "tests/property/slow.h"

struct slow_trial {
    struct job *job; /* NULL: not submitted */
    bool copied;     /* it follows the curve of `like`, where it was `at` after `after` epochs */
    uint32_t like;
    int64_t at, after;
};

struct study {
    bool begun, closed;
    struct slow_trial *trial;
    void *self; /* the tuner */
    gsl_rng *random;
    sim_area spent; /* GPU nanoseconds, up to spent_at */
    sim_time spent_at;
};

void slow_spend(struct engine *); /* counts what experiments have held up to now */
/* When an experiment ends, whatever its trials do: deadline or budget; SIM_NEVER. */
sim_time slow_overdue_at(const struct engine *, uint32_t experiment);
void slow_overdue(struct engine *, uint32_t experiment);
void slow_open(struct engine *, uint32_t experiment);
void slow_reported(struct engine *, struct job *);
/* What it reports at an epoch from the next one on; NAN: it does not come so far. */
double slow_metric(const struct engine *, const struct job *, uint32_t epoch);
void slow_target(struct engine *, uint32_t experiment, double metric);
void slow_ended(struct engine *, struct job *);

#endif
