/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wanted rank correlation. The early losses that were drawn are dealt anew, in the order of a
 * score that mixes the rank of the last metric with the trial's own (Iman and Conover 1982), and
 * the weight of the mixture is sought that gives the correlation with the noise in it. Where noise
 * keeps it from what is wanted, there is less of it, as little less as is needed.
 */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/model/population_draw.h"

#define HALVINGS    30
#define SWAPS       500u /* that are tried */
#define FINE        (POPULATION_NEAR / 4)
#define LESS_NOISE  0.5
#define LEAST_NOISE 0.02
#define MOST        0.98 /* of the way is made by a tenth of the epochs: some is left */

struct dealing {
    struct drawing *x;
    uint32_t n; /* trials that learn */
    uint32_t *trial;
    double *early; /* losses, sorted */
    double *score, *last, *own, *metric_early, *metric_last, *work;
    size_t *order;
    double least; /* progress that the family can make by then, at least */
    double t;     /* of the early epoch */
};

static double *numbers(const struct dealing *g, uint32_t n)
{
    return arena_get(g->x->temp, (n ? n : 1) * sizeof(double));
}

static void collect(struct dealing *g)
{
    const struct family *f = g->x->p->learning.family;

    for (uint32_t k = 0; k < g->x->curves->trials; k++) {
        const struct drawn_trial *t = &g->x->trial[k];
        if (t->diverged)
            continue;
        g->trial[g->n] = k;
        g->own[g->n] = t->z[SCORE_EARLY];
        g->early[g->n++] = family_value(f, t->param, g->t);
    }
    gsl_sort(g->early, 1, g->n);
}

/* Last metrics, and their normal scores: low where the loss is low. */
static void rank_last(struct dealing *g)
{
    for (uint32_t i = 0; i < g->n; i++) {
        double metric = drawn_last(g->x, g->trial[i]);
        g->metric_last[i] = g->x->p->falls ? metric : -metric;
    }
    gsl_sort_index(g->order, g->metric_last, 1, g->n);
    for (uint32_t i = 0; i < g->n; i++)
        g->last[g->order[i]] = gsl_cdf_ugaussian_Pinv((i + 0.5) / g->n);
}

/* The order in which early losses are dealt, the best first. */
static void mix(struct dealing *g, double weight)
{
    for (uint32_t i = 0; i < g->n; i++)
        g->score[i] = weight * g->last[i] + sqrt(1 - weight * weight) * g->own[i];
    gsl_sort_index(g->order, g->score, 1, g->n);
}

/* The best early loss to the first, and so on; who cannot come from there to its last loss has the
 * nearest from which it can. */
static void deal(struct dealing *g)
{
    for (uint32_t i = 0; i < g->n; i++) {
        struct drawn_trial *t = &g->x->trial[g->trial[g->order[i]]];
        double way = 1 - t->trait[TRAIT_FINAL];
        double loss = fmin(fmax(g->early[i], 1 - MOST * way), 1 - g->least * way);
        t->trait[TRAIT_PROGRESS] = (1 - loss) / way;
    }
}

/* The correlation that comes of the order. */
static double dealt(struct dealing *g)
{
    deal(g);
    for (uint32_t i = 0; i < g->n; i++) {
        const struct drawn_trial *t = &g->x->trial[g->trial[i]];
        double loss = 1 - t->trait[TRAIT_PROGRESS] * (1 - t->trait[TRAIT_FINAL]);
        double metric = drawn_metric(g->x, g->trial[i], g->x->early, loss);
        g->metric_early[i] = g->x->p->falls ? metric : -metric;
    }
    double r = gsl_stats_spearman(g->metric_early, 1, g->metric_last, 1, g->n, g->work);
    return isnan(r) ? 0 : r;
}

static double mixed(struct dealing *g, double weight, double noise)
{
    g->x->noise = noise;
    rank_last(g);
    mix(g, weight);
    return dealt(g);
}

/* Two trials change places in the order, if that helps. */
static void swap(struct dealing *g, uint32_t i, uint32_t j, double wanted, double *miss)
{
    size_t first = g->order[i], second = g->order[j];

    g->order[i] = second, g->order[j] = first;
    double now = fabs(dealt(g) - wanted);
    if (now < *miss)
        *miss = now;
    else
        g->order[i] = first, g->order[j] = second;
}

/* Few trials make large steps: it is gone on pair by pair, near ones first. How far off it is then.
 */
static double refine(struct dealing *g, double wanted)
{
    double miss = fabs(dealt(g) - wanted);

    for (uint32_t apart = 1, tried = 0; apart < g->n; apart++)
        for (uint32_t i = apart; i < g->n && miss > FINE && tried < SWAPS; i++, tried++)
            swap(g, i - apart, i, wanted, &miss);
    dealt(g);
    return miss;
}

/* With so much noise: the weight is sought by halves, as the correlation rises with it. How far off
 * it is in the end. */
static double seek(struct dealing *g, double noise, double wanted)
{
    double low = -1, high = 1, best = 0, miss = INFINITY;

    for (int i = 0; i < HALVINGS; i++) {
        double weight = (low + high) / 2, r = mixed(g, weight, noise);
        if (fabs(r - wanted) < miss) {
            miss = fabs(r - wanted);
            best = weight;
        }
        *(r < wanted ? &low : &high) = weight;
    }
    mixed(g, best, noise);
    return refine(g, wanted);
}

void drawn_correlate(struct drawing *x)
{
    struct dealing g = {.x = x, .t = (double)x->early / x->epochs};
    const struct family *f = x->p->learning.family;
    uint32_t n = x->curves->trials;
    double wanted = x->wish->rank_correlation;
    double slowest[FAMILY_PARAMS] = {0, f->max[FAMILY_SCALE], f->max[FAMILY_SHAPE]};

    g.trial = arena_get(x->temp, n * sizeof(*g.trial));
    g.order = arena_get(x->temp, n * sizeof(*g.order));
    g.early = numbers(&g, n), g.own = numbers(&g, n), g.score = numbers(&g, n);
    g.last = numbers(&g, n), g.metric_early = numbers(&g, n), g.metric_last = numbers(&g, n);
    g.work = numbers(&g, 2 * n);
    g.least = family_progress(f, slowest, g.t) + 0.01;
    collect(&g);
    if (g.n < 2 || g.t >= 1)
        return;
    double miss = INFINITY, noise = 1, best = 1;
    for (; miss > FINE && noise > LEAST_NOISE; noise *= LESS_NOISE) {
        double now = seek(&g, noise, wanted);
        if (now < miss) {
            miss = now;
            best = noise;
        }
    }
    if (miss > FINE)
        seek(&g, best, wanted);
    for (uint32_t i = 0; i < g.n; i++) {
        struct drawn_trial *t = &x->trial[g.trial[i]];
        family_through(f, t->trait[TRAIT_FINAL], t->trait[TRAIT_PROGRESS], g.t,
                       t->trait[TRAIT_SHAPE], t->param);
    }
}
