/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/stats.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

struct interval interval_of(const double *value, uint32_t n)
{
    struct interval x = {NAN, NAN, NAN, n};

    if (n == 0)
        return x;
    x.mean = gsl_stats_mean(value, 1, n);
    if (n < 2)
        return x;
    double half = gsl_cdf_tdist_Pinv(0.975, n - 1) * gsl_stats_sd_m(value, 1, n, x.mean) / sqrt(n);
    x.low = x.mean - half;
    x.high = x.mean + half;
    return x;
}

struct interval ratio_of(const double *y, const double *x, uint32_t n)
{
    struct interval r = {NAN, NAN, NAN, n};

    if (n == 0)
        return r;
    double mx = gsl_stats_mean(x, 1, n), my = gsl_stats_mean(y, 1, n);
    r.mean = mx == 0 ? 0 : my / mx - 1;
    if (n < 2 || mx == 0)
        return r;
    /* Roots of (my - r mx)^2 = t^2/n (syy - 2 r sxy + r^2 sxx). */
    double t = gsl_cdf_tdist_Pinv(0.975, n - 1), k = t * t / n;
    double sxx = gsl_stats_variance_m(x, 1, n, mx), syy = gsl_stats_variance_m(y, 1, n, my);
    double sxy = gsl_stats_covariance_m(x, 1, y, 1, n, mx, my);
    double a = mx * mx - k * sxx, b = mx * my - k * sxy, c = my * my - k * syy,
           root = b * b - a * c;
    if (a <= 0)
        return r;
    root = root > 0 ? sqrt(root) : 0;
    r.low = (b - root) / a - 1;
    r.high = (b + root) / a - 1;
    return r;
}
