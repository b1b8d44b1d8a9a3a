/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/text/check.h"
#include "sim/text/conf.h"

/* One value on its way from a scalar into a struct. */
struct reading {
    struct arena *arena;
    struct diag *diag;
    const struct tree *value;
    const struct field *field;
};

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static bool bounded(const struct field *f)
{
    return f->min != 0 || f->max != 0;
}

/* Reports a number beyond the field's bounds; scale: units of x per unit of the bounds. */
static bool within(const struct reading *r, double x, double scale)
{
    const struct field *f = r->field;
    const struct tree *v = r->value;
    char bound[NUM_MAX + 1];
    bool below = x < f->min * scale;

    if (!bounded(f) || (!below && x <= f->max * scale))
        return true;
    bound[num_put_real(bound, below ? f->min : f->max)] = '\0';
    return (below ? check_below : check_above)(r->diag, v->at, f->name, v->text, v->len, bound);
}

static bool refuse_quotes(const struct reading *r, const char *wanted)
{
    const struct tree *v = r->value;
    char shown[CHECK_SHOWN];

    return diag_error(r->diag, v->at, "%s: '%s' in quotes is a text; wanted %s", r->field->name,
                      check_shown(shown, v->text, v->len), wanted);
}

static bool refuse_number(const struct reading *r, enum check_kind kind, enum num_fault fault)
{
    const struct tree *v = r->value;

    if (v->quoted)
        return refuse_quotes(r, check_wanted(kind));
    return check_fault(r->diag, v->at, r->field->name, v->text, v->len, kind, fault);
}

static bool read_int(const struct reading *r, int64_t *out)
{
    enum num_fault fault = num_int(r->value->text, r->value->len, out);

    if (fault != NUM_OK || r->value->quoted)
        return refuse_number(r, CHECK_WHOLE, fault);
    return within(r, (double)*out, 1);
}

static bool read_real(const struct reading *r, double *out)
{
    enum num_fault fault = num_real(r->value->text, r->value->len, out);

    if (fault != NUM_OK || r->value->quoted)
        return refuse_number(r, CHECK_REAL, fault);
    return within(r, *out, 1);
}

static bool read_real_or_none(const struct reading *r, double *out)
{
    if (r->value->quoted || strcmp(r->value->text, "none") != 0)
        return read_real(r, out);
    *out = NAN;
    return true;
}

static bool read_seconds(const struct reading *r, sim_time *out)
{
    enum num_fault fault = num_seconds(r->value->text, r->value->len, out);

    if (fault != NUM_OK || r->value->quoted)
        return refuse_number(r, CHECK_TIME, fault);
    return within(r, (double)*out, (double)SIM_SECOND);
}

static bool read_bool(const struct reading *r, bool *out)
{
    static const char *const yes[] = {"true", "True", "TRUE", NULL};
    static const char *const no[] = {"false", "False", "FALSE", NULL};
    const struct tree *v = r->value;
    char shown[CHECK_SHOWN];

    if (v->quoted)
        return refuse_quotes(r, "true or false");
    *out = is_one_of(v->text, yes);
    if (*out || is_one_of(v->text, no))
        return true;
    return diag_error(r->diag, v->at, "%s: '%s' is neither true nor false", r->field->name,
                      check_shown(shown, v->text, v->len));
}

/* "a, b, c" */
static const char *join(struct arena *a, const char *const *words)
{
    const char *text = *words ? *words : "";

    while (*words && *++words)
        text = arena_printf(a, "%s, %s", text, *words);
    return text;
}

static bool read_choice(const struct reading *r, int *out)
{
    const char *const *choices = r->field->choices;
    const struct tree *v = r->value;
    char shown[CHECK_SHOWN];
    const char *near;

    for (*out = 0; choices[*out]; ++*out)
        if (strcmp(v->text, choices[*out]) == 0)
            return true;
    check_shown(shown, v->text, v->len);
    near = diag_nearest(v->text, choices);
    if (near)
        return diag_unknown(r->diag, v->at, near, "%s: '%s' is no choice", r->field->name, shown);
    return diag_error(r->diag, v->at, "%s: '%s' is none of %s", r->field->name, shown,
                      join(r->arena, choices));
}

static const char *wanted(struct arena *a, const struct field *f)
{
    switch (f->type) {
    case FIELD_BOOL:
        return "true or false";
    case FIELD_INT:
        return check_wanted(CHECK_WHOLE);
    case FIELD_REAL:
        return check_wanted(CHECK_REAL);
    case FIELD_REAL_OR_NONE:
        return "a number or none";
    case FIELD_SECONDS:
        return check_wanted(CHECK_TIME);
    case FIELD_TEXT:
        return "a text";
    case FIELD_CHOICE:
        return arena_printf(a, "one of %s", join(a, f->choices));
    case FIELD_END:
        break;
    }
    BUG("field '%s' is of no type", f->name);
}

bool conf_value(struct arena *a, struct diag *d, const struct tree *value, const struct field *f,
                void *out)
{
    struct reading r = {.arena = a, .diag = d, .value = value, .field = f};

    if (value->kind != TREE_SCALAR || tree_is_null(value))
        return diag_error(d, value->at, "%s: %s; wanted %s", f->name, tree_kind_name(value),
                          wanted(a, f));
    switch (f->type) {
    case FIELD_BOOL:
        return read_bool(&r, out);
    case FIELD_INT:
        return read_int(&r, out);
    case FIELD_REAL:
        return read_real(&r, out);
    case FIELD_REAL_OR_NONE:
        return read_real_or_none(&r, out);
    case FIELD_SECONDS:
        return read_seconds(&r, out);
    case FIELD_TEXT:
        *(const char **)out = value->text;
        return true;
    case FIELD_CHOICE:
        return read_choice(&r, out);
    case FIELD_END:
        break;
    }
    BUG("field '%s' is of no type", f->name);
}

static const char **known_keys(struct arena *a, const struct field *fields, const char *const *also)
{
    const char **keys;
    size_t n = 0, more = 0;

    while (fields[n].type != FIELD_END)
        n++;
    while (also && also[more])
        more++;
    keys = arena_get(a, (n + more + 1) * sizeof *keys);
    for (size_t i = 0; i < n; i++)
        keys[i] = fields[i].name;
    for (size_t i = 0; i < more; i++)
        keys[n + i] = also[i];
    return keys;
}

static bool refuse_unknown(struct diag *d, const struct tree *map, const char *const *known,
                           const char *what)
{
    bool fine = true;

    for (size_t i = 0; i < map->n; i++) {
        const struct tree *key = map->key[i];
        char shown[CHECK_SHOWN];

        if (is_one_of(key->text, known))
            continue;
        check_shown(shown, key->text, key->len);
        fine = diag_unknown(d, key->at, diag_nearest(key->text, known), "unknown key '%s' in %s",
                            shown, what);
    }
    return fine;
}

/* A default as a scalar that means the same when it is printed and read again. */
static struct tree *default_scalar(struct arena *a, struct mark at, const struct field *f)
{
    struct tree *t = tree_scalar(a, at, f->def, strlen(f->def));

    t->quoted = f->type == FIELD_TEXT;
    return t;
}

void conf_default(struct arena *a, const struct field *f, void *out)
{
    struct mark nowhere = {.src = NULL};
    struct diag *d = diag_new(NULL);

    if (!conf_value(a, d, default_scalar(a, nowhere, f), f, out))
        BUG("the default of field '%s', '%s', is no value of it", f->name, f->def);
    diag_free(d);
}

static void add_default(struct arena *a, struct tree *map, const struct field *f)
{
    struct tree *key = tree_scalar(a, map->at, f->name, strlen(f->name));

    tree_add(a, map, key, default_scalar(a, map->at, f));
}

bool conf_fill(struct arena *a, struct diag *d, struct tree *map, const struct field *f,
               const char *const *also, const char *what, void *out)
{
    struct mark at = {.src = NULL};
    bool fine = true;

    if (map && map->kind != TREE_MAP)
        return diag_error(d, map->at, "%s: %s; wanted a map", what, tree_kind_name(map));
    if (map) {
        fine = refuse_unknown(d, map, known_keys(a, f, also), what);
        at = map->at;
    }
    for (; f->type != FIELD_END; f++) {
        void *field = (char *)out + f->offset;
        const struct tree *value = tree_get(map, f->name);

        if (value)
            fine = conf_value(a, d, value, f, field) && fine;
        else if (f->def)
            conf_default(a, f, field);
        else
            fine = diag_error(d, at, "key '%s' is missing in %s", f->name, what);
        if (map && !value && f->def)
            add_default(a, map, f);
    }
    return fine;
}
