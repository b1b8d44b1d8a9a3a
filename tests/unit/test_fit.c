/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/fit.h"

#include <math.h>

#include <criterion/criterion.h>

#define N 40

static const struct fit_rules by_default = {FIT_BEST, 0.9, 20, FIT_LEAST};

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Either family with numbers from wide ranges; at 0 it is about 1. */
static void draw_curve(uint64_t seed, enum fit_family family, double *loss)
{
    uint64_t state = seed * 77 + (uint64_t)family;
    double limit = 0.6 * uniform(&state), rate = 0.02 + 0.5 * uniform(&state),
           square = 0.05 * uniform(&state);

    for (int k = 1; k <= N; k++)
        loss[k - 1] = family == FIT_EXPONENTIAL
                          ? limit + (1 - limit) * exp(-rate * k)
                          : limit + 1 / (square * k * k + rate * k + 1 / (1 - limit));
}

/* By how much the next fall of the loss is missed, relatively. */
static double missed(const double *loss, uint32_t n, const struct fit_rules *r)
{
    struct fit f = fit_losses(loss, n, r);
    double step = loss[n - 1] - loss[n], told = fit_at(&f, n) - fit_at(&f, n + 1.0);

    return fabs(told - step) / (step + 1e-3);
}

/* What follows a curve is foretold: how far it falls next, and after twenty reports where it is
 * four later. */
Test(fit, exact_curves)
{
    for (int family = FIT_SUBLINEAR; family <= FIT_EXPONENTIAL; family++) {
        double sum = 0;
        for (uint64_t seed = 0; seed < 500; seed++) {
            double loss[N];
            struct fit_rules own = by_default;
            own.family = family;
            draw_curve(seed, (enum fit_family)family, loss);
            for (uint32_t n = FIT_LEAST; n <= 20; n += 4) {
                double x = missed(loss, n, &own), y = missed(loss, n, &by_default);
                cr_assert(x < 0.25 && y < 0.25,
                          "family %d, seed %llu, %u reports: missed by %g, of any by %g", family,
                          (unsigned long long)seed, n, x, y);
                sum += x + y;
            }
            struct fit f = fit_losses(loss, 20, &own);
            cr_assert(fabs(fit_at(&f, 24) - loss[23]) < 5e-3, "family %d, seed %llu", family,
                      (unsigned long long)seed);
        }
        cr_assert(sum / 5000 < 0.005, "family %d: %g", family, sum / 5000);
    }
}

/* Only the window counts. */
Test(fit, window)
{
    double a[N], b[N];
    struct fit_rules r = by_default;

    r.window = 8;
    draw_curve(1, FIT_EXPONENTIAL, a);
    draw_curve(1, FIT_EXPONENTIAL, b);
    for (int k = 0; k < N - 8; k++)
        b[k] = 5;
    struct fit x = fit_losses(a, N, &r), y = fit_losses(b, N, &r);
    cr_assert_eq(fit_at(&x, N + 5), fit_at(&y, N + 5));
}

/* A loss that stands still, grows, is at its ideal or out of all bounds has a curve that is finite,
 * stands as good as still and is never below 0. */
Test(fit, no_curve)
{
    static const double odd[][6] = {
        {1, 1, 1, 1, 1, 1},     {0, 0, 0, 0, 0, 0}, {1, 2, 4, 8, 16, 32},
        {0.3, 0.2, 0, 0, 0, 0}, {9, 1, 9, 1, 9, 1}, {1e-300, 0, 1e-300, 0, 1e-300, 0},
        {0, 0, 0, 0, 0, 1e12},
    };

    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int family = FIT_BEST; family <= FIT_EXPONENTIAL; family++) {
            struct fit_rules r = by_default;
            r.family = family;
            struct fit f = fit_losses(odd[i], 6, &r);
            double now = fit_at(&f, 6), then = fit_at(&f, 100), error = fit_error(&f, 100);
            cr_assert(isfinite(now) && then <= now && then >= 0 && isfinite(error) && error >= 0,
                      "case %zu, family %d: %g, %g +- %g", i, family, now, then, error);
        }
}

/* What is said to be the error is that of the next report: within 2 of them in most of the cases.
 */
Test(fit, errors)
{
    uint32_t inside = 0, all = 0;

    for (uint64_t seed = 0; seed < 1000; seed++) {
        double loss[N];
        uint64_t state = seed + 1000;
        draw_curve(seed, seed % 2 ? FIT_EXPONENTIAL : FIT_SUBLINEAR, loss);
        for (int k = 0; k < N; k++)
            loss[k] += 0.02 * (uniform(&state) + uniform(&state) + uniform(&state) - 1.5);
        struct fit f = fit_losses(loss, 20, &by_default);
        inside += fabs(fit_at(&f, 22) - loss[21]) < 2 * fit_error(&f, 22);
        all++;
    }
    cr_assert(inside > 0.88 * all && inside < 0.995 * all, "%u of %u", inside, all);
}
