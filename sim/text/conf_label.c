/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/base/utf8.h"
#include "sim/text/conf.h"
#include "sim/text/num.h"

/* A label and how far it has been read. */
struct label {
    struct arena *arena;
    struct diag *diag;
    const struct tree *scalar;
    const char *s; /* ended by NUL */
    size_t at;
};

static struct mark mark_in(const struct label *l, size_t at)
{
    struct mark m = l->scalar->at;

    if (m.col)
        m.col += (uint32_t)utf8_count(l->s, at) + l->scalar->quoted;
    return m;
}

static bool fault(const struct label *l, const char *what)
{
    return diag_error(l->diag, mark_in(l, l->at), "%s; wanted NAME or NAME[param=value,...]", what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The characters of a name: anything but what a label is made of. */
static bool in_name(char c)
{
    return c != '\0' && !strchr("[],='", c) && !is_blank(c);
}

/* missing: what is said where there is none. */
static struct tree *read_name(struct label *l, const char *missing)
{
    size_t from = l->at;

    while (in_name(l->s[l->at]))
        l->at++;
    if (l->at > from)
        return tree_scalar(l->arena, mark_in(l, from), l->s + from, l->at - from);
    fault(l, missing);
    return NULL;
}

/*
 * The bytes of a value without quotes around it: up to a comma or a bracket that is not its own.
 * Inside of its brackets it may be a label, in which quotes hide brackets.
 */
static size_t plain_value(const char *s)
{
    bool quote = false;
    size_t depth = 0, n;

    for (n = 0; s[n]; n++) {
        if (s[n] == '\'' && depth)
            quote = !quote;
        if (quote)
            continue;
        if (depth == 0 && (s[n] == ',' || s[n] == ']'))
            break;
        depth += s[n] == '[';
        depth -= s[n] == ']';
    }
    return depth ? 0 : n;
}

static struct tree *read_plain(struct label *l)
{
    const char *s = l->s + l->at;
    size_t n = plain_value(s);
    struct tree *value;

    if (n == 0) {
        fault(l, *s && !strchr(",]", *s) ? "a bracket is not closed" : "a value is missing");
        return NULL;
    }
    if (is_blank(s[0]) || is_blank(s[n - 1])) {
        l->at += is_blank(s[0]) ? 0 : n - 1;
        fault(l, "there is a blank beside a value");
        return NULL;
    }
    value = tree_scalar(l->arena, mark_in(l, l->at), s, n);
    l->at += n;
    return value;
}

/* 'text', in which '' is a quote. */
static struct tree *read_quoted(struct label *l)
{
    const char *s = l->s + l->at + 1;
    char *text = arena_get(l->arena, strlen(s) + 1);
    struct tree *value;
    size_t n = 0, i;

    for (i = 0; s[i] && (s[i] != '\'' || s[i + 1] == '\''); i++) {
        text[n++] = s[i];
        i += s[i] == '\'';
    }
    if (!s[i]) {
        fault(l, "a quote is not closed");
        return NULL;
    }
    value = tree_scalar(l->arena, mark_in(l, l->at), text, n);
    value->quoted = true;
    l->at += i + 2;
    return value;
}

static bool read_parameter(struct label *l, struct tree *map)
{
    struct tree *key, *value;

    if (is_blank(l->s[l->at]))
        return fault(l, "there is a blank before the name of a parameter");
    key = read_name(l, "the name of a parameter is missing");
    if (!key)
        return false;
    if (tree_get(map, key->text))
        return diag_error(l->diag, key->at, "parameter '%s' appears twice", key->text);
    if (l->s[l->at] != '=')
        return fault(l, "'=' is missing behind the name of a parameter");
    l->at++;
    value = l->s[l->at] == '\'' ? read_quoted(l) : read_plain(l);
    if (!value)
        return false;
    tree_add(l->arena, map, key, value);
    return true;
}

static bool read_parameters(struct label *l, struct tree *map)
{
    do {
        l->at++;
        if (!read_parameter(l, map))
            return false;
    } while (l->s[l->at] == ',');
    if (l->s[l->at] != ']')
        return fault(l, "']' is missing behind the parameters");
    l->at++;
    return !l->s[l->at] || fault(l, "there is text behind the label");
}

struct tree *conf_label(struct arena *a, struct diag *d, const struct tree *scalar,
                        const char **name)
{
    struct label l = {.arena = a, .diag = d, .scalar = scalar, .s = scalar->text};
    struct tree *map = tree_map(a, scalar->at), *first;

    if (scalar->kind != TREE_SCALAR || tree_is_null(scalar)) {
        diag_error(d, scalar->at, "%s; wanted NAME or NAME[param=value,...]",
                   tree_kind_name(scalar));
        return NULL;
    }
    first = read_name(&l, "a name is missing");
    if (!first)
        return NULL;
    *name = first->text;
    if (l.s[l.at] == '[')
        return read_parameters(&l, map) ? map : NULL;
    if (l.s[l.at]) {
        fault(&l, "there is text behind the name");
        return NULL;
    }
    return map;
}

static bool is_plain(const char *s)
{
    size_t len = strlen(s);

    return len && *s != '\'' && !is_blank(s[0]) && !is_blank(s[len - 1]) && plain_value(s) == len;
}

static void print_text(struct out *o, const char *s)
{
    if (is_plain(s)) {
        out_text(o, s);
        return;
    }
    out_char(o, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            out_char(o, '\'');
        out_char(o, *s);
    }
    out_char(o, '\'');
}

static void print_real(struct out *o, double x)
{
    if (isnan(x))
        out_text(o, "none");
    else
        out_real(o, x);
}

static void print_value(struct out *o, const struct field *f, const void *value)
{
    switch (f->type) {
    case FIELD_BOOL:
        out_text(o, *(const bool *)value ? "true" : "false");
        break;
    case FIELD_INT:
        out_int(o, *(const int64_t *)value);
        break;
    case FIELD_REAL:
    case FIELD_REAL_OR_NONE:
        print_real(o, *(const double *)value);
        break;
    case FIELD_SECONDS:
        out_seconds(o, *(const sim_time *)value);
        break;
    case FIELD_TEXT:
        print_text(o, *(const char *const *)value);
        break;
    case FIELD_CHOICE:
        out_text(o, f->choices[*(const int *)value]);
        break;
    case FIELD_END:
        break;
    }
}

static const char *value_text(struct arena *a, const struct field *f, const void *value)
{
    struct out *o = out_memory();
    const char *text;
    size_t len;

    print_value(o, f, value);
    text = out_data(o, &len);
    text = arena_text(a, text, len);
    out_drop(o);
    return text;
}

/* Both as they are printed, so that 60 and 60.0 are the same. */
static bool is_default(struct arena *a, const struct field *f, const char *text)
{
    union {
        bool truth;
        int64_t whole;
        double real;
        const char *text;
        int choice;
    } value;

    if (!f->def)
        return false;
    conf_default(a, f, &value);
    return strcmp(value_text(a, f, &value), text) == 0;
}

const char *conf_print_label(struct arena *a, const char *name, const struct field *f,
                             const void *values)
{
    const char *label = name, *before = "[";

    for (; f->type != FIELD_END; f++) {
        const char *text = value_text(a, f, (const char *)values + f->offset);

        if (is_default(a, f, text))
            continue;
        label = arena_printf(a, "%s%s%s=%s", label, before, f->name, text);
        before = ",";
    }
    return *before == ',' ? arena_printf(a, "%s]", label) : name;
}
