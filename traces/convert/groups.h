/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * groups.h - values in groups by a key, and what they come to: a median, a range.
 *
 * A key is the text that a row of the result starts with.
 */
#ifndef TRACES_GROUPS_H
#define TRACES_GROUPS_H

#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "traces/convert/convert.h"

struct group_value {
    const char *key;
    double value;
};

struct groups {
    struct arena *arena; /* of the keys */
    struct group_value *item;
    size_t n, cap;
};

static inline void group_add(struct groups *g, const char *key, double value)
{
    g->item = mem_room(g->item, g->n, &g->cap, sizeof *g->item);
    g->item[g->n++] = (struct group_value){key, value};
}

/* Equal pairs of key and value are alike in every respect: their order is no matter. */
static inline int group_order(const void *a, const void *b)
{
    const struct group_value *x = a, *y = b;
    int order = strcmp(x->key, y->key);

    return order ? order : (x->value > y->value) - (x->value < y->value);
}

/* Calls put for every group, by key, with its values in rising order. */
static inline void group_each(struct groups *g, struct out *out,
                              void (*put)(struct out *, const char *key, const double *value,
                                          size_t n))
{
    double *value = mem_get((g->n + 1) * sizeof *value);

    if (g->n > 0)
        qsort(g->item, g->n, sizeof *g->item, group_order);
    for (size_t from = 0, to; from < g->n; from = to) {
        for (to = from; to < g->n && strcmp(g->item[to].key, g->item[from].key) == 0; to++)
            value[to - from] = g->item[to].value;
        put(out, g->item[from].key, value, to - from);
    }
    mem_drop(value);
}

/* KEY,median,n,least,most */
static inline void group_put_median(struct out *out, const char *key, const double *value, size_t n)
{
    out_printf(out, "%s,%.4f,%zu,%.4f,%.4f\n", key, gsl_stats_median_from_sorted_data(value, 1, n),
               n, value[0], value[n - 1]);
}

static inline void groups_drop(struct groups *g)
{
    mem_drop(g->item);
    arena_free(g->arena);
}

#endif
