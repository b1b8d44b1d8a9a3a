/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/rows.h"

#include <string.h>

#include "sim/model/paths.h"
#include "sim/text/conf.h"
#include "sim/text/csv.h"

struct rows {
    struct arena *arena;
    struct diag *diag;
    const struct field *fields;
    const char *what;
    take_row *take;
    void *user, *row;
};

static bool one_row(const struct rows *r, struct tree *map)
{
    return conf_fill(r->arena, r->diag, map, r->fields, NULL, r->what, r->row) &&
           r->take(r->user, map->at, r->row);
}

static bool rows_of_list(const struct rows *r, struct tree *list)
{
    bool ok = true;

    for (size_t i = 0; i < list->n; i++)
        ok &= one_row(r, list->item[i]);
    return ok;
}

struct tree *rows_map(struct arena *a, struct csv *csv, const struct field *fields)
{
    struct tree *map = tree_map(a, csv_mark(csv, 0));

    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        int col = csv_column(csv, f->name);
        size_t len;
        const char *cell = csv_cell(csv, col, &len);
        if (col >= 0 && len > 0)
            tree_add(a, map, tree_scalar(a, csv_mark(csv, col), f->name, strlen(f->name)),
                     tree_scalar(a, csv_mark(csv, col), cell, len));
    }
    return map;
}

/* The columns of fields that have no default. */
static bool has_columns(const struct rows *r, struct csv *csv)
{
    size_t n = 0, k = 0;

    while (r->fields[n].type != FIELD_END)
        n++;
    const char **names = arena_get(r->arena, (n + 1) * sizeof(*names));
    for (size_t i = 0; i < n; i++)
        if (!r->fields[i].def)
            names[k++] = r->fields[i].name;
    return csv_require(csv, names);
}

static bool rows_of_file(const struct rows *r, const char *path)
{
    struct csv *csv = csv_open(r->diag, path);
    bool found = csv && has_columns(r, csv), ok = found;
    int got;

    while (found && !diag_full(r->diag) && (got = csv_next(csv)) != 0)
        ok &= got > 0 && one_row(r, rows_map(r->arena, csv, r->fields));
    csv_close(csv);
    return ok;
}

bool rows_take(struct arena *a, struct diag *d, struct tree *from, const struct field *fields,
               const char *what, take_row *take, void *user, void *row)
{
    struct rows r = {a, d, fields, what, take, user, row};

    if (!from)
        return true;
    if (from->kind == TREE_SCALAR && from->len == 0)
        return diag_error(d, from->at, "%s: nothing; wanted a file or a list", what);
    if (from->kind == TREE_SCALAR)
        return rows_of_file(&r, path_of(a, from));
    if (from->kind == TREE_LIST)
        return rows_of_list(&r, from);
    return diag_error(d, from->at, "%s: a map; wanted a file or a list", what);
}

bool rows_stacks(struct diag *d, const struct tree *stacks, const char *key)
{
    if (!stacks)
        return true;
    if (stacks->kind != TREE_LIST)
        return diag_error(d, stacks->at, "%s: %s; wanted a list of names", key,
                          tree_kind_name(stacks));
    for (size_t i = 0; i < stacks->n; i++)
        if (stacks->item[i]->kind != TREE_SCALAR)
            return diag_error(d, stacks->item[i]->at, "%s: %s; wanted a name", key,
                              tree_kind_name(stacks->item[i]));
    return true;
}

uint32_t rows_stack_rank(const struct tree *stacks, const char *stack)
{
    for (size_t i = 0; stacks && i < stacks->n; i++)
        if (strcmp(stacks->item[i]->text, stack) == 0)
            return (uint32_t)i;
    return stacks ? NO_STACK : 0;
}
