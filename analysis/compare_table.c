/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of comparisons for machines: CSV and JSON. */
#include "analysis/compare_table.h"

#include <math.h>
#include <string.h>

#include "analysis/compare_axes.h"
#include "analysis/compare_print.h"
#include "analysis/story_text.h"

/* One line: cells of a CSV row or of its header, members of a JSON object. */
struct line {
    struct out *o;
    struct arena *arena;
    enum { LINE_HEADER, LINE_CSV, LINE_JSON } kind;
    const char *between;
};

static void put_text(struct line *l, const char *text)
{
    if (l->kind == LINE_JSON)
        out_json(l->o, text);
    else
        out_csv(l->o, safe_text(l->arena, text));
}

/* false: it is the header, and the cell is done. */
static bool open_cell(struct line *l, const char *name)
{
    out_text(l->o, l->between);
    l->between = l->kind == LINE_JSON ? ", " : ",";
    if (l->kind == LINE_CSV)
        return true;
    put_text(l, name);
    if (l->kind == LINE_JSON)
        out_text(l->o, ": ");
    return l->kind == LINE_JSON;
}

static void text(struct line *l, const char *name, const char *value)
{
    if (open_cell(l, name))
        put_text(l, value);
}

static void flag(struct line *l, const char *name, bool value)
{
    if (open_cell(l, name))
        out_text(l->o, value ? "true" : "false");
}

static void real(struct line *l, const char *name, double value)
{
    if (open_cell(l, name) && (l->kind == LINE_JSON || isfinite(value)))
        out_real(l->o, value);
}

static void bounds(struct line *l, const char *name, const struct interval *x)
{
    real(l, arena_printf(l->arena, "%s_low", name), x->low);
    real(l, arena_printf(l->arena, "%s_high", name), x->high);
}

static void estimate(struct line *l, const char *name, const struct interval *x)
{
    real(l, name, x->n > 0 ? x->mean : NAN);
    bounds(l, name,
           x->n > 0 ? x : &(const struct interval){.low = NAN, .high = NAN, .mean = NAN, .n = 0});
}

static void test(struct line *l, const char *name, double p, double holm)
{
    real(l, name, p);
    real(l, arena_printf(l->arena, "%s_holm", name), holm);
}

/* ---- rows ---- */

static void put_stats(struct line *l, const struct change_stats *s)
{
    real(l, "baseline_mean", s->baseline);
    real(l, "policy_mean", s->policy);
    estimate(l, "difference", &s->difference);
    bounds(l, "difference_expanded", &s->resampled.expanded);
    bounds(l, "difference_bca", &s->resampled.bca);
    bounds(l, "difference_percentile", &s->resampled.percentile);
    estimate(l, "difference_shift", &s->shift);
    bounds(l, "change_expanded", &s->ratio.expanded);
    bounds(l, "change_bca", &s->ratio.bca);
    bounds(l, "change_percentile", &s->ratio.percentile);
    estimate(l, "change_shift", &s->ratio_shift);
    test(l, "p_sign_flip", s->sign_flip.p, s->sign_flip_holm);
    test(l, "p_wilcoxon", s->wilcoxon.p, s->wilcoxon_holm);
    real(l, "d_z", s->d_z);
    real(l, "rank_biserial", s->rank_biserial);
    real(l, "runs_to_halve", s->runs_to_halve > 0 ? (double)s->runs_to_halve : NAN);
}

static void put_row(struct line *l, const struct compare_row *row, bool stats)
{
    static const char *const better[] = {
        [BETTER_NONE] = "", [BETTER_LOWER] = "lower", [BETTER_HIGHER] = "higher"};
    const struct policy_change *p = row_policy(row);
    const struct metric_change *m = row_change(row);

    text(l, "policy", p->label);
    flag(l, "oracle", p->oracle);
    text(l, "baseline", row->in->c.policy[0].label);
    text(l, "metric", metric_defs[row->id].name);
    text(l, "better", better[metric_defs[row->id].better]);
    real(l, "runs", p->runs);
    real(l, "pairs", m->pairs);
    estimate(l, "value", &m->value);
    estimate(l, "change", row->policy > 0 ? &m->change : &no_stats.difference);
    test(l, "p_t", row->policy > 0 ? m->p : NAN, m->holm);
    text(l, "call", row->policy > 0 ? call_word[m->call] : "");
    if (stats)
        put_stats(l, row->stats ? row->stats : &no_stats);
}

/* A row for the sake of its names. */
static void put_header(struct line *l, const struct axes *axes, bool stats)
{
    struct policy_change p = {.label = ""};
    struct compared_case in = {.c = {1, &p}};
    struct compare_row row = {.in = &in};

    for (uint32_t i = 0; i < axes->n; i++)
        text(l, axes->name[i], "");
    put_row(l, &row, stats);
    out_char(l->o, '\n');
}

void compare_csv(struct out *o, struct arena *a, const struct compare_rows *r)
{
    struct axes axes = compare_axes(a, r->of);

    put_header(&(struct line){o, a, LINE_HEADER, ""}, &axes, r->stats);
    for (uint32_t i = 0; i < r->n; i++) {
        struct line l = {o, a, LINE_CSV, ""};
        for (uint32_t k = 0; k < axes.n; k++)
            text(&l, axes.name[k], axis_value(r->row[i].in->in, axes.name[k]));
        put_row(&l, &r->row[i], r->stats);
        out_char(o, '\n');
    }
}

void compare_rows_json(struct out *o, struct arena *a, const struct compare_rows *r)
{
    out_text(o, "{\"schema\": 1, \"rows\": [");
    for (uint32_t i = 0; i < r->n; i++) {
        struct line l = {o, a, LINE_JSON, ", "};
        out_text(o, i ? ",\n  {" : "\n  {");
        compare_json_case(o, r->row[i].in->in);
        put_row(&l, &r->row[i], r->stats);
        out_char(o, '}');
    }
    out_text(o, "\n]");
    compare_json_notes(o, r->of);
    out_text(o, "}\n");
}
