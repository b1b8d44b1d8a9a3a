/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of operators from files. */
#include "sim/model/operators.h"

#include <math.h>
#include <stddef.h>

#include "sim/text/check.h"
#include "sim/text/conf.h"
#include "sim/text/yaml.h"

#define MOST  1e9               /* of one size */
#define EXACT 9007199254740992. /* 2^53 */

static const struct field list_fields[] = {
    {FIELD_TEXT, "about", offsetof(struct op_list, about), "", 0, 0, NULL, "which network it is"},
    {FIELD_REAL, "parameters", offsetof(struct op_list, parameters), NULL, 1, EXACT, NULL,
     "published number of parameters"},
    {FIELD_REAL, "macs", offsetof(struct op_list, macs), NULL, 1, EXACT, NULL,
     "published multiply-adds of the forward pass of a sample"},
    {FIELD_REAL, "input_bytes", offsetof(struct op_list, input_bytes), NULL, 1, MOST, NULL,
     "bytes a sample that a loader copies to the GPU"},
    {.type = FIELD_END},
};

/* The same tables for all lists: numbers in them are whole. */
static bool all_whole(struct diag *d, const struct tree *map, const struct field *f)
{
    bool ok = true;

    for (; f->type != FIELD_END; f++) {
        const struct tree *t = tree_get(map, f->name);
        double x;
        if (f->type == FIELD_REAL && num_real(t->text, t->len, &x) == NUM_OK && x != floor(x))
            ok = check_fault(d, t->at, f->name, t->text, t->len, CHECK_WHOLE, NUM_SYNTAX);
    }
    return ok;
}

static bool read_side(struct arena *a, struct diag *d, const struct tree *t, const struct field *f,
                      double *side)
{
    int64_t x;

    if (!conf_value(a, d, t, f, &x))
        return false;
    *side = (double)x;
    return true;
}

/* A whole number, or [height, width]; def: where it is absent (NULL: required). */
static bool read_sides(struct arena *a, struct diag *d, const struct tree *map,
                       const struct field *f, double side[2])
{
    const struct tree *t = tree_get(map, f->name);

    if (!t)
        return f->def || diag_error(d, map->at, "key '%s' is missing in the operator", f->name);
    if (t->kind != TREE_LIST)
        return read_side(a, d, t, f, &side[0]) && ((side[1] = side[0]), true);
    if (t->n != 2)
        return diag_error(d, t->at, "%s: a list of %zu; wanted a whole number or [height, width]",
                          f->name, t->n);
    bool first = read_side(a, d, t->item[0], f, &side[0]);
    return read_side(a, d, t->item[1], f, &side[1]) && first;
}

static bool fits(struct diag *d, struct mark at, const char *side, double kernel, double input,
                 double pad)
{
    return kernel <= input + 2 * pad ||
           diag_error(d, at, "kernel: %.0f is more than the %s of the input with its padding, %.0f",
                      kernel, side, input + 2 * pad);
}

static bool read_window(struct arena *a, struct diag *d, const struct tree *map, struct op *o)
{
    static const struct field kernel = {FIELD_INT, "kernel", 0, NULL, 1, MOST, NULL, NULL};
    static const struct field pad = {FIELD_INT, "pad", 0, "0", 0, MOST, NULL, NULL};
    double k[2] = {0}, p[2] = {0};

    bool ok = read_sides(a, d, map, &kernel, k);
    if (!read_sides(a, d, map, &pad, p) || !ok)
        return false;
    o->kernel_h = k[0];
    o->kernel_w = k[1];
    o->pad_h = p[0];
    o->pad_w = p[1];
    struct mark at = tree_get(map, "kernel")->at;
    return fits(d, at, "height", o->kernel_h, o->height, o->pad_h) &&
           fits(d, at, "width", o->kernel_w, o->width, o->pad_w);
}

static bool read_groups(struct diag *d, const struct tree *map, const struct op *o)
{
    return (fmod(o->in, o->groups) == 0 && fmod(o->out, o->groups) == 0) ||
           diag_error(d, tree_get(map, "groups")->at,
                      "groups: %.0f; wanted a divisor of in, %.0f, and of out, %.0f", o->groups,
                      o->in, o->out);
}

static bool read_kind(struct arena *a, struct diag *d, const struct tree *map, int *kind)
{
    const char *names[OP_KINDS + 1] = {NULL};
    const struct tree *t = tree_get(map, "op");

    if (map->kind != TREE_MAP)
        return diag_error(d, map->at, "operator: %s; wanted a map", tree_kind_name(map));
    if (!t)
        return diag_error(d, map->at, "key 'op' is missing in the operator");
    for (int i = 0; i < OP_KINDS; i++)
        names[i] = operator_name((enum op_kind)i);
    struct field f = {FIELD_CHOICE, "op", 0, NULL, 0, 0, names, NULL};
    return conf_value(a, d, t, &f, kind);
}

static bool read_operator(struct arena *a, struct diag *d, struct tree *map, struct op *o)
{
    static const char *const plain[] = {"op", NULL};
    static const char *const window[] = {"op", "kernel", "pad", NULL};
    int kind = OP_CONV;

    if (!read_kind(a, d, map, &kind))
        return false;
    *o = (struct op){.kind = (enum op_kind)kind, .steps = 1, .groups = 1, .at = map->at};
    const struct field *fields = operator_fields(o->kind);
    bool windowed = operator_windowed(o->kind);
    return conf_fill(a, d, map, fields, windowed ? window : plain,
                     arena_printf(a, "the operator %s", operator_name(o->kind)), o) &&
           all_whole(d, map, fields) && (!windowed || read_window(a, d, map, o)) &&
           (kind != OP_CONV || read_groups(d, map, o));
}

/* Beyond 2^53 sums lose their last digits. */
static bool exact(struct diag *d, struct mark at, const char *what, double x)
{
    return x <= EXACT || diag_error(d, at, "operators: %.3g %s; wanted no more than 2^53", x, what);
}

struct op_list *operators_load(struct arena *a, struct diag *d, const char *path)
{
    static const char *const also[] = {"operators", NULL};
    struct op_list *l = arena_get(a, sizeof *l);
    struct tree *map = yaml_load(a, d, path), *list;
    bool ok = map && conf_fill(a, d, map, list_fields, also, "the list of operators", l) &&
              all_whole(d, map, list_fields);

    if (!ok)
        return NULL;
    list = tree_get(map, "operators");
    if (!list || list->kind != TREE_LIST || list->n == 0) {
        diag_error(d, list ? list->at : map->at, "operators: %s; wanted a list of operators",
                   !list                     ? "nothing"
                   : list->kind == TREE_LIST ? "an empty list"
                                             : tree_kind_name(list));
        return NULL;
    }
    l->n = list->n;
    l->op = arena_get(a, l->n * sizeof *l->op);
    for (size_t i = 0; i < l->n; i++)
        ok &= read_operator(a, d, list->item[i], &l->op[i]);
    ok = ok && exact(d, list->at, "parameters", operators_parameters(l)) &&
         exact(d, list->at, "multiply-adds", operators_macs(l)) &&
         exact(d, list->at, "bytes kept", operators_activation_bytes(l));
    return ok ? l : NULL;
}
