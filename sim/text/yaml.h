/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * yaml.h - YAML into trees: the only user of libyaml.
 *
 * Refused, each with its place: files over 1 MiB, nesting over 64, more than 100,000 nodes counted
 * with aliases followed, repeated keys (both places are named), repeated anchors, unknown aliases,
 * tags, merge keys, empty keys, keys that are no scalars, several documents, UTF-16, invalid UTF-8,
 * NUL and other control characters, a lone CR. A byte order mark and CRLF line ends are accepted.
 * An empty document is an empty map. Each alias becomes a copy, which may be changed apart from
 * what it was copied from and carries its marks.
 */
#ifndef SIM_YAML_H
#define SIM_YAML_H

#include "sim/text/tree.h"

/* NULL when the file cannot be read or is refused; the reason is in diag. */
struct tree *yaml_load(struct arena *, struct diag *, const char *path);

/* The same from a text in memory, which must live as long as the arena. */
struct tree *yaml_parse(struct arena *, struct diag *, const struct source *);

/* The same of what begins at a byte of a text of one line. */
struct tree *yaml_parse_from(struct arena *, struct diag *, const struct source *, size_t from);

#endif
