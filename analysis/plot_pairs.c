/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of sweeps run by run: what each seed gains, and fluid rates against step by step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot_sweep.h"
#include "sim/base/utf8.h"

#define BOXES 40u /* groups of a picture */

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* ---- gains ---- */

struct gains {
    double *x; /* in % */
    uint32_t n;
};

static const struct plot_point *of_seed(const struct plot_set *s, struct plot_group g,
                                        uint64_t seed)
{
    const struct plot_point *p = NULL;

    while ((p = plot_sweep_next(s, g, p)) != NULL && p->seed != seed)
        ;
    return p;
}

/* What a policy gains against the baseline in a case, seed by seed: a reduction where less is
 * better. */
static void add_case(const struct plot_set *s, uint32_t which, uint32_t policy, struct gains *to)
{
    enum metric_id id = s->metric[0];
    double sign = metric_defs[id].better == BETTER_LOWER ? -100 : 100;
    const struct plot_point *a = NULL;

    while ((a = plot_sweep_next(s, (struct plot_group){which, 0}, a)) != NULL) {
        const struct plot_point *b = of_seed(s, (struct plot_group){which, policy}, a->seed);
        double x = plot_metric_number(&a->result, id),
               y = b ? plot_metric_number(&b->result, id) : NAN;
        if (isfinite(x) && isfinite(y) && x > 0)
            to->x[to->n++] = sign * (y / x - 1);
    }
}

/* Of one case, or of all that have the value of an axis. */
static struct gains gains_of(const struct plot_set *s, uint32_t axis, uint32_t group,
                             uint32_t policy)
{
    const struct plot_sweep *w = s->sweep;
    struct gains g = {mem_get((w->n + 1) * sizeof(*g.x)), 0};

    for (uint32_t c = 0; c < w->n_cases; c++)
        if (axis == PLOT_ALL_AXES ? c == group : w->at[c][axis] == group)
            add_case(s, c, policy, &g);
    if (g.n > 0)
        qsort(g.x, g.n, sizeof(*g.x), by_value);
    return g;
}

struct extent {
    double least, most;
    uint32_t boxes;
};

static void put_box(struct plot_data *d, uint32_t policy, uint32_t group, const struct gains *g,
                    struct extent *e)
{
    static const double q[] = {0.05, 0.25, 0.5, 0.75, 0.95};

    out_int(d->out, policy + 1);
    plot_cell(d, group + 1);
    for (size_t i = 0; i < sizeof(q) / sizeof(*q); i++)
        plot_cell(d, g->n ? plot_quantile(g->x, g->n, q[i]) : NAN);
    plot_cell(d, g->n ? stats_mean(g->x, g->n) : NAN);
    plot_cell(d, g->n);
    out_char(d->out, '\n');
    if (g->n == 0)
        return;
    e->least = fmin(e->least, plot_quantile(g->x, g->n, q[0]));
    e->most = fmax(e->most, plot_quantile(g->x, g->n, q[4]));
    e->boxes++;
}

static const char *name_of(const struct plot_set *s, uint32_t axis, uint32_t group)
{
    if (axis == PLOT_ALL_AXES)
        return plot_case_text(s, group, PLOT_ALL_AXES, false);
    return plot_clean(s->arena, s->sweep->axis[axis].text[group], 24);
}

static void put_names(const struct plot_set *s, struct plot_data *d, uint32_t axis, uint32_t groups)
{
    const struct plot_sweep *w = s->sweep;
    uint32_t chars = 0;
    const char *along = "";

    for (uint32_t x = 0; x < w->n_axes; x++)
        if ((axis == PLOT_ALL_AXES || w->axis[x].same_as == axis) && !plot_says_nothing(w, x))
            along = arena_printf(s->arena, "%s%s%s", along, *along ? ", " : "",
                                 plot_clean(s->arena, w->axis[x].name, 28));
    plot_block(d, "group\tname\taxes");
    for (uint32_t g = 0; g < groups; g++) {
        const char *name = name_of(s, axis, g);
        uint32_t n = (uint32_t)utf8_count(name, strlen(name));
        out_int(d->out, g + 1);
        plot_cell_text(d, name);
        plot_cell_text(d, plot_clean(s->arena, along, PLOT_TEXT));
        out_char(d->out, '\n');
        chars = n > chars ? n : chars;
    }
    plot_count(d, "name_chars", chars);
}

static bool put_boxes(const struct plot_set *s, struct plot_data *d, uint32_t axis)
{
    uint32_t all = axis == PLOT_ALL_AXES ? s->sweep->n_cases : s->sweep->axis[axis].n;
    uint32_t groups = all < BOXES ? all : BOXES;
    enum metric_id id = s->metric[0];
    struct extent e = {0, 0, 0};

    if (s->cmp.n < 2)
        return plot_leave(d, "there is one policy; a change needs two");
    for (uint32_t p = 1; p < s->cmp.n; p++) {
        plot_block(d, "policy\tgroup\tq05\tq25\tmedian\tq75\tq95\tmean\truns");
        for (uint32_t g = 0; g < groups; g++) {
            struct gains gains = gains_of(s, axis, g, p);
            put_box(d, p, g, &gains, &e);
            mem_drop(gains.x);
        }
    }
    if (e.boxes == 0)
        return plot_leave(d, "no case has the metric for the baseline and another policy");
    put_names(s, d, axis, groups);
    plot_text(d, "what", plot_metric_title(s->arena, id));
    plot_text(d, "gain",
              metric_defs[id].better == BETTER_LOWER    ? "reduction"
              : metric_defs[id].better == BETTER_HIGHER ? "gain"
                                                        : "change");
    plot_count(d, "groups", groups);
    plot_count(d, "all_groups", all);
    plot_number(d, "least", e.least);
    plot_number(d, "most", e.most > e.least ? e.most : e.least + 1);
    return true;
}

bool plot_box_case(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    return put_boxes(s, d, PLOT_ALL_AXES);
}

bool plot_box_axis(const struct plot_set *s, uint32_t axis, struct plot_data *d)
{
    return put_boxes(s, d, axis);
}

/* ---- fidelity ---- */

struct scatter {
    uint32_t axis, fluid, step; /* the axis, and its values of these names */
    double least, most;
    double *error; /* relative, of all pairs */
    uint32_t n;
};

static bool find_axis(const struct plot_sweep *w, struct scatter *x)
{
    for (x->axis = 0; x->axis < w->n_axes; x->axis++) {
        const struct plot_axis *a = &w->axis[x->axis];
        x->fluid = x->step = a->n;
        for (uint32_t v = 0; v < a->n && strcmp(a->name, "fidelity") == 0; v++) {
            x->fluid = strcmp(a->text[v], "fluid") == 0 ? v : x->fluid;
            x->step = strcmp(a->text[v], "step") == 0 ? v : x->step;
        }
        if (x->fluid < a->n && x->step < a->n)
            return true;
    }
    return false;
}

/* The case that differs from one in its fidelity alone: fluid instead of step; or none: n_cases. */
static uint32_t fluid_case(const struct plot_sweep *w, const struct scatter *x, uint32_t which)
{
    uint32_t c = 0;

    for (bool same = false; c < w->n_cases; c++) {
        same = w->at[c][x->axis] == x->fluid;
        for (uint32_t a = 0; same && a < w->n_axes; a++)
            same = w->axis[a].same_as == x->axis || a == x->axis || w->at[c][a] == w->at[which][a];
        if (same)
            break;
    }
    return c;
}

static void put_points(const struct plot_set *s, struct plot_data *d, struct scatter *x,
                       uint32_t which, uint32_t policy)
{
    uint32_t fluid = fluid_case(s->sweep, x, which);
    const struct plot_point *a = NULL;

    while ((a = plot_sweep_next(s, (struct plot_group){which, policy}, a)) != NULL) {
        const struct plot_point *b = fluid < s->sweep->n_cases
                                         ? of_seed(s, (struct plot_group){fluid, policy}, a->seed)
                                         : NULL;
        double step = plot_metric_number(&a->result, s->metric[0]),
               got = b ? plot_metric_number(&b->result, s->metric[0]) : NAN;
        if (!isfinite(step) || !isfinite(got) || step <= 0)
            continue;
        x->least = fmin(x->least, fmin(step, got));
        x->most = fmax(x->most, fmax(step, got));
        x->error[x->n++] = fabs(got - step) / step;
        out_int(d->out, policy + 1);
        plot_cell(d, step);
        plot_cell(d, got);
        out_char(d->out, '\n');
    }
}

static bool put_scatter(const struct plot_set *s, struct plot_data *d, struct scatter *x)
{
    const struct plot_sweep *w = s->sweep;
    enum metric_kind kind = metric_defs[s->metric[0]].kind;
    bool is_time = kind == METRIC_TIME || kind == METRIC_GPU_TIME;

    for (uint32_t p = 0; p < s->cmp.n; p++) {
        uint32_t before = x->n;
        plot_block(d, "policy\tstep\tfluid");
        for (uint32_t c = 0; c < w->n_cases; c++)
            if (w->at[c][x->axis] == x->step)
                put_points(s, d, x, c, p);
        if (x->n == before)
            out_printf(d->out, "%u\tNaN\tNaN\n", p + 1);
    }
    if (x->n == 0)
        return plot_leave(d, "no run has the metric in both fidelities");
    qsort(x->error, x->n, sizeof(*x->error), by_value);
    plot_text(d, "what", plot_metric_title(s->arena, s->metric[0]));
    plot_count(d, "pairs", x->n);
    plot_number(d, "median", 100 * plot_quantile(x->error, x->n, 0.5));
    plot_number(d, "high", 100 * plot_quantile(x->error, x->n, 0.95));
    plot_number(d, "least", x->least);
    plot_number(d, "most", x->most > x->least ? x->most : x->least + 1);
    plot_number(d, "unit", is_time ? plot_unit(x->most) : 1);
    plot_count(d, "measure", kind == METRIC_TIME ? 1 : kind == METRIC_GPU_TIME ? 2 : 0);
    plot_count(d, "logarithmic", x->least > 0 && x->most / x->least >= 20);
    return true;
}

bool plot_fidelity(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    struct scatter x = {.least = INFINITY, .most = 0};

    (void)policy;
    if (!find_axis(s->sweep, &x))
        return plot_leave(d, "the sweep has no axis fidelity with the values fluid and step");
    x.error = mem_get((s->sweep->n + 1) * sizeof(*x.error));
    bool ok = put_scatter(s, d, &x);
    mem_drop(x.error);
    return ok;
}
