/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/mem.h"
#include "sim/text/check.h"
#include "sim/text/conf.h"
#include "sim/text/num.h"
#include "sim/text/yaml.h"

/* One option "path=value" while it is applied. */
struct option {
    struct arena *arena;
    struct diag *diag;
    const struct override *given;
    const struct source *src; /* NULL: it has no text */
    const char *value;        /* in src */
    struct tree *(*expand)(void *user, const char *key, struct tree *node);
    void *user;
};

static const struct source *source_of(struct arena *a, const struct override *o)
{
    struct source *src = arena_get(a, sizeof *src);

    src->name = "-s";
    src->len = strlen(o->text);
    src->text = arena_text(a, o->text, src->len);
    src->first_line = o->number;
    return src;
}

/* An element of the path: a key, or a position. */
static struct tree *element(const struct option *o, const char *from, const char *end)
{
    struct mark at =
        o->given->text ? diag_place(o->src, (size_t)(from - o->src->text)) : o->given->key->at;

    if (from < end)
        return tree_scalar(o->arena, at, from, (size_t)(end - from));
    diag_error(o->diag, at, "an empty name in the path of an override");
    return NULL;
}

static struct tree **list_slot(const struct option *o, struct tree *list, const struct tree *key)
{
    int64_t i;

    if (num_int(key->text, key->len, &i) == NUM_OK && i >= 0 && (uint64_t)i < list->n)
        return &list->item[i];
    diag_error(o->diag, key->at, "there is no item '%s' in a list of %zu; the first is 0",
               key->text, list->n);
    return NULL;
}

/* Where the value of the key is kept; a key that is new gets an empty map. */
static struct tree **slot(const struct option *o, struct tree *node, struct tree *key)
{
    if (node->kind == TREE_LIST)
        return list_slot(o, node, key);
    if (node->kind == TREE_SCALAR) {
        diag_error(o->diag, key->at, "there is no '%s' in %s", key->text, tree_kind_name(node));
        return NULL;
    }
    if (!tree_get(node, key->text))
        tree_add(o->arena, node, key, tree_map(o->arena, key->at));
    for (size_t i = 0;; i++)
        if (strcmp(node->key[i]->text, key->text) == 0)
            return &node->item[i];
}

/* Goes one element of the path down. */
static struct tree *descend(const struct option *o, struct tree *node, struct tree *key)
{
    struct tree **child = slot(o, node, key), *expanded;

    if (!child)
        return NULL;
    if (tree_is_null(*child))
        *child = tree_map(o->arena, (*child)->at);
    if ((*child)->kind != TREE_SCALAR)
        return *child;
    expanded = o->expand ? o->expand(o->user, key->text, *child) : NULL;
    if (expanded)
        *child = expanded;
    return *child;
}

static struct tree *read_value(const struct option *o)
{
    size_t from = (size_t)(o->value - o->src->text);

    if (*o->value == '[' || *o->value == '{')
        return yaml_parse_from(o->arena, o->diag, o->src, from);
    return tree_scalar(o->arena, diag_place(o->src, from), o->value, strlen(o->value));
}

static struct tree *copy_value(const struct option *o)
{
    return tree_copy(o->arena, o->given->value);
}

/* The part of a path up to its last element leads to the node whose slot is wanted. */
static bool put_at(struct option *o, struct tree *root, const char *path, const char *end,
                   struct tree *(*value)(const struct option *))
{
    const char *dot;
    struct tree *key, **child, *node;

    while ((dot = memchr(path, '.', (size_t)(end - path)))) {
        key = element(o, path, dot);
        root = key ? descend(o, root, key) : NULL;
        if (!root)
            return false;
        path = dot + 1;
    }
    key = element(o, path, end);
    node = key ? value(o) : NULL;
    child = node ? slot(o, root, key) : NULL;
    if (child)
        *child = node;
    return child != NULL;
}

bool conf_override(struct arena *a, struct diag *d, struct tree *root, const struct override *given,
                   struct tree *(*expand)(void *user, const char *key, struct tree *node),
                   void *user)
{
    struct option o = {.arena = a, .diag = d, .given = given, .expand = expand, .user = user};

    if (!given->text)
        return put_at(&o, root, given->key->text, given->key->text + given->key->len, copy_value);
    o.src = source_of(a, given);
    if (!check_text(d, o.src))
        return false;
    const char *equals = strchr(o.src->text, '=');
    if (!equals)
        return diag_error(d, diag_place(o.src, 0), "no '=' in an override; wanted path=value");
    o.value = equals + 1;
    return put_at(&o, root, o.src->text, equals, read_value);
}
