/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json.h - JSON into trees (the only user of cJSON), and trees as JSON.
 *
 * cJSON is lenient; this layer refuses what it lets pass: repeated keys, numbers that are not
 * finite or, as integers, not exact, NUL, control characters, invalid UTF-8, a second value behind
 * the first, nesting over 64, files over 64 MiB. All nodes carry line and column. Numbers are held
 * as num_put_real writes them, whole ones as num_put_int does.
 */
#ifndef SIM_JSON_H
#define SIM_JSON_H

#include "sim/text/out.h"
#include "sim/text/tree.h"

struct tree *json_load(struct arena *, struct diag *, const char *path);
struct tree *json_parse(struct arena *, struct diag *, const struct source *);

/*
 * A tree as JSON, its first line where the writer stands, the others indented by so many blanks.
 * Unquoted scalars that read as numbers, true, false or null are written as such, all others as
 * strings; a list of scalars takes one line.
 */
void json_tree(struct out *, const struct tree *, int indent);

#endif
