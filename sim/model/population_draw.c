/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/population_draw.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/text/num.h"

#define DIGITS     6     /* of a drawn metric, as recordings have */
#define NEAR       0.01  /* of all examples: how far off one may be whose traits are taken */
#define MOST_FINAL 0.999 /* loss of a trial that learns: a way is left to go */

static gsl_rng *stream(struct drawing *x, const char *name, uint32_t trial)
{
    rng_rewind(x->rng, x->seed, name, (uint64_t)x->index << 32 | trial);
    return x->rng;
}

/* ---- metrics ---- */

static double rounded(double value)
{
    char text[NUM_MAX];
    double x = 0;
    int n = snprintf(text, sizeof(text), "%.*g", DIGITS, value);

    num_real(text, (size_t)n, &x);
    return x;
}

static double bounded_metric(const struct population *p, const struct curves *c, double loss)
{
    double x = rounded(population_metric(p, loss));

    if (curve_better(c, x, p->ideal))
        return p->ideal;
    return curve_better(c, p->worst, x) ? p->worst : x;
}

/* The value of a list by epoch at a time: between those next to it, in proportion. */
static double common_at(const struct population *p, enum common which, double t)
{
    double at = t * p->epochs - 1, last = p->epochs - 1;
    uint32_t i = at <= 0 ? 0 : at >= last ? p->epochs - 2 : (uint32_t)at;
    double part = at <= 0 ? 0 : at >= last ? 1 : at - i;

    return p->common[which][i] + part * (p->common[which][i + 1] - p->common[which][i]);
}

static double noisy_loss(const struct drawing *x, uint32_t k, uint32_t epoch, double loss)
{
    double t = (double)epoch / x->epochs;
    double deviation = x->trial[k].diverged ? 0 : common_at(x->p, COMMON_DEVIATION, t);

    return loss + deviation + x->noise * curve_at(x->curves, k, epoch);
}

double drawn_metric(const struct drawing *x, uint32_t k, uint32_t epoch, double loss)
{
    return bounded_metric(x->p, x->curves, noisy_loss(x, k, epoch, loss));
}

/* A loss on the wrong side of the threshold is mirrored at it; digits may put it back. */
static double last_wanted(const struct drawing *x, uint32_t k, double loss)
{
    const struct curves *c = x->curves;
    double line = population_loss(x->p, x->good_metric), step;
    bool good = x->trial[k].good;

    if (good == (loss > line))
        loss = fmax(2 * line - loss, 0);
    double metric = bounded_metric(x->p, c, loss);
    if (good)
        return curve_better(c, x->good_metric, metric) ? x->good_metric : metric;
    step = 1e-6 * fabs(c->start - c->ideal);
    return curve_better(c, x->good_metric, metric) ? metric
                                                   : x->good_metric + (c->falls ? step : -step);
}

double drawn_last(const struct drawing *x, uint32_t k)
{
    uint32_t epoch = curve_epochs(x->curves, k);
    double loss = noisy_loss(
        x, k, epoch,
        family_value(x->trial[k].diverged ? x->p->diverged.family : x->p->learning.family,
                     x->trial[k].param, (double)epoch / x->epochs));

    return isnan(x->wish->good_share) ? bounded_metric(x->p, x->curves, loss)
                                      : last_wanted(x, k, loss);
}

/* ---- scores and ranks ---- */

static void draw_scores(struct drawing *x)
{
    for (uint32_t k = 0; k < x->curves->trials; k++) {
        gsl_rng *r = stream(x, "curve-traits", k);
        for (int i = 0; i < SCORES; i++)
            x->trial[k].z[i] = gsl_ran_ugaussian(r);
    }
}

struct ranked {
    double value;
    uint32_t trial;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->value < y->value || x->value > y->value)
        return x->value < y->value ? -1 : 1;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

/*
 * Each axis has a best value, and half the weight of the axis before it; what a trial lacks is its
 * weighted squared distance. The score of the final loss is that in normal scores, mixed with the
 * trial's own.
 */
static void draw_axes(struct drawing *x)
{
    struct curves *c = x->curves;
    struct ranked *row = arena_get(x->temp, c->trials * sizeof(*row));
    double best[16] = {0}, share = x->wish->explained;

    gsl_rng *r = stream(x, "curve-best", 0);
    for (uint32_t a = 0; a < c->axes; a++)
        best[a] = gsl_rng_uniform(r);
    for (uint32_t k = 0; k < c->trials; k++) {
        r = stream(x, "curve-axes", k);
        row[k].trial = k;
        for (uint32_t a = 0; a < c->axes; a++) {
            double *point = &c->point[(size_t)k * c->axes + a];
            *point = rounded(gsl_rng_uniform(r));
            row[k].value += ldexp((*point - best[a]) * (*point - best[a]), -(int)a);
        }
    }
    qsort(row, c->trials, sizeof(*row), by_value);
    for (uint32_t i = 0; i < c->trials; i++) {
        double score = gsl_cdf_ugaussian_Pinv((i + 0.5) / c->trials);
        double *z = &x->trial[row[i].trial].z[SCORE_FINAL];
        *z = sqrt(share) * score + sqrt(1 - share) * *z;
    }
}

static uint32_t good_count(const struct draw_wish *w, uint32_t trials)
{
    return (uint32_t)(w->good_share * trials + 0.5);
}

static double share_diverged(const struct population *p, const struct draw_wish *w)
{
    return isnan(w->diverged_share) ? p->diverged_share : w->diverged_share;
}

/* The share of all trials that reach a metric; noise is not counted. */
static double share_reaching(const struct population *p, double diverged, double metric)
{
    double loss = population_loss(p, metric) - p->common[COMMON_DEVIATION][p->epochs - 1];

    return (1 - diverged) * population_share(&p->learning, loss);
}

/* The best so many become the best of the population, which reach the threshold. */
static void want_good(struct drawing *x)
{
    uint32_t n = x->curves->trials, good = good_count(x->wish, n);
    struct ranked *row = arena_get(x->temp, n * sizeof(*row));
    double reach = share_reaching(x->p, x->diverged_share, x->good_metric);

    for (uint32_t k = 0; k < n; k++)
        row[k] = (struct ranked){x->trial[k].u, k};
    qsort(row, n, sizeof(*row), by_value);
    double cut = good == 0 ? 0 : good == n ? 1 : (row[good - 1].value + row[good].value) / 2;
    for (uint32_t i = 0; i < n; i++) {
        struct drawn_trial *t = &x->trial[row[i].trial];
        t->good = i < good;
        t->u = i < good ? t->u / cut * reach : reach + (t->u - cut) / (1 - cut) * (1 - reach);
    }
}

/* ---- traits and noise ---- */

/* An example whose rank is near: from both sides alike, and back from the ends. */
static const double *example_near(const struct population_class *c, double u, double score)
{
    double last = c->n - 1, at = u * last + score * fmax(NEAR * c->n, 1);

    at = at < 0 ? -at : at > last ? 2 * last - at : at;
    return c->example[(uint32_t)fmin(fmax(at, 0), last)];
}

static void draw_traits(struct drawing *x, struct drawn_trial *t)
{
    double learning = 1 - x->diverged_share;
    const struct population_class *c;

    t->diverged = t->u > learning;
    c = t->diverged ? &x->p->diverged : &x->p->learning;
    double u = t->diverged ? (t->u - learning) / x->diverged_share : t->u / learning;
    const double *example = example_near(c, u, t->z[SCORE_EXAMPLE]);
    for (int i = 0; i < TRAITS; i++)
        t->trait[i] = example[i];
    t->trait[TRAIT_FINAL] = population_final(c, u);
    if (!t->diverged)
        t->trait[TRAIT_FINAL] = fmin(t->trait[TRAIT_FINAL], MOST_FINAL);
    family_through(c->family, t->trait[TRAIT_FINAL], t->trait[TRAIT_PROGRESS], POPULATION_EARLY,
                   t->trait[TRAIT_SHAPE], t->param);
}

/* Diverged trials end early, in the epoch that has their share of the planned ones. */
static void settle_lengths(struct drawing *x)
{
    struct curves *c = x->curves;
    uint32_t total = 0;

    for (uint32_t k = 0; k < c->trials; k++) {
        double share = 1;
        if (x->trial[k].diverged)
            share = trait_quantile(&x->p->length, gsl_rng_uniform(stream(x, "curve-length", k)));
        c->first[k] = total;
        c->planned[k] = x->epochs;
        total += (uint32_t)fmax(1, ceil(share * x->epochs));
    }
    c->first[c->trials] = total;
}

/* A chain: its correlation with the epoch before is that of the recordings, for as much time. */
static void draw_noise(struct drawing *x, uint32_t k)
{
    const struct drawn_trial *t = &x->trial[k];
    double *value = &x->curves->value[x->curves->first[k]], z = 0;
    gsl_rng *r = stream(x, "curve-noise", k);

    for (uint32_t e = 0; e < curve_epochs(x->curves, k); e++) {
        double at = (double)(e + 1) / x->epochs, keep = 0, spread = 1;
        if (!t->diverged) {
            keep = e ? common_at(x->p, COMMON_PERSISTENCE, at) : 0;
            keep = copysign(pow(fabs(keep), (double)x->p->epochs / x->epochs), keep);
            spread = common_at(x->p, COMMON_SPREAD, at);
        }
        z = keep * z + sqrt(1 - keep * keep) * gsl_ran_ugaussian(r);
        value[e] = t->trait[TRAIT_NOISE] * spread * z;
    }
}

/* Noise becomes metrics. */
static void fill_in(struct drawing *x)
{
    struct curves *c = x->curves;

    for (uint32_t k = 0; k < c->trials; k++) {
        const struct drawn_trial *t = &x->trial[k];
        const struct family *f = t->diverged ? x->p->diverged.family : x->p->learning.family;
        uint32_t n = curve_epochs(c, k);
        double last = drawn_last(x, k);
        for (uint32_t e = 1; e < n; e++)
            c->value[c->first[k] + e - 1] =
                drawn_metric(x, k, e, family_value(f, t->param, (double)e / x->epochs));
        c->value[c->first[k] + n - 1] = last;
    }
}

/* ---- the whole ---- */

static struct curves *new_curves(const struct population *p, struct arena *a, uint32_t trials,
                                 uint32_t axes)
{
    struct curves *c = arena_get(a, sizeof(*c));

    *c = (struct curves){.name = p->name,
                         .file = "",
                         .falls = p->falls,
                         .start = p->start,
                         .ideal = p->ideal,
                         .trials = trials,
                         .first = arena_get(a, (trials + 1) * sizeof(*c->first)),
                         .planned = arena_get(a, trials * sizeof(*c->planned)),
                         .axes = axes};
    if (axes) {
        c->axis = (const char **)arena_get(a, axes * sizeof(*c->axis));
        c->point = arena_get(a, (size_t)trials * axes * sizeof(*c->point));
    }
    for (uint32_t i = 0; i < axes; i++)
        c->axis[i] = arena_printf(a, "x%u", i + 1);
    return c;
}

struct curves *population_draw(const struct population *p, struct arena *a,
                               const struct draw_wish *w, uint32_t trials, double good_metric,
                               uint64_t seed, uint32_t index)
{
    struct arena *temp = arena_new();
    struct drawing x = {.p = p,
                        .wish = w,
                        .temp = temp,
                        .curves = new_curves(p, a, trials, (uint32_t)w->axes),
                        .trial = arena_get(temp, trials * sizeof(*x.trial)),
                        .rng = rng_stream(seed, "curve-traits", 0),
                        .seed = seed,
                        .index = index,
                        .epochs = w->epochs ? (uint32_t)w->epochs : p->epochs,
                        .good_metric = good_metric,
                        .diverged_share = share_diverged(p, w),
                        .noise = 1};

    x.early = (uint32_t)fmax(1, ceil(POPULATION_EARLY * x.epochs - 1e-9));
    draw_scores(&x);
    if (w->axes)
        draw_axes(&x);
    for (uint32_t k = 0; k < trials; k++)
        x.trial[k].u = gsl_cdf_ugaussian_P(x.trial[k].z[SCORE_FINAL]);
    if (!isnan(w->good_share))
        want_good(&x);
    for (uint32_t k = 0; k < trials; k++)
        draw_traits(&x, &x.trial[k]);
    settle_lengths(&x);
    x.curves->value = arena_get(a, x.curves->first[trials] * sizeof(double));
    for (uint32_t k = 0; k < trials; k++)
        draw_noise(&x, k);
    if (!isnan(w->rank_correlation))
        drawn_correlate(&x);
    fill_in(&x);
    gsl_rng_free(x.rng);
    arena_free(temp);
    return x.curves;
}

/* ---- wishes that cannot be met ---- */

static bool can_be_good(const struct population *p, struct diag *d, struct tree *map,
                        const struct draw_wish *w, uint32_t trials, double good_metric)
{
    struct mark at = tree_get(map, "good_share")->at;
    double reach;

    if (isnan(good_metric))
        return diag_error(d, at, "good_share: needs the key good_metric");
    reach = share_reaching(p, share_diverged(p, w), good_metric);
    if (good_count(w, trials) > 0 && !(reach > 0))
        return diag_error(d, at, "good_share: no trial of the population reaches %.6g",
                          good_metric);
    if (good_count(w, trials) < trials && !(reach < 1))
        return diag_error(d, at, "good_share: all trials of the population reach %.6g",
                          good_metric);
    return true;
}

bool population_can(const struct population *p, struct diag *d, struct tree *map,
                    const struct draw_wish *w, uint32_t trials, double good_metric)
{
    uint64_t epochs = w->epochs ? (uint64_t)w->epochs : p->epochs;

    if (w->diverged_share > 0 && !p->diverged.n)
        return diag_error(d, tree_get(map, "diverged_share")->at,
                          "diverged_share: no trial of the population diverged");
    if (epochs * trials > INT32_MAX)
        return diag_error(d, tree_get(map, "trials")->at,
                          "trials: %u of %llu epochs each; wanted at most %d epochs in all", trials,
                          (unsigned long long)epochs, INT32_MAX);
    return isnan(w->good_share) || can_be_good(p, d, map, w, trials, good_metric);
}
