/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals from resamples of the pairs. */
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/stats.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"

static double acceleration(const double *left_out, uint32_t n)
{
    double mean = stats_mean(left_out, n), squares = 0, cubes = 0;

    for (uint32_t i = 0; i < n; i++) {
        double u = mean - left_out[i];
        squares += u * u;
        cubes += u * u * u;
    }
    return squares > 0 ? cubes / (6 * pow(squares, 1.5)) : NAN;
}

/* Resamples equal to the estimate, as come often with few pairs, count half. */
static double bias(double estimate, const double *resample, uint32_t m)
{
    double below = 0, up_to = 0;

    for (uint32_t i = 0; i < m; i++) {
        below += resample[i] < estimate;
        up_to += resample[i] <= estimate;
    }
    return gsl_cdf_ugaussian_Pinv((below + up_to) / (2. * m));
}

static double quantile(const double *sorted, uint32_t m, double p)
{
    return gsl_stats_quantile_from_sorted_data(sorted, 1, m, p);
}

static struct interval bca(const struct bootstrap *b, double estimate, const double *sorted,
                           uint32_t m, uint32_t n)
{
    struct interval x = {estimate, NAN, NAN, n};
    double z = gsl_cdf_ugaussian_Pinv(0.975), low = b->bias - z, high = b->bias + z,
           a = b->acceleration;

    /* Where 1 - a z has changed its sign the map from z to bounds has turned round. */
    if (!isfinite(b->bias) || !isfinite(a) || 1 - a * low <= 0 || 1 - a * high <= 0)
        return x;
    x.low = quantile(sorted, m, gsl_cdf_ugaussian_P(b->bias + low / (1 - a * low)));
    x.high = quantile(sorted, m, gsl_cdf_ugaussian_P(b->bias + high / (1 - a * high)));
    return x;
}

struct bootstrap stats_resampled(double estimate, double *resample, uint32_t m,
                                 const double *left_out, uint32_t n)
{
    struct interval none = {isfinite(estimate) ? estimate : NAN, NAN, NAN, n};
    struct bootstrap b = {none, none, none, NAN, NAN};
    bool finite = isfinite(estimate);

    for (uint32_t i = 0; i < m; i++)
        finite = finite && isfinite(resample[i]);
    if (!finite || n < 2 || m == 0)
        return b;
    gsl_sort(resample, 1, m);
    if (resample[0] == resample[m - 1])
        return b;
    double q = gsl_cdf_ugaussian_P(-sqrt(n / (n - 1.)) * gsl_cdf_tdist_Pinv(0.975, n - 1));
    b.bias = bias(estimate, resample, m);
    b.acceleration = acceleration(left_out, n);
    b.percentile.low = quantile(resample, m, 0.025);
    b.percentile.high = quantile(resample, m, 0.975);
    b.expanded.low = quantile(resample, m, q);
    b.expanded.high = quantile(resample, m, 1 - q);
    b.bca = bca(&b, estimate, resample, m, n);
    return b;
}

/* x and y: room for the pairs of one resample. */
static void fill_resamples(const struct paired *p, double statistic(const struct paired *),
                           double *x, double *y, double *resample, uint32_t m, gsl_rng *r)
{
    const struct paired drawn = {x, y, p->n};

    for (uint32_t k = 0; k < m; k++) {
        for (uint32_t i = 0; i < p->n; i++) {
            unsigned long from = gsl_rng_uniform_int(r, p->n);
            x[i] = p->x[from];
            y[i] = p->y[from];
        }
        resample[k] = statistic(&drawn);
    }
}

/* The last pair takes the place of the one that is left out. */
static void fill_left_out(const struct paired *p, double statistic(const struct paired *),
                          double *x, double *y, double *left_out)
{
    const struct paired rest = {x, y, p->n - 1};

    for (uint32_t i = 0; i < p->n; i++) {
        x[i] = p->x[i];
        y[i] = p->y[i];
    }
    for (uint32_t i = 0; i < p->n; i++) {
        x[i] = p->x[p->n - 1];
        y[i] = p->y[p->n - 1];
        left_out[i] = statistic(&rest);
        x[i] = p->x[i];
        y[i] = p->y[i];
    }
}

struct bootstrap stats_bootstrap(const struct paired *p, double statistic(const struct paired *),
                                 uint32_t m, uint64_t seed, uint64_t index)
{
    double *room = mem_get((3 * (size_t)p->n + m) * sizeof(*room));
    double *x = room, *y = x + p->n, *left_out = y + p->n, *resample = left_out + p->n;
    double estimate = p->n > 0 ? statistic(p) : NAN;
    uint32_t n = p->n;

    if (n < 2 || !isfinite(estimate)) {
        mem_drop(room);
        return stats_resampled(estimate, NULL, 0, NULL, n);
    }
    gsl_rng *r = rng_stream(seed, "bootstrap", index);
    fill_resamples(p, statistic, x, y, resample, m, r);
    gsl_rng_free(r);
    fill_left_out(p, statistic, x, y, left_out);
    struct bootstrap b = stats_resampled(estimate, resample, m, left_out, n);
    mem_drop(room);
    return b;
}
