/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve_fit.h - a family fitted to one learning curve (family.h: scaled losses, times up to 1).
 *
 * Nonlinear least squares by Levenberg-Marquardt, parameters within the family's bounds, from two
 * starts of which the better counts; then with Huber's weights, so that single bad epochs count
 * less.
 */
#ifndef ANALYSIS_CURVE_FIT_H
#define ANALYSIS_CURVE_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model/family.h"

struct curve_fit {
    double param[FAMILY_PARAMS];
    double rmse; /* of all points, without weights */
};

/* n points at t above 0; false: there are none, or none could be fitted, as the library says. */
bool curve_fit(const struct family *, const double *t, const double *y, uint32_t n,
               struct curve_fit *);

/* The root mean square error over some points. */
double curve_fit_error(const struct family *, const double param[FAMILY_PARAMS], const double *t,
                       const double *y, uint32_t n);

#endif
