/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/story_cluster.h"

#include "sim/text/num.h"

#define MOST_NODES (1u << 18)
#define MOST_GPUS  (1 << 22)

static bool get(const struct tree *map, const char *key, int64_t least, int64_t most, int64_t *out)
{
    const struct tree *t = tree_get(map, key);

    return t && t->kind == TREE_SCALAR && num_int(t->text, t->len, out) == NUM_OK &&
           *out >= least && *out <= most;
}

/* Nodes of one kind; false: not as manifests have them. */
static bool add(struct arena *a, struct story_cluster *c, size_t *cap, const struct tree *kind)
{
    const struct tree *type = tree_get(kind, "type");
    int64_t count, gpus;

    if (!type || type->kind != TREE_SCALAR || !get(kind, "count", 1, MOST_NODES, &count) ||
        !get(kind, "gpus", 1, MOST_GPUS, &gpus) || c->n + (uint64_t)count > MOST_NODES)
        return false;
    if (c->n + (size_t)count > *cap) {
        struct story_node *more = arena_get(a, (*cap = 2 * (c->n + (size_t)count)) * sizeof(*more));
        for (uint32_t i = 0; i < c->n; i++)
            more[i] = c->node[i];
        c->node = more;
    }
    for (int64_t i = 0; i < count; i++) {
        uint64_t first = c->n ? (uint64_t)c->node[c->n - 1].first + c->node[c->n - 1].gpus : 0;
        if (first + (uint64_t)gpus > MOST_GPUS)
            return false;
        c->node[c->n++] = (struct story_node){type->text, (gpu_id)first, (uint32_t)gpus};
    }
    return true;
}

struct story_cluster story_cluster_of(struct arena *a, const struct tree *manifest)
{
    const struct tree *nodes = tree_get(tree_get(tree_get(manifest, "config"), "cluster"), "nodes");
    struct story_cluster c = {0};
    size_t cap = 0;

    for (size_t i = 0; nodes && nodes->kind == TREE_LIST && i < nodes->n; i++)
        if (!add(a, &c, &cap, nodes->item[i]))
            return (struct story_cluster){0};
    return c;
}

uint32_t story_node_of(const struct story_cluster *c, gpu_id g)
{
    uint32_t lo = 0, hi = c->n;

    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->node[mid].first <= g)
            lo = mid;
        else
            hi = mid;
    }
    return lo < c->n && g - c->node[lo].first < c->node[lo].gpus ? lo : NODE_UNKNOWN;
}
