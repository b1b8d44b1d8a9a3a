/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns are scaled to a length of 1 first: prices span twelve orders of magnitude.
 */
#include "analysis/relative_fit.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/base/mem.h"

#define ROUNDS  5000
#define SCALED  20 /* rounds after which the scale stays: the loss is convex then, and settles */
#define SETTLED 1e-7
#define HUBER   1.345 /* 95 % efficient where errors are Gaussian (Huber 1981) */
#define TINY    1e-9

struct problem {
    size_t n, p;
    double *row;    /* n * p: amounts / time, columns scaled */
    double *size;   /* what columns were divided by */
    double *target; /* 1, less what the least prices make of a point */
    double *weight, *error;
    bool active[RELATIVE_FIT_MOST];
    double x[RELATIVE_FIT_MOST], se[RELATIVE_FIT_MOST];
};

static double predicted(const struct problem *q, size_t i, const double *x)
{
    double sum = 0;

    for (size_t j = 0; j < q->p; j++)
        sum += q->row[i * q->p + j] * x[j];
    return sum;
}

/* Weighted least squares on the active columns; others 0. */
static void solve(struct problem *q, double x[RELATIVE_FIT_MOST])
{
    size_t k = 0, column[RELATIVE_FIT_MOST] = {0};

    for (size_t j = 0; j < q->p; j++)
        if (q->active[j])
            column[k++] = j;
    gsl_matrix *a = gsl_matrix_alloc(q->n, k), *cov = gsl_matrix_alloc(k, k);
    gsl_vector *y = gsl_vector_alloc(q->n), *w = gsl_vector_alloc(q->n), *c = gsl_vector_alloc(k);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(q->n, k);
    double chisq;
    size_t rank;

    for (size_t i = 0; i < q->n; i++) {
        for (size_t j = 0; j < k; j++)
            gsl_matrix_set(a, i, j, q->row[i * q->p + column[j]]);
        gsl_vector_set(y, i, q->target[i]);
        gsl_vector_set(w, i, q->weight[i]);
    }
    /* Directions that the points do not determine are left out rather than blown up. */
    gsl_multifit_wlinear_tsvd(a, w, y, TINY, c, cov, &chisq, &rank, work);
    memset(x, 0, RELATIVE_FIT_MOST * sizeof(*x));
    memset(q->se, 0, sizeof(q->se));
    double variance = q->n > k ? chisq / (double)(q->n - k) : 0;
    for (size_t j = 0; j < k; j++) {
        x[column[j]] = gsl_vector_get(c, j);
        q->se[column[j]] = sqrt(fmax(0, gsl_matrix_get(cov, j, j) * variance));
    }
    gsl_multifit_linear_free(work);
    gsl_matrix_free(a), gsl_matrix_free(cov);
    gsl_vector_free(y), gsl_vector_free(w), gsl_vector_free(c);
}

/* The column that would lower the loss most; p: none would. */
static size_t steepest(const struct problem *q)
{
    double best = TINY;
    size_t which = q->p;

    for (size_t j = 0; j < q->p; j++) {
        double slope = 0;
        for (size_t i = 0; !q->active[j] && i < q->n; i++)
            slope += q->weight[i] * q->row[i * q->p + j] * (q->target[i] - predicted(q, i, q->x));
        if (slope > best * (double)q->n)
            best = slope / (double)q->n, which = j;
    }
    return which;
}

/* From x towards z as far as nothing becomes negative; what reaches 0 is no longer active. */
static bool step_back(struct problem *q, const double *z)
{
    double alpha = 1;
    size_t out = q->p;

    for (size_t j = 0; j < q->p; j++)
        if (q->active[j] && z[j] <= 0 && q->x[j] / (q->x[j] - z[j]) < alpha)
            alpha = q->x[j] / (q->x[j] - z[j]), out = j;
    for (size_t j = 0; j < q->p; j++)
        q->x[j] += alpha * (z[j] - q->x[j]);
    for (size_t j = 0; j < q->p; j++)
        if (q->active[j] && (j == out || q->x[j] <= 0))
            q->active[j] = false, q->x[j] = 0;
    return out != q->p;
}

static void non_negative(struct problem *q)
{
    double z[RELATIVE_FIT_MOST];
    size_t next;

    memset(q->active, 0, sizeof(q->active));
    memset(q->x, 0, sizeof(q->x));
    for (size_t tries = 0; tries < 3 * q->p && (next = steepest(q)) < q->p; tries++) {
        q->active[next] = true;
        do
            solve(q, z);
        while (step_back(q, z));
    }
    bool any = false;
    for (size_t j = 0; j < q->p; j++)
        any |= q->active[j];
    if (any)
        solve(q, z);
}

/* Weights by |error| and its robust spread (scale 0: to be found), which is returned. */
static double weigh(struct problem *q, double *sorted, double scale)
{
    for (size_t i = 0; i < q->n; i++) {
        q->error[i] = fabs(predicted(q, i, q->x) - q->target[i]);
        sorted[i] = q->error[i];
    }
    if (!(scale > 0))
        scale = fmax(TINY, 1.4826 * gsl_stats_median(sorted, 1, q->n));
    for (size_t i = 0; i < q->n; i++)
        q->weight[i] = fmin(1, HUBER * scale / fmax(q->error[i], TINY));
    return scale;
}

/* Whether all rows are multiples of the first. */
static bool all_alike(const struct problem *q, const double *amounts)
{
    for (size_t i = 1; i < q->n; i++)
        for (size_t j = 0; j < q->p; j++)
            if (fabs(amounts[i * q->p + j] - amounts[j]) > TINY * fabs(amounts[j]))
                return false;
    return true;
}

static void set_up(struct problem *q, struct arena *a, const double *amounts, const double *times,
                   const double *least)
{
    q->row = arena_get(a, q->n * q->p * sizeof(double));
    q->size = arena_get(a, q->p * sizeof(double));
    q->target = arena_get(a, q->n * sizeof(double));
    q->weight = arena_get(a, q->n * sizeof(double));
    q->error = arena_get(a, q->n * sizeof(double));
    for (size_t j = 0; j < q->p; j++) {
        for (size_t i = 0; i < q->n; i++) {
            q->row[i * q->p + j] = amounts[i * q->p + j] / times[i];
            q->size[j] += q->row[i * q->p + j] * q->row[i * q->p + j];
        }
        q->size[j] = q->size[j] > 0 ? sqrt(q->size[j] / (double)q->n) : 1;
        for (size_t i = 0; i < q->n; i++)
            q->row[i * q->p + j] /= q->size[j];
    }
    for (size_t i = 0; i < q->n; i++) {
        q->weight[i] = q->target[i] = 1;
        for (size_t j = 0; least && j < q->p; j++)
            q->target[i] -= q->row[i * q->p + j] * q->size[j] * least[j];
    }
}

static enum relative_fit_fault rounds(struct problem *q, struct arena *a, struct relative_fit *out)
{
    double before[RELATIVE_FIT_MOST], *sorted = arena_get(a, q->n * sizeof(double));

    for (out->rounds = 1; out->rounds <= ROUNDS; out->rounds++) {
        double moved = 0, most = 0;
        memcpy(before, q->x, sizeof(before));
        non_negative(q);
        for (size_t j = 0; j < q->p; j++) {
            moved = fmax(moved, fabs(q->x[j] - before[j]));
            most = fmax(most, q->x[j]);
        }
        out->scale = weigh(q, sorted, out->rounds > SCALED ? out->scale : 0);
        if (moved <= SETTLED * most || out->scale <= TINY)
            return RELATIVE_FIT_OK;
    }
    return RELATIVE_FIT_DIVERGED;
}

enum relative_fit_fault relative_fit(size_t n, size_t terms, const double *amounts,
                                     const double *times, const double *least,
                                     struct relative_fit *out)
{
    struct problem q = {.n = n, .p = terms};
    struct arena *a;

    *out = (struct relative_fit){0};
    if (n < terms + 1)
        return RELATIVE_FIT_FEW;
    if (all_alike(&q, amounts))
        return RELATIVE_FIT_RANK;
    a = arena_new();
    set_up(&q, a, amounts, times, least);
    enum relative_fit_fault fault = rounds(&q, a, out);
    for (size_t j = 0; j < terms; j++) {
        out->x[j] = q.x[j] / q.size[j] + (least ? least[j] : 0);
        out->se[j] = q.x[j] > 0 ? q.se[j] / q.size[j] : 0;
    }
    arena_free(a);
    return fault;
}
