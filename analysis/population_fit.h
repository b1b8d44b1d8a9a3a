/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * population_fit.h - from a set of curves to the population that they are a sample of.
 *
 * Trials are split in those that learned and those that diverged: the last loss is within 2 % of
 * the way from the start to the best last loss, or it is no better than the first one and within
 * 25 % of that way. Each family is fitted to each trial that learned, twice: to the first 70 % of
 * its epochs, for the error over the rest, and to all of them. The family whose tail error has the
 * least median is the population's; what it leaves becomes the deviation common to all trials and
 * the noise of each.
 */
#ifndef ANALYSIS_POPULATION_FIT_H
#define ANALYSIS_POPULATION_FIT_H

#include "analysis/curve_fit.h"
#include "sim/model/population.h"
#include "sim/text/out.h"

#define FIT_HEAD      0.7 /* of the epochs that a tail error is predicted from */
#define FIT_FAMILIES  3u
#define FIT_EXAMPLES  200u
#define FIT_QUANTILES 21u
#define FIT_LEAST     20u /* trials that learned */

struct family_score {
    const struct family *family;
    uint32_t trials, best; /* with a tail; for how many of them it had the least tail error */
    double tail_p50, tail_p90, rmse_p50;
};

struct population_fit {
    const struct curves *curves;
    struct population *population;
    struct family_score score[FIT_FAMILIES];
    uint32_t learned, diverged, chosen;
};

/* NULL: reported, too few trials learned. Good as long as the arena. */
struct population_fit *population_fit(struct arena *, struct diag *, const char *path,
                                      const struct curves *);

/* The table of families, for people. */
void population_fit_print(struct out *, const struct population_fit *);

/* The file that population_load reads; from: which set it was made from. */
void population_write(struct out *, const struct population_fit *, const char *from);

#endif
