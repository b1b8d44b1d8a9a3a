/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "sim/text/tree.h"

static struct tree *node(struct arena *a, enum tree_kind kind, struct mark at)
{
    struct tree *t = arena_get(a, sizeof *t);

    t->kind = kind;
    t->at = at;
    return t;
}

struct tree *tree_scalar(struct arena *a, struct mark at, const char *text, size_t len)
{
    struct tree *t = node(a, TREE_SCALAR, at);

    t->text = arena_text(a, text, len);
    t->len = len;
    return t;
}

struct tree *tree_list(struct arena *a, struct mark at)
{
    return node(a, TREE_LIST, at);
}

struct tree *tree_map(struct arena *a, struct mark at)
{
    return node(a, TREE_MAP, at);
}

static struct tree **more(struct arena *a, struct tree **old, size_t n, size_t cap)
{
    struct tree **array = arena_get(a, cap * sizeof(struct tree *));

    if (old)
        memcpy(array, old, n * sizeof(struct tree *));
    return array;
}

/* The arrays that are outgrown stay in the arena: less than what is in use. */
static void room(struct arena *a, struct tree *t)
{
    if (t->item && t->n < t->cap)
        return;
    t->cap = t->cap ? t->cap * 2 : 4;
    t->item = more(a, t->item, t->n, t->cap);
    if (t->kind == TREE_MAP)
        t->key = more(a, t->key, t->n, t->cap);
}

void tree_append(struct arena *a, struct tree *list, struct tree *item)
{
    room(a, list);
    list->item[list->n++] = item;
}

void tree_add(struct arena *a, struct tree *map, struct tree *key, struct tree *value)
{
    room(a, map);
    map->key[map->n] = key;
    map->item[map->n++] = value;
}

static struct tree **find(const struct tree *map, const char *key)
{
    if (!map || map->kind != TREE_MAP)
        return NULL;
    for (size_t i = 0; i < map->n; i++)
        if (strcmp(map->key[i]->text, key) == 0)
            return &map->item[i];
    return NULL;
}

struct tree *tree_get(const struct tree *map, const char *key)
{
    struct tree **value = find(map, key);

    return value ? *value : NULL;
}

void tree_put(struct arena *a, struct tree *map, struct tree *key, struct tree *value)
{
    struct tree **old = find(map, key->text);

    if (old)
        *old = value;
    else
        tree_add(a, map, key, value);
}

struct tree *tree_copy(struct arena *a, const struct tree *t)
{
    struct tree *new;

    if (t->kind == TREE_SCALAR) {
        new = arena_get(a, sizeof *new);
        *new = *t;
        return new;
    }
    new = t->kind == TREE_MAP ? tree_map(a, t->at) : tree_list(a, t->at);
    for (size_t i = 0; i < t->n; i++) {
        if (t->kind == TREE_MAP)
            tree_add(a, new, tree_copy(a, t->key[i]), tree_copy(a, t->item[i]));
        else
            tree_append(a, new, tree_copy(a, t->item[i]));
    }
    return new;
}

bool tree_is_null(const struct tree *t)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};

    if (t->kind != TREE_SCALAR || t->quoted)
        return false;
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        if (strcmp(t->text, nulls[i]) == 0)
            return true;
    return false;
}

const char *tree_kind_name(const struct tree *t)
{
    if (t->kind == TREE_MAP)
        return t->n ? "a map" : "an empty map";
    if (t->kind == TREE_LIST)
        return t->n ? "a list" : "an empty list";
    if (t->quoted)
        return "a text in quotes";
    return tree_is_null(t) ? "nothing" : "a text";
}

/* An open table of pairs (map, key) by hash of both; at most half full. */
struct pair {
    const struct tree *map; /* NULL: a free slot */
    struct tree *key;
};

struct tree_keys {
    struct pair *slot;
    size_t size, used;
};

struct tree_keys *tree_keys_new(void)
{
    struct tree_keys *k = mem_get(sizeof *k);

    k->size = 256;
    k->slot = mem_get(k->size * sizeof *k->slot);
    return k;
}

void tree_keys_free(struct tree_keys *k)
{
    mem_drop(k->slot);
    mem_drop(k);
}

static size_t hash(const struct tree *map, const char *text, size_t len)
{
    uint64_t h = (uint64_t)(uintptr_t)map;

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    h *= UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(h ^ h >> 32);
}

/* The slot that holds the key, or the free one where it belongs. */
static struct pair *slot_of(const struct tree_keys *k, const struct tree *map, const char *text,
                            size_t len)
{
    size_t i = hash(map, text, len) & (k->size - 1);

    for (; k->slot[i].map; i = (i + 1) & (k->size - 1)) {
        const struct tree *key = k->slot[i].key;

        if (k->slot[i].map == map && key->len == len && memcmp(key->text, text, len) == 0)
            break;
    }
    return &k->slot[i];
}

struct tree *tree_keys_find(const struct tree_keys *k, const struct tree *map, const char *text,
                            size_t len)
{
    return slot_of(k, map, text, len)->key;
}

static void widen(struct tree_keys *k)
{
    struct tree_keys old = *k;

    k->size *= 2;
    k->slot = mem_get(k->size * sizeof *k->slot);
    for (size_t i = 0; i < old.size; i++) {
        struct pair *p = &old.slot[i];

        if (p->map)
            *slot_of(k, p->map, p->key->text, p->key->len) = *p;
    }
    mem_drop(old.slot);
}

void tree_keys_add(struct tree_keys *k, const struct tree *map, struct tree *key)
{
    if (k->used * 2 >= k->size)
        widen(k);
    *slot_of(k, map, key->text, key->len) = (struct pair){map, key};
    k->used++;
}
