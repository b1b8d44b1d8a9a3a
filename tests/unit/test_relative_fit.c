/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_randist.h>

#include "analysis/relative_fit.h"
#include "sim/base/rng.h"

enum { MOST = 400 };

struct world {
    size_t n, p;
    double amount[MOST * RELATIVE_FIT_MOST], time[MOST], price[RELATIVE_FIT_MOST];
};

/* Amounts over some decades, times with a relative noise. */
static void draw(struct world *w, gsl_rng *r, double noise)
{
    for (size_t i = 0; i < w->n; i++) {
        w->time[i] = 0;
        for (size_t j = 0; j < w->p; j++) {
            double a = j == 0 ? 1 : exp(gsl_ran_flat(r, 0, 5)) * pow(10, (double)(2 * j));
            w->amount[i * w->p + j] = a;
            w->time[i] += a * w->price[j];
        }
        w->time[i] *= 1 + noise * gsl_ran_gaussian(r, 1);
    }
}

static struct relative_fit fit(const struct world *w, const double *least)
{
    struct relative_fit f;

    cr_assert_eq(relative_fit(w->n, w->p, w->amount, w->time, least, &f), RELATIVE_FIT_OK);
    return f;
}

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static struct world three_terms(size_t n)
{
    return (struct world){.n = n, .p = 3, .price = {1e-5, 2e-8, 3e-12}};
}

Test(relative_fit, exact_prices)
{
    struct world w = three_terms(40);
    gsl_rng *r = rng_stream(1, "fit", 0);

    draw(&w, r, 0);
    struct relative_fit f = fit(&w, NULL);
    for (size_t j = 0; j < w.p; j++) {
        cr_expect(near(f.x[j], w.price[j], 1e-9), "%zu: %g", j, f.x[j]);
        cr_expect(f.se[j] <= 1e-6 * f.x[j]);
    }
    gsl_rng_free(r);
}

/* A tenth of the times ten times too long moves prices by less than their noise would. */
Test(relative_fit, outliers)
{
    struct world w = three_terms(300);
    gsl_rng *r = rng_stream(2, "fit", 0);

    draw(&w, r, 0.05);
    for (size_t i = 0; i < w.n; i += 10)
        w.time[i] *= 10;
    struct relative_fit f = fit(&w, NULL);
    for (size_t j = 0; j < w.p; j++)
        cr_expect(near(f.x[j], w.price[j], 0.1), "%zu: %g for %g", j, f.x[j], w.price[j]);
    cr_expect(f.scale < 0.1, "%g", f.scale);
    gsl_rng_free(r);
}

/* Every unit of a column, and every order of the points, gives the same prices. */
Test(relative_fit, units_and_order)
{
    struct world w = three_terms(60), v;
    gsl_rng *r = rng_stream(3, "fit", 0);

    draw(&w, r, 0.1);
    v = w;
    for (size_t i = 0; i < w.n; i++) {
        v.time[i] = w.time[w.n - 1 - i];
        for (size_t j = 0; j < w.p; j++)
            v.amount[i * w.p + j] = w.amount[(w.n - 1 - i) * w.p + j] * (j == 1 ? 1e6 : 1);
    }
    struct relative_fit a = fit(&w, NULL), b = fit(&v, NULL);
    for (size_t j = 0; j < w.p; j++) {
        cr_expect(near(a.x[j], b.x[j] * (j == 1 ? 1e6 : 1), 1e-5), "%zu: %g %g", j, a.x[j], b.x[j]);
        cr_expect(near(a.se[j], b.se[j] * (j == 1 ? 1e6 : 1), 1e-4));
    }
    gsl_rng_free(r);
}

/* A term whose best price is below its bound stays there, and the others are as if it were known.
 */
Test(relative_fit, bounds)
{
    struct world w = {.n = 50, .p = 2, .price = {1e-5, 2e-8}}, rest;
    gsl_rng *r = rng_stream(4, "fit", 0);
    const double least[] = {0, 5e-8};

    draw(&w, r, 0.02);
    struct relative_fit f = fit(&w, least);
    cr_expect_eq(f.x[1], least[1]);
    cr_expect_eq(f.se[1], 0);
    rest = w;
    rest.price[1] = -1e-8;
    draw(&rest, r, 0);
    for (size_t i = 0; i < rest.n; i++)
        rest.time[i] = fabs(rest.time[i]) + 1e-9;
    f = fit(&rest, NULL);
    cr_expect(f.x[0] >= 0 && f.x[1] >= 0);
    gsl_rng_free(r);
}

/* One term: its standard error over many draws is what the spread of its prices is. */
Test(relative_fit, standard_error)
{
    struct world w = {.n = 50, .p = 2, .price = {1e-5, 2e-8}};
    gsl_rng *r = rng_stream(5, "fit", 0);
    double sum = 0, square = 0, se = 0;
    enum { DRAWS = 400 };

    for (int i = 0; i < DRAWS; i++) {
        draw(&w, r, 0.05);
        struct relative_fit f = fit(&w, NULL);
        sum += f.x[1] / DRAWS;
        square += f.x[1] * f.x[1] / DRAWS;
        se += f.se[1] / DRAWS;
    }
    double spread = sqrt(square - sum * sum);
    cr_expect(near(se, spread, 0.2), "said %g, is %g", se, spread);
    cr_expect(near(sum, w.price[1], 0.01));
    gsl_rng_free(r);
}

/* ---- the slow way: every subset of terms, least squares each, of one round's weights ---- */

static double loss(const struct world *w, const double *x, const double *weight)
{
    double sum = 0;

    for (size_t i = 0; i < w->n; i++) {
        double e = -1;
        for (size_t j = 0; j < w->p; j++)
            e += x[j] * w->amount[i * w->p + j] / w->time[i];
        sum += weight[i] * e * e;
    }
    return sum;
}

static bool solve_subset(const struct world *w, unsigned subset, const double *weight, double *x)
{
    size_t column[RELATIVE_FIT_MOST], k = 0;
    bool fine = true;

    for (size_t j = 0; j < w->p; j++)
        if (subset >> j & 1)
            column[k++] = j;
    gsl_matrix *a = gsl_matrix_alloc(w->n, k), *cov = gsl_matrix_alloc(k, k);
    gsl_vector *y = gsl_vector_alloc(w->n), *g = gsl_vector_alloc(w->n), *c = gsl_vector_alloc(k);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(w->n, k);
    double chisq;

    for (size_t i = 0; i < w->n; i++) {
        for (size_t j = 0; j < k; j++)
            gsl_matrix_set(a, i, j,
                           w->amount[i * w->p + column[j]] / w->time[i] /
                               pow(10, 2. * (double)column[j]));
        gsl_vector_set(y, i, 1);
        gsl_vector_set(g, i, weight[i]);
    }
    gsl_multifit_wlinear(a, g, y, c, cov, &chisq, work);
    memset(x, 0, RELATIVE_FIT_MOST * sizeof(*x));
    for (size_t j = 0; j < k; j++) {
        x[column[j]] = gsl_vector_get(c, j) / pow(10, 2. * (double)column[j]);
        fine &= x[column[j]] >= 0;
    }
    gsl_multifit_linear_free(work);
    gsl_matrix_free(a), gsl_matrix_free(cov);
    gsl_vector_free(y), gsl_vector_free(g), gsl_vector_free(c);
    return fine;
}

/* Where it has settled, no subset does better under the weights that its errors give. */
Test(relative_fit, no_subset_is_better)
{
    gsl_rng *r = rng_stream(6, "fit", 0);

    for (int t = 0; t < 200; t++) {
        struct world w = {.n = 12 + (size_t)t % 20, .p = 2 + (size_t)t % 3};
        double weight[MOST], x[RELATIVE_FIT_MOST], best = INFINITY;
        for (size_t j = 0; j < w.p; j++)
            w.price[j] = gsl_ran_flat(r, -0.3, 1) * pow(10, -2. * (double)j);
        draw(&w, r, 0.1);
        for (size_t i = 0; i < w.n; i++)
            w.time[i] = fmax(0.05, w.time[i]);
        struct relative_fit f = fit(&w, NULL);
        for (size_t i = 0; i < w.n; i++) {
            double e = -1;
            for (size_t j = 0; j < w.p; j++)
                e += f.x[j] * w.amount[i * w.p + j] / w.time[i];
            weight[i] = fmin(1, 1.345 * f.scale / fmax(fabs(e), 1e-9));
        }
        for (unsigned subset = 1; subset < 1u << w.p; subset++)
            if (solve_subset(&w, subset, weight, x))
                best = fmin(best, loss(&w, x, weight));
        double mine = loss(&w, f.x, weight);
        cr_expect(mine <= best * (1 + 1e-4) + 1e-9, "world %d: %g, a subset %g", t, mine, best);
    }
    gsl_rng_free(r);
}

/* ---- what cannot be fitted ---- */

Test(relative_fit, faults)
{
    static const double alike[] = {1, 2, 2, 4, 3, 6}, fine[] = {1, 2, 1, 4, 1, 8}, none[6];
    static const double time[] = {1, 2, 3};
    static const double same[] = {1, 2, 1, 2, 1, 2};
    struct relative_fit f;

    cr_expect_eq(relative_fit(2, 2, fine, time, NULL, &f), RELATIVE_FIT_FEW);
    cr_expect_eq(relative_fit(3, 2, same, time, NULL, &f), RELATIVE_FIT_RANK);
    cr_expect_eq(relative_fit(3, 2, none, time, NULL, &f), RELATIVE_FIT_RANK);
    cr_expect_eq(relative_fit(3, 2, fine, time, NULL, &f), RELATIVE_FIT_OK);
    cr_expect_eq(relative_fit(3, 2, alike, time, NULL, &f), RELATIVE_FIT_OK,
                 "columns that say the same share the price");
}

/*
 * Ten times say that a unit costs one thing, and one as large as these says ten times less, so that
 * their pulls nearly cancel: the price between them wanders, and none is found.
 */
Test(relative_fit, points_that_contradict_each_other)
{
    struct world w = {.n = 30, .p = 2};
    struct relative_fit f;

    for (size_t i = 0; i < 31; i++) {
        w.amount[2 * i] = 1;
        w.amount[2 * i + 1] = i < 20 ? 1e3 : 1e9;
        w.time[i] = i < 20 ? 1e-5 * (1 + 0.01 * (double)(i % 5)) : i < 30 ? 1.00001e-2 : 1e-3;
    }
    cr_expect_eq(relative_fit(30, 2, w.amount, w.time, NULL, &f), RELATIVE_FIT_OK);
    cr_expect_eq(relative_fit(31, 2, w.amount, w.time, NULL, &f), RELATIVE_FIT_DIVERGED);
}
