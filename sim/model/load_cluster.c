/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `cluster` of a configuration: GPU types and nodes. */
#include <string.h>

#include "sim/base/bits.h"
#include "sim/model/config.h"
#include "sim/model/names.h"

#define MOST_GPUS  (INT64_C(1) << 22)
#define MOST_TYPES 64

struct type_conf {
    double memory_gib, eta;
};

const struct field gpu_type_fields[] = {
    {FIELD_REAL, "memory_gib", offsetof(struct type_conf, memory_gib), "0", 0, 1e6, NULL,
     "memory of a GPU, GiB; 0: not known, every placement fits"},
    {FIELD_REAL, "eta", offsetof(struct type_conf, eta), "0", 0, 10, NULL,
     "what processor_sharing gains: n jobs do 1 + eta (1 - 1/n) of the work of one (eq. 19)"},
    {.type = FIELD_END},
};

struct node_conf {
    const char *type;
    int64_t count, gpus;
    double host_gib, input, speed, sigma;
};

const struct field node_fields[] = {
    {FIELD_TEXT, "type", offsetof(struct node_conf, type), NULL, 0, 0, NULL,
     "GPU type, one of gpu_types"},
    {FIELD_INT, "count", offsetof(struct node_conf, count), "1", 1, BITS_MAX, NULL,
     "nodes like this"},
    {FIELD_INT, "gpus", offsetof(struct node_conf, gpus), NULL, 1, 64, NULL, "GPUs of each node"},
    {FIELD_REAL, "host_memory_gib", offsetof(struct node_conf, host_gib), "0", 0, 1e9, NULL,
     "room for suspended states, GiB; what does not fit goes to storage; 0: without limit"},
    {FIELD_REAL, "input_samples_per_s", offsetof(struct node_conf, input), "0", 0, 1e12, NULL,
     "what the loader of a node feeds to its GPUs (R_in of eq. 4); 0: without limit"},
    {FIELD_REAL, "speed", offsetof(struct node_conf, speed), "1", 0.001, 1000, NULL,
     "individual speed factor of its GPUs (v_j); 1: nominal"},
    {FIELD_REAL, "speed_sigma", offsetof(struct node_conf, sigma), "0", 0, 1, NULL,
     "sigma of a log-normal factor on the speed of each GPU, drawn by seed"},
    {.type = FIELD_END},
};

static bool load_types(struct world *w, struct arena *a, struct diag *d, struct tree *types)
{
    bool ok = true;

    if (types->kind != TREE_MAP || types->n == 0)
        return diag_error(d, types->at, "gpu_types: %s; wanted a map of GPU types",
                          tree_kind_name(types));
    if (types->n > MOST_TYPES)
        return diag_error(d, types->at, "gpu_types: %zu; wanted at most %d", types->n, MOST_TYPES);
    w->n_types = (uint32_t)types->n;
    w->type = arena_get(a, types->n * sizeof(*w->type));
    for (size_t i = 0; i < types->n; i++) {
        struct type_conf t = {0};
        ok &= conf_fill(a, d, types->item[i], gpu_type_fields, NULL, "the GPU type", &t);
        w->type[i] = (struct gpu_type){
            .name = types->key[i]->text, .memory = t.memory_gib * GIB, .eta = t.eta};
    }
    return ok;
}

static bool find_type(const struct world *w, struct diag *d, const struct tree *name, type_id *out)
{
    *out = names_known_type(w, d, name->at, name->text, name->len);
    return *out != NO_NAME;
}

struct group {
    struct node_conf conf; /* what is wrong or missing is 0 */
    type_id type;
};

static bool read_groups(struct config *c, struct arena *a, struct diag *d, struct tree *nodes,
                        struct group *g)
{
    struct world *w = &c->base;
    int64_t n_nodes = 0, n_gpus = 0;
    bool ok = true;

    for (size_t i = 0; i < nodes->n; i++) {
        ok &= conf_fill(a, d, nodes->item[i], node_fields, NULL, "the node", &g[i].conf);
        if (g[i].conf.type && w->n_types > 0)
            ok &= find_type(w, d, tree_get(nodes->item[i], "type"), &g[i].type);
        if (!ok)
            continue;
        n_nodes += g[i].conf.count;
        n_gpus += g[i].conf.count * g[i].conf.gpus;
        if (n_nodes > BITS_MAX || n_gpus > MOST_GPUS)
            return diag_error(d, nodes->item[i]->at, "nodes: more than %u nodes or %lld GPUs",
                              BITS_MAX, (long long)MOST_GPUS);
    }
    w->n_nodes = (uint32_t)n_nodes;
    w->n_gpus = (uint32_t)n_gpus;
    return ok;
}

static void make_nodes(struct config *c, struct arena *a, const struct group *g, size_t n_groups)
{
    struct world *w = &c->base;
    node_id k = 0;
    gpu_id gpu = 0;

    w->node = arena_get(a, w->n_nodes * sizeof(*w->node));
    w->gpu = arena_get(a, w->n_gpus * sizeof(*w->gpu));
    c->speed_sigma = arena_get(a, w->n_nodes * sizeof(*c->speed_sigma));
    w->nominal = true;
    for (size_t i = 0; i < n_groups; i++) {
        const struct node_conf *n = &g[i].conf;
        w->nominal &= n->speed == 1 && n->sigma == 0;
        for (int64_t x = 0; x < n->count; x++, k++) {
            w->node[k] =
                (struct node){g[i].type, gpu, (uint32_t)n->gpus, n->host_gib * GIB, n->input};
            c->speed_sigma[k] = n->sigma;
            for (int64_t y = 0; y < n->gpus; y++)
                w->gpu[gpu++] = (struct gpu){k, n->speed};
        }
    }
    world_count(w);
}

bool load_cluster(struct config *c, struct arena *a, struct diag *d, struct tree *map)
{
    static const struct field fields[] = {{FIELD_TEXT, "about", 0, "", 0, 0, NULL, "for people"},
                                          {.type = FIELD_END}};
    static const char *const parts[] = {"gpu_types", "nodes", "sharing", NULL};
    const char *about;
    struct tree *types = tree_get(map, "gpu_types"), *nodes = tree_get(map, "nodes");

    bool ok = conf_fill(a, d, map, fields, parts, "the cluster", &about);
    if (map->kind != TREE_MAP)
        return false;
    if (types)
        ok &= load_types(&c->base, a, d, types);
    else
        ok = diag_error(d, map->at, "key 'gpu_types' is missing in the cluster");
    if (!nodes)
        return diag_error(d, map->at, "key 'nodes' is missing in the cluster");
    if (nodes->kind != TREE_LIST || nodes->n == 0)
        return diag_error(d, nodes->at, "nodes: %s; wanted a list of nodes", tree_kind_name(nodes));
    struct group *g = arena_get(a, nodes->n * sizeof(*g));
    ok &= read_groups(c, a, d, nodes, g);
    if (ok)
        make_nodes(c, a, g, nodes->n);
    return ok;
}
