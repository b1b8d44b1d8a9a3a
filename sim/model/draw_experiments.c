/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments of a world: what is drawn of them for each seed. */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/model/config.h"

/* 0, 1, ... n-1, shuffled unless the first are wanted. */
static uint32_t *order(const struct experiment_conf *x, struct arena *a, uint64_t seed,
                       const char *what, uint32_t index, uint32_t n)
{
    uint32_t *row = arena_get(a, n * sizeof(*row));

    for (uint32_t i = 0; i < n; i++)
        row[i] = i;
    if (x->draw == DRAW_RANDOM) {
        gsl_rng *r = rng_stream(seed, what, index);
        gsl_ran_shuffle(r, row, n, sizeof(*row));
        gsl_rng_free(r);
    }
    return row;
}

/*
 * Which recordings, and of which kind (model and batch) each trial is. Kinds go round, so that all
 * have the same number of trials, but over shuffled trials: in step with the GPUs of the cluster
 * they would favour a placement by numbers.
 */
static void draw_trials(const struct experiment_conf *x, struct experiment *out, uint64_t seed,
                        uint32_t index, struct arena *a)
{
    const uint32_t *row = x->curves ? order(x, a, seed, "trials", index, x->curves->trials) : NULL;
    const uint32_t *kind = order(x, a, seed, "kinds", index, out->n_trials);

    for (uint32_t k = 0; k < out->n_trials; k++) {
        out->trial[k].curve = row ? row[k] : k;
        out->trial[k].model = x->model[kind[k] % x->n_models];
        out->trial[k].batch = x->n_batches ? x->batch[kind[k] / x->n_models % x->n_batches]
                                           : x->curves->batch[out->trial[k].curve];
    }
}

static double last_metric(const struct experiment *x, uint32_t k)
{
    uint32_t row = x->trial[k].curve;

    return curve_at(x->curves, row, curve_epochs(x->curves, row));
}

struct ending {
    double metric; /* larger is better */
    uint32_t trial;
};

static int by_metric(const void *a, const void *b)
{
    const struct ending *x = a, *y = b;

    if (x->metric != y->metric)
        return x->metric > y->metric ? -1 : 1;
    return x->trial < y->trial ? -1 : x->trial > y->trial;
}

static void mark_best(struct experiment *x, int64_t n, struct arena *a)
{
    struct ending *all = arena_get(a, x->n_trials * sizeof(*all));

    for (uint32_t k = 0; k < x->n_trials; k++)
        all[k] = (struct ending){x->curves->falls ? -last_metric(x, k) : last_metric(x, k), k};
    qsort(all, x->n_trials, sizeof(*all), by_metric);
    for (int64_t i = 0; i < n; i++)
        x->trial[all[i].trial].good = true;
}

/* Marks the best so many, ties to the lower trial, or all that reach the metric. */
static void mark_good(const struct experiment_conf *conf, struct experiment *x, struct arena *a)
{
    if (conf->good_best > 0)
        mark_best(x, conf->good_best, a);
    for (uint32_t k = 0; conf->good_best == 0 && k < x->n_trials; k++)
        x->trial[k].good = !isnan(conf->good_metric) &&
                           !curve_better(x->curves, conf->good_metric, last_metric(x, k));
}

static const struct curves *curves_of(const struct experiment_conf *x, struct arena *a,
                                      uint64_t seed, uint32_t index, uint32_t trials)
{
    if (x->curves)
        return x->curves;
    return population_draw(x->population, a, &x->wish, trials, x->good_metric, seed, index);
}

/* 0 is none; one of less than a GPU nanosecond is one. */
static sim_area budget_of(const struct experiment_conf *x)
{
    sim_area ns = (sim_area)(x->budget * 3600e9 + 0.5);

    return x->budget > 0 && ns == 0 ? 1 : ns;
}

static const char *name_of(const struct experiment_conf *x, struct arena *a, uint32_t copy)
{
    return x->count == 1 ? x->name : arena_printf(a, "%s-%u", x->name, copy + 1);
}

/* Streams by number: the copies of one experiment do not change what is drawn for another. */
static void draw_one(const struct experiment_conf *x, struct experiment *out, uint64_t seed,
                     uint32_t number, uint32_t copy, struct arena *a)
{
    uint32_t index = number + copy * (EXPERIMENTS_MOST + 1u), n = (uint32_t)experiment_trials(x);

    *out = (struct experiment){.name = name_of(x, a, copy),
                               .gpus = (uint32_t)x->gpus,
                               .curves = curves_of(x, a, seed, index, n),
                               .n_trials = n,
                               .trial = arena_get(a, n * sizeof(struct trial_spec)),
                               .end = (enum end_rule)x->end,
                               .target = x->target,
                               .weight = x->weight,
                               .deadline = x->deadline,
                               .budget = budget_of(x),
                               .tuner = x->tuner.tuner,
                               .tuner_params = x->tuner.params};
    draw_trials(x, out, seed, index, a);
    mark_good(x, out, a);
}

/* A Poisson stream: exponential gaps of that mean. */
static void draw_kind(const struct config *c, struct world *w, uint32_t number, struct arena *a)
{
    const struct experiment_conf *x = &c->experiment[number];
    gsl_rng *gaps = rng_stream(w->seed, "experiment-gaps", number);
    sim_time at = x->submit;

    for (uint32_t copy = 0; copy < x->count; copy++) {
        struct experiment *out = &w->experiment[w->n_experiments++];
        draw_one(x, out, w->seed, number, copy, a);
        out->submit = at;
        double gap = gsl_ran_exponential(gaps, (double)x->gap);
        at = gap < (double)(SIM_LATEST - at) ? at + (sim_time)(gap + 0.5) : SIM_LATEST;
    }
    gsl_rng_free(gaps);
}

void draw_experiments(const struct config *c, struct arena *a, struct world *w)
{
    size_t n = 0;

    for (uint32_t i = 0; i < c->n_experiments; i++)
        n += (size_t)c->experiment[i].count;
    w->n_experiments = 0;
    w->experiment = arena_get(a, n * sizeof(*w->experiment));
    for (uint32_t i = 0; i < c->n_experiments; i++)
        draw_kind(c, w, i, a);
}
