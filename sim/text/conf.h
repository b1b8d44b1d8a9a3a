/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * conf.h - trees into structs by tables of fields (field.h), overrides and labels.
 *
 * Scalars follow the YAML 1.2 core schema: true and false are the booleans, `no` is a text, 010 is
 * ten, a number in quotes is a text and refused where a number is wanted. Messages name the key,
 * what was found and what was wanted; unknown keys and choices get a suggestion.
 */
#ifndef SIM_CONF_H
#define SIM_CONF_H

#include "sim/field.h"
#include "sim/text/out.h"
#include "sim/text/tree.h"

/*
 * Fills out from map (NULL: all defaults). Unknown keys are errors, unless they are listed in also
 * (ended by NULL, may be NULL itself: keys the caller reads by hand). Keys that are absent are
 * added to the map with their default and the map's mark, so that the tree becomes the resolved
 * configuration. what: how messages call the thing, as in "policy las".
 */
bool conf_fill(struct arena *, struct diag *, struct tree *map, const struct field *,
               const char *const *also, const char *what, void *out);

/* One scalar by one row of a table, as conf_fill does it; out is the value itself. */
bool conf_value(struct arena *, struct diag *, const struct tree *value, const struct field *,
                void *out);

/* The default of a field that has one; out is the value itself. */
void conf_default(struct arena *, const struct field *, void *out);

/*
 * "NAME[param=value,...]" into a map of its parameters with marks inside the text; brackets in
 * values nest. A value that has commas or lone brackets stands in single quotes, in which '' is a
 * quote. *name is good as long as the arena. NULL: reported.
 */
struct tree *conf_label(struct arena *, struct diag *, const struct tree *scalar,
                        const char **name);

/* The label of values in a struct: only what differs from the defaults; it parses back. */
const char *conf_print_label(struct arena *, const char *name, const struct field *,
                             const void *values);

/*
 * One override "a.b.0.c=value" into the tree: path elements are keys or, in lists, positions from
 * 0; maps on the way are made where absent or empty. The value is a scalar as written, or YAML if
 * it starts with [ or {. number: which -s option it was, for marks "-s:NUMBER:COL". Or, without a
 * text, a path and a value that stand elsewhere: the value is copied.
 * expand(user, key, node) is called for every node on the way that is a scalar, so that a reference
 * to a file can be put in its place: it returns the new node, or NULL if the scalar is none.
 */
struct override {
    const char *text;
    uint32_t number;
    const struct tree *key, *value;
};
bool conf_override(struct arena *, struct diag *, struct tree *root, const struct override *,
                   struct tree *(*expand)(void *user, const char *key, struct tree *node),
                   void *user);

/* The table as text for people: name, type, bounds, default, about; one row a line. */
void conf_help(struct out *, const struct field *, const char *indent);
/* The same as a JSON list of {name, type, default (null: required), about}. */
void conf_help_json(struct out *, const struct field *);

#endif
