/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts for people: text, GitHub annotations, Markdown. */
#include "analysis/gate_print.h"

#include <string.h>

#include "sim/base/utf8.h"

/* ---- escapes ---- */

static bool put_special(struct out *o, unsigned char c, enum gate_escape escape)
{
    bool percent =
        (escape == ESCAPE_MESSAGE && c == '%') || (escape == ESCAPE_PROPERTY && strchr("%:,", c));
    bool entity = (escape == ESCAPE_XML && strchr("&<>\"'", c)) ||
                  (escape == ESCAPE_MARKDOWN && strchr("!\"#$&'*/:;<>?@[\\]^_`{|}~", c));

    if (percent)
        out_printf(o, "%%%02X", c);
    else if (entity)
        out_printf(o, "&#%u;", c);
    return percent || entity;
}

void gate_put(struct out *o, const char *s, enum gate_escape escape)
{
    size_t len = strlen(s), n;

    for (; len > 0; s += n, len -= n) {
        uint32_t c;
        n = utf8_get(s, len, &c);
        if (n == 1 && (c == '\n' || c == '\t'))
            out_char(o, ' ');
        else if (n == 0 || !utf8_shows(c))
            out_text(o, "\xEF\xBF\xBD");
        else if (n > 1 || !put_special(o, (unsigned char)c, escape))
            out_bytes(o, s, n);
        n += n == 0;
    }
}

/* ---- text ---- */

static bool is_quiet(const struct gate_item *i)
{
    return i->verdict == GATE_SAME || i->verdict == GATE_WITHIN;
}

static void put_line(struct out *o, const struct gate_report *r, const struct gate_item *i,
                     const char *word)
{
    out_printf(o, "%-4s ", word);
    gate_put(o, i->title, ESCAPE_PLAIN);
    out_printf(o, ": %s: ", i->what);
    if (i->verdict == GATE_WORSE || i->verdict == GATE_BETTER || i->verdict == GATE_UNCLEAR)
        out_printf(o, "%s: ", gate_verdict_name[i->verdict]);
    gate_put(o, gate_message(r->arena, i), ESCAPE_PLAIN);
    out_char(o, '\n');
}

static void put_summary(struct out *o, const struct gate *g)
{
    static const enum gate_verdict told[] = {GATE_WITHIN, GATE_UNCLEAR, GATE_BETTER, GATE_NEW};
    const char *between = "; ";

    if (g->failed)
        out_printf(o, "%u of %u checks failed", g->failed, g->n);
    else
        out_printf(o, "all %u checks passed", g->n);
    for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
        if (g->count[told[i]] == 0)
            continue;
        out_printf(o, "%s%u %s", between, g->count[told[i]],
                   told[i] == GATE_WITHIN ? "within their tolerance" : gate_verdict_name[told[i]]);
        between = ", ";
    }
    out_char(o, '\n');
}

static void put_text(struct out *o, const struct gate_report *r)
{
    for (uint32_t i = 0; i < r->gate->n; i++)
        if (!is_quiet(&r->gate->item[i]))
            put_line(o, r, &r->gate->item[i], r->gate->item[i].fails ? "FAIL" : "note");
    put_summary(o, r->gate);
}

void gate_put_diff(struct out *o, const struct gate_report *r)
{
    uint32_t other = UINT32_MAX; /* group of another world: its other seeds go */

    for (uint32_t i = 0; i < r->gate->n; i++) {
        const struct gate_item *item = &r->gate->item[i];
        other = item->verdict == GATE_OTHER ? item->group : other;
        if (item->verdict == GATE_SAME)
            continue;
        put_line(o, r, item,
                 item->verdict == GATE_NEW       ? "add"
                 : item->verdict != GATE_MISSING ? "set"
                 : item->group == other          ? "drop"
                                                 : "keep");
    }
}

/* ---- GitHub ---- */

/* An annotation stands at the line of the baseline that it is about. */
static void put_annotation(struct out *o, const struct gate_report *r, const struct gate_item *i)
{
    out_text(o, i->fails ? "::error file=" : "::notice file=");
    gate_put(o, r->baseline, ESCAPE_PROPERTY);
    if (i->at.line)
        out_printf(o, ",line=%u", i->at.line);
    out_text(o, ",title=");
    gate_put(o, i->title, ESCAPE_PROPERTY);
    out_printf(o, "::%s, %s: ", i->what, gate_verdict_name[i->verdict]);
    gate_put(o, gate_message(r->arena, i), ESCAPE_MESSAGE);
    out_char(o, '\n');
}

static void put_github(struct out *o, const struct gate_report *r)
{
    for (uint32_t i = 0; i < r->gate->n; i++)
        if (!is_quiet(&r->gate->item[i]))
            put_annotation(o, r, &r->gate->item[i]);
}

/* ---- Markdown ---- */

static void put_row(struct out *o, const struct gate_item *i)
{
    out_printf(o, "| %s%s%s |", i->fails ? "**" : "", gate_verdict_name[i->verdict],
               i->fails ? "**" : "");
    out_text(o, " <code>");
    gate_put(o, i->title, ESCAPE_MARKDOWN);
    out_printf(o, "</code> | <code>%s</code> | %s | %s | ", i->what, i->old ? i->old : "",
               i->old ? i->new : "");
    gate_put(o, i->why ? i->why : "", ESCAPE_MARKDOWN);
    out_text(o, " |\n");
}

static void put_markdown(struct out *o, const struct gate_report *r)
{
    const struct gate *g = r->gate;
    uint32_t shown = 0;

    out_printf(o, "### hetune check: %s\n\n", g->failed ? "failed" : "passed");
    for (uint32_t i = 0; i < g->n; i++) {
        if (is_quiet(&g->item[i]))
            continue;
        if (shown++ == 0)
            out_text(o,
                     "| | case, policy | check | baseline | now | |\n|---|---|---|--:|--:|---|\n");
        put_row(o, &g->item[i]);
    }
    out_text(o, shown ? "\n" : "");
    put_summary(o, g);
}

const struct gate_format gate_formats[] = {
    {"text", put_text},
    {"json", gate_put_json},
    {"junit", gate_put_junit},
    {"github", put_github},
    {"markdown", put_markdown},
    {"bench-smaller", gate_put_smaller},
    {"bench-bigger", gate_put_bigger},
    {NULL, NULL},
};
