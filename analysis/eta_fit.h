/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * eta_fit.h - what sharing gains on a GPU, eta of eq. 19, from speeds of jobs beside each other
 * whose busy shares are known.
 *
 * A pair is solved at a few values of 2/phi(2), how long an exclusive second takes beside another
 * job that always computes; between them its slowdown is taken to be a line. It is one where jobs
 * have gaps alone.
 */
#ifndef ANALYSIS_ETA_FIT_H
#define ANALYSIS_ETA_FIT_H

#include <stddef.h>

#include "analysis/pair_speed.h"

enum { ETA_KNOTS = 5 };

/* A job beside another. */
struct eta_pair {
    const char *model, *other;
    double measured; /* its speed, of that alone */
    double slowed[ETA_KNOTS];
};

void eta_pair_solve(struct pair_speed *, struct eta_pair *, struct step_parts me,
                    struct step_parts other);
double eta_pair_speed(const struct eta_pair *, double eta);

struct eta_fit {
    double eta;       /* 0 .. 2, of the least mean of |speed - measured| */
    double low, high; /* the least and the greatest with the pairs of one model left out */
    double error;     /* that mean */
};
struct eta_fit eta_fit(const struct eta_pair *, size_t n); /* n > 0 */

#endif
