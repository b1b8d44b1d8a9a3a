/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/population_noise.h"

#include <math.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/population_fit.h"

#define ROUNDS 10
#define LEAST  1e-9
#define NORMAL 1.4826 /* standard deviations to a median absolute value, of Gaussian noise */
#define SHRINK 0.99   /* of correlations, until they are those of a distribution */
#define DIGITS 1e4

void fit_table(struct arena *a, const double *value, uint32_t n, struct trait_table *out)
{
    double *sorted = arena_get(a, n * sizeof(*sorted));

    for (uint32_t i = 0; i < n; i++)
        sorted[i] = value[i];
    gsl_sort(sorted, 1, n);
    out->n = FIT_QUANTILES;
    out->q = arena_get(a, out->n * sizeof(*out->q));
    for (uint32_t i = 0; i < out->n; i++)
        out->q[i] = gsl_stats_quantile_from_sorted_data(sorted, 1, n, (double)i / (out->n - 1));
}

/* ---- what is common ---- */

/* Residuals by trial and by epoch of the population; NAN: the trial had ended. */
static double *residuals(struct arena *a, const struct population *p, const struct fit_class *c)
{
    double *r = arena_get(a, (size_t)c->n * p->epochs * sizeof(*r));

    for (uint32_t k = 0; k < c->n; k++) {
        const struct fit_curve *f = &c->curve[k];
        double planned = f->n / f->length;
        for (uint32_t b = 0; b < p->epochs; b++) {
            double e = ceil((b + 1.0) / p->epochs * planned - 1e-9);
            r[(size_t)k * p->epochs + b] =
                e > f->n ? NAN
                         : f->y[(uint32_t)e - 1] -
                               family_value(c->family, f->fit.param, f->t[(uint32_t)e - 1]);
        }
    }
    return r;
}

static void take_deviation(struct arena *a, struct population *p, const struct fit_class *c,
                           double *r)
{
    double *column = arena_get(a, c->n * sizeof(*column));

    for (uint32_t b = 0; b < p->epochs; b++) {
        size_t n = 0;
        for (uint32_t k = 0; k < c->n; k++)
            if (!isnan(r[(size_t)k * p->epochs + b]))
                column[n++] = r[(size_t)k * p->epochs + b];
        p->common[COMMON_DEVIATION][b] = n ? gsl_stats_median(column, 1, n) : 0;
        for (uint32_t k = 0; k < c->n; k++)
            r[(size_t)k * p->epochs + b] -= p->common[COMMON_DEVIATION][b];
    }
}

/* The standard deviation of residuals, each divided by a scale, by their median: a few bad epochs
 * or trials do not widen the noise of all. */
static double spread_of(const double *r, uint32_t n, size_t stride, const double *scale,
                        double *room)
{
    uint32_t m = 0;

    for (uint32_t i = 0; i < n; i++)
        if (!isnan(r[i * stride]))
            room[m++] = fabs(r[i * stride]) / fmax(scale[i], LEAST);
    return m ? NORMAL * gsl_stats_median(room, 1, m) : 0;
}

/* r(k, b) has the spread noise(k) spread(b): one is found from the other, in turn. */
static void take_spread(struct arena *a, struct population *p, struct fit_class *c, const double *r)
{
    double *spread = p->common[COMMON_SPREAD], *noise = arena_get(a, c->n * sizeof(*noise));
    double *room = arena_get(a, (c->n > p->epochs ? c->n : p->epochs) * sizeof(*room));

    for (uint32_t b = 0; b < p->epochs; b++)
        spread[b] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        double square = 0;
        for (uint32_t k = 0; k < c->n; k++)
            noise[k] = spread_of(&r[(size_t)k * p->epochs], p->epochs, 1, spread, room);
        for (uint32_t b = 0; b < p->epochs; b++) {
            spread[b] = spread_of(&r[b], c->n, p->epochs, noise, room);
            square += spread[b] * spread[b] / p->epochs;
        }
        for (uint32_t b = 0; b < p->epochs && square > 0; b++)
            spread[b] /= sqrt(square);
    }
    for (uint32_t k = 0; k < c->n; k++)
        c->curve[k].noise = noise[k];
}

static void take_persistence(struct population *p, const struct fit_class *c, const double *r)
{
    p->common[COMMON_PERSISTENCE][0] = 0;
    for (uint32_t b = 1; b < p->epochs; b++) {
        double xy = 0, xx = 0, yy = 0;
        for (uint32_t k = 0; k < c->n; k++) {
            double noise = fmax(c->curve[k].noise, LEAST);
            double x = r[(size_t)k * p->epochs + b - 1] / noise,
                   y = r[(size_t)k * p->epochs + b] / noise;
            if (isnan(y))
                continue;
            xy += x * y;
            xx += x * x;
            yy += y * y;
        }
        p->common[COMMON_PERSISTENCE][b] = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
    }
}

void fit_common(struct arena *a, struct population *p, struct fit_class *c)
{
    double *r = residuals(a, p, c);

    for (int i = 0; i < COMMONS; i++)
        p->common[i] = arena_get(a, p->epochs * sizeof(double));
    take_deviation(a, p, c, r);
    take_spread(a, p, c, r);
    take_persistence(p, c, r);
}

/* ---- examples ---- */

void fit_traits(struct arena *a, const struct population *p, struct fit_class *c,
                struct population_class *out)
{
    double *final = arena_get(a, c->n * sizeof(*final));
    size_t *order = arena_get(a, c->n * sizeof(*order));

    for (uint32_t k = 0; k < c->n; k++)
        final[k] = family_value(c->family, c->curve[k].fit.param, 1);
    gsl_sort_index(order, final, 1, c->n);
    out->family = c->family;
    out->n = c->n < FIT_EXAMPLES ? c->n : FIT_EXAMPLES;
    out->example = arena_get(a, out->n * sizeof(*out->example));
    for (uint32_t i = 0; i < out->n; i++) {
        size_t at = out->n > 1 ? (size_t)i * (c->n - 1) / (out->n - 1) : 0;
        const struct fit_curve *f = &c->curve[order[at]];
        double *e = out->example[i];
        e[TRAIT_FINAL] = family_value(c->family, f->fit.param, 1);
        e[TRAIT_PROGRESS] = family_progress(c->family, f->fit.param, POPULATION_EARLY);
        e[TRAIT_SHAPE] = f->fit.param[FAMILY_SHAPE];
        e[TRAIT_NOISE] = c->family == p->diverged.family ? f->fit.rmse : f->noise;
    }
}
