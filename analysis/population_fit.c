/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/population_fit.h"

#include <math.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/population_noise.h"

#define SCALE_LOG  100 /* times the ideal before training: only the logarithm tells trials apart */
#define AT_START   0.02
#define NO_BETTER  0.25
#define ANCHOR     0.1 /* of the epochs */
#define LEAST_HEAD 4u  /* epochs */

struct fitting {
    struct arena *arena;
    const struct curves *curves;
    struct population *p;
    bool *diverged;          /* by trial */
    struct fit_curve *curve; /* by trial: losses and times */
    struct curve_fit *all[FIT_FAMILIES];
    double *tail[FIT_FAMILIES]; /* NAN: no tail */
};

/* ---- losses and classes ---- */

static struct population *frame(struct arena *a, const struct curves *c)
{
    struct population *p = arena_get(a, sizeof(*p));
    uint32_t epochs = 2;

    *p = (struct population){.name = c->name,
                             .falls = c->falls,
                             .start = c->start,
                             .ideal = c->ideal,
                             .worst = c->start,
                             .trials = c->trials,
                             .log = c->ideal > 0 && c->start > SCALE_LOG * c->ideal};
    for (uint32_t k = 0; k < c->trials; k++) {
        epochs = curve_planned(c, k) > epochs ? curve_planned(c, k) : epochs;
        for (uint32_t e = 1; e <= curve_epochs(c, k); e++)
            if (curve_better(c, p->worst, curve_at(c, k, e)))
                p->worst = curve_at(c, k, e);
    }
    p->epochs = epochs;
    p->diverged.family = &family_diverged;
    return p;
}

static void take_losses(struct fitting *x)
{
    for (uint32_t k = 0; k < x->curves->trials; k++) {
        struct fit_curve *f = &x->curve[k];
        f->n = curve_epochs(x->curves, k);
        f->t = arena_get(x->arena, f->n * sizeof(double));
        f->y = arena_get(x->arena, f->n * sizeof(double));
        for (uint32_t e = 1; e <= f->n; e++) {
            f->t[e - 1] = (double)e / curve_planned(x->curves, k);
            f->y[e - 1] = population_loss(x->p, curve_at(x->curves, k, e));
        }
    }
}

static void classify(struct fitting *x)
{
    double best = 1;

    for (uint32_t k = 0; k < x->curves->trials; k++)
        best = fmin(best, x->curve[k].y[x->curve[k].n - 1]);
    for (uint32_t k = 0; k < x->curves->trials; k++) {
        double first = x->curve[k].y[0], last = x->curve[k].y[x->curve[k].n - 1];
        x->diverged[k] = 1 - last < AT_START * (1 - best) ||
                         (last >= first && 1 - last < NO_BETTER * (1 - best));
    }
}

/* ---- families ---- */

static double tail_error(const struct family *f, const struct fit_curve *c)
{
    uint32_t head = (uint32_t)ceil(FIT_HEAD * c->n);
    struct curve_fit fit;

    if (head < LEAST_HEAD || head == c->n || !curve_fit(f, c->t, c->y, head, &fit))
        return NAN;
    return curve_fit_error(f, fit.param, c->t + head, c->y + head, c->n - head);
}

static void fit_family(struct fitting *x, uint32_t i)
{
    x->all[i] = arena_get(x->arena, x->curves->trials * sizeof(struct curve_fit));
    x->tail[i] = arena_get(x->arena, x->curves->trials * sizeof(double));
    for (uint32_t k = 0; k < x->curves->trials; k++) {
        const struct fit_curve *c = &x->curve[k];
        x->tail[i][k] = x->diverged[k] ? NAN : tail_error(families[i], c);
        x->all[i][k].rmse = NAN;
        if (!x->diverged[k])
            curve_fit(families[i], c->t, c->y, c->n, &x->all[i][k]);
    }
}

/* The median, or another quantile, of what is a number. */
static double quantile_of(struct arena *a, const double *x, size_t n, double q)
{
    double *sorted = arena_get(a, (n + 1) * sizeof(*sorted));
    size_t m = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            sorted[m++] = x[i];
    gsl_sort(sorted, 1, m);
    return m ? gsl_stats_quantile_from_sorted_data(sorted, 1, m, q) : NAN;
}

static void score(struct fitting *x, struct population_fit *out)
{
    uint32_t n = x->curves->trials;
    double *rmse = arena_get(x->arena, n * sizeof(*rmse));

    for (uint32_t i = 0; i < FIT_FAMILIES; i++) {
        struct family_score *s = &out->score[i];
        s->family = families[i];
        for (uint32_t k = 0; k < n; k++) {
            bool best = !isnan(x->tail[i][k]);
            s->trials += best;
            for (uint32_t j = 0; best && j < FIT_FAMILIES; j++)
                best = j == i || x->tail[i][k] < x->tail[j][k] ||
                       (i < j && x->tail[i][k] <= x->tail[j][k]);
            s->best += best;
            rmse[k] = x->all[i][k].rmse;
        }
        s->tail_p50 = quantile_of(x->arena, x->tail[i], n, 0.5);
        s->tail_p90 = quantile_of(x->arena, x->tail[i], n, 0.9);
        s->rmse_p50 = quantile_of(x->arena, rmse, n, 0.5);
        if (s->tail_p50 < out->score[out->chosen].tail_p50)
            out->chosen = i;
    }
}

/* ---- the population ---- */

/*
 * The curve goes through the mean loss of the last tenth of the epochs: what the family misses
 * there would else become noise, which forgets, while trials keep their rank.
 */
static void anchor(const struct family *f, const struct fit_curve *c, double param[FAMILY_PARAMS])
{
    uint32_t tail = (uint32_t)ceil(ANCHOR * c->n);
    double final = gsl_stats_mean(c->y + c->n - tail, 1, tail);
    double middle = c->t[c->n - 1] - (tail - 1) * (c->t[c->n - 1] / c->n) / 2;

    param[FAMILY_LIMIT] =
        1 - (1 - final) / f->rise(middle / param[FAMILY_SCALE], param[FAMILY_SHAPE]);
}

/* The curves of a class with what was fitted to them. */
static struct fit_class *class_of(struct fitting *x, const struct family *f,
                                  const struct curve_fit *fit, bool diverged)
{
    struct fit_class *c = arena_get(x->arena, sizeof(*c));

    c->family = f;
    c->curve = arena_get(x->arena, x->curves->trials * sizeof(*c->curve));
    for (uint32_t k = 0; k < x->curves->trials; k++) {
        if (x->diverged[k] != diverged || isnan(fit[k].rmse))
            continue;
        c->curve[c->n] = x->curve[k];
        c->curve[c->n].fit = fit[k];
        anchor(f, &x->curve[k], c->curve[c->n].fit.param);
        c->curve[c->n++].length = (double)x->curve[k].n / curve_planned(x->curves, k);
    }
    return c;
}

static void take_diverged(struct fitting *x)
{
    struct curve_fit *fit = arena_get(x->arena, x->curves->trials * sizeof(*fit));
    double *length = arena_get(x->arena, x->curves->trials * sizeof(*length));

    for (uint32_t k = 0; k < x->curves->trials; k++) {
        fit[k].rmse = NAN;
        if (x->diverged[k])
            curve_fit(&family_diverged, x->curve[k].t, x->curve[k].y, x->curve[k].n, &fit[k]);
    }
    struct fit_class *c = class_of(x, &family_diverged, fit, true);
    if (c->n < 2)
        return;
    fit_traits(x->arena, x->p, c, &x->p->diverged);
    for (uint32_t i = 0; i < c->n; i++)
        length[i] = c->curve[i].length;
    fit_table(x->arena, length, c->n, &x->p->length);
    x->p->diverged_share = (double)c->n / x->curves->trials;
}

struct population_fit *population_fit(struct arena *a, struct diag *d, const char *path,
                                      const struct curves *c)
{
    struct population_fit *out = arena_get(a, sizeof(*out));
    struct fitting x = {a,
                        c,
                        frame(a, c),
                        arena_get(a, c->trials * sizeof(bool)),
                        arena_get(a, c->trials * sizeof(struct fit_curve)),
                        {NULL},
                        {NULL}};
    struct source file = {path, NULL, 0, 1};

    out->curves = c;
    out->population = x.p;
    take_losses(&x);
    classify(&x);
    for (uint32_t k = 0; k < c->trials; k++)
        out->diverged += x.diverged[k];
    out->learned = c->trials - out->diverged;
    if (out->learned < FIT_LEAST) {
        diag_error(d, (struct mark){&file, 0, 0},
                   "%u trials that learned; a population needs at least %u", out->learned,
                   FIT_LEAST);
        return NULL;
    }
    for (uint32_t i = 0; i < FIT_FAMILIES; i++)
        fit_family(&x, i);
    score(&x, out);
    x.p->learning.family = families[out->chosen];
    struct fit_class *learning = class_of(&x, x.p->learning.family, x.all[out->chosen], false);
    fit_common(a, x.p, learning);
    fit_traits(a, x.p, learning, &x.p->learning);
    take_diverged(&x);
    return out;
}
