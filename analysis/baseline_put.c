/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A baseline that is brought up to date: its tree is changed, run by run, and written. */
#include <string.h>

#include "analysis/baseline.h"
#include "analysis/rundir.h"
#include "sim/base/version.h"
#include "sim/text/json.h"
#include "sim/text/num.h"

/* The seeds of a run as it will be: each has its values in one of two places. */
struct seed_source {
    uint64_t seed;
    const struct gate_run *new; /* NULL: it keeps the old ones */
    uint32_t old;               /* its position there */
};

struct putting {
    struct arena *arena;
    const struct gate_group *group;
    const struct baseline_run *old; /* NULL: there is none */
    struct seed_source *seed;
    uint32_t n;
};

/* Both have their seeds in rising order. */
static void merge_seeds(struct putting *p)
{
    const struct gate_group *g = p->group;
    bool keeps = p->old && strcmp(p->old->world, g->world) == 0;
    uint32_t n_old = keeps ? p->old->n : 0, i = 0, k = 0;

    p->seed = arena_get(p->arena, (n_old + g->n) * sizeof(*p->seed));
    while (i < n_old || k < g->n) {
        struct seed_source *s = &p->seed[p->n++];
        if (k < g->n && (i == n_old || g->run[k].result.seed <= p->old->seed[i])) {
            i += i < n_old && p->old->seed[i] == g->run[k].result.seed;
            *s = (struct seed_source){g->run[k].result.seed, &g->run[k], 0};
            k++;
        } else {
            *s = (struct seed_source){p->old->seed[i], NULL, i};
            i++;
        }
    }
}

/* ---- trees ---- */

static struct tree *scalar(struct putting *p, const char *text, bool quoted)
{
    struct tree *t = tree_scalar(p->arena, (struct mark){0},
                                 arena_text(p->arena, text, strlen(text)), strlen(text));

    t->quoted = quoted;
    return t;
}

static void put(struct putting *p, struct tree *map, const char *key, struct tree *value)
{
    tree_put(p->arena, map, scalar(p, key, true), value);
}

static struct tree *seeds_of(struct putting *p)
{
    struct tree *list = tree_list(p->arena, (struct mark){0});
    char text[NUM_MAX + 1];

    for (uint32_t i = 0; i < p->n; i++) {
        text[num_put_int(text, (int64_t)p->seed[i].seed)] = '\0';
        tree_append(p->arena, list, scalar(p, text, false));
    }
    return list;
}

static struct tree *digests_of(struct putting *p)
{
    struct tree *list = tree_list(p->arena, (struct mark){0});
    char text[NUM_MAX + 1];

    for (uint32_t i = 0; i < p->n; i++) {
        const struct seed_source *s = &p->seed[i];
        text[num_put_hex(text, s->new ? s->new->result.digest : p->old->digest[s->old])] = '\0';
        tree_append(p->arena, list, scalar(p, text, true));
    }
    return list;
}

static struct tree *values_of(struct putting *p, int id)
{
    static const struct metric_value none;
    struct tree *list = tree_list(p->arena, (struct mark){0});

    for (uint32_t i = 0; i < p->n; i++) {
        const struct seed_source *s = &p->seed[i];
        const struct metric_value *old = p->old ? p->old->value[id] : NULL;
        struct out *o = out_memory();
        metric_write(o, &metric_defs[id],
                     s->new ? &s->new->result.value[id]
                     : old  ? &old[s->old]
                            : &none);
        out_char(o, '\0');
        tree_append(p->arena, list, scalar(p, out_data(o, &(size_t){0}), false));
        out_drop(o);
    }
    return list;
}

/* Metrics of shared clusters are there if some run has them. */
static bool has_metric(const struct putting *p, int id)
{
    bool has = false;

    for (uint32_t i = 0; i < p->n; i++) {
        const struct seed_source *s = &p->seed[i];
        has |= s->new ? metric_applies(s->new->result.value, id) : p->old->value[id] != NULL;
    }
    return has;
}

static struct tree *run_of(struct putting *p)
{
    struct tree *map = tree_map(p->arena, (struct mark){0});
    struct tree *metrics = tree_map(p->arena, (struct mark){0});
    struct tree *tolerances = p->old ? tree_get(p->old->map, "tolerances") : NULL;

    put(p, map, "case", scalar(p, p->group->name, true));
    put(p, map, "policy", scalar(p, p->group->policy, true));
    put(p, map, "predictor", scalar(p, p->group->predictor, true));
    put(p, map, "world", scalar(p, p->group->world, true));
    if (tolerances)
        put(p, map, "tolerances", tolerances);
    put(p, map, "seeds", seeds_of(p));
    put(p, map, "digests", digests_of(p));
    for (int id = 0; id < METRICS; id++)
        if (has_metric(p, id))
            put(p, metrics, metric_defs[id].name, values_of(p, id));
    put(p, map, "metrics", metrics);
    return map;
}

void baseline_put(struct arena *a, struct baseline *b, const struct gate_group *g)
{
    struct putting p = {.arena = a, .group = g, .old = baseline_find(b, g)};
    struct tree *runs = tree_get(b->root, "runs");
    size_t i = 0;

    merge_seeds(&p);
    while (i < runs->n && !(p.old && runs->item[i] == p.old->map))
        i++;
    if (i < runs->n)
        runs->item[i] = run_of(&p);
    else
        tree_append(a, runs, run_of(&p));
}

/* ---- the file ---- */

char *baseline_text(const struct baseline *b)
{
    struct out *o = out_memory();
    size_t len;

    json_tree(o, b->root, 0);
    out_text(o, "\n");
    const char *text = out_data(o, &len);
    char *copy = mem_get(len + 1);
    memcpy(copy, text, len);
    out_drop(o);
    return copy;
}

bool baseline_write(struct arena *a, struct diag *d, const char *path, struct baseline *b)
{
    struct putting p = {.arena = a};
    struct out *o = out_create(d, path);

    if (!o)
        return false;
    put(&p, b->root, "version", scalar(&p, hetune_version, true));
    json_tree(o, b->root, 0);
    out_char(o, '\n');
    return out_commit(o);
}
