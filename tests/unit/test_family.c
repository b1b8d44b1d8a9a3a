/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <criterion/criterion.h>

#include <gsl/gsl_randist.h>

#include "analysis/curve_fit.h"
#include "sim/base/rng.h"
#include "sim/model/family.h"

static const struct family *family_at(int i)
{
    return families[i] ? families[i] : &family_diverged;
}
#define ALL 4

Test(family, values)
{
    const double p[] = {0.2, 0.1, 2};

    /* 1 - (1 - limit) r(t / scale) with t / scale = 1. */
    cr_expect_float_eq(family_value(family_find("power"), p, 0.1), 0.2 + 0.8 / 4, 1e-15);
    cr_expect_float_eq(family_value(family_find("exponential"), p, 0.1), 0.2 + 0.8 * exp(-1),
                       1e-15);
    cr_expect_float_eq(family_value(family_find("log_power"), p, 0.1), 0.2 + 0.8 / 2, 1e-15);
    cr_expect_float_eq(family_value(family_find("log_power"), p, 0.3), 0.2 + 0.8 / 10, 1e-15);
    const double worse[] = {1.5, 0.1, 1};
    cr_expect_float_eq(family_value(&family_diverged, worse, 0.1), 1.5 - 0.5 * exp(-1), 1e-15);
    cr_expect_null(family_find("linear"));
    cr_expect_eq(family_find("diverged"), &family_diverged);
}

Test(family, rises_from_0_to_1)
{
    for (int i = 0; i < ALL; i++) {
        const struct family *f = family_at(i);
        for (int s = 0; s <= 10; s++) {
            double k =
                f->min[FAMILY_SHAPE] * pow(f->max[FAMILY_SHAPE] / f->min[FAMILY_SHAPE], s / 10.0);
            double before = 0;
            for (double x = 1e-6; x < 1e6; x *= 3) {
                double now = f->rise(x, k);
                cr_assert(now >= before && now <= 1, "%s %g %g", f->name, k, x);
                before = now;
            }
            cr_expect_lt(f->rise(1e-300, k), 1e-20);
        }
    }
}

Test(family, slopes)
{
    for (int i = 0; i < ALL; i++)
        for (double x = 0.01; x < 20; x *= 2)
            for (double k = 0.3; k < 5; k *= 1.7) {
                const struct family *f = family_at(i);
                double slope[2], h = 1e-6;
                f->slopes(x, k, slope);
                double by_x = (f->rise(x * exp(h), k) - f->rise(x * exp(-h), k)) / (2 * h);
                double by_k = (f->rise(x, k * exp(h)) - f->rise(x, k * exp(-h))) / (2 * h);
                cr_expect_float_eq(slope[0], by_x, 1e-8, "%s %g %g", f->name, x, k);
                cr_expect_float_eq(slope[1], by_k, 1e-8, "%s %g %g", f->name, x, k);
            }
}

Test(family, through)
{
    double p[FAMILY_PARAMS];

    for (int i = 0; families[i]; i++)
        for (double final = 0.01; final < 0.99; final += 0.07)
            for (double progress = 0.15; progress < 0.97; progress += 0.05)
                for (double shape = 0.5; shape < 5; shape *= 1.5) {
                    const struct family *f = families[i];
                    family_through(f, final, progress, 0.1, shape, p);
                    cr_assert_float_eq(family_value(f, p, 1), final, 1e-9, "%s %g %g %g", f->name,
                                       final, progress, shape);
                    cr_assert_float_eq(family_value(f, p, 0.1), 1 - progress * (1 - final), 1e-6,
                                       "%s %g %g %g", f->name, final, progress, shape);
                    cr_assert(p[FAMILY_SHAPE] >= shape, "%s", f->name);
                }
}

/* A start that is slower than the power law can be is as slow as it can. */
Test(family, through_what_it_cannot)
{
    double p[FAMILY_PARAMS];

    family_through(families[0], 0.3, 0.02, 0.1, 1, p);
    cr_expect_float_eq(family_value(families[0], p, 1), 0.3, 1e-9);
    cr_expect_float_eq(family_progress(families[0], p, 0.1), 0.1, 0.002);
    family_through(families[2], 0.3, 0.02, 0.1, 1, p);
    cr_expect_float_eq(family_progress(families[2], p, 0.1), 0.02, 1e-6);
    cr_expect_gt(p[FAMILY_SHAPE], 1.6);
}

/* ---- fits ---- */

#define EPOCHS 60

struct made {
    double t[EPOCHS], y[EPOCHS];
};

static void make(struct made *m, const struct family *f, const double *param, double noise,
                 uint64_t seed)
{
    gsl_rng *r = rng_stream(seed, "test", 0);

    for (int e = 0; e < EPOCHS; e++) {
        m->t[e] = (e + 1.0) / EPOCHS;
        m->y[e] = family_value(f, param, m->t[e]) + gsl_ran_gaussian(r, noise);
    }
    gsl_rng_free(r);
}

static const double known[][FAMILY_PARAMS] = {
    {0.05, 0.02, 0.5}, {0.2, 0.1, 1.2}, {0.3, 0.3, 2.5}, {0.1, 0.05, 0.8}, {0.5, 0.01, 1.0}};
#define KNOWN (sizeof(known) / sizeof(*known))

Test(curve_fit, finds_known_parameters)
{
    struct made m;
    struct curve_fit fit;

    for (int i = 0; families[i]; i++)
        for (size_t k = 0; k < KNOWN; k++) {
            make(&m, families[i], known[k], 0, 1);
            cr_assert(curve_fit(families[i], m.t, m.y, EPOCHS, &fit));
            cr_expect_lt(fit.rmse, 1e-6, "%s %zu", families[i]->name, k);
            for (int j = 0; j < FAMILY_PARAMS; j++)
                cr_expect_float_eq(fit.param[j] / known[k][j], 1, 1e-3, "%s %zu %s",
                                   families[i]->name, k, family_param_names[j]);
        }
}

/* Of noisy curves the true one is nearer than a noisy epoch is: by the root of epochs to
 * parameters, 4.5, on average. */
Test(curve_fit, sees_through_noise)
{
    struct made m, truth;
    struct curve_fit fit;

    for (int i = 0; families[i]; i++)
        for (size_t k = 0; k < KNOWN; k++)
            for (uint64_t seed = 1; seed <= 5; seed++) {
                make(&truth, families[i], known[k], 0, 1);
                make(&m, families[i], known[k], 0.01, seed);
                cr_assert(curve_fit(families[i], m.t, m.y, EPOCHS, &fit));
                cr_expect_lt(curve_fit_error(families[i], fit.param, truth.t, truth.y, EPOCHS),
                             0.006, "%s %zu", families[i]->name, k);
                cr_expect_float_eq(fit.rmse, 0.01, 0.004);
            }
}

/* One epoch in ten is far off, always to the same side. */
Test(curve_fit, outliers_count_little)
{
    struct made m, truth;
    struct curve_fit fit;

    for (int i = 0; families[i]; i++)
        for (size_t k = 0; k < KNOWN; k++) {
            make(&truth, families[i], known[k], 0, 1);
            make(&m, families[i], known[k], 0.003, 2);
            for (int e = 5; e < EPOCHS; e += 10)
                m.y[e] += 0.3;
            cr_assert(curve_fit(families[i], m.t, m.y, EPOCHS, &fit));
            cr_expect_lt(curve_fit_error(families[i], fit.param, truth.t, truth.y, EPOCHS), 0.006,
                         "%s %zu", families[i]->name, k);
        }
}

Test(curve_fit, stays_within_bounds)
{
    const double beyond[] = {-0.5, 2, 1}, huge[] = {5, 0.2, 1};
    struct made m;
    struct curve_fit fit;

    for (int i = 0; families[i]; i++) {
        make(&m, families[i], beyond, 0.01, 3);
        cr_assert(curve_fit(families[i], m.t, m.y, EPOCHS, &fit));
        for (int j = 0; j < FAMILY_PARAMS; j++)
            cr_expect(fit.param[j] >= families[i]->min[j] && fit.param[j] <= families[i]->max[j],
                      "%s: %s %g", families[i]->name, family_param_names[j], fit.param[j]);
    }
    make(&m, &family_diverged, huge, 0, 3);
    cr_assert(curve_fit(&family_diverged, m.t, m.y, EPOCHS, &fit));
    cr_expect_leq(fit.param[FAMILY_LIMIT], family_diverged.max[FAMILY_LIMIT]);
    cr_expect_gt(fit.param[FAMILY_LIMIT], 2.9);
}

Test(curve_fit, diverged)
{
    const double worse[] = {1.3, 0.2, 1};
    struct made m;
    struct curve_fit fit;

    make(&m, &family_diverged, worse, 0, 1);
    cr_assert(curve_fit(&family_diverged, m.t, m.y, EPOCHS, &fit));
    cr_expect_float_eq(fit.param[FAMILY_LIMIT], 1.3, 1e-3);
    for (int e = 0; e < EPOCHS; e++)
        m.y[e] = 1;
    cr_assert(curve_fit(&family_diverged, m.t, m.y, EPOCHS, &fit));
    cr_expect_lt(fit.rmse, 1e-6);
}

/* Fewer epochs than parameters. */
Test(curve_fit, short_curves)
{
    const double t[] = {0.01, 0.02}, y[] = {0.9, 0.8};
    struct curve_fit fit;

    for (int i = 0; i < ALL; i++)
        for (uint32_t n = 1; n <= 2; n++) {
            cr_assert(curve_fit(family_at(i), t, y, n, &fit));
            cr_expect(fit.rmse < (families[i] ? 0.01 : 0.1), "%s %u: %g", family_at(i)->name, n,
                      fit.rmse);
        }
}
