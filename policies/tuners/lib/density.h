/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * density.h - a probability density over the cube [0, 1]^axes, estimated from points in it.
 *
 * The mean of one kernel a point: a product over the axes of normal densities, each cut off at 0
 * and 1, so that it integrates to 1 over the cube. Widths by Scott's rule: the standard deviation
 * of the points on an axis times n^(-1 / (axes + 4)), but no less than a given width.
 */
#ifndef POLICIES_TUNERS_DENSITY_H
#define POLICIES_TUNERS_DENSITY_H

#include <stdint.h>

struct density {
    uint32_t n, axes;
    double *point; /* n x axes */
    double *width; /* by axis */
    double *scale; /* by point: logarithm of what its kernel is multiplied by */
    double *term;  /* by point: scratch */
};

/* From the points, which the caller has put in; at least 1. The arrays have room for them. */
void density_fit(struct density *, double least_width);

/* The logarithm of the density at a place. */
double density_log(const struct density *, const double *place);

#endif
