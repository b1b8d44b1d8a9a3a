/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came of it: in words, in tables, and as intervals of changes. */
#include <math.h>
#include <string.h>

#include "analysis/compare_rows.h"
#include "analysis/report_page.h"

static const enum metric_id blocks[] = {
    M_HPO_MEAN_GOOD, M_HPO_FIRST_GOOD, M_HPO_ALL_GOOD,   M_HPO_TARGET,       M_ALONE_MAX,
    M_ALONE_MEAN,    M_ALONE_JAIN,     M_JCT_MEAN,       M_JCT_P99,          M_WAIT_MEAN,
    M_SLOWDOWN_MEAN, M_MAKESPAN,       M_GPU_BUSY_SHARE, M_GPU_ACTIVE_SHARE, M_GPU_WORK_SHARE,
    M_PREEMPTIONS,   M_RELOCATIONS,    M_LOST_PER_JOB,   M_TOLD_ERROR_MEAN,
};
#define BLOCKS (sizeof(blocks) / sizeof(*blocks))

static bool any_value(const struct comparison *c, enum metric_id id)
{
    for (uint32_t p = 0; p < c->n; p++)
        if (c->policy[p].metric[id].value.n > 0 && c->policy[p].metric[id].value.mean != 0)
            return true;
    return false;
}

/* On shared GPUs the busy share counts seats: more of it is not better. */
static bool is_shown(const struct comparison *c, enum metric_id id)
{
    return any_value(c, id) && !(id == M_GPU_BUSY_SHARE && any_value(c, M_GPU_ACTIVE_SHARE));
}

enum metric_id page_headline(const struct comparison *c)
{
    for (size_t i = 0; i < BLOCKS; i++)
        if (any_value(c, blocks[i]))
            return blocks[i];
    return M_JCT_MEAN;
}

/* ---- in words ---- */

static void put_interval(struct out *o, const struct interval *x)
{
    out_printf(o, "95&nbsp;%% interval %+.1f to %+.1f&nbsp;%%, %u seeds", 100 * x->low,
               100 * x->high, x->n);
}

static void put_how(struct out *o, const struct metric_change *m)
{
    const struct interval *x = &m->change;
    static const char *const word[] = {
        [CALL_BETTER] = "<span class=\"better\">better</span>",
        [CALL_WORSE] = "<span class=\"worse\">worse</span>",
    };

    if (m->call == CALL_SAME) {
        out_text(o, "the same.");
    } else if (x->n == 0) {
        out_text(o, "not comparable: no seed has a value under both policies.");
    } else if (isnan(x->low)) {
        out_printf(o, "not clear: %+.1f&nbsp;%%, and %s.", 100 * x->mean,
                   x->n > 1 ? "there is no interval, since the baseline's mean is not clear of 0"
                            : "one run gives no interval");
    } else if (m->call == CALL_UNCLEAR || m->call == CALL_NONE) {
        out_printf(o, "not clear: %+.1f&nbsp;%% (", 100 * x->mean);
        put_interval(o, x);
        out_text(o,
                 m->held ? "; it would be clear alone, but is not among all comparisons)." : ").");
    } else {
        out_printf(o, "%s by %.1f&nbsp;%% (", word[m->call], 100 * fabs(x->mean));
        put_interval(o, x);
        out_text(o, ").");
    }
}

void page_verdict(struct out *o, const struct report_case *rc)
{
    const struct comparison *c = &rc->c;
    enum metric_id id = page_headline(c);

    if (c->n < 2) {
        out_text(o, "<p>One policy, <b>");
        page_label(o, &c->policy[0]);
        out_text(o, "</b>: there is nothing that it could be better or worse than.</p>\n");
        return;
    }
    out_printf(o, "<p>%s, against <b>", metric_title(id));
    page_label(o, &c->policy[0]);
    out_text(o, "</b>:</p>\n<ul>\n");
    for (uint32_t p = 1; p < c->n; p++) {
        out_text(o, "<li><b>");
        page_label(o, &c->policy[p]);
        out_text(o, "</b> is ");
        put_how(o, &c->policy[p].metric[id]);
        out_text(o, "</li>\n");
    }
    out_text(o, "</ul>\n");
}

/* ---- tables ---- */

static int decimals(double x)
{
    double a = fabs(x);

    return a >= 1000 || a == 0 ? 0 : a >= 100 ? 1 : a >= 1 ? 2 : 4;
}

static void put_value(struct out *o, enum metric_id id, const struct interval *v)
{
    enum metric_kind kind = metric_defs[id].kind;
    const char *unit = kind == METRIC_TIME || kind == METRIC_GPU_TIME ? " s" : "";

    if (v->n == 0)
        out_text(o, "-");
    else
        out_printf(o, "%.*f%s", decimals(v->mean), v->mean, unit);
    if (v->n > 0 && !isnan(v->low))
        out_printf(o, " \xC2\xB1 %.*f", decimals(v->mean), v->high - v->mean);
}

static void put_change(struct out *o, const struct metric_change *m)
{
    static const char *const word[] = {[CALL_NONE] = "",
                                       [CALL_BETTER] = "better",
                                       [CALL_WORSE] = "worse",
                                       [CALL_UNCLEAR] = "not clear",
                                       [CALL_SAME] = "the same"};
    const struct interval *x = &m->change;
    bool clear = m->call == CALL_BETTER || m->call == CALL_WORSE;

    if (x->n == 0) {
        out_text(o, "<td>-</td><td></td><td></td>");
        return;
    }
    out_printf(o, "<td>%+.1f&nbsp;%%</td><td>", 100 * x->mean);
    if (!isnan(x->low))
        out_printf(o, "%+.1f to %+.1f", 100 * x->low, 100 * x->high);
    else
        out_text(o, "none");
    out_printf(o, "</td><td class=\"%s\">%s%s</td>", clear ? word[m->call] : "t", word[m->call],
               m->held ? " (Holm)" : "");
}

static uint32_t put_table(struct out *o, const struct comparison *c, enum metric_id id)
{
    out_printf(o,
               "<table><caption>%s</caption><thead><tr><th scope=\"col\">policy</th>"
               "<th scope=\"col\">mean</th><th scope=\"col\">runs</th><th scope=\"col\">change</th>"
               "<th scope=\"col\">95 %% interval</th><th scope=\"col\">verdict</th></tr></thead>"
               "<tbody>\n",
               metric_title(id));
    for (uint32_t p = 0; p < c->n; p++) {
        const struct metric_change *m = &c->policy[p].metric[id];
        out_text(o, "<tr><td>");
        page_label(o, &c->policy[p]);
        out_text(o, "</td><td>");
        put_value(o, id, &m->value);
        out_printf(o, "</td><td>%u</td>", m->value.n);
        if (p == 0)
            out_text(o, "<td></td><td></td><td></td>");
        else
            put_change(o, m);
        out_text(o, "</tr>\n");
    }
    out_text(o, "</tbody></table>\n");
    return c->n;
}

uint32_t page_tables(struct out *o, const struct report_case *rc, bool all)
{
    uint32_t rows = 0;

    for (size_t i = 0; i < BLOCKS && rows <= REPORT_ROWS; i++) {
        if (!is_shown(&rc->c, blocks[i]))
            continue;
        rows += put_table(o, &rc->c, blocks[i]);
        if (!all)
            break;
    }
    return rows;
}

/* ---- the figure ---- */

#define LEFT      210
#define WIDTH     420
#define LINE      18
#define MOST_ROWS 60u

struct scale {
    double low, high; /* changes at the ends */
};

static double at(const struct scale *s, double change)
{
    double x = change < s->low ? s->low : change > s->high ? s->high : change;

    return LEFT + WIDTH * (x - s->low) / (s->high - s->low);
}

/* Up to twice the baseline, since few wide intervals would hide the others. */
static struct scale scale_of(const struct comparison *c)
{
    struct scale s = {-0.05, 0.05};

    for (uint32_t p = 1; p < c->n; p++)
        for (size_t i = 0; i < BLOCKS; i++) {
            const struct interval *x = &c->policy[p].metric[blocks[i]].change;
            bool bare = isnan(x->low);
            if (x->n == 0 || (any_value(c, blocks[i]) && !is_shown(c, blocks[i])))
                continue;
            s.low = fmax(-1, fmin(s.low, bare ? x->mean : x->low));
            s.high = fmin(1, fmax(s.high, bare ? x->mean : x->high));
        }
    return s;
}

static void put_mark(struct out *o, const struct scale *s, const struct interval *x, double y)
{
    if (!isnan(x->low))
        out_printf(o, "<path class=\"iv\" d=\"M%.1f %.1fH%.1f\"/>", at(s, x->low), y,
                   at(s, x->high));
    out_printf(o, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", at(s, x->mean), y);
}

static uint32_t put_rows(struct out *o, const struct comparison *c, const struct scale *s,
                         uint32_t rows)
{
    for (size_t i = 0; i < BLOCKS && rows < MOST_ROWS; i++) {
        enum metric_id id = blocks[i];
        if (metric_defs[id].better == BETTER_NONE || !is_shown(c, id))
            continue;
        out_printf(o, "<text x=\"0\" y=\"%d\" font-weight=\"600\">%s (%s is better)</text>",
                   (int)(rows * LINE + 13), metric_title(blocks[i]),
                   metric_defs[id].better == BETTER_LOWER ? "lower" : "higher");
        rows++;
        for (uint32_t p = 1; p < c->n && rows < MOST_ROWS; p++) {
            const struct interval *x = &c->policy[p].metric[id].change;
            if (x->n == 0)
                continue;
            out_printf(o, "<text x=\"12\" y=\"%d\">", (int)(rows * LINE + 13));
            page_text(o, c->policy[p].label, 32);
            out_text(o, "</text>");
            put_mark(o, s, x, rows * LINE + 9);
            out_char(o, '\n');
            rows++;
        }
    }
    return rows;
}

void page_changes(struct out *o, const struct comparison *c)
{
    struct out *rows = out_memory();
    struct scale s = scale_of(c);
    uint32_t n = c->n > 1 ? put_rows(rows, c, &s, 0) : 0;
    size_t len;
    const char *text = out_data(rows, &len);

    if (n == 0) {
        out_text(o, "<p>There is no change to show.</p>\n");
    } else {
        out_printf(o,
                   "<figure><svg viewBox=\"0 0 640 %u\" width=\"640\" role=\"img\" aria-label=\""
                   "changes against the baseline\">\n<path class=\"zero\" d=\"M%.1f 0V%u\"/>\n",
                   n * LINE + 22, at(&s, 0), n * LINE);
        out_bytes(o, text, len);
        out_printf(o,
                   "<path class=\"ax\" d=\"M%d %uH%d\"/><text x=\"%d\" y=\"%u\">%+.0f %%</text>"
                   "<text x=\"%.1f\" y=\"%u\" text-anchor=\"middle\">0</text>"
                   "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">%+.0f %%</text></svg>\n",
                   LEFT, n * LINE, LEFT + WIDTH, LEFT, n * LINE + 16, 100 * s.low, at(&s, 0),
                   n * LINE + 16, LEFT + WIDTH, n * LINE + 16, 100 * s.high);
        out_text(o, "<figcaption>Changes against the baseline with their 95 % intervals; beyond "
                    "\xC2\xB1 100 % they are cut.</figcaption></figure>\n");
    }
    out_drop(rows);
}
