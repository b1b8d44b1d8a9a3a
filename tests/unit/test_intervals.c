/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>

#include "analysis/stats.h"
#include "sim/base/rng.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool near(double got, double want)
{
    return isnan(want) ? isnan(got) : fabs(got - want) <= 1e-10 * fmax(1e-3, fabs(want));
}

static bool is(struct interval x, double mean, double low, double high)
{
    return near(x.mean, mean) && near(x.low, low) && near(x.high, high);
}

/* ---- Student and Fieller, computed from their definitions by another program ---- */

static const struct {
    uint32_t n;
    double x[6], mean, low, high;
} means[] = {
    {0, {0}, NAN, NAN, NAN},
    {1, {7}, 7, NAN, NAN},
    {2, {1, 2}, 1.5, -4.853102368087351, 7.853102368087351},
    {4, {1, 2, 3, 4}, 2.5, 0.4457397432394785, 4.5542602567605215},
    {6,
     {10.5, 11.25, 9.75, 10, 12.125, 8.5},
     10.354166666666666,
     9.036047025347166,
     11.672286307986166},
    {4, {-1, 0, 0.125, 5}, 1.03125, -3.254403534902071, 5.316903534902071},
    {3, {5, 5, 5}, 5, 5, 5},
};

static const struct {
    uint32_t n;
    double y[10], x[10], mean, low, high;
} ratios[] = {
    {0, {0}, {0}, NAN, NAN, NAN},
    {1, {3}, {2}, 0.5, NAN, NAN},
    {4,
     {10, 12, 9, 11},
     {20, 21, 19, 22},
     -0.4878048780487805,
     -0.5578090068061354,
     -0.4236394257492575},
    {10,
     {103, 98, 110, 107, 95, 101, 99, 104, 108, 100},
     {100, 97, 105, 103, 96, 99, 101, 100, 104, 98},
     0.02193419740777669,
     0.005607800170717603,
     0.03783488560444459},
    {4, {1, -1, 2, 0.5}, {10, 11, 9, 10}, -0.9375, -1.121023772944759, -0.7003207100731292},
    {5,
     {5.5, 4, 6, 7, 3},
     {2, 9, 4, 6, 5},
     -0.019230769230769384,
     -0.5500298860697546,
     1.9363004505463106},
    {3, {2, 4, 6.5}, {1, 2, 3}, 13. / 12, NAN, NAN}, /* the mean of x may be 0 */
    {2, {3, 6}, {1, 2}, 2, NAN, NAN},
    {3, {30, 33, 36}, {10, 11, 12}, 2, 2, 2}, /* in proportion */
    {3, {1, 2, 3}, {0, 0, 0}, 0, NAN, NAN},
};

/* The bounds are the ratios that a paired t-test just does not reject. */
static void check_bounds(gsl_rng *r)
{
    double x[10], y[10];

    for (int k = 0; k < 10; k++) {
        x[k] = gsl_ran_lognormal(r, 3, 0.5);
        y[k] = x[k] * gsl_ran_lognormal(r, -0.2, 0.3) + gsl_ran_exponential(r, 1);
    }
    struct interval c = ratio_of(y, x, 10);
    double bound[2] = {c.low + 1, c.high + 1};
    cr_assert(c.low < c.mean && c.mean < c.high);
    for (int b = 0; b < 2; b++) {
        double d[10];
        for (int k = 0; k < 10; k++)
            d[k] = y[k] - bound[b] * x[k];
        struct interval t = interval_of(d, 10);
        cr_assert(fabs(fabs(t.mean) / (t.high - t.mean) - 1) < 1e-6, "%g against %g", t.mean,
                  t.high - t.mean);
    }
}

Test(intervals, student_and_fieller)
{
    gsl_rng *r = rng_stream(1, "intervals", 0);

    for (size_t i = 0; i < COUNT(means); i++) {
        struct interval x = interval_of(means[i].x, means[i].n);
        cr_assert(x.n == means[i].n && is(x, means[i].mean, means[i].low, means[i].high),
                  "mean %zu: %.17g, %.17g .. %.17g", i, x.mean, x.low, x.high);
    }
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct interval x = ratio_of(ratios[i].y, ratios[i].x, ratios[i].n);
        cr_assert(x.n == ratios[i].n && is(x, ratios[i].mean, ratios[i].low, ratios[i].high),
                  "ratio %zu: %.17g, %.17g .. %.17g", i, x.mean, x.low, x.high);
    }
    for (int i = 0; i < 1000; i++)
        check_bounds(r);
    gsl_rng_free(r);
}
