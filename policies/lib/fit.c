/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/fit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

const char *const fit_families[] = {"best", "sublinear", "exponential", NULL};

#define ROUNDS    50   /* a fit that has not settled by then is taken as it is */
#define PRECISION 1e-6 /* relative, of what is found */
#define LARGEST   40.0 /* logarithm of a number on the curve */

/* The reports that count, on an axis on which the last one is at 1. */
struct points {
    const double *loss; /* of the first one */
    uint32_t first, n;  /* its number, from 1; how many */
    double lo, hi;
    double decay;
};

static double place_of(const struct points *s, uint32_t i)
{
    return (double)(s->first + i) / (double)(s->first + s->n - 1);
}

static double weight_of(const struct points *s, uint32_t i)
{
    return pow(s->decay, (double)(s->n - 1 - i));
}

/* What the family is made of, from logarithms: each number stays positive, each curve falls. */
static void numbers_of(const double *p, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = exp(fmin(fmax(p[i], -LARGEST), LARGEST));
}

/* ---- families: the loss, and its slopes by the logarithms ---- */

static double sublinear(const double *x, double u, double *slope)
{
    double below = (x[0] * u + x[1]) * u + x[2], fall = -1 / (below * below);

    slope[0] = x[0] * u * u * fall;
    slope[1] = x[1] * u * fall;
    slope[2] = x[2] * fall;
    slope[3] = x[3];
    return 1 / below + x[3];
}

static double exponential(const double *x, double u, double *slope)
{
    double left = x[0] * exp(-x[1] * u);

    slope[0] = left;
    slope[1] = -x[1] * u * left;
    slope[2] = x[2];
    return left + x[2];
}

/* Three points and a limit below them, to guess from. */
struct guess {
    double u[3], loss[3], limit;
};

/* The parabola through 1 / (loss - limit), bent until none of its numbers is small: they are found
 * by their logarithms, and 0 is far away then. */
static void begin_sublinear(const struct guess *g, double *p)
{
    double y[3], width = g->u[2] - g->u[0];

    for (int i = 0; i < 3; i++)
        y[i] = 1 / (g->loss[i] - g->limit);
    double early = (y[1] - y[0]) / (g->u[1] - g->u[0]), late = (y[2] - y[1]) / (g->u[2] - g->u[1]);
    double least = 0.1 * fmax((y[2] - y[0]) / width, 1e-2 * y[0]);
    double a = fmax((late - early) / width, least);
    double b = fmax(early - a * (g->u[0] + g->u[1]), least);
    p[0] = log(a);
    p[1] = log(b);
    p[2] = log(fmax(y[0] - (a * g->u[0] + b) * g->u[0], 0.1 * y[0]));
    p[3] = log(g->limit);
}

static void begin_exponential(const struct guess *g, double *p)
{
    double fall = log((g->loss[0] - g->limit) / (g->loss[2] - g->limit));
    double r = fmax(fall / (g->u[2] - g->u[0]), 1e-3);

    p[0] = log(g->loss[0] - g->limit) + r * g->u[0];
    p[1] = log(r);
    p[2] = log(g->limit);
}

static const struct family {
    size_t numbers;
    double (*at)(const double *x, double u, double *slope);
    void (*begin)(const struct guess *, double *p);
} families[] = {
    [FIT_SUBLINEAR] = {4, sublinear, begin_sublinear},
    [FIT_EXPONENTIAL] = {3, exponential, begin_exponential},
};

/* ---- least squares ---- */

struct problem {
    const struct points *points;
    const struct family *family;
};

static int residuals(const gsl_vector *p, void *problem, gsl_vector *out)
{
    const struct problem *s = problem;
    double x[4], slope[4];

    numbers_of(p->data, s->family->numbers, x);
    for (uint32_t i = 0; i < s->points->n; i++)
        gsl_vector_set(out, i,
                       s->family->at(x, place_of(s->points, i), slope) - s->points->loss[i]);
    return GSL_SUCCESS;
}

static int slopes(const gsl_vector *p, void *problem, gsl_matrix *out)
{
    const struct problem *s = problem;
    double x[4], slope[4];

    numbers_of(p->data, s->family->numbers, x);
    for (uint32_t i = 0; i < s->points->n; i++) {
        s->family->at(x, place_of(s->points, i), slope);
        for (size_t k = 0; k < s->family->numbers; k++)
            gsl_matrix_set(out, i, k, slope[k]);
    }
    return GSL_SUCCESS;
}

/* What the workspace has found; false: that is no curve. */
static bool take(struct fit *out, gsl_multifit_nlinear_workspace *w, const struct points *s,
                 size_t numbers)
{
    const gsl_vector *p = gsl_multifit_nlinear_position(w),
                     *left = gsl_multifit_nlinear_residual(w);
    double squares = 0, all = 0, n = s->n;

    for (uint32_t i = 0; i < s->n; i++) {
        squares += gsl_vector_get(left, i) * gsl_vector_get(left, i);
        all += weight_of(s, i);
    }
    out->variance = squares / all * n / fmax(1, n - (double)numbers);
    gsl_matrix *covar = gsl_matrix_alloc(numbers, numbers);
    bool ok = gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(w), 1e-8, covar) == GSL_SUCCESS &&
              isfinite(squares);
    for (size_t i = 0; ok && i < numbers; i++) {
        out->p[i] = gsl_vector_get(p, i);
        for (size_t k = 0; k < numbers; k++)
            out->covar[i][k] = gsl_matrix_get(covar, i, k) * out->variance;
    }
    gsl_matrix_free(covar);
    return ok;
}

/* Where the search begins: the limit is the one of a geometric sequence through the three points,
 * or a little below the lowest loss. */
static struct guess guess_from(const struct points *s)
{
    const uint32_t at[3] = {0, (s->n - 1) / 2, s->n - 1};
    double l0 = s->loss[at[0]], l1 = s->loss[at[1]], l2 = s->loss[at[2]], range = s->hi - s->lo;
    double bend = l0 + l2 - 2 * l1, below = s->lo - 0.1 * range;
    struct guess g = {.limit = bend > 0 ? fmin((l0 * l2 - l1 * l1) / bend, below) : below - range};

    g.limit = fmax(fmax(g.limit, 0.3 * s->lo), 1e-9);
    for (int i = 0; i < 3; i++) {
        g.u[i] = place_of(s, at[i]);
        g.loss[i] = fmax(s->loss[at[i]], g.limit + fmax(0.01 * range, 1e-9 * g.limit));
    }
    return g;
}

static bool fit_family(struct fit *out, const struct points *s, enum fit_family which)
{
    const struct family *family = &families[which];
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    struct problem problem = {s, family};
    gsl_multifit_nlinear_fdf fdf = {
        .f = residuals, .df = slopes, .n = s->n, .p = family->numbers, .params = &problem};
    gsl_multifit_nlinear_workspace *w =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, s->n, family->numbers);
    gsl_vector *weight = gsl_vector_alloc(s->n);
    struct guess guess = guess_from(s);
    double start[4];
    int info;

    how.solver = gsl_multifit_nlinear_solver_mcholesky; /* fast, and it cannot fail */
    family->begin(&guess, start);
    for (uint32_t i = 0; i < s->n; i++)
        gsl_vector_set(weight, i, weight_of(s, i));
    gsl_vector_view first = gsl_vector_view_array(start, family->numbers);
    *out = (struct fit){.family = which, .span = (double)(s->first + s->n - 1)};
    gsl_multifit_nlinear_winit(&first.vector, weight, &fdf, w);
    gsl_multifit_nlinear_driver(ROUNDS, PRECISION, PRECISION, PRECISION, NULL, NULL, &info, w);
    bool ok = take(out, w, s, family->numbers);
    gsl_vector_free(weight);
    gsl_multifit_nlinear_free(w);
    return ok;
}

/* Nothing moved, or no curve could be found: it stays where it was on the average. */
static struct fit flat(const struct points *s)
{
    struct fit f = {.family = FIT_FLAT, .span = 1};
    double all = 0, squares = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        f.p[0] += weight_of(s, i) * s->loss[i];
        all += weight_of(s, i);
    }
    f.p[0] /= all;
    for (uint32_t i = 0; i < s->n; i++)
        squares += weight_of(s, i) * (s->loss[i] - f.p[0]) * (s->loss[i] - f.p[0]);
    f.variance = squares / all * s->n / (s->n - 1);
    return f;
}

struct fit fit_losses(const double *loss, uint32_t n, const struct fit_rules *r)
{
    uint32_t used = n > r->window ? (uint32_t)r->window : n;
    struct points s = {.loss = loss + n - used, .first = n - used + 1, .n = used};
    struct fit found, best = {.family = FIT_FLAT};

    s.decay = r->decay;
    s.lo = s.hi = s.loss[0];
    for (uint32_t i = 1; i < used; i++) {
        s.lo = fmin(s.lo, s.loss[i]);
        s.hi = fmax(s.hi, s.loss[i]);
    }
    for (int i = FIT_SUBLINEAR; i <= FIT_EXPONENTIAL && s.hi > s.lo; i++)
        if ((r->family == FIT_BEST || r->family == i) &&
            fit_family(&found, &s, (enum fit_family)i) &&
            (best.family == FIT_FLAT || found.variance < best.variance))
            best = found;
    return best.family == FIT_FLAT ? flat(&s) : best;
}

/* ---- what a curve says ---- */

static double at(const struct fit *f, double epoch, double *slope)
{
    const struct family *family = &families[f->family];
    double x[4];

    numbers_of(f->p, family->numbers, x);
    return family->at(x, epoch / f->span, slope);
}

double fit_at(const struct fit *f, double epoch)
{
    double slope[4];

    return f->family == FIT_FLAT ? f->p[0] : at(f, epoch, slope);
}

double fit_error(const struct fit *f, double epoch)
{
    double slope[4], sum = f->variance;

    if (f->family == FIT_FLAT)
        return sqrt(sum);
    at(f, epoch, slope);
    for (size_t i = 0; i < families[f->family].numbers; i++)
        for (size_t k = 0; k < families[f->family].numbers; k++)
            sum += slope[i] * slope[k] * f->covar[i][k];
    return sqrt(fmax(sum, 0));
}
