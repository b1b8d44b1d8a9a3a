/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Absolute errors, as the speeds have tails: jobs that another one stops nearly, and rates alone
 * that were measured too low.
 */
#include "analysis/eta_fit.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>

#define GRID   40   /* stretches between 1 and 2 that the minimum is looked for between */
#define WITHIN 1e-5 /* of it */
#define ROUNDS 60

/* How long an exclusive second takes beside a job that always computes: 2 / phi(2). */
static double stretch_of(double eta)
{
    return 2 / (1 + eta / 2);
}
static double eta_of(double stretch)
{
    return 2 * (2 / stretch - 1);
}

void eta_pair_solve(struct pair_speed *p, struct eta_pair *e, struct step_parts me,
                    struct step_parts other)
{
    for (int k = 0; k < ETA_KNOTS; k++)
        e->slowed[k] = 1 / pair_speed(p, eta_of(1 + k / (ETA_KNOTS - 1.0)), me, other);
}

static double speed_at(const struct eta_pair *e, double stretch)
{
    double x = (stretch - 1) * (ETA_KNOTS - 1);
    int k = x < ETA_KNOTS - 2 ? (int)x : ETA_KNOTS - 2;

    return 1 / (e->slowed[k] + (x - k) * (e->slowed[k + 1] - e->slowed[k]));
}

double eta_pair_speed(const struct eta_pair *e, double eta)
{
    return speed_at(e, stretch_of(eta));
}

/* Pairs of which one model may be left out. */
struct sample {
    const struct eta_pair *pair;
    size_t n;
    const char *without;
};

static bool is_of(const struct eta_pair *e, const char *model)
{
    return strcmp(e->model, model) == 0 || strcmp(e->other, model) == 0;
}

/* NAN: none is left. */
static double misfit(double stretch, void *sample)
{
    const struct sample *s = sample;
    double sum = 0, n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (!s->without || !is_of(&s->pair[i], s->without)) {
            sum += fabs(speed_at(&s->pair[i], stretch) - s->pair[i].measured);
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

/* The minimum within two steps of the grid, the middle of which is lower than both ends. */
static double refined(struct sample *s, double middle, double width)
{
    gsl_function f = {misfit, s};
    gsl_min_fminimizer *m = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    int more = gsl_min_fminimizer_set(m, &f, middle, middle - width, middle + width) == 0
                   ? GSL_CONTINUE
                   : GSL_SUCCESS;

    for (int i = 0; i < ROUNDS && more == GSL_CONTINUE; i++) {
        gsl_min_fminimizer_iterate(m);
        middle = gsl_min_fminimizer_x_minimum(m);
        more = gsl_min_test_interval(gsl_min_fminimizer_x_lower(m), gsl_min_fminimizer_x_upper(m),
                                     WITHIN, 0);
    }
    gsl_min_fminimizer_free(m);
    return middle;
}

/* NAN: no pair is left. */
static double best_stretch(struct sample *s)
{
    double at[GRID + 1];
    int best = 0;

    for (int i = 0; i <= GRID; i++) {
        at[i] = misfit(1 + i / (double)GRID, s);
        if (at[i] < at[best])
            best = i;
    }
    double x = 1 + best / (double)GRID;
    if (isnan(at[best]))
        return NAN;
    if (best == 0 || best == GRID || !(at[best] < at[best - 1] && at[best] < at[best + 1]))
        return x;
    return refined(s, x, 1.0 / GRID);
}

/* Whether a model is not in the pairs before the i-th. */
static bool is_new(const struct eta_pair *pair, size_t i, const char *model)
{
    for (size_t j = 0; j < i; j++)
        if (is_of(&pair[j], model))
            return false;
    return true;
}

struct eta_fit eta_fit(const struct eta_pair *pair, size_t n)
{
    struct sample s = {pair, n, NULL};
    double stretch = best_stretch(&s);
    struct eta_fit fit = {.eta = eta_of(stretch), .error = misfit(stretch, &s)};

    fit.low = fit.high = fit.eta;
    for (size_t i = 0; i < 2 * n; i++) {
        const struct eta_pair *e = &pair[i / 2];
        s.without = i % 2 ? e->other : e->model;
        if (!is_new(pair, i / 2, s.without) || (i % 2 && strcmp(e->model, e->other) == 0))
            continue;
        double eta = eta_of(best_stretch(&s)); /* NAN where nothing is left: no bound */
        fit.low = fmin(fit.low, eta);
        fit.high = fmax(fit.high, eta);
    }
    return fit;
}
