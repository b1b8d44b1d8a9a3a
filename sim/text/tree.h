/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.h - what a YAML or JSON file says, as a tree whose nodes know where they stand.
 *
 * Nodes live in the arena they were made in and are never freed alone. Maps keep the order of the
 * file and have no repeated keys. Scalars are text as written: what they mean is decided by who
 * reads them (conf.h), except that a quoted scalar is always text. No node has two parents.
 */
#ifndef SIM_TREE_H
#define SIM_TREE_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

#define TREE_DEPTH 64 /* maps and lists in each other, at most */

struct tree {
    enum tree_kind kind;
    bool quoted; /* a scalar that stood in quotes or in a block */
    struct mark at;
    const char *text; /* scalar: ended by NUL, holds no other NUL */
    size_t len;
    size_t n; /* list, map: items */
    struct tree **item;
    struct tree **key; /* map: key[i] is a scalar */
    size_t cap;        /* items that there is room for */
};

struct tree *tree_scalar(struct arena *, struct mark, const char *text, size_t len);
struct tree *tree_list(struct arena *, struct mark);
struct tree *tree_map(struct arena *, struct mark);
void tree_append(struct arena *, struct tree *list, struct tree *item);
void tree_add(struct arena *, struct tree *map, struct tree *key, struct tree *value);

/* All of it anew, with the marks of what it was copied from. */
struct tree *tree_copy(struct arena *, const struct tree *);

/* The value of a key, or NULL if map is NULL, no map, or has no such key. */
struct tree *tree_get(const struct tree *map, const char *key);

/* Replaces or adds: the value of a key of a map. */
void tree_put(struct arena *, struct tree *map, struct tree *key, struct tree *value);

/* A scalar that stands for no value: unquoted and empty, ~ or null. */
bool tree_is_null(const struct tree *);

/* How a message names what was found: "a map", "a list", "nothing", "a text", ... */
const char *tree_kind_name(const struct tree *);

/*
 * For composers: the keys of all maps of one document, so that a repeated key is found at once.
 * tree_keys_find: the key of the map with the same text, or NULL.
 */
struct tree_keys;
struct tree_keys *tree_keys_new(void);
void tree_keys_free(struct tree_keys *);
struct tree *tree_keys_find(const struct tree_keys *, const struct tree *map, const char *text,
                            size_t len);
void tree_keys_add(struct tree_keys *, const struct tree *map, struct tree *key); /* a new one */

#endif
