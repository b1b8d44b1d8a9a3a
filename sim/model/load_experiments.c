/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `experiments` of a configuration. */
#include <math.h>
#include <string.h>

#include "sim/model/config.h"
#include "sim/model/names.h"
#include "sim/model/paths.h"

static const char *const draws[] = {"random", "first", NULL};
static const char *const ends[] = {"all_done", "first_good", "all_good", "target", NULL};

#define AT(member) offsetof(struct experiment_conf, member)
const struct field experiment_fields[] = {
    {FIELD_TEXT, "name", AT(name), NULL, 0, 0, NULL, "what reports call it"},
    {FIELD_TEXT, "curves", AT(curves_path), "", 0, 0, NULL,
     "recorded learning curves: a file of traces/curves"},
    {FIELD_TEXT, "population", AT(population_path), "", 0, 0, NULL,
     "instead of curves: a file of traces/populations, from which they are drawn for each seed"},
    {FIELD_SECONDS, "submit_s", AT(submit), "0", 0, 1e9, NULL, "when it begins"},
    {FIELD_INT, "count", AT(count), "1", 1, 10000, NULL,
     "so many experiments of this kind, each with trials of its own"},
    {FIELD_SECONDS, "gap_s", AT(gap), "0", 0, 1e9, NULL,
     "mean of the exponential gaps between their beginnings; 0: all begin at once"},
    {FIELD_INT, "trials", AT(trials), "0", 0, 1e6, NULL, "how many are drawn; 0: all recordings"},
    {FIELD_CHOICE, "draw", AT(draw), "random", 0, 0, draws,
     "which ones: by seed and without repetition, or the first"},
    {FIELD_INT, "gpus", AT(gpus), "1", 1, 1 << 22, NULL, "GPUs of each trial"},
    {FIELD_INT, "good_best", AT(good_best), "1", 0, 1e6, NULL,
     "so many trials with the best last metric are good (eq. 8); 0: good_metric decides"},
    {FIELD_REAL_OR_NONE, "good_metric", AT(good_metric), "none", -1e300, 1e300, NULL,
     "trials whose last metric is at least as good are good (eq. 8)"},
    {FIELD_REAL_OR_NONE, "target", AT(target), "none", -1e300, 1e300, NULL,
     "metric whose first sight is timed"},
    DRAW_WISH_ROWS(struct experiment_conf, wish),
    {FIELD_REAL, "weight", AT(weight), "1", 1e-6, 1e6, NULL,
     "of its claim on the cluster, for policies that weigh experiments"},
    {FIELD_SECONDS, "deadline_s", AT(deadline), "0", 0, 1e9, NULL,
     "so long after it began it ends, and what is left is killed; 0: never"},
    {FIELD_REAL, "budget_gpu_h", AT(budget), "0", 0, 1e9, NULL,
     "it ends when its trials have held GPUs for so many GPU hours; 0: never"},
    {FIELD_CHOICE, "end", AT(end), "all_done", 0, 0, ends,
     "what ends the experiment; what is left is killed"},
    {.type = FIELD_END},
};

/* ---- reading ---- */

static bool read_tuner(const struct config *c, struct experiment_conf *x, struct arena *a,
                       struct diag *d, struct tree *map)
{
    struct tree *label = tree_get(map, "tuner");

    if (!label) {
        label = tree_scalar(a, map->at, "run_all", 7);
        tree_add(a, map, tree_scalar(a, map->at, "tuner", 5), label);
    }
    return plug_tuner(c->plugs, a, d, label, &x->tuner);
}

/* A scalar, or a list of them: *n items. */
static struct tree **scalars(struct diag *d, struct tree *t, const char *what, uint32_t *n,
                             struct tree **one)
{
    *one = t;
    *n = t->kind == TREE_SCALAR ? 1 : (uint32_t)t->n;
    struct tree **item = t->kind == TREE_SCALAR ? one : t->item;
    bool ok = t->kind != TREE_MAP && *n > 0;

    for (uint32_t i = 0; ok && i < *n; i++)
        ok = item[i]->kind == TREE_SCALAR;
    if (!ok)
        diag_error(d, t->at, "%s: %s; wanted a value or a list of values", what, tree_kind_name(t));
    return ok ? item : NULL;
}

static bool read_models(struct config *c, struct experiment_conf *x, struct arena *a,
                        struct diag *d, struct tree *map)
{
    struct tree *t = tree_get(map, "model"), *one;
    bool ok = true;

    if (!t)
        return diag_error(d, map->at, "key 'model' is missing in the experiment");
    struct tree **item = scalars(d, t, "model", &x->n_models, &one);
    if (!item)
        return false;
    x->model = arena_get(a, x->n_models * sizeof(*x->model));
    for (uint32_t i = 0; i < x->n_models; i++) {
        x->model[i] = names_known_model(&c->base, d, item[i]->at, item[i]->text, item[i]->len);
        ok &= x->model[i] != NO_NAME;
    }
    return ok;
}

static bool read_batches(struct config *c, struct experiment_conf *x, struct arena *a,
                         struct diag *d, struct tree *map)
{
    static const struct field batch = {FIELD_INT, "batch", 0, NULL, 1, 1 << 23, NULL, NULL};
    struct tree *t = tree_get(map, "batch"), *one;
    bool ok = true;

    if (!t) {
        x->n_batches = 1;
        x->batch = arena_get(a, sizeof(*x->batch));
        x->batch[0] = (uint32_t)c->base.model[x->model[0]].batch;
        return true;
    }
    if (t->kind == TREE_SCALAR && strcmp(t->text, "recorded") == 0)
        return true;
    struct tree **item = scalars(d, t, "batch", &x->n_batches, &one);
    if (!item)
        return false;
    x->batch = arena_get(a, x->n_batches * sizeof(*x->batch));
    for (uint32_t i = 0; i < x->n_batches; i++) {
        int64_t b = 0;
        ok &= conf_value(a, d, item[i], &batch, &b);
        x->batch[i] = (uint32_t)b;
    }
    return ok;
}

/* How many of the recordings may be drawn. */
static uint32_t drawable(const struct experiment_conf *x)
{
    return x->draw == DRAW_FIRST && x->trials ? (uint32_t)x->trials : x->curves->trials;
}

/* The batches that trials may have. */
static const uint32_t *batches_of(const struct experiment_conf *x, uint32_t *n)
{
    *n = x->n_batches ? x->n_batches : drawable(x);
    return x->n_batches ? x->batch : x->curves->batch;
}

static bool check_recorded(const struct experiment_conf *x, struct diag *d, struct tree *map)
{
    const uint32_t *batch = x->curves ? x->curves->batch : NULL;

    if (x->n_batches)
        return true;
    if (!x->curves)
        return diag_error(d, tree_get(map, "batch")->at,
                          "batch: recorded; a population has no batch sizes");
    if (!batch)
        return diag_error(d, tree_get(map, "batch")->at,
                          "batch: recorded; the trials file of %s has no column batch",
                          x->curves_path);
    for (uint32_t k = 0; k < drawable(x); k++)
        if (!batch[k])
            return diag_error(d, tree_get(map, "batch")->at,
                              "batch: recorded; %s has none for trial %u", x->curves->trials_file,
                              k);
    return true;
}

/* Every kind of trial must be able to run somewhere. */
static bool can_run(const struct config *c, const struct experiment_conf *x, struct diag *d)
{
    const struct world *w = &c->base;
    uint32_t n;
    const uint32_t *batch = batches_of(x, &n);

    for (uint32_t m = 0; m < x->n_models; m++) {
        for (uint32_t b = 0; b < n; b++) {
            struct job_spec s = {
                .gpus = (uint32_t)x->gpus, .model = x->model[m], .batch = batch[b]};
            if (!world_can_run(w, &s))
                return diag_error(
                    d, x->at,
                    "experiment %s: no GPU type of the cluster can run %s with batch %u on "
                    "%lld GPU%s",
                    x->name, w->model[s.model].name, s.batch, (long long)x->gpus,
                    x->gpus > 1 ? "s" : "");
        }
    }
    return true;
}

/* Any two of the models may come to be on one GPU. */
static bool can_share(const struct config *c, const struct experiment_conf *x, struct diag *d)
{
    bool ok = true;

    for (uint32_t m = 0; m < x->n_models; m++)
        ok &= contention_check(&c->base, d, x->at, x->model[m], c->base.tried);
    return ok;
}

static bool check_trials(const struct experiment_conf *x, struct diag *d, struct tree *map)
{
    int64_t n = experiment_trials(x);

    if (x->curves && n > x->curves->trials)
        return diag_error(d, tree_get(map, "trials")->at, "trials: %lld; only %u were recorded",
                          (long long)n, x->curves->trials);
    if (n == 0)
        return diag_error(d, tree_get(map, "trials")->at,
                          "trials: 0; a population has no end, say how many");
    if (x->good_best > n)
        return diag_error(d, tree_get(map, "good_best")->at,
                          "good_best: %lld; there are %lld trials", (long long)x->good_best,
                          (long long)n);
    if (x->end == END_TARGET && isnan(x->target))
        return diag_error(d, tree_get(map, "end")->at, "end: `target` needs the key target");
    return true;
}

/* What only a population can be asked for. */
static bool check_wish(const struct experiment_conf *x, struct diag *d, struct tree *map)
{
    const struct draw_wish *w = &x->wish;
    const char *key = w->epochs                     ? "epochs"
                      : !isnan(w->good_share)       ? "good_share"
                      : !isnan(w->rank_correlation) ? "rank_correlation"
                      : !isnan(w->diverged_share)   ? "diverged_share"
                      : w->axes                     ? "axes"
                                                    : NULL;

    if (x->curves)
        return !key || diag_error(d, tree_get(map, key)->at,
                                  "%s: recorded curves are as they are; wanted a population", key);
    if (!isnan(w->good_share) && x->good_best > 0)
        return diag_error(d, tree_get(map, "good_share")->at,
                          "good_share: wanted good_best: 0, so that good_metric decides");
    return population_can(x->population, d, map, w, (uint32_t)x->trials, x->good_metric);
}

static struct tune_outline outline_of(const struct experiment_conf *x)
{
    const struct curves *c = x->curves;

    if (!c)
        return (struct tune_outline){.trials = (uint32_t)x->trials,
                                     .epochs = x->wish.epochs ? (uint32_t)x->wish.epochs
                                                              : x->population->epochs,
                                     .axes = (uint32_t)x->wish.axes};
    struct tune_outline o = {.trials = x->trials ? (uint32_t)x->trials : c->trials,
                             .axes = c->axes};
    for (uint32_t k = 0; k < c->trials; k++)
        o.epochs = curve_planned(c, k) > o.epochs ? curve_planned(c, k) : o.epochs;
    return o;
}

/* All copies together: a number that fits 32 bits, of trials or of drawn epochs. */
static bool check_count(const struct experiment_conf *x, struct diag *d, struct tree *map)
{
    int64_t trials = experiment_trials(x), epochs = x->curves ? 1 : outline_of(x).epochs;

    if (trials * epochs <= INT32_MAX / x->count)
        return true;
    return diag_error(d, tree_get(map, "count")->at,
                      "count: %lld times %lld trials of %lld epochs; wanted at most %d %s in all",
                      (long long)x->count, (long long)trials, (long long)outline_of(x).epochs,
                      INT32_MAX, x->curves ? "trials" : "epochs");
}

static bool check_tuner(const struct experiment_conf *x, struct diag *d)
{
    struct tune_outline o = outline_of(x);

    return plug_check_tuner(d, &x->tuner, &o);
}

static bool read_curves(struct config *c, struct experiment_conf *x, struct arena *a,
                        struct diag *d, struct tree *map)
{
    bool recorded = *x->curves_path;
    const char *path = path_of(a, tree_get(map, recorded ? "curves" : "population"));

    if (recorded == (*x->population_path != 0))
        return diag_error(d, map->at,
                          recorded ? "the experiment has both curves and a population; "
                                     "wanted one of them"
                                   : "key 'curves' or 'population' is missing in the "
                                     "experiment");
    if (recorded) {
        x->curves = curves_load(a, d, path);
        return x->curves && config_input(c, d, path) && config_input(c, d, x->curves->file) &&
               (!x->curves->trials_file || config_input(c, d, x->curves->trials_file));
    }
    x->population = population_load(a, d, path);
    return x->population && config_input(c, d, path);
}

static bool read_experiment(struct config *c, struct experiment_conf *x, struct arena *a,
                            struct diag *d, struct tree *map)
{
    static const char *const parts[] = {"model", "batch", "tuner", NULL};
    bool own = conf_fill(a, d, map, experiment_fields, parts, "the experiment", x);
    bool tuner, models, batches, curves;

    x->at = map->at;
    if (map->kind != TREE_MAP)
        return false;
    tuner = read_tuner(c, x, a, d, map);
    models = read_models(c, x, a, d, map);
    batches = (models || tree_get(map, "batch")) && read_batches(c, x, a, d, map);
    curves = x->curves_path && x->population_path && read_curves(c, x, a, d, map);
    return own && curves && check_trials(x, d, map) && check_wish(x, d, map) &&
           check_count(x, d, map) && tuner && check_tuner(x, d) && models && batches &&
           check_recorded(x, d, map);
}

bool load_experiments(struct config *c, struct arena *a, struct diag *d, struct tree *list)
{
    bool ok = true;

    if (!list)
        return true;
    if (list->kind != TREE_LIST)
        return diag_error(d, list->at, "experiments: %s; wanted a list", tree_kind_name(list));
    if (list->n > EXPERIMENTS_MOST)
        return diag_error(d, list->at, "experiments: %zu; %d are the most", list->n,
                          EXPERIMENTS_MOST);
    c->n_experiments = (uint32_t)list->n;
    c->experiment = arena_get(a, list->n * sizeof(*c->experiment));
    for (size_t i = 0; i < list->n; i++)
        ok &= read_experiment(c, &c->experiment[i], a, d, list->item[i]);
    return ok;
}

bool experiments_can_run(const struct config *c, struct diag *d)
{
    bool ok = true;

    for (uint32_t i = 0; i < c->n_experiments; i++)
        ok &= can_share(c, &c->experiment[i], d) && can_run(c, &c->experiment[i], d);
    return ok;
}
