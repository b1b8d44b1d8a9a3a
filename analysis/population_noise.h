/* SPDX-License-Identifier: GPL-3.0-or-later */
/* population_noise.h - traits of fitted curves and what is common to them; for population_fit.c. */
#ifndef ANALYSIS_POPULATION_NOISE_H
#define ANALYSIS_POPULATION_NOISE_H

#include "analysis/curve_fit.h"
#include "sim/model/population.h"

struct fit_curve {
    double *t, *y; /* by epoch */
    uint32_t n;
    struct curve_fit fit;
    double length; /* share of the planned epochs */
    double noise;  /* standard deviation about the curve */
};

struct fit_class {
    const struct family *family;
    struct fit_curve *curve;
    uint32_t n;
};

/* Quantiles of values. */
void fit_table(struct arena *, const double *value, uint32_t n, struct trait_table *);

/* Splits what the fits of trials that learned leave into what all of them share, which goes to the
 * population, and the noise of each. */
void fit_common(struct arena *, struct population *, struct fit_class *);

/* The examples of a class: all of its trials, or evenly spread ones of more than FIT_EXAMPLES. */
void fit_traits(struct arena *, const struct population *, struct fit_class *,
                struct population_class *);

#endif
