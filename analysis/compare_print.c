/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons as text for people. */
#include <math.h>
#include <string.h>

#include "analysis/compare_print.h"
#include "analysis/result_sweep.h"
#include "analysis/story_text.h"
#include "sim/base/utf8.h"

/* The order of the blocks, and their headings. */
static const struct {
    enum metric_id id;
    const char *title;
} blocks[] = {
    {M_HPO_MEAN_GOOD, "HPO time, mean over good trials"},
    {M_HPO_FIRST_GOOD, "HPO time, first good trial"},
    {M_HPO_ALL_GOOD, "HPO time, all good trials"},
    {M_HPO_TARGET, "HPO time, target metric reached"},
    {M_JCT_MEAN, "JCT, mean"},
    {M_JCT_P99, "JCT, 99th percentile"},
    {M_WAIT_MEAN, "wait, mean"},
    {M_SLOWDOWN_MEAN, "bounded slowdown, mean"},
    {M_MAKESPAN, "makespan"},
    {M_GPU_BUSY_SHARE, "GPU busy share"},
    {M_PREEMPTIONS, "preemptions"},
    {M_RELOCATIONS, "relocations"},
    {M_LOST_PER_JOB, "GPU time lost in moving, a job"},
    {M_TOLD_ERROR_MEAN, "relative error of predicted rates"},
};

const char *const call_word[] = {[CALL_NONE] = "",
                                 [CALL_BETTER] = "better",
                                 [CALL_WORSE] = "worse",
                                 [CALL_UNCLEAR] = "not clear",
                                 [CALL_SAME] = "the same"};

static bool any_value(const struct comparison *c, enum metric_id id)
{
    for (uint32_t p = 0; p < c->n; p++)
        if (c->policy[p].metric[id].value.n > 0 && c->policy[p].metric[id].value.mean != 0)
            return true;
    return false;
}

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

static int decimals(double x)
{
    double a = fabs(x);

    return a >= 1000 ? 0 : a >= 100 ? 1 : a >= 1 ? 2 : 4;
}

static void put_value(struct out *o, enum metric_id id, const struct interval *v)
{
    enum metric_kind kind = metric_defs[id].kind;
    const char *unit = kind == METRIC_TIME || kind == METRIC_GPU_TIME ? " s" : "";
    char text[64] = "-";

    if (v->n > 0 && !isnan(v->low))
        snprintf(text, sizeof(text), "%.*f%s +- %.*f", decimals(v->mean), v->mean, unit,
                 decimals(v->mean), v->high - v->mean);
    else if (v->n > 0)
        snprintf(text, sizeof(text), "%.*f%s", decimals(v->mean), v->mean, unit);
    out_printf(o, "  %22s", text);
}

static void put_change(struct out *o, const struct metric_change *m, bool color)
{
    const struct interval *c = &m->change;
    bool clear = m->call == CALL_BETTER || m->call == CALL_WORSE;

    if (c->n == 0)
        return;
    out_printf(o, "  %+7.1f %%", 100 * c->mean);
    if (!isnan(c->low))
        out_printf(o, "  [%+.1f, %+.1f]", 100 * c->low, 100 * c->high);
    else if (c->n > 1)
        out_text(o, "  [no interval]"); /* the baseline's own mean is not clear of 0 */
    if (*call_word[m->call])
        out_printf(o, "  %s%s%s", color && clear ? "\033[1m" : "", call_word[m->call],
                   color && clear ? "\033[0m" : "");
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

static void put_comparison(struct out *o, const struct comparison *c, bool color)
{
    int width = label_width(c);

    put_heading(o, c);
    for (size_t b = 0; b < sizeof(blocks) / sizeof(*blocks); b++) {
        enum metric_id id = blocks[b].id;
        if (!any_value(c, id))
            continue;
        out_printf(o, "\n%s\n", blocks[b].title);
        for (uint32_t p = 0; p < c->n; p++) {
            const struct metric_change *m = &c->policy[p].metric[id];
            put_label(o, &c->policy[p], width);
            put_value(o, id, &m->value);
            if (p > 0)
                put_change(o, m, color);
            if (!c->policy[p].alike)
                put_seeds(o, m, p, most_runs(c));
            out_char(o, '\n');
        }
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

void compare_text(struct out *o, struct arena *a, const struct compared *c, bool color)
{
    const char *between = "";

    for (uint32_t i = 0; i < c->n; i++) {
        const struct compared_case *of = &c->of[i];
        if (of->c.n == 0)
            continue;
        out_text(o, between);
        if (of->in ? of->in->n > 0 : c->n > 1)
            put_case(o, of->in ? result_case_text(a, of->in) : "runs that are of no sweep");
        put_comparison(o, &of->c, color);
        between = "\n\n";
    }
    if (c->n_notes > 0)
        out_char(o, '\n');
    compare_notes(o, c, "");
}
