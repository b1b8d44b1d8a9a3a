/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/mem.h"
#include "sim/text/conf.h"
#include "sim/text/num.h"

static const char *number(struct arena *a, double x)
{
    char buf[NUM_MAX];
    size_t len = num_put_real(buf, x);

    return arena_text(a, buf, len);
}

static const char *with_bounds(struct arena *a, const char *type, const struct field *f)
{
    if (f->min == 0 && f->max == 0)
        return type;
    return arena_printf(a, "%s %s..%s", type, number(a, f->min), number(a, f->max));
}

static const char *choices(struct arena *a, const char *const *words)
{
    const char *text = *words;

    while (*++words)
        text = arena_printf(a, "%s|%s", text, *words);
    return text;
}

static const char *type_text(struct arena *a, const struct field *f)
{
    switch (f->type) {
    case FIELD_BOOL:
        return "true|false";
    case FIELD_INT:
        return with_bounds(a, "int", f);
    case FIELD_REAL:
        return with_bounds(a, "real", f);
    case FIELD_REAL_OR_NONE:
        return with_bounds(a, "none|real", f);
    case FIELD_SECONDS:
        return with_bounds(a, "seconds", f);
    case FIELD_TEXT:
        return "text";
    case FIELD_CHOICE:
        return choices(a, f->choices);
    case FIELD_END:
        break;
    }
    BUG("field '%s' is of no type", f->name);
}

static const char *default_text(const struct field *f)
{
    if (!f->def)
        return "required";
    return *f->def ? f->def : "\"\"";
}

static int wider(int width, const char *text)
{
    int len = (int)strlen(text);

    return len > width ? len : width;
}

void conf_help(struct out *o, const struct field *fields, const char *indent)
{
    struct arena *a = arena_new();
    int name = 0, type = 0, def = 0;

    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        name = wider(name, f->name);
        type = wider(type, type_text(a, f));
        def = wider(def, default_text(f));
    }
    for (const struct field *f = fields; f->type != FIELD_END; f++)
        out_printf(o, "%s%-*s  %-*s  %-*s  %s\n", indent, name, f->name, type, type_text(a, f), def,
                   default_text(f), f->about);
    arena_free(a);
}

static void put_row(struct out *o, struct arena *a, const struct field *f)
{
    out_text(o, "{\"name\": ");
    out_json(o, f->name);
    out_text(o, ", \"type\": ");
    out_json(o, type_text(a, f));
    out_text(o, ", \"default\": ");
    if (f->def)
        out_json(o, f->def);
    else
        out_text(o, "null");
    out_text(o, ", \"about\": ");
    out_json(o, f->about);
    out_char(o, '}');
}

void conf_help_json(struct out *o, const struct field *fields)
{
    struct arena *a = arena_new();

    out_char(o, '[');
    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        if (f > fields)
            out_text(o, ", ");
        put_row(o, a, f);
    }
    out_char(o, ']');
    arena_free(a);
}
