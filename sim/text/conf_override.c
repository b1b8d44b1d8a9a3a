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
    const struct source *src;
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
    struct mark at = diag_place(o->src, (size_t)(from - o->src->text));

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

static struct tree *value_of(const struct option *o, const char *text)
{
    size_t from = (size_t)(text - o->src->text);

    if (*text == '[' || *text == '{')
        return yaml_parse_from(o->arena, o->diag, o->src, from);
    return tree_scalar(o->arena, diag_place(o->src, from), text, strlen(text));
}

bool conf_override(struct arena *a, struct diag *d, struct tree *root, const struct override *given,
                   struct tree *(*expand)(void *user, const char *key, struct tree *node),
                   void *user)
{
    struct option o = {.arena = a, .diag = d, .expand = expand, .user = user};
    const char *from, *end, *equals;
    struct tree *key, **child, *value;

    o.src = source_of(a, given);
    if (!check_text(d, o.src))
        return false;
    from = o.src->text;
    equals = strchr(from, '=');
    if (!equals)
        return diag_error(d, diag_place(o.src, 0), "no '=' in an override; wanted path=value");
    while ((end = memchr(from, '.', (size_t)(equals - from)))) {
        key = element(&o, from, end);
        root = key ? descend(&o, root, key) : NULL;
        if (!root)
            return false;
        from = end + 1;
    }
    key = element(&o, from, equals);
    value = key ? value_of(&o, equals + 1) : NULL;
    child = value ? slot(&o, root, key) : NULL;
    if (!child)
        return false;
    *child = value;
    return true;
}
