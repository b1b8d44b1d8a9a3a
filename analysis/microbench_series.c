/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/microbench_load.h"

#include <math.h>
#include <string.h>

#include "sim/text/check.h"
#include "sim/text/conf.h"

#define WHOLE_MAX 9007199254740992.0 /* 2^53 */

/* What a unit is of, and how many of ours it is; times are divided: 58 us are the number 5.8e-5. */
static const char *const unit_names[] = {"s", "ms", "us", "ns", "GB/s", "TFLOP/s", "1", NULL};
static const struct unit {
    bool rate;
    double divide, multiply;
} units[] = {{false, 1, 1},  {false, 1e3, 1}, {false, 1e6, 1}, {false, 1e9, 1},
             {true, 1, 1e9}, {true, 1, 1e12}, {true, 1, 1}};

struct head {
    const char *op, *kind, *precision;
    int unit;
};

static const struct field head_fields[] = {
    {FIELD_TEXT, "op", offsetof(struct head, op), NULL, 0, 0, NULL, "operator"},
    {FIELD_TEXT, "kind", offsetof(struct head, kind), "", 0, 0, NULL, "variant of it"},
    {FIELD_TEXT, "precision", offsetof(struct head, precision), "", 0, 0, NULL, "number format"},
    {FIELD_CHOICE, "unit", offsetof(struct head, unit), NULL, 0, 0, unit_names, "of the result"},
    {.type = FIELD_END},
};
static const char *const head_also[] = {"columns", "rows", "set_aside", NULL};

int series_column(const struct series *s, const char *name)
{
    for (size_t i = 0; i < s->columns; i++)
        if (strcmp(s->column[i], name) == 0)
            return (int)i;
    return -1;
}

static bool known_word(struct loading *l, const struct tree *map, const char *key,
                       const char *const *words, const char *op)
{
    const struct field choice = {FIELD_CHOICE, key, 0, NULL, 0, 0, words, ""};
    const struct tree *word = tree_get(map, key);
    char shown[CHECK_SHOWN];
    int which;

    if (word->len && words[0][0] == '\0')
        return diag_error(l->diag, word->at, "%s: '%s'; %s has none", key,
                          check_shown(shown, word->text, word->len), op);
    return conf_value(l->temp, l->diag, word, &choice, &which);
}

static bool known_op(struct loading *l, const struct tree *value, struct series *s)
{
    struct diag_near near = {.word = value->text};
    char shown[CHECK_SHOWN];

    s->op = microbench_op(value->text);
    if (s->op)
        return true;
    for (const struct microbench_op *op = microbench_ops; op->name; op++)
        diag_consider(&near, op->name);
    check_shown(shown, value->text, value->len);
    return diag_unknown(l->diag, value->at, near.nearest, "op: '%s' is no known operator", shown);
}

/* Operator, kind, precision, unit. */
static bool load_head(struct loading *l, struct tree *map, struct series *s,
                      const struct unit **unit)
{
    struct head head = {0};

    if (!conf_fill(l->temp, l->diag, map, head_fields, head_also, "a series", &head) ||
        !known_op(l, tree_get(map, "op"), s))
        return false;
    s->at = map->at;
    s->kind = load_kept(l, head.kind);
    s->precision = load_kept(l, head.precision);
    *unit = &units[head.unit];
    if (s->op->relative != (strcmp(unit_names[head.unit], "1") == 0))
        return diag_error(l->diag, tree_get(map, "unit")->at, "unit: '%s'; %s is measured in %s",
                          unit_names[head.unit], s->op->name,
                          s->op->relative ? "1" : "times or rates");
    if (s->op->kinds && !known_word(l, map, "kind", s->op->kinds, s->op->name))
        return false;
    return !(s->op->computes || *s->precision) ||
           known_word(l, map, "precision", microbench_precisions, s->op->name);
}

static bool is_result(const char *name)
{
    return strcmp(name, "time") == 0 || strcmp(name, "rate") == 0;
}

static bool known_column(struct loading *l, const struct tree *name, const struct series *s)
{
    struct diag_near near = {.word = name->text};
    const char *const *sets[] = {s->op->columns, s->op->optional,
                                 (const char *const[]){"time", "rate", "spread", NULL}};
    char shown[CHECK_SHOWN];

    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (load_listed(name->text, sets[i]))
            return true;
        for (const char *const *word = sets[i]; *word; word++)
            diag_consider(&near, *word);
    }
    check_shown(shown, name->text, name->len);
    return diag_unknown(l->diag, name->at, near.nearest, "columns: %s has no '%s'", s->op->name,
                        shown);
}

/* That all are there that the operator needs, and one result, of what the unit is of. */
static bool enough_columns(struct loading *l, const struct tree *list, struct series *s,
                           const struct unit *unit)
{
    const char *wanted = unit->rate ? "rate" : "time";
    size_t results = 0;
    bool fine = true;

    for (const char *const *need = s->op->columns; *need; need++)
        if (series_column(s, *need) < 0)
            fine = diag_error(l->diag, list->at, "columns: '%s' is missing; %s needs it", *need,
                              s->op->name);
    for (size_t i = 0; i < s->columns; i++)
        if (is_result(s->column[i])) {
            s->result = i;
            results++;
        }
    if (results != 1)
        return diag_error(l->diag, list->at, "columns: %s; wanted one, 'time' or 'rate'",
                          results ? "two results" : "no result");
    s->is_rate = unit->rate;
    if (strcmp(s->column[s->result], wanted) != 0)
        return diag_error(l->diag, list->at, "columns: '%s', but the unit is one of a %s",
                          s->column[s->result], wanted);
    return fine;
}

static bool load_columns(struct loading *l, const struct tree *map, struct series *s,
                         const struct unit *unit)
{
    const struct tree *list = load_part(l, map, "columns", TREE_LIST, "a series");
    const char **names;

    if (!list)
        return false;
    s->column = names = arena_get(l->keep, (list->n + 1) * sizeof *names);
    for (size_t i = 0; i < list->n; i++) {
        const struct tree *name = list->item[i];

        if (name->kind != TREE_SCALAR)
            return diag_error(l->diag, name->at, "columns: %s; wanted a name",
                              tree_kind_name(name));
        if (!known_column(l, name, s))
            return false;
        if (series_column(s, name->text) >= 0)
            return diag_error(l->diag, name->at, "columns: '%s' appears twice", name->text);
        names[i] = load_kept(l, name->text);
        s->columns++;
    }
    return enough_columns(l, list, s, unit);
}

/* A cell as it is written; false: reported. */
static bool read_number(struct loading *l, const struct tree *cell, const char *name, double *x)
{
    const struct field number = {FIELD_REAL, name, 0, NULL, 0, 0, NULL, ""};

    return conf_value(l->temp, l->diag, cell, &number, x);
}

/* Whether a size or a spread lies where it can. */
static bool right_size(struct loading *l, const struct tree *cell, const char *name, double x)
{
    enum column_range range = microbench_column(name);
    bool whole = range == COLUMN_FROM_0 || range == COLUMN_FROM_1;

    if (whole && x != floor(x))
        return check_fault(l->diag, cell->at, name, cell->text, cell->len, CHECK_WHOLE, NUM_SYNTAX);
    if (x < (range == COLUMN_FROM_1))
        return check_below(l->diag, cell->at, name, cell->text, cell->len,
                           range == COLUMN_FROM_1 ? "1" : "0");
    if (range == COLUMN_PER_CENT && x > 100)
        return check_above(l->diag, cell->at, name, cell->text, cell->len, "100");
    return x <= WHOLE_MAX ||
           check_above(l->diag, cell->at, name, cell->text, cell->len, "9007199254740992");
}

static bool row_width(struct loading *l, const struct tree *row, const struct series *s)
{
    if (row->kind != TREE_LIST)
        return diag_error(l->diag, row->at, "rows: %s; wanted a list", tree_kind_name(row));
    return row->n == s->columns ||
           diag_error(l->diag, row->at, "%zu numbers in this row; there are %zu columns", row->n,
                      s->columns);
}

static bool load_row(struct loading *l, const struct tree *row, const struct series *s,
                     const struct unit *unit, double *cell)
{
    if (!row_width(l, row, s))
        return false;
    for (size_t i = 0; i < s->columns; i++) {
        const struct tree *text = row->item[i];

        if (!read_number(l, text, s->column[i], &cell[i]))
            return false;
        if (i != s->result) {
            if (!right_size(l, text, s->column[i], cell[i]))
                return false;
            continue;
        }
        if (!(cell[i] > 0))
            return diag_error(l->diag, text->at, "%s: %s; wanted more than 0", s->column[i],
                              text->text);
        cell[i] = cell[i] * unit->multiply / unit->divide;
    }
    return true;
}

static bool load_rows(struct loading *l, const struct tree *map, struct series *s,
                      const struct unit *unit)
{
    const struct tree *list = load_part(l, map, "rows", TREE_LIST, "a series");
    struct mark *marks;
    double *cells;
    bool fine = true;

    if (!list)
        return false;
    if (list->n == 0)
        return diag_error(l->diag, list->at, "rows: there are none");
    s->rows = list->n;
    s->cell = cells = arena_get(l->keep, s->rows * s->columns * sizeof *cells);
    s->row_at = marks = arena_get(l->keep, s->rows * sizeof *marks);
    for (size_t i = 0; i < s->rows && !diag_full(l->diag); i++) {
        marks[i] = list->item[i]->at;
        fine = load_row(l, list->item[i], s, unit, cells + i * s->columns) && fine;
    }
    return fine;
}

static bool load_rule(struct loading *l, struct tree *map, const struct series *s,
                      struct run_aside *aside)
{
    static const struct field rule[] = {
        {FIELD_TEXT, "rule", offsetof(struct run_aside, rule), NULL, 0, 0, NULL, "why"},
        {.type = FIELD_END}};
    static const char *const also[] = {"rows", NULL};
    const struct tree *rows;
    double x;

    if (!conf_fill(l->temp, l->diag, map, rule, also, "set_aside", aside) ||
        load_no_text(l, map, "rule", "the name of a rule"))
        return false;
    aside->rule = load_kept(l, aside->rule);
    rows = load_part(l, map, "rows", TREE_LIST, "set_aside");
    for (size_t i = 0; rows && i < rows->n; i++) {
        if (!row_width(l, rows->item[i], s))
            return false;
        for (size_t j = 0; j < s->columns; j++)
            if (!read_number(l, rows->item[i]->item[j], s->column[j], &x))
                return false;
    }
    aside->rows = rows ? rows->n : 0;
    return rows != NULL;
}

static bool load_asides(struct loading *l, const struct tree *map, struct series *s)
{
    const struct tree *list = tree_get(map, "set_aside");
    struct run_aside *asides;

    if (!list)
        return true;
    if (list->kind != TREE_LIST)
        return diag_error(l->diag, list->at, "set_aside: %s; wanted a list", tree_kind_name(list));
    s->aside = asides = arena_get(l->keep, list->n * sizeof *asides + 1);
    s->asides = list->n;
    for (size_t i = 0; i < list->n; i++) {
        if (!load_rule(l, list->item[i], s, &asides[i]))
            return false;
        s->aside_rows += asides[i].rows;
    }
    return true;
}

bool load_one_series(struct loading *l, struct tree *map, struct series *s)
{
    const struct unit *unit;

    return load_head(l, map, s, &unit) && load_columns(l, map, s, unit) &&
           load_rows(l, map, s, unit) && load_asides(l, map, s);
}
