/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "analysis/plot_kinds.h"
#include "sim/base/utf8.h"

#define ELLIPSIS    "\xE2\x80\xA6"
#define REPLACEMENT "\xEF\xBF\xBD"

/* gnuplot ends a text of a data file at ", and takes \\n in it for a new line; it leaves > as it
 * is, and XML forbids ]]>. */
static const struct {
    uint32_t c;
    const char *text;
} instead[] = {{'\t', " "}, {'\n', " "}, {'"', "'"}, {'\\', "/"}, {'>', "\xE2\x80\xBA"}};

/* Latin, Greek, Cyrillic, punctuation, symbols: a character that no font has is drawn in a PDF as a
 * box of the size of the page. */
static bool is_common(uint32_t c)
{
    return c < 0x530 || (c >= 0x2000 && c < 0x2300);
}

/* One character of a text as a picture may hold it: *n bytes of s are used up. */
static const char *shown(const char *s, size_t len, size_t *n)
{
    uint32_t c;

    *n = utf8_get(s, len, &c);
    if (*n == 0) {
        *n = 1;
        return REPLACEMENT;
    }
    for (size_t i = 0; i < sizeof(instead) / sizeof(*instead); i++)
        if (c == instead[i].c)
            return instead[i].text;
    return utf8_shows(c) && is_common(c) ? s : REPLACEMENT;
}

static void put(struct out *o, const char *c, const char *s, size_t n)
{
    if (c == s)
        out_bytes(o, s, n);
    else
        out_text(o, c);
}

/* The characters from `from` up to `to` of a clean text. */
static void put_part(struct out *o, const char *s, uint32_t from, uint32_t to)
{
    size_t len = strlen(s), n;

    for (uint32_t i = 0; len > 0 && i < to; i++, s += n, len -= n) {
        const char *c = shown(s, len, &n);
        if (i >= from)
            put(o, c, s, n);
    }
}

static const char *taken(struct arena *a, struct out *o)
{
    size_t len;
    const char *text = out_data(o, &len), *copy = arena_text(a, text, len);

    out_drop(o);
    return copy;
}

const char *plot_clean(struct arena *a, const char *s, uint32_t most)
{
    struct out *o = out_memory();
    uint32_t all = (uint32_t)utf8_count(s, strlen(s));

    put_part(o, s, 0, all > most ? most - 1 : all);
    if (all > most)
        out_text(o, ELLIPSIS);
    return taken(a, o);
}

/* The first and the last characters of a text that is too long. */
static const char *without_middle(struct arena *a, const char *s, uint32_t most)
{
    struct out *o = out_memory();
    uint32_t all = (uint32_t)utf8_count(s, strlen(s)), head = most / 2;

    put_part(o, s, 0, all > most ? head : all);
    if (all > most) {
        out_text(o, ELLIPSIS);
        put_part(o, s, all - (most - head - 1), all);
    }
    return taken(a, o);
}

const char *plot_metric_title(struct arena *a, enum metric_id id)
{
    const struct metric_def *m = &metric_defs[id];
    size_t n = strlen(m->name);
    bool is_time = m->kind == METRIC_TIME || m->kind == METRIC_GPU_TIME;

    return is_time && n > 2 && strcmp(m->name + n - 2, "_s") == 0 ? arena_text(a, m->name, n - 2)
                                                                  : m->name;
}

static bool is_new(const char *label, const char *const *before, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(label, before[i]) == 0)
            return false;
    return true;
}

static const char *numbered(struct arena *a, const char *s, uint32_t most, uint32_t number)
{
    return arena_printf(a, "%s #%u", plot_clean(a, s, most - 7), number);
}

const char **plot_labels(struct arena *a, const struct comparison *c, uint32_t most)
{
    const char **label = arena_get(a, c->n * sizeof(*label));

    for (uint32_t p = 0; p < c->n; p++) {
        const char *whole = c->policy[p].oracle ? arena_printf(a, "%s (oracle)", c->policy[p].label)
                                                : c->policy[p].label;
        label[p] = plot_clean(a, whole, most);
        if (!is_new(label[p], label, p))
            label[p] = without_middle(a, whole, most);
        for (uint32_t k = p + 1; !is_new(label[p], label, p); k++)
            label[p] = numbered(a, whole, most, k);
    }
    return label;
}
