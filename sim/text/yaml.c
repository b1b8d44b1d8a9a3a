/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A composer of its own on libyaml's events: libyaml's would accept repeated keys and anchors. It
 * stops at the first node that is too deep, because libyaml's scanner takes time in proportion to
 * length times depth. Faults that do not hide others are collected.
 */
#include <stdio.h>
#include <string.h>

#include <yaml.h>

#include "sim/base/file.h"
#include "sim/base/utf8.h"
#include "sim/text/check.h"
#include "sim/text/yaml.h"

#define FILE_MAX  ((size_t)1 << 20)
#define NODES_MAX 100000

struct composer {
    yaml_parser_t parser;
    yaml_event_t event; /* the one at hand */
    struct arena *arena;
    struct diag *diag;
    const struct source *src;
    uint32_t first_col; /* characters of the first line before the text */
    struct tree_keys *keys;
    struct tree anchors; /* a map for keys: its keys are struct anchor */
    size_t nodes;
};

/* What &NAME stands for; node is NULL as long as it is not complete. */
struct anchor {
    struct tree name; /* first, so that it is found by its name */
    struct tree *node;
};

static struct mark place(const struct composer *c, yaml_mark_t m)
{
    struct mark at = {.src = c->src};

    at.line = c->src->first_line + (uint32_t)m.line;
    at.col = (uint32_t)m.column + 1 + (m.line == 0 ? c->first_col : 0);
    return at;
}

static struct mark here(const struct composer *c)
{
    return place(c, c->event.start_mark);
}

static bool parser_fault(struct composer *c)
{
    const yaml_parser_t *p = &c->parser;
    struct mark at = place(c, p->problem_mark), end = diag_place(c->src, c->src->len);

    if (at.line > end.line) /* libyaml ends the last line where we do not */
        at = end;
    if (p->error == YAML_MEMORY_ERROR)
        mem_exhausted();
    if (strcmp(p->problem, "did not find expected <document start>") == 0)
        return diag_error(c->diag, at, "text behind the end of the value");
    if (!p->context)
        return diag_error(c->diag, at, "%s", p->problem);
    return diag_error(c->diag, at, "%s (%s, line %u)", p->problem, p->context,
                      place(c, p->context_mark).line);
}

static bool next_event(struct composer *c)
{
    yaml_event_delete(&c->event);
    return yaml_parser_parse(&c->parser, &c->event) || parser_fault(c);
}

static bool count_node(struct composer *c, unsigned depth)
{
    if (depth > TREE_DEPTH)
        return diag_error(c->diag, here(c), "nested deeper than %d", TREE_DEPTH);
    if (++c->nodes > NODES_MAX)
        return diag_error(c->diag, here(c), "more than %d values, aliases followed", NODES_MAX);
    return true;
}

static void refuse_tag(struct composer *c, const yaml_char_t *tag)
{
    if (tag)
        diag_error(c->diag, here(c), "tag '%s': tags are not read", (const char *)tag);
}

static struct anchor *find_anchor(const struct composer *c, const char *name)
{
    return (struct anchor *)tree_keys_find(c->keys, &c->anchors, name, strlen(name));
}

/* NULL: the node has no anchor. */
static struct anchor *take_anchor(struct composer *c, const yaml_char_t *text)
{
    const char *name = (const char *)text;
    struct anchor *anchor;

    if (!name)
        return NULL;
    anchor = find_anchor(c, name);
    if (anchor) {
        diag_error(c->diag, here(c), "anchor '&%s' appears twice; the first is at line %u", name,
                   anchor->name.at.line);
        return NULL;
    }
    anchor = arena_get(c->arena, sizeof *anchor);
    anchor->name = *tree_scalar(c->arena, here(c), name, strlen(name));
    tree_keys_add(c->keys, &c->anchors, &anchor->name);
    return anchor;
}

static struct tree *copy(struct composer *c, const struct tree *t, unsigned depth)
{
    struct tree *new;

    depth += t->kind != TREE_SCALAR;
    if (!count_node(c, depth))
        return NULL;
    if (t->kind == TREE_SCALAR) {
        new = arena_get(c->arena, sizeof *new);
        *new = *t;
        return new;
    }
    new = t->kind == TREE_MAP ? tree_map(c->arena, t->at) : tree_list(c->arena, t->at);
    for (size_t i = 0; i < t->n; i++) {
        struct tree *item = copy(c, t->item[i], depth);

        if (!item)
            return NULL;
        if (t->kind == TREE_MAP)
            tree_add(c->arena, new, t->key[i], item);
        else
            tree_append(c->arena, new, item);
    }
    return new;
}

static struct tree *compose_alias(struct composer *c, unsigned depth)
{
    const char *name = (const char *)c->event.data.alias.anchor;
    const struct anchor *anchor = find_anchor(c, name);

    if (!anchor)
        diag_error(c->diag, here(c), "alias '*%s' names no anchor before it", name);
    else if (!anchor->node)
        diag_error(c->diag, here(c), "alias '*%s' stands inside of what it names", name);
    else
        return copy(c, anchor->node, depth);
    return NULL;
}

static struct tree *compose_scalar(struct composer *c, unsigned depth)
{
    const char *text = (const char *)c->event.data.scalar.value;
    size_t len = c->event.data.scalar.length;
    struct anchor *anchor = take_anchor(c, c->event.data.scalar.anchor);
    struct tree *t;

    if (!count_node(c, depth))
        return NULL;
    refuse_tag(c, c->event.data.scalar.tag);
    if (memchr(text, '\0', len))
        diag_error(c->diag, here(c), "a NUL character in a text");
    t = tree_scalar(c->arena, here(c), text, len);
    t->quoted = c->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (anchor)
        anchor->node = t;
    return t;
}

static struct tree *compose(struct composer *c, unsigned depth);

static struct tree *compose_list(struct composer *c, unsigned depth)
{
    struct anchor *anchor = take_anchor(c, c->event.data.sequence_start.anchor);
    struct tree *list = tree_list(c->arena, here(c)), *item;

    if (!count_node(c, depth))
        return NULL;
    refuse_tag(c, c->event.data.sequence_start.tag);
    while (next_event(c)) {
        if (c->event.type == YAML_SEQUENCE_END_EVENT) {
            if (anchor)
                anchor->node = list;
            return list;
        }
        item = compose(c, depth);
        if (!item)
            return NULL;
        tree_append(c->arena, list, item);
    }
    return NULL;
}

/* A key, compared with those before it. */
static struct tree *compose_key(struct composer *c, const struct tree *map, unsigned depth)
{
    struct tree *key, *before;

    if (c->event.type != YAML_SCALAR_EVENT) {
        diag_error(c->diag, here(c), "a key that is no plain text");
        return NULL;
    }
    key = compose_scalar(c, depth);
    if (!key)
        return NULL;
    before = tree_keys_find(c->keys, map, key->text, key->len);
    if (before)
        diag_error(c->diag, key->at, "key '%s' appears twice; the first is at line %u", key->text,
                   before->at.line);
    else
        tree_keys_add(c->keys, map, key);
    if (!key->len)
        diag_error(c->diag, key->at, "an empty key");
    if (strcmp(key->text, "<<") == 0 && !key->quoted)
        diag_error(c->diag, key->at, "key '<<': merge keys are not read");
    return key;
}

static struct tree *compose_map(struct composer *c, unsigned depth)
{
    struct anchor *anchor = take_anchor(c, c->event.data.mapping_start.anchor);
    struct tree *map = tree_map(c->arena, here(c)), *key, *value;

    if (!count_node(c, depth))
        return NULL;
    refuse_tag(c, c->event.data.mapping_start.tag);
    while (next_event(c)) {
        if (c->event.type == YAML_MAPPING_END_EVENT) {
            if (anchor)
                anchor->node = map;
            return map;
        }
        key = compose_key(c, map, depth);
        value = key && next_event(c) ? compose(c, depth) : NULL;
        if (!value)
            return NULL;
        tree_add(c->arena, map, key, value);
    }
    return NULL;
}

/* The node whose first event is at hand; depth counts the maps and lists around it. */
static struct tree *compose(struct composer *c, unsigned depth)
{
    switch (c->event.type) {
    case YAML_ALIAS_EVENT:
        return compose_alias(c, depth);
    case YAML_SCALAR_EVENT:
        return compose_scalar(c, depth);
    case YAML_SEQUENCE_START_EVENT:
        return compose_list(c, depth + 1);
    case YAML_MAPPING_START_EVENT:
        return compose_map(c, depth + 1);
    default:
        BUG("event %d of libyaml begins no value", (int)c->event.type);
    }
}

static struct tree *compose_document(struct composer *c)
{
    struct mark start = {.src = c->src, .line = c->src->first_line, .col = 1};
    unsigned errors = diag_errors(c->diag);
    struct tree *root;

    if (!next_event(c) || !next_event(c)) /* the stream's start, and what comes behind it */
        return NULL;
    if (c->event.type == YAML_STREAM_END_EVENT)
        return tree_map(c->arena, start);
    root = next_event(c) ? compose(c, 0) : NULL;
    if (!root || !next_event(c) || !next_event(c)) /* the document's end, and so on */
        return NULL;
    if (c->event.type != YAML_STREAM_END_EVENT)
        diag_error(c->diag, here(c), "a second document; wanted one");
    if (root->kind == TREE_SCALAR && !root->quoted && !root->len)
        root = tree_map(c->arena, root->at);
    return diag_errors(c->diag) == errors ? root : NULL;
}

struct tree *yaml_parse_from(struct arena *a, struct diag *d, const struct source *src, size_t from)
{
    struct composer c = {.arena = a, .diag = d, .src = src};
    struct tree *root;

    if (src->len > FILE_MAX) {
        diag_error(d, (struct mark){.src = src}, "a text of more than 1 MiB");
        return NULL;
    }
    if (!check_text(d, src))
        return NULL;
    if (!yaml_parser_initialize(&c.parser))
        mem_exhausted();
    c.first_col = diag_place(src, from).col - 1;
    c.keys = tree_keys_new();
    yaml_parser_set_encoding(&c.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&c.parser, (const unsigned char *)src->text + from,
                                 src->len - from);
    root = compose_document(&c);
    yaml_event_delete(&c.event);
    yaml_parser_delete(&c.parser);
    tree_keys_free(c.keys);
    return root;
}

struct tree *yaml_parse(struct arena *a, struct diag *d, const struct source *src)
{
    return yaml_parse_from(a, d, src, utf8_order_mark(src->text, src->len));
}

struct tree *yaml_load(struct arena *a, struct diag *d, const char *path)
{
    const struct source *src = file_load(a, d, path, FILE_MAX);

    return src ? yaml_parse(a, d, src) : NULL;
}
