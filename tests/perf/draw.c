/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/perf/draw.h"

#include <math.h>

#define LN2 0.693147180559945309417

/* 2^k e^r with |r| <= ln(2)/2; the series ends below 2^-53. */
double draw_exp(double x)
{
    double k = floor(x / LN2 + 0.5), r = x - k * LN2, sum = 1;

    for (int i = 14; i > 0; i--)
        sum = 1 + sum * r / i;
    return ldexp(sum, (int)k);
}

/* e ln(2) + 2 artanh((m - 1) / (m + 1)) with m in [sqrt(1/2), sqrt(2)). */
double draw_log(double x)
{
    int e;
    double m = frexp(x, &e);

    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), s2 = s * s, sum = 0;
    for (int i = 21; i > 0; i -= 2)
        sum = sum * s2 + 1.0 / i;
    return e * LN2 + 2 * s * sum;
}

double draw_exponential(gsl_rng *r, double mean)
{
    return -mean * draw_log(1 - gsl_rng_uniform(r));
}

/* Marsaglia's polar method; the second variate is not kept, so that a draw has no memory. */
double draw_lognormal(gsl_rng *r, double mu, double sigma)
{
    double u, v, s;

    do {
        u = 2 * gsl_rng_uniform(r) - 1;
        v = 2 * gsl_rng_uniform(r) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return draw_exp(mu + sigma * (u * sqrt(-2 * draw_log(s) / s)));
}
