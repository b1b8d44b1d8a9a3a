/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/sweep_values.h"

#include <string.h>

#include "sim/text/conf.h"

#define MOST_VALUES 100000u

const char *sweep_value_text(struct arena *a, const struct tree *value)
{
    const char *text = "[";

    if (value->kind == TREE_SCALAR)
        return value->text;
    for (size_t i = 0; i < value->n; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", value->item[i]->text);
    return arena_printf(a, "%s]", text);
}

/* It is shown in tables and on terminals. */
static bool check_text(struct diag *d, const char *axis, const struct tree *scalar)
{
    for (const char *c = scalar->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return diag_error(d, scalar->at, "%s: a control character in a value", axis);
    return true;
}

static bool check_value(struct diag *d, const char *axis, const struct tree *value)
{
    bool plain = value->kind != TREE_MAP;

    for (size_t i = 0; value->kind == TREE_LIST && i < value->n; i++)
        plain = plain && value->item[i]->kind == TREE_SCALAR;
    if (!plain)
        return diag_error(d, value->at,
                          "%s: %s; wanted a value or a list of values (a map goes into a file)",
                          axis, tree_kind_name(value));
    for (size_t i = 0; value->kind == TREE_LIST && i < value->n; i++)
        if (!check_text(d, axis, value->item[i]))
            return false;
    return value->kind == TREE_LIST || check_text(d, axis, value);
}

/* {from, to, step}: whole numbers. */
static struct tree *range(struct arena *a, struct diag *d, const char *axis, struct tree *map)
{
    struct {
        int64_t from, to, step;
    } x;
    static const struct field fields[] = {
        {FIELD_INT, "from", 0, NULL, -1e15, 1e15, NULL, "the first"},
        {FIELD_INT, "to", sizeof(int64_t), NULL, -1e15, 1e15, NULL, "the last, if it is met"},
        {FIELD_INT, "step", 2 * sizeof(int64_t), "1", 1, 1e15, NULL, "from one to the next"},
        {.type = FIELD_END},
    };
    struct tree *list = tree_list(a, map->at);

    if (!conf_fill(a, d, map, fields, NULL, arena_printf(a, "the range of %s", axis), &x))
        return NULL;
    if (x.to < x.from || (x.to - x.from) / x.step >= MOST_VALUES) {
        diag_error(d, map->at, "%s: from %lld to %lld; wanted 1 to %u values", axis,
                   (long long)x.from, (long long)x.to, MOST_VALUES);
        return NULL;
    }
    for (int64_t v = x.from; v <= x.to; v += x.step) {
        const char *text = arena_printf(a, "%lld", (long long)v);
        tree_append(a, list, tree_scalar(a, map->at, text, strlen(text)));
    }
    return list;
}

struct tree *sweep_values(struct arena *a, struct diag *d, const char *axis, struct tree *values)
{
    if (values->kind == TREE_MAP)
        return range(a, d, axis, values);
    if (values->kind != TREE_LIST || values->n == 0 || values->n > MOST_VALUES) {
        diag_error(d, values->at, "%s: %s; wanted a list of 1 to %u values, or a range", axis,
                   tree_kind_name(values), MOST_VALUES);
        return NULL;
    }
    for (size_t i = 0; i < values->n; i++)
        if (!check_value(d, axis, values->item[i]))
            return NULL;
    return values;
}
