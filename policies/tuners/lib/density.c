/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/tuners/lib/density.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_statistics_double.h>

static double width_of(const struct density *f, uint32_t axis, double least_width)
{
    double width = 0;

    if (f->n > 1)
        width = gsl_stats_sd(f->point + axis, f->axes, f->n) * pow(f->n, -1.0 / (f->axes + 4));
    return fmax(width, least_width);
}

/* What of a normal density lies in [0, 1]. */
static double inside(double middle, double width)
{
    return gsl_cdf_ugaussian_P((1 - middle) / width) - gsl_cdf_ugaussian_P(-middle / width);
}

void density_fit(struct density *f, double least_width)
{
    for (uint32_t axis = 0; axis < f->axes; axis++)
        f->width[axis] = width_of(f, axis, least_width);
    for (uint32_t i = 0; i < f->n; i++) {
        f->scale[i] = 0;
        for (uint32_t axis = 0; axis < f->axes; axis++) {
            double w = f->width[axis];
            f->scale[i] -= log(sqrt(2 * M_PI) * w * inside(f->point[i * f->axes + axis], w));
        }
    }
}

/* Far from all points every kernel is 0 as a double: sums are taken relative to the largest. */
double density_log(const struct density *f, const double *place)
{
    double most = -INFINITY, sum = 0;

    for (uint32_t i = 0; i < f->n; i++) {
        double x = f->scale[i];
        for (uint32_t axis = 0; axis < f->axes; axis++)
            x -= gsl_pow_2((place[axis] - f->point[i * f->axes + axis]) / f->width[axis]) / 2;
        f->term[i] = x;
        most = fmax(most, x);
    }
    for (uint32_t i = 0; i < f->n; i++)
        sum += exp(f->term[i] - most);
    return most + log(sum / f->n);
}
