/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `sharing` of a cluster: how many jobs a GPU holds, and how they slow each other. */
#include <math.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/model/config.h"
#include "sim/model/fluid.h"
#include "sim/model/paths.h"

struct sharing_conf {
    int64_t residents, rounds;
    const char *contention;
    int rates;
    double pair_default, slice_default;
};

#define TEXT(x)   #x
#define NUMBER(x) TEXT(x) /* of a macro: the text of its value */

static const char *const rates[] = {"arrival", "duty", NULL};
const struct field sharing_fields[] = {
    {FIELD_INT, "residents", offsetof(struct sharing_conf, residents), NULL, 1, MOST_RESIDENTS,
     NULL, "jobs that a GPU holds at most; 1: GPUs are not shared"},
    {FIELD_TEXT, "contention", offsetof(struct sharing_conf, contention), "processor_sharing", 0, 0,
     NULL, "how they slow each other: `hetune list contentions`"},
    {FIELD_CHOICE, "rates", offsetof(struct sharing_conf, rates), "arrival", 0, 0, rates,
     "fidelity fluid: by what a job meets on arrival (eq. 21a-f), or by the others' duties (plain "
     "eq. 21)"},
    {FIELD_REAL_OR_NONE, "pair_default", offsetof(struct sharing_conf, pair_default), "none", 0.001,
     2, NULL, "contention pairs: speed beside another where `pairs` has no row"},
    {FIELD_REAL_OR_NONE, "slice_default", offsetof(struct sharing_conf, slice_default), "none",
     0.001, 2, NULL, "contention partition: speed on a slice where `slices` has no row"},
    {FIELD_INT, "rounds", offsetof(struct sharing_conf, rounds), NUMBER(FLUID_ROUNDS), 1, 1000000,
     NULL,
     "in which the rates of jobs that hang together must settle; else the last ones stand, and the "
     "run says so"},
    {.type = FIELD_END},
};

static const struct contention *find(struct diag *d, struct mark at, const char *name)
{
    struct diag_near near = {.word = name};

    for (int i = 0; contentions[i]; i++) {
        if (strcmp(contentions[i]->name, name) == 0)
            return contentions[i];
        diag_consider(&near, contentions[i]->name);
    }
    diag_unknown(d, at, near.nearest, "unknown contention '%.40s'", name);
    return NULL;
}

double sharing_default(struct arena *a, struct diag *d, const struct tree *sharing, const char *key)
{
    const struct field *f = sharing_fields;
    double x = NAN;

    while (f->type != FIELD_END && strcmp(f->name, key) != 0)
        f++;
    BUG_ON(f->type == FIELD_END);
    if (tree_get(sharing, key))
        conf_value(a, d, tree_get(sharing, key), f, &x);
    return x;
}

/* Measurements without the contention that reads them would be passed over silently. */
static bool check_chosen(struct diag *d, const struct tree *map)
{
    bool ok = true;

    for (int i = 0; contentions[i] && !tree_get(map, "contention"); i++) {
        const struct tree *t = contentions[i]->table ? tree_get(map, contentions[i]->table) : NULL;
        if (t)
            ok = diag_error(d, t->at, "%s: to be used they need `contention: %s`",
                            contentions[i]->table, contentions[i]->name);
    }
    return ok;
}

static bool find_table(struct config *c, struct arena *a, struct diag *d, const struct tree *map,
                       const struct contention *k)
{
    const struct tree *t = k->table ? tree_get(map, k->table) : NULL;

    if (k->table && !t)
        return diag_error(d, map->at, "key '%s' is missing in the sharing: contention %s needs it",
                          k->table, k->name);
    return !t || t->kind != TREE_SCALAR || config_input(c, d, path_of(a, t));
}

bool load_sharing(struct config *c, struct arena *a, struct diag *d, struct tree *map)
{
    static const char *const parts[] = {"pairs", "pair_stacks", "slices", NULL};
    struct world *w = &c->base;
    struct sharing_conf s;

    w->residents = 1;
    if (!map)
        return true;
    bool chosen = check_chosen(d, map);
    if (!conf_fill(a, d, map, sharing_fields, parts, "the sharing", &s))
        return false;
    const struct contention *k = find(d, tree_get(map, "contention")->at, s.contention);
    if (!k || !chosen || !find_table(c, a, d, map, k))
        return false;
    w->residents = (uint32_t)s.residents;
    w->contention_self = arena_get(a, k->state_size);
    if (k->load && !k->load(w->contention_self, a, d, map, w))
        return false;
    w->rounds = (uint32_t)s.rounds;
    w->by_duty = s.rates == 1;
    if (w->residents > 1)
        w->contention = k;
    return true;
}
