/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relative_fit.h - robust fits of times by sums of terms with prices that are not negative.
 *
 * Minimises the Huber loss of the relative errors, sum_j x_j a_ij / t_i - 1: weighted
 * least squares again and again, each by active sets (Lawson and Hanson 1974, chapter 23).
 */
#ifndef ANALYSIS_RELATIVE_FIT_H
#define ANALYSIS_RELATIVE_FIT_H

#include <stdbool.h>
#include <stddef.h>

#define RELATIVE_FIT_MOST 8 /* terms */

struct relative_fit {
    double x[RELATIVE_FIT_MOST];  /* prices; 0: the term does not pay */
    double se[RELATIVE_FIT_MOST]; /* standard errors of those above 0, else 0 */
    double scale;                 /* robust spread of the relative errors */
    int rounds;
};

enum relative_fit_fault {
    RELATIVE_FIT_OK,
    RELATIVE_FIT_FEW,     /* fewer points than terms and one */
    RELATIVE_FIT_RANK,    /* all points have the same sizes */
    RELATIVE_FIT_DIVERGED /* the weights did not settle */
};

/* n times above 0 (seconds), amounts[i * terms + j]; no price is below least[j] (NULL: 0). */
enum relative_fit_fault relative_fit(size_t n, size_t terms, const double *amounts,
                                     const double *times, const double *least,
                                     struct relative_fit *out);

#endif
