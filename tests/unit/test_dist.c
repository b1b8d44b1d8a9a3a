/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>

#include "analysis/dist.h"
#include "sim/base/rng.h"

static const double quantiles[] = {0,    1e-9, 0.001, 0.01,  0.1,     0.25, 0.5,
                                   0.75, 0.9,  0.99,  0.999, 0.99999, 1};
#define QUANTILES (sizeof quantiles / sizeof *quantiles)

static int by_value(const void *a, const void *b)
{
    const sim_time *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* ---- laws that times may follow ---- */

static sim_time constant(gsl_rng *r)
{
    (void)r;
    return 86400 * SIM_SECOND;
}

static sim_time small_numbers(gsl_rng *r)
{
    return (sim_time)gsl_rng_uniform_int(r, 2000);
}
static sim_time zero_or_latest(gsl_rng *r)
{
    return gsl_rng_uniform_int(r, 2) ? SIM_LATEST : 0;
}
static sim_time exponential(gsl_rng *r)
{
    return (sim_time)gsl_ran_exponential(r, 3600e9);
}
static sim_time wide(gsl_rng *r)
{
    return (sim_time)exp(43 * gsl_rng_uniform(r)) - 1;
}

static const struct {
    const char *name;
    sim_time (*draw)(gsl_rng *);
} laws[] = {{"constant", constant},
            {"small numbers", small_numbers},
            {"zero or latest", zero_or_latest},
            {"exponential", exponential},
            {"wide", wide}};

static void check(struct dist *d, sim_time *value, uint64_t n, const char *law, bool exact)
{
    sim_area sum = 0;

    for (uint64_t i = 0; i < n; i++)
        sum += value[i];
    qsort(value, n, sizeof *value, by_value);
    cr_assert(d->n == n && d->sum == sum && d->least == value[0] && d->largest == value[n - 1],
              "%s", law);
    cr_assert_eq(dist_mean(d), (sim_time)((sum + (sim_area)(n / 2)) / (sim_area)n));
    for (size_t i = 0; i < QUANTILES; i++) {
        uint64_t rank = (uint64_t)ceil(quantiles[i] * (double)n);
        sim_time want = value[rank > 0 ? rank - 1 : 0], got = dist_quantile(d, quantiles[i]);
        double error = fabs((double)(got - want)) / fmax(1, (double)want);
        cr_assert(exact ? got == want : error <= 0.002,
                  "%s, %llu values, quantile %g: %lld, exactly %lld", law, (unsigned long long)n,
                  quantiles[i], (long long)got, (long long)want);
        cr_assert(got >= d->least && got <= d->largest);
    }
}

Test(dist, quantiles)
{
    static const uint64_t sizes[] = {
        1, 2, 3, 10, 1000, DIST_EXACT - 1, DIST_EXACT, DIST_EXACT + 1, 300000};
    sim_time *value = malloc(300000 * sizeof *value);

    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct dist d = {.n = 0};
            gsl_rng *r = rng_stream(1, laws[l].name, sizes[s]);
            for (uint64_t i = 0; i < sizes[s]; i++) {
                value[i] = laws[l].draw(r);
                dist_add(&d, value[i]);
            }
            check(&d, value, sizes[s], laws[l].name, sizes[s] <= DIST_EXACT);
            dist_free(&d);
            cr_assert(d.n == 0 && dist_quantile(&d, 0.5) == 0 && dist_mean(&d) == 0);
            gsl_rng_free(r);
        }
    }
    free(value);
}

/* Asking in between changes nothing: values are sorted where they lie. */
Test(dist, asking_in_between)
{
    struct dist asked = {.n = 0}, quiet = {.n = 0};

    for (sim_time i = 0; i < DIST_EXACT + 10; i++) {
        dist_add(&asked, i * 7919 % 65537);
        dist_add(&quiet, i * 7919 % 65537);
        if (i % 1000 == 0)
            dist_quantile(&asked, 0.5);
    }
    for (size_t i = 0; i < QUANTILES; i++)
        cr_assert_eq(dist_quantile(&asked, quantiles[i]), dist_quantile(&quiet, quantiles[i]));
    dist_free(&asked);
    dist_free(&quiet);
}
