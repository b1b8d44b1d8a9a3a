/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `cost` and `overheads` of a configuration: DL models, step times, what moving a job costs. */
#include <string.h>

#include "sim/model/config.h"
#include "sim/model/paths.h"

#define MIB 1048576.0
#define GB  1e9

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

struct overhead_conf {
    sim_time start, save, restore, image, replica;
    double host, network, disk_write, disk_read;
};

#define MOST_S    0, 1e6
#define MOST_GBPS 0, 1e6
const struct field overhead_fields[] = {
    {FIELD_SECONDS, "start_s", offsetof(struct overhead_conf, start), "0", MOST_S, NULL,
     "first start of a job: container, CUDA context, graph"},
    {FIELD_SECONDS, "save_s", offsetof(struct overhead_conf, save), "0", MOST_S, NULL,
     "fixed part of a suspend (c_s)"},
    {FIELD_SECONDS, "restore_s", offsetof(struct overhead_conf, restore), "0", MOST_S, NULL,
     "fixed part of a resume (c_r)"},
    {FIELD_SECONDS, "image_s", offsetof(struct overhead_conf, image), "0", MOST_S, NULL,
     "start of the container on another node, added to a relocation"},
    {FIELD_SECONDS, "replica_s", offsetof(struct overhead_conf, replica), "0", MOST_S, NULL,
     "copy of a running job to a further GPU (c_new); the job stands still"},
    {FIELD_REAL, "host_gbps", offsetof(struct overhead_conf, host), "0", MOST_GBPS, NULL,
     "GPU to and from host memory, GB/s; 0: takes no time"},
    {FIELD_REAL, "network_gbps", offsetof(struct overhead_conf, network), "0", MOST_GBPS, NULL,
     "node to node, GB/s"},
    {FIELD_REAL, "disk_write_gbps", offsetof(struct overhead_conf, disk_write), "0", MOST_GBPS,
     NULL, "to storage, GB/s"},
    {FIELD_REAL, "disk_read_gbps", offsetof(struct overhead_conf, disk_read), "0", MOST_GBPS, NULL,
     "from storage, GB/s"},
    {.type = FIELD_END},
};

bool load_overheads(struct config *c, struct arena *a, struct diag *d, struct tree *map)
{
    static const char *const also[] = {"about", NULL};
    struct overhead_conf o;

    if (!conf_fill(a, d, map, overhead_fields, also, "the overheads", &o))
        return false;
    c->base.overheads = (struct overheads){.start = o.start,
                                           .save = o.save,
                                           .restore = o.restore,
                                           .image = o.image,
                                           .replica = o.replica,
                                           .host = o.host * GB,
                                           .network = o.network * GB,
                                           .disk_write = o.disk_write * GB,
                                           .disk_read = o.disk_read * GB};
    return true;
}

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
    if (!form || form->kind != TREE_SCALAR) { /* what is no name is told later */
        w->cost = cost_models[0];
        return true;
    }
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

/* What was read, but for the map itself. */
static bool note_files(struct config *c, struct arena *a, struct diag *d, const struct tree *map)
{
    static const char *const keys[] = {"fits", "sync"};
    const struct world *w = &c->base;
    const char *const *file = w->cost->files ? w->cost->files(w->cost_self) : NULL;
    bool ok = true;

    for (int i = 0; i < 2; i++) {
        const struct tree *t = tree_get(map, keys[i]);
        if (t && t->kind == TREE_SCALAR)
            ok &= config_input(c, d, path_of(a, t));
    }
    for (; file && *file; file++)
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

    if (ok && map)
        ok = conf_fill(a, d, map, cost_fields, known_keys(a, w->cost), "the cost", &form);
    if (map && map->kind != TREE_MAP)
        return false;
    ok &= load_models(w, a, d, tree_get(map, "models"));
    if (!w->cost || (map && !form))
        return false;
    w->cost_self = arena_get(a, w->cost->state_size);
    ok &= w->cost->load(w->cost_self, a, d, map, w->model, w->n_models, w->type, w->n_types);
    if (!ok)
        return false;
    take_memory(w);
    return note_files(c, a, d, map);
}
