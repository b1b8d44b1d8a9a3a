/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `draw` of a configuration: plain jobs that are made up for each seed. */
#include <string.h>

#include "sim/model/config.h"
#include "sim/model/names.h"

#define MOST_STEPS 1e15
#define MOST_BATCH (1 << 23)
#define MOST_GPUS  64 /* of a cluster whose GPUs are wanted one by one */

struct draw_conf {
    int64_t batch;
    int batch_of;
    double gap_s;
};

static const char *const batch_owners[] = {"job", "gpu", NULL};

const struct field draw_fields[] = {
    {FIELD_INT, "batch", offsetof(struct draw_conf, batch), "0", 0, MOST_BATCH, NULL,
     "mini-batch; 0: the model's"},
    {FIELD_CHOICE, "batch_of", offsetof(struct draw_conf, batch_of), "job", 0, 0, batch_owners,
     "job: batch is of all GPUs together; gpu: of each (weak scaling)"},
    {FIELD_REAL, "gap_s", offsetof(struct draw_conf, gap_s), "0", 0, 1e9, NULL,
     "mean of the exponential gaps between submissions, the first of them at 0, s; 0: all at 0"},
    {.type = FIELD_END},
};

const struct field draw_range_fields[] = {
    {FIELD_INT, "from", offsetof(struct draw_range, from), NULL, 1, MOST_STEPS, NULL, "the least"},
    {FIELD_INT, "to", offsetof(struct draw_range, to), NULL, 1, MOST_STEPS, NULL, "the most"},
    {.type = FIELD_END},
};

/* How messages call a key. */
struct part {
    struct arena *arena;
    struct diag *diag;
    const char *key;
    struct tree *tree;
};

static bool want(struct part *p, struct tree *map, const char *key)
{
    p->key = key;
    p->tree = tree_get(map, key);
    return p->tree || diag_error(p->diag, map->at, "key '%s' is missing in the draw", key);
}

static bool read_range(struct part *p, struct tree *map, const char *key, double most,
                       struct draw_range *r)
{
    const struct field one = {FIELD_INT, key, 0, NULL, 1, most, NULL, NULL};

    if (!want(p, map, key))
        return false;
    if (p->tree->kind == TREE_SCALAR) {
        bool ok = conf_value(p->arena, p->diag, p->tree, &one, &r->from);
        r->to = r->from;
        return ok;
    }
    if (p->tree->kind != TREE_MAP)
        return diag_error(p->diag, p->tree->at, "%s: %s; wanted a whole number or {from, to}", key,
                          tree_kind_name(p->tree));
    if (!conf_fill(p->arena, p->diag, p->tree, draw_range_fields, NULL,
                   arena_printf(p->arena, "the %s of the draw", key), r))
        return false;
    if (r->from > r->to)
        return diag_error(p->diag, tree_get(p->tree, "to")->at,
                          "%s: from %lld to %lld; wanted no less than the first", key,
                          (long long)r->from, (long long)r->to);
    return (double)r->to <= most ||
           diag_error(p->diag, tree_get(p->tree, "to")->at, "%s: %lld is above the maximum, %.0f",
                      key, (long long)r->to, most);
}

/* A scalar, or a list that is not empty: *n of them. */
static struct tree **items(const struct part *p, uint32_t *n)
{
    struct tree *t = p->tree;

    *n = t->kind == TREE_LIST ? (uint32_t)t->n : 1;
    if (t->kind != TREE_MAP && *n > 0) {
        struct tree **one = arena_get(p->arena, sizeof(struct tree *));
        *one = t;
        return t->kind == TREE_LIST ? t->item : one;
    }
    diag_error(p->diag, t->at, "%s: %s; wanted a value or a list of values", p->key,
               tree_kind_name(t));
    return NULL;
}

static bool find_model(const struct part *p, const struct world *w, const struct tree *name,
                       uint32_t *model)
{
    if (name->kind != TREE_SCALAR)
        return diag_error(p->diag, name->at, "models: %s; wanted a DL model", tree_kind_name(name));
    *model = names_known_model(w, p->diag, name->at, name->text, name->len);
    return *model != NO_NAME;
}

static bool read_models(struct part *p, struct tree *map, const struct world *w, struct job_draw *x)
{
    bool ok = true;

    p->key = "models";
    p->tree = tree_get(map, "models");
    struct tree **item = p->tree ? items(p, &x->n_models) : NULL;
    if (p->tree && !item)
        return false;
    if (!item)
        x->n_models = w->n_models;
    if (x->n_models == 0)
        return diag_error(p->diag, map->at, "draw: there is no DL model in cost.models");
    x->model = arena_get(p->arena, x->n_models * sizeof(*x->model));
    for (uint32_t i = 0; i < x->n_models; i++) {
        x->model[i] = i;
        if (item)
            ok &= find_model(p, w, item[i], &x->model[i]);
    }
    return ok;
}

static bool read_gpus(struct part *p, struct tree *map, const struct world *w, struct job_draw *x)
{
    uint32_t most = 0;
    bool ok = true;

    if (!want(p, map, "gpus"))
        return false;
    struct tree **item = items(p, &x->n_gpus);
    if (!item)
        return false;
    for (type_id t = 0; t < w->n_types; t++)
        most = w->type[t].gpus > most ? w->type[t].gpus : most;
    const struct field one = {FIELD_INT, "gpus", 0, NULL, 1, INT32_MAX, NULL, NULL};
    x->gpus = arena_get(p->arena, x->n_gpus * sizeof(*x->gpus));
    for (uint32_t i = 0; i < x->n_gpus; i++) {
        int64_t n = 0;
        bool fine = conf_value(p->arena, p->diag, item[i], &one, &n);
        x->gpus[i] = (uint32_t)n;
        if (fine && n > most)
            fine = diag_error(
                p->diag, item[i]->at,
                "gpus: %lld can never be had: the cluster has at most %u GPUs of one type",
                (long long)n, most);
        ok &= fine;
    }
    return ok;
}

static bool count_wanted(const struct part *p, const struct world *w, const struct job_draw *x)
{
    uint32_t wanted = 0;

    for (gpu_id g = 0; g < w->n_gpus; g++)
        wanted += x->weight[g] > 0;
    for (uint32_t i = 0; i < x->n_gpus; i++)
        if (x->gpus[i] > wanted)
            return diag_error(p->diag, p->tree->at,
                              "gpu_weights: %u GPU%s a weight above 0; a job wants %u", wanted,
                              wanted == 1 ? " has" : "s have", x->gpus[i]);
    return true;
}

static bool read_weights(struct part *p, struct tree *map, const struct world *w,
                         struct job_draw *x)
{
    const struct field one = {FIELD_REAL, "gpu_weights", 0, NULL, 0, 1e9, NULL, NULL};
    struct tree *t = tree_get(map, "gpu_weights");
    bool ok = true;

    p->tree = t;
    if (!t || (t->kind == TREE_LIST && t->n == 0))
        return true;
    if (t->kind != TREE_LIST)
        return diag_error(p->diag, t->at, "gpu_weights: %s; wanted a list of numbers",
                          tree_kind_name(t));
    if (t->n != w->n_gpus)
        return diag_error(p->diag, t->at, "gpu_weights: %zu; the cluster has %u GPU%s", t->n,
                          w->n_gpus, w->n_gpus == 1 ? "" : "s");
    if (t->n > MOST_GPUS)
        return diag_error(p->diag, t->at, "gpu_weights: %zu; wanted at most %d", t->n, MOST_GPUS);
    x->weight = arena_get(p->arena, t->n * sizeof(*x->weight));
    for (size_t i = 0; i < t->n; i++)
        ok &= conf_value(p->arena, p->diag, t->item[i], &one, &x->weight[i]);
    return ok;
}

bool load_draw(struct config *c, struct arena *a, struct diag *d, struct tree *map)
{
    static const char *const parts[] = {"about", "jobs",        "steps", "models",
                                        "gpus",  "gpu_weights", NULL};
    struct job_draw *x = c->draw = arena_get(a, sizeof(*x));
    struct part p = {a, d, NULL, NULL};
    struct draw_conf conf = {0};

    bool ok = conf_fill(a, d, map, draw_fields, parts, "the draw", &conf);
    if (map->kind != TREE_MAP)
        return false;
    x->batch = (uint32_t)conf.batch;
    x->batch_of = conf.batch_of;
    x->gap_s = conf.gap_s;
    ok &= read_range(&p, map, "jobs", UINT32_MAX - 1, &x->jobs);
    ok &= read_range(&p, map, "steps", MOST_STEPS, &x->steps);
    ok &= read_models(&p, map, &c->base, x);
    bool gpus = read_gpus(&p, map, &c->base, x);
    bool weights = read_weights(&p, map, &c->base, x);
    return ok && gpus && weights && (!x->weight || count_wanted(&p, &c->base, x));
}

/* Whether the even shares of such jobs can run on every GPU that they may ask for. */
static bool weighted_run(const struct world *w, struct diag *d, struct mark at,
                         const struct job_draw *x, const struct job_spec *s)
{
    for (gpu_id g = 0; x->weight && g < w->n_gpus; g++)
        if (x->weight[g] > 0 && !world_asked_runs(w, d, at, "gpu_weights", s->model, g,
                                                  (s->batch + s->gpus - 1) / s->gpus))
            return false;
    return true;
}

bool draw_can_run(const struct config *c, struct diag *d)
{
    const struct world *w = &c->base;
    const struct job_draw *x = c->draw;

    for (uint32_t m = 0; x && m < x->n_models; m++)
        for (uint32_t k = 0; k < x->n_gpus; k++) {
            const struct model *model = &w->model[x->model[m]];
            uint64_t batch = draw_batch(x, w, x->model[m], x->gpus[k]);
            struct job_spec s = {
                .gpus = x->gpus[k], .model = x->model[m], .batch = (uint32_t)batch};
            if (batch > MOST_BATCH)
                return diag_error(d, tree_get(c->root, "draw")->at,
                                  "draw: a batch of %llu for %s on %u GPUs; wanted at most %d",
                                  (unsigned long long)batch, model->name, s.gpus, MOST_BATCH);
            if (!world_can_run(w, &s))
                return diag_error(d, tree_get(c->root, "draw")->at,
                                  "draw: no GPU type of the cluster can run %s with batch %u on "
                                  "%u GPU%s",
                                  model->name, s.batch, s.gpus, s.gpus > 1 ? "s" : "");
            if (!weighted_run(w, d, tree_get(c->root, "draw")->at, x, &s) ||
                !contention_check(w, d, tree_get(c->root, "draw")->at, s.model, w->tried))
                return false;
        }
    return true;
}
