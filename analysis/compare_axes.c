/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare_axes.h"

#include <string.h>

#include "analysis/story_text.h"

static bool among(const struct axes *x, const char *name)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (strcmp(x->name[i], name) == 0)
            return true;
    return false;
}

struct axes compare_axes(struct arena *a, const struct compared *c)
{
    const struct result_case *in = NULL;
    struct axes x = {0};
    uint32_t most = 1;

    for (uint32_t i = 0; i < c->n; i++)
        most += c->of[i].in ? c->of[i].in->n : 0;
    x.name = arena_get(a, most * sizeof(char *));
    for (uint32_t i = 0; i < c->n; i++) {
        in = c->of[i].in;
        for (uint32_t k = 0; in && k < in->n; k++)
            if (!among(&x, in->axis[k]))
                x.name[x.n++] = in->axis[k];
    }
    return x;
}

const char *axis_value(const struct result_case *in, const char *axis)
{
    for (uint32_t k = 0; in && k < in->n; k++)
        if (strcmp(in->axis[k], axis) == 0)
            return in->value[k];
    return "";
}

const char *safe_text(struct arena *a, const char *s)
{
    struct out *o = out_memory();
    size_t len;

    say_safe(o, s);
    const char *text = out_data(o, &len);
    text = arena_text(a, text, len);
    out_drop(o);
    return text;
}
