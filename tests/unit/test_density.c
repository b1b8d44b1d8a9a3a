/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Densities over the cube against closed forms. */
#include "policies/tuners/lib/density.h"

#include <math.h>

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#define MOST 16

struct room {
    double point[2 * MOST], width[2], scale[MOST], term[MOST];
};

static struct density make(struct room *r, uint32_t axes, uint32_t n, const double *point,
                           double least_width)
{
    struct density f = {n, axes, r->point, r->width, r->scale, r->term};

    for (uint32_t i = 0; i < n * axes; i++)
        r->point[i] = point[i];
    density_fit(&f, least_width);
    return f;
}

/* A normal density cut off at 0 and 1. */
static double cut(double x, double middle, double width)
{
    return gsl_ran_gaussian_pdf(x - middle, width) /
           (gsl_cdf_gaussian_P(1 - middle, width) - gsl_cdf_gaussian_P(-middle, width));
}

static void expect_near(double got, double wanted)
{
    cr_expect(fabs(got - wanted) <= 1e-12 * fabs(wanted), "%.17g, wanted %.17g", got, wanted);
}

Test(density, of_one_point)
{
    struct room r;

    for (double middle = 0; middle <= 1; middle += 0.25) {
        struct density f = make(&r, 1, 1, &middle, 0.125);
        for (double x = 0; x <= 1; x += 0.125)
            expect_near(exp(density_log(&f, &x)), cut(x, middle, 0.125));
    }
}

/* The standard deviation of n points times n^(-1 / (axes + 4)). */
Test(density, widths_by_scott)
{
    struct room r;
    struct density f = make(&r, 1, 2, (double[]){0.25, 0.75}, 0.01);

    expect_near(f.width[0], sqrt(0.125) * pow(2, -0.2));
    for (double x = 0; x <= 1; x += 0.125)
        expect_near(exp(density_log(&f, &x)),
                    (cut(x, 0.25, f.width[0]) + cut(x, 0.75, f.width[0])) / 2);
    f = make(&r, 2, 3, (double[]){0, 0.5, 0.5, 0.5, 1, 0.5}, 0.03);
    expect_near(f.width[0], 0.5 * pow(3, -1. / 6));
    expect_near(f.width[1], 0.03);
    expect_near(exp(density_log(&f, (double[]){0.25, 0.625})),
                (cut(0.25, 0, f.width[0]) + cut(0.25, 0.5, f.width[0]) + cut(0.25, 1, f.width[0])) /
                    3 * cut(0.625, 0.5, 0.03));
}

/* Over the whole cube the density comes to 1, wherever the points are. */
Test(density, sums_to_one)
{
    static const double point[] = {0, 0, 1, 1, 0.1, 0.9, 0.5, 0.45, 0.02, 0.3};
    struct room r;
    struct density f = make(&r, 2, 5, point, 0.05);
    double sum = 0;
    const int steps = 200;

    for (int i = 0; i < steps; i++)
        for (int k = 0; k < steps; k++)
            sum += exp(density_log(&f, (double[]){(i + 0.5) / steps, (k + 0.5) / steps}));
    cr_expect(fabs(sum / steps / steps - 1) < 1e-4, "%.17g", sum / steps / steps);
}

/* Where every kernel is 0 as a double, the logarithm is still that of the nearest one. */
Test(density, far_from_all_points)
{
    struct room r;
    struct density f = make(&r, 1, 1, (double[]){0}, 0.001);

    expect_near(density_log(&f, (double[]){1}), -0.5e6 - log(sqrt(2 * M_PI) * 0.001 * 0.5));
}
