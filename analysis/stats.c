/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means, their intervals and effect sizes; what needs no ranks and no resamples. */
#include "analysis/stats.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/base/mem.h"

double stats_mean(const double *value, uint32_t n)
{
    double sum = 0, lost = 0;

    for (uint32_t i = 0; i < n; i++) {
        double next = sum + value[i], added = next - sum;
        lost += (sum - (next - added)) + (value[i] - added);
        sum = next;
    }
    return n > 0 ? (sum + lost) / n : NAN;
}

double *stats_differences(const struct paired *p)
{
    double *d = mem_get((p->n + 1) * sizeof(*d));
    bool finite = p->n > 0;

    for (uint32_t i = 0; i < p->n; i++) {
        d[i] = p->y[i] - p->x[i];
        finite = finite && isfinite(d[i]);
    }
    if (finite)
        return d;
    mem_drop(d);
    return NULL;
}

double stats_difference(const struct paired *p)
{
    return stats_mean(p->y, p->n) - stats_mean(p->x, p->n);
}

double stats_ratio(const struct paired *p)
{
    double x = stats_mean(p->x, p->n);

    return x == 0 ? NAN : stats_mean(p->y, p->n) / x - 1;
}

double stats_log_ratio(const struct paired *p)
{
    double x = stats_mean(p->x, p->n), y = stats_mean(p->y, p->n);

    return x > 0 && y > 0 ? log(y / x) : NAN;
}

/* ---- intervals ---- */

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

struct p_value stats_t(const struct paired *p)
{
    struct p_value t = {NAN, NAN, false};
    double *d = stats_differences(p);

    if (d && p->n > 1) {
        double mean = stats_mean(d, p->n), sd = gsl_stats_sd_m(d, 1, p->n, mean);
        t = (struct p_value){mean == 0 ? 0 : copysign(INFINITY, mean), mean == 0, false};
        if (sd > 0) {
            t.statistic = mean / (sd / sqrt(p->n));
            t.p = 2 * gsl_cdf_tdist_Q(fabs(t.statistic), p->n - 1);
        }
    }
    mem_drop(d);
    return t;
}

static double width(uint32_t n)
{
    return gsl_cdf_tdist_Pinv(0.975, n - 1) / sqrt(n);
}

uint32_t stats_runs_to_halve(uint32_t n)
{
    uint32_t low = n, high = 4 * n; /* t falls, so that four times as many are always enough */

    if (n < 2)
        return 0;
    double goal = width(n) / 2;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (width(middle) <= goal)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* ---- effect sizes ---- */

double stats_d_z(const struct paired *p)
{
    double *d = stats_differences(p), size = NAN;

    if (d && p->n > 1) {
        double mean = stats_mean(d, p->n), sd = gsl_stats_sd_m(d, 1, p->n, mean);
        size = sd > 0 ? mean / sd : NAN;
    }
    mem_drop(d);
    return size;
}

static double *sorted(const double *value, uint32_t n)
{
    double *copy = mem_get(n * sizeof(*copy));

    for (uint32_t i = 0; i < n; i++)
        copy[i] = value[i];
    gsl_sort(copy, 1, n);
    return copy;
}

double stats_cliff(const struct paired *p)
{
    double *d = stats_differences(p);
    int64_t wins = 0; /* less losses */
    uint32_t below = 0, up_to = 0;

    if (!d)
        return NAN;
    mem_drop(d);
    double *x = sorted(p->x, p->n), *y = sorted(p->y, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        while (below < p->n && x[below] < y[i])
            below++;
        while (up_to < p->n && x[up_to] <= y[i])
            up_to++;
        wins += (int64_t)below - (int64_t)(p->n - up_to);
    }
    mem_drop(x);
    mem_drop(y);
    return (double)wins / p->n / p->n;
}
