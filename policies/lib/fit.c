/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/fit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

const char *const fit_families[] = {"best", "sublinear", "exponential", NULL};

#define ROUNDS    40   /* a fit that has not settled by then is taken as it is */
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

static double number(const double *p, int i)
{
    return exp(fmin(fmax(p[i], -LARGEST), LARGEST));
}

/* ---- families: of logarithms, so that each number stays positive and each curve falls ---- */

static double sublinear(const double *p, double u, double *slope)
{
    double a = number(p, 0), b = number(p, 1), c = number(p, 2), d = number(p, 3);
    double below = (a * u + b) * u + c;

    slope[0] = -a * u * u / (below * below);
    slope[1] = -b * u / (below * below);
    slope[2] = -c / (below * below);
    slope[3] = d;
    return 1 / below + d;
}

static double exponential(const double *p, double u, double *slope)
{
    double a = number(p, 0), r = number(p, 1), c = number(p, 2), left = a * exp(-r * u);

    slope[0] = left;
    slope[1] = -r * u * left;
    slope[2] = c;
    return left + c;
}

static void begin_sublinear(double *p, double u1, double l1, double un, double ln, double limit)
{
    double y1 = 1 / (l1 - limit), slope = (1 / (ln - limit) - y1) / (un - u1);

    slope = fmax(slope, 1e-3 * y1);
    p[0] = log(0.1 * slope);
    p[1] = log(slope);
    p[2] = log(fmax(y1 - slope * u1, 0.1 * y1));
    p[3] = log(limit);
}

static void begin_exponential(double *p, double u1, double l1, double un, double ln, double limit)
{
    double r = fmax(log((l1 - limit) / (ln - limit)) / (un - u1), 1e-3);

    p[0] = log(l1 - limit) + r * u1;
    p[1] = log(r);
    p[2] = log(limit);
}

static const struct family {
    size_t numbers;
    double (*at)(const double *p, double u, double *slope);
    /* A first guess from two points and a limit below them. */
    void (*begin)(double *p, double u1, double l1, double un, double ln, double limit);
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
    double slope[4];

    for (uint32_t i = 0; i < s->points->n; i++)
        gsl_vector_set(out, i,
                       s->family->at(p->data, place_of(s->points, i), slope) - s->points->loss[i]);
    return GSL_SUCCESS;
}

static int slopes(const gsl_vector *p, void *problem, gsl_matrix *out)
{
    const struct problem *s = problem;
    double slope[4];

    for (uint32_t i = 0; i < s->points->n; i++) {
        s->family->at(p->data, place_of(s->points, i), slope);
        for (size_t k = 0; k < s->family->numbers; k++)
            gsl_matrix_set(out, i, k, slope[k]);
    }
    return GSL_SUCCESS;
}

/* What the workspace has found; false: that is no curve. */
static bool take(struct fit *out, gsl_multifit_nlinear_workspace *w, uint32_t n, size_t numbers)
{
    const gsl_vector *p = gsl_multifit_nlinear_position(w),
                     *left = gsl_multifit_nlinear_residual(w);
    double squares = 0;

    for (uint32_t i = 0; i < n; i++)
        squares += gsl_vector_get(left, i) * gsl_vector_get(left, i);
    out->variance = squares / fmax(1, (double)n - (double)numbers);
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
    double start[4], limit = fmax(s->lo - 0.1 * (s->hi - s->lo), 0.5 * s->lo);
    int info;

    limit = fmax(limit, 1e-9);
    family->begin(start, place_of(s, 0), fmax(s->loss[0], 2 * limit), 1,
                  fmax(s->loss[s->n - 1], 1.5 * limit), limit);
    for (uint32_t i = 0; i < s->n; i++)
        gsl_vector_set(weight, i, weight_of(s, i));
    gsl_vector_view first = gsl_vector_view_array(start, family->numbers);
    *out = (struct fit){.family = which, .span = (double)(s->first + s->n - 1)};
    gsl_multifit_nlinear_winit(&first.vector, weight, &fdf, w);
    gsl_multifit_nlinear_driver(ROUNDS, PRECISION, PRECISION, PRECISION, NULL, NULL, &info, w);
    bool ok = take(out, w, s->n, family->numbers);
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
    f.variance = squares / (s->n - 1);
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

double fit_at(const struct fit *f, double epoch)
{
    double slope[4];

    return f->family == FIT_FLAT ? f->p[0] : families[f->family].at(f->p, epoch / f->span, slope);
}

double fit_error(const struct fit *f, double epoch)
{
    double slope[4], sum = f->variance;

    if (f->family == FIT_FLAT)
        return sqrt(sum);
    size_t n = families[f->family].numbers;
    families[f->family].at(f->p, epoch / f->span, slope);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            sum += slope[i] * slope[k] * f->covar[i][k];
    return sqrt(fmax(sum, 0));
}
