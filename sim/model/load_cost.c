/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `cost` of a configuration: DL models and step times. */
#include <string.h>

#include "sim/model/config.h"

#define MIB 1048576.0

struct model_conf {
    double parameters;
    int64_t optimizer_slots, samples, batch;
    double fixed_mib, sample_mib;
};

const struct field model_fields[] = {
    {FIELD_REAL, "parameters", offsetof(struct model_conf, parameters), NULL, 0, 1e15, NULL,
     "trained parameters"},
    {FIELD_INT, "optimizer_slots", offsetof(struct model_conf, optimizer_slots), "1", 0, 8, NULL,
     "copies of them the optimiser keeps: 0 plain SGD, 1 momentum, 2 Adam (n_opt of eq. 18)"},
    {FIELD_INT, "samples_per_epoch", offsetof(struct model_conf, samples), NULL, 1, 1e12, NULL,
     "size of the data set"},
    {FIELD_INT, "batch", offsetof(struct model_conf, batch), NULL, 1, 1 << 23, NULL,
     "customary mini-batch; a predictor's reference"},
    {FIELD_REAL, "memory_fixed_mib", offsetof(struct model_conf, fixed_mib), "0", 0, 1e9, NULL,
     "GPU memory without samples, MiB; 0: not known, no check"},
    {FIELD_REAL, "memory_per_sample_mib", offsetof(struct model_conf, sample_mib), "0", 0, 1e6,
     NULL, "GPU memory a sample, MiB"},
    {.type = FIELD_END},
};

static bool load_models(struct world *w, struct arena *a, struct diag *d, struct tree *models)
{
    bool ok = true;

    if (!models)
        return true;
    if (models->kind != TREE_MAP)
        return diag_error(d, models->at, "models: %s; wanted a map of DL models",
                          tree_kind_name(models));
    w->model = arena_get(a, models->n * sizeof(*w->model));
    for (size_t i = 0; i < models->n; i++) {
        struct model_conf m = {0};
        ok &= conf_fill(a, d, models->item[i], model_fields, NULL, "the model", &m);
        w->model[w->n_models++] = (struct model){
            models->key[i]->text, m.parameters,      m.optimizer_slots, m.samples, m.batch,
            m.fixed_mib * MIB,    m.sample_mib * MIB};
    }
    return ok;
}

static bool find_form(struct world *w, struct diag *d, const struct tree *form)
{
    if (!form) {
        w->cost = cost_models[0];
        return true;
    }
    if (form->kind != TREE_SCALAR)
        return diag_error(d, form->at, "form: %s; wanted a text", tree_kind_name(form));
    struct diag_near near = {.word = form->text};
    for (int i = 0; cost_models[i]; i++) {
        if (strcmp(form->text, cost_models[i]->name) == 0) {
            w->cost = cost_models[i];
            return true;
        }
        diag_consider(&near, cost_models[i]->name);
    }
    return diag_unknown(d, form->at, near.nearest, "unknown cost model '%s'", form->text);
}

/* What the form read, besides the map. */
static bool note_files(struct config *c, struct diag *d)
{
    const struct world *w = &c->base;
    bool ok = true;

    for (const char *const *file = w->cost->files(w->cost_self); *file; file++)
        ok &= config_input(c, d, *file);
    return ok;
}

/* Models whose configuration does not say what memory they take. */
static void take_memory(struct world *w)
{
    for (uint32_t m = 0; w->cost->memory && m < w->n_models; m++)
        if (w->model[m].memory_fixed <= 0)
            w->cost->memory(w->cost_self, m, &w->model[m].memory_fixed,
                            &w->model[m].memory_per_sample);
}

const struct field cost_fields[] = {
    {FIELD_TEXT, "form", 0, "affine", 0, 0, NULL, "cost model: `hetune list cost_models`"},
    {.type = FIELD_END},
};

/* Keys of every form, and those of this one. */
static const char *const *known_keys(struct arena *a, const struct cost_model *form)
{
    uint32_t n = 0;

    while (form->keys[n])
        n++;
    const char **all = arena_get(a, (n + 3) * sizeof(*all));
    all[0] = "about";
    all[1] = "models";
    for (uint32_t i = 0; i < n; i++)
        all[2 + i] = form->keys[i];
    return all;
}

bool load_cost(struct config *c, struct arena *a, struct diag *d, struct tree *map)
{
    struct world *w = &c->base;
    const char *form = NULL;
    bool ok = find_form(w, d, tree_get(map, "form"));

    if (ok && map && w->cost->keys)
        ok = conf_fill(a, d, map, cost_fields, known_keys(a, w->cost), "the cost", &form);
    if (map && map->kind != TREE_MAP)
        return false;
    ok &= load_models(w, a, d, tree_get(map, "models"));
    if (!w->cost || (map && w->cost->keys && !form))
        return false;
    w->cost_self = arena_get(a, w->cost->state_size);
    ok &= w->cost->load(w->cost_self, a, d, map, w->model, w->n_models, w->type, w->n_types);
    if (!ok)
        return false;
    take_memory(w);
    return note_files(c, d);
}
