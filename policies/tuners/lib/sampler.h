/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampler.h - which trial is likely to be a good one: TPE over the trials of an experiment.
 *
 * Bergstra et al. (2011), as BOHB does it (Falkner et al. 2018). What trials reported when they
 * came to certain epochs is kept. Of the latest of these to which enough trials came, the best
 * share gamma gives a density l over the hyper-parameters, the rest a density g; of some trials
 * drawn among those that were not taken, the one with the largest l/g is next. Before enough came,
 * and now and then after that, it is one at random. Ties in metrics and in l/g: the lower trial.
 */
#ifndef POLICIES_TUNERS_SAMPLER_H
#define POLICIES_TUNERS_SAMPLER_H

#include "policies/tuners/lib/bracket.h"
#include "policies/tuners/lib/density.h"
#include "sim/tuner.h"

struct sampling {
    double gamma, random_fraction, min_width;
    int64_t min_points, candidates;
};

/* The parameters in a tuner's table of fields. */
#define SAMPLING_FIELDS(type, member)                                                              \
    {FIELD_REAL,                                                                                   \
     "gamma",                                                                                      \
     offsetof(type, member.gamma),                                                                 \
     "0.15",                                                                                       \
     0.01,                                                                                         \
     0.5,                                                                                          \
     NULL,                                                                                         \
     "the share of trials that is good; default: BOHB's"},                                         \
        {FIELD_REAL,                                                                               \
         "random_fraction",                                                                        \
         offsetof(type, member.random_fraction),                                                   \
         "0.33333",                                                                                \
         0,                                                                                        \
         1,                                                                                        \
         NULL,                                                                                     \
         "of the picks that are random; default: BOHB's"},                                         \
        {FIELD_INT,                                                                                \
         "min_points",                                                                             \
         offsetof(type, member.min_points),                                                        \
         "0",                                                                                      \
         0,                                                                                        \
         1e6,                                                                                      \
         NULL,                                                                                     \
         "good trials at least, and 2 more to begin with; 0: hyper-parameters + 1, as BOHB"},      \
        {FIELD_INT,                                                                                \
         "candidates",                                                                             \
         offsetof(type, member.candidates),                                                        \
         "64",                                                                                     \
         1,                                                                                        \
         1e6,                                                                                      \
         NULL,                                                                                     \
         "trials drawn, of which the one with the largest l/g is taken; default: BOHB's"},         \
    {                                                                                              \
        FIELD_REAL, "min_width", offsetof(type, member.min_width), "0.03", 1e-3, 1, NULL,          \
            "of a kernel at least, on the axes from 0 to 1"                                        \
    }

/* For struct tuner's check. */
bool sampling_check(const struct sampling *, const struct tune_outline *, char *why, size_t size);

struct seen;

struct sampler {
    const struct sampling *by;
    uint32_t trials, axes, least;
    double *place;          /* trials x axes */
    uint32_t *left, n_left; /* trials that were not taken */
    uint32_t levels, epoch[BRACKET_RUNGS], n_seen[BRACKET_RUNGS];
    struct seen *seen[BRACKET_RUNGS]; /* the best first */
    uint8_t *level;                   /* by trial: levels it has come to */
    struct density good, other;       /* l and g */
};

#define NO_TRIAL UINT32_MAX

/* levels: what comes to the ends of its rungs is kept. */
void sampler_open(struct sampler *, struct tx *, const struct sampling *,
                  const struct bracket *levels);
void sampler_report(struct sampler *, const struct tx *, uint32_t trial, uint32_t epoch,
                    double metric);
/* It ended by itself: its last metric counts at all levels beyond, as it will not get better. */
void sampler_ended(struct sampler *, const struct tx *, uint32_t trial);
/* The next trial, which is taken with it; NO_TRIAL: none is left. */
uint32_t sampler_take(struct sampler *, struct tx *);

#endif
