/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of comparisons for people: Markdown and LaTeX. */
#include <math.h>
#include <string.h>

#include "analysis/compare_axes.h"
#include "analysis/compare_print.h"
#include "analysis/compare_table.h"
#include "analysis/escape.h"

struct sheet {
    struct out *o;
    struct axes axes;
    bool latex;
    bool stats;
    bool first; /* cell of its line */
};

static void open_cell(struct sheet *s)
{
    if (!s->first)
        out_text(s->o, s->latex ? " & " : " | ");
    s->first = false;
}

static void foreign(struct sheet *s, const char *text)
{
    (s->latex ? out_latex : out_markdown)(s->o, text);
}

static void words(struct sheet *s, const char *text)
{
    open_cell(s);
    foreign(s, text);
}

/* What tables have as numbers: signs, digits, units, "+-" and brackets. */
static void numbers(struct sheet *s, const char *text)
{
    open_cell(s);
    for (const char *c = text; *c; c++) {
        bool sign = *c == '-' || *c == '+';
        if (c[0] == '+' && c[1] == '-') {
            out_text(s->o, s->latex ? "$\\pm$" : "\xc2\xb1");
            c++;
        } else if (sign && s->latex) {
            out_printf(s->o, "$%c$", *c);
        } else if (*c == '[' || *c == ']') {
            out_printf(s->o, s->latex ? "{%c}" : "\\%c", *c);
        } else if (*c == '%' && s->latex) {
            out_text(s->o, "\\%");
        } else {
            out_char(s->o, *c);
        }
    }
}

static void close_line(struct sheet *s)
{
    out_text(s->o, s->latex ? " \\\\\n" : " |\n");
}

static void open_line(struct sheet *s)
{
    s->first = true;
    if (!s->latex)
        out_text(s->o, "| ");
}

/* ---- cells ---- */

static void signed_of(struct sheet *s, double x, int decimals, const char *unit)
{
    char text[64] = "";

    if (isfinite(x))
        snprintf(text, sizeof(text), "%+.*f%s", decimals, x, unit);
    numbers(s, text);
}

static void count_of(struct sheet *s, uint32_t n)
{
    open_cell(s);
    if (n > 0)
        out_int(s->o, n);
}

static void put_p(struct sheet *s, double p, double holm)
{
    char text[64] = "";

    if (!isnan(holm))
        snprintf(text, sizeof(text), "%.2g (%.2g)", p, holm);
    else if (!isnan(p))
        snprintf(text, sizeof(text), "%.2g", p);
    numbers(s, text);
}

static void put_stats(struct sheet *s, const struct compare_row *row)
{
    const struct change_stats *x = row->stats ? row->stats : &no_stats;
    char text[64];

    compare_bounds(text, sizeof(text), &x->resampled.expanded, 1);
    count_of(s, x->difference.n);
    signed_of(s, x->difference.mean, compare_decimals(x->difference.mean), "");
    numbers(s, text);
    put_p(s, x->sign_flip.p, x->sign_flip_holm);
    put_p(s, x->wilcoxon.p, x->wilcoxon_holm);
    signed_of(s, x->d_z, 2, "");
    signed_of(s, x->rank_biserial, 2, "");
    count_of(s, x->runs_to_halve);
}

static void put_call(struct sheet *s, const struct metric_change *m)
{
    open_cell(s);
    out_printf(s->o, "%s%s", call_word[m->call], m->held ? " (Holm)" : "");
}

static void put_row(struct sheet *s, const struct compare_row *row)
{
    const struct policy_change *p = row_policy(row);
    const struct metric_change *m = row_change(row);
    bool change = row->policy > 0 && m->change.n > 0;
    char value[64] = "", bounds[64] = "";

    open_line(s);
    for (uint32_t i = 0; i < s->axes.n; i++)
        words(s, axis_value(row->in->in, s->axes.name[i]));
    words(s, metric_title(row->id));
    words(s, p->label);
    out_text(s->o, p->oracle ? " (oracle)" : "");
    compare_value(value, sizeof(value), row->id, &m->value);
    numbers(s, value);
    signed_of(s, change ? 100 * m->change.mean : NAN, 1, " %");
    if (change)
        compare_bounds(bounds, sizeof(bounds), &m->change, 100);
    numbers(s, bounds);
    if (row->policy > 0)
        put_call(s, m);
    else
        open_cell(s);
    if (s->stats)
        put_stats(s, row);
    close_line(s);
}

/* ---- tables ---- */

static const struct {
    const char *title;
    bool stats, right;
} columns[] = {{"metric", false, false},
               {"policy", false, false},
               {"mean", false, true},
               {"change", false, true},
               {"95 % interval", false, false},
               {"verdict", false, false},
               {"pairs", true, true},
               {"difference", true, true},
               {"95 % interval (bootstrap)", true, false},
               {"p sign flips (Holm)", true, true},
               {"p Wilcoxon (Holm)", true, true},
               {"d_z", true, true},
               {"rank-biserial", true, true},
               {"runs for half the width", true, true}};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static bool shown(const struct sheet *s, size_t column)
{
    return s->stats || !columns[column].stats;
}

static void put_titles(struct sheet *s)
{
    open_line(s);
    for (uint32_t i = 0; i < s->axes.n; i++)
        words(s, s->axes.name[i]);
    for (size_t k = 0; k < COLUMNS; k++)
        if (shown(s, k))
            words(s, columns[k].title);
    close_line(s);
}

static void put_alignment(struct sheet *s)
{
    const char *left = s->latex ? "l" : "|:---", *right = s->latex ? "r" : "|---:";

    for (uint32_t i = 0; i < s->axes.n; i++)
        out_text(s->o, left);
    for (size_t k = 0; k < COLUMNS; k++)
        if (shown(s, k))
            out_text(s->o, columns[k].right ? right : left);
}

/* What every reader must know, before the table. */
static void put_caption(struct sheet *s, const struct compare_rows *r)
{
    const struct compared_case *in = r->of->of;

    while (in->c.n == 0) /* one has the baseline, or there were no comparisons */
        in++;
    out_text(s->o, s->latex ? "% Changes against " : "Changes against ");
    foreign(s, in->c.policy[0].label);
    out_text(s->o, ", paired by seed; 95 % intervals: of means Student's, of changes (ratio of "
                   "means) Fieller's.\n");
}

void compare_markdown(struct out *o, struct arena *a, const struct compare_rows *r)
{
    struct sheet s = {.o = o, .axes = compare_axes(a, r->of), .stats = r->stats};

    put_caption(&s, r);
    out_char(o, '\n');
    put_titles(&s);
    put_alignment(&s);
    out_text(o, "|\n");
    for (uint32_t i = 0; i < r->n; i++)
        put_row(&s, &r->row[i]);
    for (uint32_t i = 0; i < r->of->n_notes; i++) {
        const char *note = r->of->note[i];
        out_text(o, *note == ' ' ? "- " : "\nNote: ");
        out_markdown(o, note + strspn(note, " "));
        out_char(o, '\n');
    }
}

void compare_latex(struct out *o, struct arena *a, const struct compare_rows *r)
{
    struct sheet s = {.o = o, .axes = compare_axes(a, r->of), .latex = true, .stats = r->stats};

    put_caption(&s, r);
    compare_notes(o, r->of, "% ");
    out_text(o, "\\begin{tabular}{");
    put_alignment(&s);
    out_text(o, "}\n\\toprule\n");
    put_titles(&s);
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->row[i].policy == 0)
            out_text(o, "\\midrule\n");
        put_row(&s, &r->row[i]);
    }
    out_text(o, "\\bottomrule\n\\end{tabular}\n");
}
