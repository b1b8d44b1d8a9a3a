/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounds by a sine, as MINUIT has them (James and Roos 1975): a free angle a stands for
 * min + (max - min) (1 + sin a) / 2. Scale and shape are fitted as logarithms.
 */
#include "analysis/curve_fit.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/base/mem.h"

#define STEPS   60
#define ROUNDS  4
#define HUBER   1.345 /* 95 % efficient where errors are Gaussian (Huber 1981) */
#define FINE    1e-8
#define FARTHER 1.05 /* than the last loss is the limit that a fit begins with */

struct problem {
    const struct family *family;
    const double *t, *y;
    uint32_t n;
};

static double bound(const struct family *f, int i, bool upper)
{
    double x = upper ? f->max[i] : f->min[i];

    return i == FAMILY_LIMIT ? x : log(x);
}

/* A parameter, or its logarithm, from its angle. */
static double from_angle(const struct family *f, int i, double angle)
{
    double low = bound(f, i, false), high = bound(f, i, true);

    return low + (high - low) * (1 + sin(angle)) / 2;
}

static double to_angle(const struct family *f, int i, double x)
{
    double low = bound(f, i, false), high = bound(f, i, true);
    double part = high > low ? 2 * (x - low) / (high - low) - 1 : 0;

    return asin(fmin(fmax(part, -0.999), 0.999));
}

static void parameters(const struct family *f, const gsl_vector *angle, double param[FAMILY_PARAMS])
{
    for (int i = 0; i < FAMILY_PARAMS; i++) {
        double x = from_angle(f, i, gsl_vector_get(angle, (size_t)i));
        param[i] = i == FAMILY_LIMIT ? x : exp(x);
    }
}

static int errors(const gsl_vector *angle, void *user, gsl_vector *out)
{
    const struct problem *q = user;
    double param[FAMILY_PARAMS];

    parameters(q->family, angle, param);
    for (uint32_t i = 0; i < q->n; i++)
        gsl_vector_set(out, i, family_value(q->family, param, q->t[i]) - q->y[i]);
    return GSL_SUCCESS;
}

static int slopes(const gsl_vector *angle, void *user, gsl_matrix *out)
{
    const struct problem *q = user;
    const struct family *f = q->family;
    double param[FAMILY_PARAMS], turn[FAMILY_PARAMS], slope[2];

    parameters(f, angle, param);
    for (int i = 0; i < FAMILY_PARAMS; i++)
        turn[i] =
            (bound(f, i, true) - bound(f, i, false)) / 2 * cos(gsl_vector_get(angle, (size_t)i));
    for (uint32_t i = 0; i < q->n; i++) {
        double x = q->t[i] / param[FAMILY_SCALE], way = 1 - param[FAMILY_LIMIT];
        f->slopes(x, param[FAMILY_SHAPE], slope);
        gsl_matrix_set(out, i, FAMILY_LIMIT, turn[FAMILY_LIMIT] * f->rise(x, param[FAMILY_SHAPE]));
        gsl_matrix_set(out, i, FAMILY_SCALE, turn[FAMILY_SCALE] * way * slope[0]);
        gsl_matrix_set(out, i, FAMILY_SHAPE, -turn[FAMILY_SHAPE] * way * slope[1]);
    }
    return GSL_SUCCESS;
}

/* Huber's weights by the median absolute error; false: all points are met. */
static bool weigh(const gsl_vector *error, gsl_vector *weight, double *room)
{
    size_t n = error->size;
    double scale;

    for (size_t i = 0; i < n; i++)
        room[i] = fabs(gsl_vector_get(error, i));
    scale = HUBER * 1.4826 * gsl_stats_median(room, 1, n);
    if (!(scale > FINE))
        return false;
    for (size_t i = 0; i < n; i++)
        gsl_vector_set(weight, i, fmin(1, scale / fmax(fabs(gsl_vector_get(error, i)), FINE)));
    return true;
}

struct solver {
    gsl_multifit_nlinear_fdf fdf;
    gsl_multifit_nlinear_workspace *work;
    gsl_vector *angle, *weight, *error;
    double *room;
};

static double solve(struct solver *s, struct problem *q, gsl_vector *angle)
{
    int why;

    if (gsl_multifit_nlinear_winit(angle, s->weight, &s->fdf, s->work) != GSL_SUCCESS)
        return INFINITY;
    /* That no further step helps is a result as well. */
    gsl_multifit_nlinear_driver(STEPS, FINE, FINE, 0, NULL, NULL, &why, s->work);
    gsl_vector_memcpy(angle, gsl_multifit_nlinear_position(s->work));
    errors(angle, q, s->error);
    double sum = 0;
    for (uint32_t i = 0; i < q->n; i++)
        sum += gsl_vector_get(s->error, i) * gsl_vector_get(s->error, i);
    return sum;
}

/* From both ends of the shapes that curves have. */
static double best_start(struct solver *s, struct problem *q, double last)
{
    static const double shapes[] = {0.5, 2};
    gsl_vector *try = gsl_vector_alloc(FAMILY_PARAMS);
    double best = INFINITY, limit = 1 - FARTHER * (1 - last);

    if (!try)
        mem_exhausted();
    for (int k = 0; k < 2; k++) {
        gsl_vector_set(try, FAMILY_LIMIT, to_angle(q->family, FAMILY_LIMIT, limit));
        gsl_vector_set(try, FAMILY_SCALE, to_angle(q->family, FAMILY_SCALE, log(0.1)));
        gsl_vector_set(try, FAMILY_SHAPE, to_angle(q->family, FAMILY_SHAPE, log(shapes[k])));
        gsl_vector_set_all(s->weight, 1);
        double sum = solve(s, q, try);
        if (sum < best) {
            best = sum;
            gsl_vector_memcpy(s->angle, try);
        }
    }
    gsl_vector_free(try);
    return best;
}

double curve_fit_error(const struct family *f, const double param[FAMILY_PARAMS], const double *t,
                       const double *y, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += (family_value(f, param, t[i]) - y[i]) * (family_value(f, param, t[i]) - y[i]);
    return sqrt(sum / n);
}

/* The library wants as many points as parameters: few points count several times. */
static void repeat(struct problem *q, double *t, double *y, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        t[i] = q->t[i % q->n];
        y[i] = q->y[i % q->n];
    }
    *q = (struct problem){q->family, t, y, n};
}

bool curve_fit(const struct family *f, const double *t, const double *y, uint32_t n,
               struct curve_fit *out)
{
    struct problem q = {f, t, y, n};
    double few_t[2 * FAMILY_PARAMS], few_y[2 * FAMILY_PARAMS];
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();

    if (n == 0)
        return false;
    if (n < FAMILY_PARAMS)
        repeat(&q, few_t, few_y, FAMILY_PARAMS * n);
    struct solver s = {
        .fdf = {.f = errors, .df = slopes, .n = q.n, .p = FAMILY_PARAMS, .params = &q},
        .work = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, q.n, FAMILY_PARAMS),
        .angle = gsl_vector_alloc(FAMILY_PARAMS),
        .weight = gsl_vector_alloc(q.n),
        .error = gsl_vector_alloc(q.n),
        .room = mem_get(q.n * sizeof(double))};
    if (!s.work || !s.angle || !s.weight || !s.error)
        mem_exhausted();
    bool ok = isfinite(best_start(&s, &q, y[n - 1]));
    if (ok) {
        errors(s.angle, &q, s.error);
        for (int i = 0; i < ROUNDS && weigh(s.error, s.weight, s.room); i++)
            solve(&s, &q, s.angle);
        parameters(f, s.angle, out->param);
        out->rmse = curve_fit_error(f, out->param, t, y, n);
    }
    gsl_multifit_nlinear_free(s.work);
    gsl_vector_free(s.angle), gsl_vector_free(s.weight), gsl_vector_free(s.error);
    mem_drop(s.room);
    return ok;
}
