/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics by policy, and their changes against the baseline: one block a metric, one row a policy.
 */
#include <math.h>

#include "analysis/plot_kinds.h"

struct panel {
    enum metric_id id;
    const char *title;
};

static const struct panel hpo_panels[] = {
    {M_HPO_MEAN_GOOD, "mean over good trials"},
    {M_HPO_FIRST_GOOD, "first good trial"},
    {M_HPO_ALL_GOOD, "all good trials"},
};
static const struct panel jct_panels[] = {
    {M_JCT_MEAN, "mean"},
    {M_JCT_P50, "median"},
    {M_JCT_P99, "99th percentile"},
};
static const struct panel change_panels[] = {
    {M_HPO_MEAN_GOOD, "HPO time, mean"},
    {M_HPO_FIRST_GOOD, "HPO time, first good"},
    {M_HPO_ALL_GOOD, "HPO time, all good"},
    {M_HPO_TARGET, "HPO time, target"},
    {M_JCT_MEAN, "JCT, mean"},
    {M_JCT_P99, "JCT, 99th percentile"},
    {M_WAIT_MEAN, "wait, mean"},
    {M_MAKESPAN, "makespan"},
    {M_ALONE_MAX, "slowdown, largest"},
    {M_ALONE_MEAN, "slowdown, mean"},
    {M_GPU_ACTIVE_SHARE, "GPUs computing"},
};
#define CHANGE_EDGE  1.0 /* of the axis; what is beyond is written there */
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(*(array))))

static bool any_value(const struct plot_set *s, enum metric_id id)
{
    for (uint32_t p = 0; p < s->cmp.n; p++)
        if (s->cmp.policy[p].metric[id].value.n > 0)
            return true;
    return false;
}

static bool any_interval(const struct plot_set *s, enum metric_id id)
{
    for (uint32_t p = 0; p < s->cmp.n; p++)
        if (!isnan(s->cmp.policy[p].metric[id].value.high))
            return true;
    return false;
}

/* ---- values ---- */

/* Where the bar or its interval ends. */
static double end_of(const struct interval *v)
{
    if (v->n == 0)
        return 0;
    return isnan(v->high) ? v->mean : v->high;
}

static double longest_of(const struct plot_set *s, enum metric_id id)
{
    double longest = 0;

    for (uint32_t p = 0; p < s->cmp.n; p++)
        longest = fmax(longest, end_of(&s->cmp.policy[p].metric[id].value));
    return longest > 0 ? longest : 1;
}

/* What the axis counts, as bars.gp has it. */
static uint32_t measure_of(enum metric_id id)
{
    enum metric_kind k = metric_defs[id].kind;

    return k == METRIC_TIME ? 1 : k == METRIC_GPU_TIME ? 2 : 0;
}

/* Times are in the unit of all panels, unless that is too large for this one. */
static void put_values(const struct plot_set *s, struct plot_data *d, const struct panel *x,
                       double unit)
{
    double longest = longest_of(s, x->id);

    unit = longest < 2 * unit ? plot_unit(longest) : unit;
    unit = measure_of(x->id) ? unit : 1;
    plot_block(d, "metric\tpolicy\trow\tmean\tlow\thigh\tseeds\ttext_at\taxis\tunit\tmeasure");
    for (uint32_t p = 0; p < s->cmp.n; p++) {
        const struct interval *v = &s->cmp.policy[p].metric[x->id].value;
        out_text(d->out, x->title);
        plot_cell_text(d, s->label[p]);
        plot_cell(d, p + 1);
        plot_cell(d, v->mean);
        plot_cell(d, v->low);
        plot_cell(d, v->high);
        plot_cell(d, v->n);
        plot_cell(d, end_of(v));
        plot_cell(d, longest);
        plot_cell(d, unit);
        plot_cell(d, measure_of(x->id));
        out_char(d->out, '\n');
    }
}

static bool put_bars(const struct plot_set *s, struct plot_data *d, const struct panel *panel,
                     uint32_t n)
{
    uint32_t panels = 0;
    bool interval = false;
    double most = 0;

    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, longest_of(s, panel[i].id));
    for (uint32_t i = 0; i < n; i++) {
        if (!any_value(s, panel[i].id))
            continue;
        put_values(s, d, &panel[i], plot_unit(most));
        interval |= any_interval(s, panel[i].id);
        panels++;
    }
    plot_count(d, "panels", panels);
    plot_count(d, "intervals", interval);
    return true;
}

bool plot_hpo_time(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    if (!any_value(s, M_TRIALS))
        return plot_leave(
            d, "there are no experiments in these runs; kind jct shows the times of their jobs");
    if (!any_value(s, M_HPO_MEAN_GOOD))
        return plot_leave(d, "no run has ended a good trial");
    plot_text(d, "what", "HPO time");
    return put_bars(s, d, hpo_panels, COUNT(hpo_panels));
}

bool plot_jct(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    if (!any_value(s, M_JCT_MEAN))
        return plot_leave(d, "no job is done");
    plot_text(d, "what", "JCT");
    return put_bars(s, d, jct_panels, COUNT(jct_panels));
}

/* Of different sizes, so each has its own unit. */
bool plot_metric(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    bool interval = false;
    uint32_t panels = 0;

    (void)policy;
    for (uint32_t i = 0; i < s->n_metrics; i++) {
        struct panel x = {s->metric[i], plot_metric_title(s->arena, s->metric[i])};
        if (!any_value(s, x.id))
            return plot_leave(
                d, arena_printf(s->arena, "no run has a value of %s", metric_defs[x.id].name));
        put_values(s, d, &x, 1);
        interval |= any_interval(s, x.id);
        panels++;
    }
    plot_text(d, "what", "");
    plot_count(d, "panels", panels);
    plot_count(d, "intervals", interval);
    return true;
}

/* ---- changes ---- */

static bool any_change(const struct plot_set *s, enum metric_id id)
{
    for (uint32_t p = 1; p < s->cmp.n; p++)
        if (s->cmp.policy[p].metric[id].change.n > 0)
            return true;
    return false;
}

static void put_changes(const struct plot_set *s, struct plot_data *d, const struct panel *x)
{
    plot_block(
        d, "metric\tpolicy\trow\tchange_percent\tlow_percent\thigh_percent\tseeds\tclear\tbeyond");
    for (uint32_t p = 1; p < s->cmp.n; p++) {
        const struct metric_change *m = &s->cmp.policy[p].metric[x->id];
        bool is_there = m->change.n > 0;
        out_text(d->out, x->title);
        plot_cell_text(d, s->label[p]);
        plot_cell(d, p);
        plot_cell(d, is_there ? 100 * m->change.mean : NAN);
        plot_cell(d, 100 * m->change.low);
        plot_cell(d, 100 * m->change.high);
        plot_cell(d, m->change.n);
        plot_cell(d, m->call == CALL_BETTER || m->call == CALL_WORSE);
        plot_cell(d, is_there && fabs(m->change.mean) > CHANGE_EDGE);
        out_char(d->out, '\n');
    }
}

bool plot_change(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    uint32_t panels = 0;

    (void)policy;
    if (s->cmp.n < 2)
        return plot_leave(d, "there is one policy; a change needs two");
    for (uint32_t i = 0; i < COUNT(change_panels); i++) {
        if (!any_change(s, change_panels[i].id))
            continue;
        put_changes(s, d, &change_panels[i]);
        panels++;
    }
    if (panels == 0)
        return plot_leave(d, "no metric can be compared with the baseline");
    plot_count(d, "panels", panels);
    plot_count(d, "intervals", s->cmp.policy[0].seeds > 1);
    plot_number(d, "edge", 100 * CHANGE_EDGE);
    return true;
}
