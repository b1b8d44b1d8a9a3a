/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `sharing` of a cluster: how many jobs a GPU holds, and how they slow each other. */
#include <string.h>

#include "sim/model/config.h"

struct sharing_conf {
    int64_t residents;
    const char *contention;
};

const struct field sharing_fields[] = {
    {FIELD_INT, "residents", offsetof(struct sharing_conf, residents), NULL, 1, MOST_RESIDENTS,
     NULL, "jobs that a GPU holds at most; 1: GPUs are not shared"},
    {FIELD_TEXT, "contention", offsetof(struct sharing_conf, contention), "processor_sharing", 0, 0,
     NULL, "how they slow each other: `hetune list contentions`"},
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

bool load_sharing(struct config *c, struct arena *a, struct diag *d, struct tree *map)
{
    struct world *w = &c->base;
    struct sharing_conf s;

    w->residents = 1;
    if (!map)
        return true;
    if (!conf_fill(a, d, map, sharing_fields, NULL, "the sharing", &s))
        return false;
    const struct contention *k = find(d, tree_get(map, "contention")->at, s.contention);
    if (!k)
        return false;
    w->contention_self = arena_get(a, k->state_size);
    if (k->load && !k->load(w->contention_self, a, d, map, w))
        return false;
    w->residents = (uint32_t)s.residents;
    if (w->residents > 1)
        w->contention = k;
    return true;
}
