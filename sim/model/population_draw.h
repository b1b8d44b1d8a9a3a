/* SPDX-License-Identifier: GPL-3.0-or-later */
/* population_draw.h - trials while they are drawn, shared by population_draw.c and _rank.c. */
#ifndef SIM_POPULATION_DRAW_H
#define SIM_POPULATION_DRAW_H

#include <gsl/gsl_rng.h>

#include "sim/model/population.h"

enum score { SCORE_FINAL, SCORE_EXAMPLE, SCORE_EARLY, SCORES };

struct drawn_trial {
    double z[SCORES]; /* independent, normal */
    double u;         /* rank of the final loss in the population, 0 .. 1 */
    double trait[TRAITS];
    double param[FAMILY_PARAMS];
    bool diverged, good;
};

struct drawing {
    const struct population *p;
    const struct draw_wish *wish;
    struct arena *temp;
    struct curves *curves; /* value[]: noise, as losses, until they are filled in */
    struct drawn_trial *trial;
    gsl_rng *rng;
    uint64_t seed;
    uint32_t index, epochs, early; /* early: the epoch at a tenth of them */
    double good_metric;
    double diverged_share;
    double noise; /* factor on all of it */
};

/* The metric at an epoch of a trial whose loss without noise is given. */
double drawn_metric(const struct drawing *, uint32_t trial, uint32_t epoch, double loss);

/* The metric at the last epoch: good trials reach good_metric there, others do not. */
double drawn_last(const struct drawing *, uint32_t trial);

/* Changes the progress of trials, and maybe the noise, until the rank correlation is as wanted. */
void drawn_correlate(struct drawing *);

#endif
