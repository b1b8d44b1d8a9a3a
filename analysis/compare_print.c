/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons as text for people. */
#include <math.h>
#include <string.h>

#include "analysis/compare_print.h"
#include "analysis/result_sweep.h"
#include "analysis/story_text.h"
#include "sim/base/utf8.h"

const char *const call_word[] = {[CALL_NONE] = "",
                                 [CALL_BETTER] = "better",
                                 [CALL_WORSE] = "worse",
                                 [CALL_UNCLEAR] = "not clear",
                                 [CALL_SAME] = "the same"};

static int label_width(const struct comparison *c)
{
    size_t w = 8;

    for (uint32_t p = 0; p < c->n; p++) {
        const char *label = c->policy[p].label;
        size_t len = utf8_count(label, strlen(label)) + (c->policy[p].oracle ? 9 : 0);
        w = len > w ? len : w;
    }
    return w < 60 ? (int)w : 60;
}

static void put_label(struct out *o, const struct policy_change *p, int width)
{
    int n = (int)utf8_count(p->label, strlen(p->label));

    out_text(o, "  ");
    say_safe(o, p->label);
    if (p->oracle) {
        out_text(o, " (oracle)");
        n += 9;
    }
    for (; n < width; n++)
        out_char(o, ' ');
}

int compare_decimals(double x)
{
    double a = fabs(x);

    return a >= 1000 ? 0 : a >= 100 ? 1 : a >= 1 ? 2 : 4;
}

void compare_value(char *text, size_t size, enum metric_id id, const struct interval *v)
{
    enum metric_kind kind = metric_defs[id].kind;
    const char *unit = kind == METRIC_TIME || kind == METRIC_GPU_TIME ? " s" : "";
    int digits = compare_decimals(v->mean);

    if (v->n == 0)
        snprintf(text, size, "-");
    else if (isnan(v->low))
        snprintf(text, size, "%.*f%s", digits, v->mean, unit);
    else
        snprintf(text, size, "%.*f%s +- %.*f", digits, v->mean, unit, digits, v->high - v->mean);
}

void compare_bounds(char *text, size_t size, const struct interval *x, double scale)
{
    double largest = scale * fmax(fabs(x->low), fabs(x->high));
    int digits = scale > 1 ? 1 : compare_decimals(largest);

    if (isnan(x->low))
        snprintf(text, size, "%s", "");
    else
        snprintf(text, size, "[%+.*f, %+.*f]", digits, scale * x->low, digits, scale * x->high);
}

static void put_change(struct out *o, const struct metric_change *m, bool color)
{
    const struct interval *c = &m->change;
    bool clear = m->call == CALL_BETTER || m->call == CALL_WORSE;
    char bounds[64];

    if (c->n == 0)
        return;
    compare_bounds(bounds, sizeof(bounds), c, 100);
    out_printf(o, "  %+7.1f %%", 100 * c->mean);
    if (*bounds)
        out_printf(o, "  %s", bounds);
    else if (c->n > 1)
        out_text(o, "  [no interval]"); /* the baseline's own mean is not clear of 0 */
    if (*call_word[m->call])
        out_printf(o, "  %s%s%s%s", color && clear ? "\033[1m" : "", call_word[m->call],
                   m->held ? " (Holm)" : "", color && clear ? "\033[0m" : "");
}

/* Seeds that a row lacks: of this policy, or without a value. */
static void put_seeds(struct out *o, const struct metric_change *m, uint32_t p, uint32_t seeds)
{
    uint32_t n = p == 0 || m->change.n == 0 ? m->value.n : m->change.n;

    if (n > 0 && n < seeds)
        out_printf(o, "  (%u of %u seeds)", n, seeds);
}

static uint32_t most_runs(const struct comparison *c)
{
    uint32_t most = 0;

    for (uint32_t p = 0; p < c->n; p++)
        most = c->policy[p].runs > most ? c->policy[p].runs : most;
    return most;
}

static void put_heading(struct out *o, const struct comparison *c)
{
    uint32_t seeds = most_runs(c);
    bool equal = true;

    for (uint32_t p = 0; p < c->n; p++)
        equal = equal && c->policy[p].seeds == seeds;
    out_printf(o, "%u polic%s, %s%u seed%s each; ", c->n, c->n > 1 ? "ies" : "y",
               equal ? "" : "up to ", seeds, seeds > 1 ? "s" : "");
    if (c->n > 1) {
        out_text(o, "changes against ");
        say_safe(o, c->policy[0].label);
        out_printf(o, " are paired by seed%s\n",
                   seeds > 1 ? ", in brackets their 95 % interval"
                             : "; one seed gives no interval");
    } else
        out_text(o, seeds > 1 ? "+- is the half width of the 95 % interval\n"
                              : "one seed gives no interval\n");
    for (uint32_t p = 0; p < c->n; p++)
        if (c->policy[p].alike) {
            out_text(o, "all runs of ");
            say_safe(o, c->policy[p].label);
            out_text(o, " are the same, whatever the seed: they count as one\n");
        }
}

static void put_case(struct out *o, const char *text)
{
    size_t width = utf8_count(text, strlen(text));

    out_printf(o, "%s\n", text);
    for (size_t i = 0; i < width; i++)
        out_char(o, '-');
    out_char(o, '\n');
}

void compare_notes(struct out *o, const struct compared *c, const char *before)
{
    for (uint32_t i = 0; i < c->n_notes; i++)
        out_printf(o, "%s%s%s\n", before, c->note[i][0] == ' ' ? "" : "note: ", c->note[i]);
}

static void open_case(struct out *o, struct arena *a, const struct compare_rows *r,
                      const struct compare_row *row)
{
    const struct result_case *in = row->in->in;

    if (row != r->row)
        out_text(o, "\n\n");
    if (in ? in->n > 0 : r->of->n > 1)
        put_case(o, in ? result_case_text(a, in) : "runs that are of no sweep");
    put_heading(o, &row->in->c);
}

static void put_row(struct out *o, const struct compare_row *row, bool color)
{
    const struct metric_change *m = row_change(row);
    char value[64];

    compare_value(value, sizeof(value), row->id, &m->value);
    put_label(o, row_policy(row), label_width(&row->in->c));
    out_printf(o, "  %22s", value);
    if (row->policy > 0)
        put_change(o, m, color);
    if (!row_policy(row)->alike)
        put_seeds(o, m, row->policy, most_runs(&row->in->c));
    out_char(o, '\n');
}

void compare_text(struct out *o, struct arena *a, const struct compare_rows *r, bool color)
{
    for (uint32_t i = 0; i < r->n; i++) {
        const struct compare_row *row = &r->row[i];
        if (i == 0 || row->in != row[-1].in)
            open_case(o, a, r, row);
        if (row->policy == 0)
            out_printf(o, "\n%s\n", metric_title(row->id));
        put_row(o, row, color);
        if (row->stats)
            compare_stats(o, row);
    }
    if (r->of->n_notes > 0 && r->n > 0)
        out_char(o, '\n');
    compare_notes(o, r->of, "");
}
