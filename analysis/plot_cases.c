/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of sweeps: policy by case, a metric along an axis, what changing one thing changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot_sweep.h"
#include "sim/base/utf8.h"
#include "sim/text/num.h"

#define ROWS 60u /* cases of a picture */

static uint32_t chars_of(const char *s)
{
    return (uint32_t)utf8_count(s, strlen(s));
}

/* The names of axes that vary, as a text of the data. */
static void put_axes(const struct plot_set *s, struct plot_data *d)
{
    const struct plot_sweep *w = s->sweep;
    const char *between = "";

    plot_block(d, "axes");
    for (uint32_t x = 0; x < w->n_axes; x++) {
        if (plot_says_nothing(w, x))
            continue;
        out_text(d->out, between);
        out_text(d->out, plot_clean(s->arena, w->axis[x].name, 28));
        between = ", ";
    }
    out_text(d->out, w->n_axes ? "\n" : "-\n");
}

static void put_metric(const struct plot_set *s, struct plot_data *d, enum metric_id id)
{
    plot_text(d, "what", plot_metric_title(s->arena, id));
    plot_count(d, "better",
               metric_defs[id].better == BETTER_HIGHER  ? 1
               : metric_defs[id].better == BETTER_LOWER ? 2
                                                        : 0);
}

static bool is_clear(const struct interval *v)
{
    return v->low > 0 || v->high < 0;
}

/* The rest of a row: a change in %, its interval, the number of pairs, whether it is clear. */
static void put_change(struct plot_data *d, const struct interval *v)
{
    plot_cell(d, v->n ? 100 * v->mean : NAN);
    plot_cell(d, 100 * v->low);
    plot_cell(d, 100 * v->high);
    plot_cell(d, v->n);
    plot_cell(d, is_clear(v));
    out_char(d->out, '\n');
}

/* ---- policy by case ---- */

static uint32_t put_heat(const struct plot_set *s, struct plot_data *d, uint32_t rows, double *edge)
{
    uint32_t there = 0;

    plot_block(d, "case\tpolicy\tchange_percent\tlow_percent\thigh_percent\tseeds\tclear");
    for (uint32_t c = 0; c < rows; c++)
        for (uint32_t p = 1; p < s->cmp.n; p++) {
            struct interval v = plot_sweep_change(s, (struct plot_group){c, 0},
                                                  (struct plot_group){c, p}, s->metric[0]);
            out_int(d->out, c + 1);
            plot_cell(d, p);
            put_change(d, &v);
            *edge = v.n ? fmax(*edge, fabs(100 * v.mean)) : *edge;
            there += v.n > 0;
        }
    return there;
}

bool plot_heat(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    const struct plot_sweep *w = s->sweep;
    uint32_t rows = w->n_cases < ROWS ? w->n_cases : ROWS, chars = 0;
    double edge = 1;

    (void)policy;
    if (s->cmp.n < 2)
        return plot_leave(d, "there is one policy; a change needs two");
    if (put_heat(s, d, rows, &edge) == 0)
        return plot_leave(d, "no case has the metric for the baseline and another policy");
    plot_block(d, "case\tvalues");
    for (uint32_t c = 0; c < rows; c++) {
        const char *text = plot_case_text(s, c, PLOT_ALL_AXES, false);
        out_int(d->out, c + 1);
        plot_cell_text(d, text);
        out_char(d->out, '\n');
        chars = chars_of(text) > chars ? chars_of(text) : chars;
    }
    put_axes(s, d);
    put_metric(s, d, s->metric[0]);
    plot_count(d, "rows", rows);
    plot_count(d, "cases", w->n_cases);
    plot_count(d, "row_chars", chars);
    plot_number(d, "edge", edge);
    return true;
}

/* ---- along an axis ---- */

struct along {
    double *x; /* of each value: where it stands */
    bool numeric;
    double least, most;
};

static struct along along_of(const struct plot_set *s, const struct plot_axis *axis)
{
    struct along a = {arena_get(s->arena, axis->n * sizeof(*a.x)), true, INFINITY, -INFINITY};

    for (uint32_t v = 0; v < axis->n; v++)
        a.numeric &= num_real(axis->text[v], strlen(axis->text[v]), &a.x[v]) == NUM_OK;
    for (uint32_t v = 0; v < axis->n; v++) {
        a.x[v] = a.numeric ? a.x[v] : v + 1;
        a.least = fmin(a.least, a.x[v]);
        a.most = fmax(a.most, a.x[v]);
    }
    return a;
}

struct seed_sum {
    uint64_t seed;
    double sum;
    uint32_t n;
};

static void add_to_seed(struct seed_sum *of, uint32_t *n, const struct plot_point *p, double x)
{
    uint32_t i = 0;

    while (i < *n && of[i].seed != p->seed)
        i++;
    if (i == *n)
        of[(*n)++] = (struct seed_sum){.seed = p->seed};
    of[i].sum += x;
    of[i].n++;
}

/* Of each seed the mean over all cases with this value, and of these the mean and its interval. */
static struct interval value_at(const struct plot_set *s, uint32_t axis, uint32_t value,
                                uint32_t policy)
{
    const struct plot_sweep *w = s->sweep;
    struct seed_sum *of = mem_get((w->n + 1) * sizeof(*of));
    double *x = mem_get((w->n + 1) * sizeof(*x));
    uint32_t n = 0;
    bool alike = true;

    for (uint32_t c = 0; c < w->n_cases; c++) {
        const struct plot_point *p = NULL;
        if (w->at[c][axis] != value)
            continue;
        while ((p = plot_sweep_next(s, (struct plot_group){c, policy}, p)) != NULL) {
            double y = plot_metric_number(&p->result, s->metric[0]);
            if (isfinite(y))
                add_to_seed(of, &n, p, y);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        x[i] = of[i].sum / of[i].n;
        alike = alike && x[i] == x[0];
    }
    struct interval v = interval_of(x, alike && n > 0 ? 1 : n);
    mem_drop(of);
    mem_drop(x);
    return v;
}

static int by_x(const void *a, const void *b)
{
    const double *x = *(const double *const *)a, *y = *(const double *const *)b;

    if (*x != *y)
        return *x > *y ? 1 : -1;
    return (x > y) - (x < y);
}

static uint32_t put_line(const struct plot_set *s, struct plot_data *d, uint32_t axis,
                         uint32_t policy, const struct along *a, double *longest)
{
    uint32_t n = s->sweep->axis[axis].n, there = 0;
    const double **order = mem_get(n * sizeof(*order));

    for (uint32_t v = 0; v < n; v++)
        order[v] = &a->x[v];
    qsort(order, n, sizeof(*order), by_x);
    plot_block(d, "policy\tx\tmean\tlow\thigh\tseeds");
    for (uint32_t i = 0; i < n; i++) {
        struct interval v = value_at(s, axis, (uint32_t)(order[i] - a->x), policy);
        out_int(d->out, policy + 1);
        plot_cell(d, *order[i]);
        plot_cell(d, v.n ? v.mean : NAN);
        plot_cell(d, v.low);
        plot_cell(d, v.high);
        plot_cell(d, v.n);
        out_char(d->out, '\n');
        *longest = v.n ? fmax(*longest, v.mean) : *longest;
        there += v.n > 0;
    }
    mem_drop(order);
    return there;
}

/* Its name, and those of axes that are zipped with it. */
static const char *name_of(const struct plot_set *s, uint32_t axis)
{
    const char *name = "";

    for (uint32_t x = 0; x < s->sweep->n_axes; x++)
        if (s->sweep->axis[x].same_as == axis && !plot_says_nothing(s->sweep, x))
            name =
                arena_printf(s->arena, "%s%s%s", name, *name ? ", " : "", s->sweep->axis[x].name);
    return plot_clean(s->arena, name, PLOT_TEXT);
}

static void put_values(const struct plot_set *s, struct plot_data *d, uint32_t axis,
                       const struct along *a)
{
    const struct plot_axis *x = &s->sweep->axis[axis];

    plot_block(d, "x\tvalue\taxis");
    for (uint32_t v = 0; v < x->n; v++) {
        out_real(d->out, a->x[v]);
        plot_cell_text(d, plot_clean(s->arena, x->text[v], 14));
        plot_cell_text(d, name_of(s, axis));
        out_char(d->out, '\n');
    }
}

bool plot_axis(const struct plot_set *s, uint32_t axis, struct plot_data *d)
{
    const struct along a = along_of(s, &s->sweep->axis[axis]);
    enum metric_kind k = metric_defs[s->metric[0]].kind;
    bool is_time = k == METRIC_TIME || k == METRIC_GPU_TIME;
    double longest = 0;
    uint32_t there = 0;

    for (uint32_t p = 0; p < s->cmp.n; p++)
        there += put_line(s, d, axis, p, &a, &longest);
    if (there == 0)
        return plot_leave(d, "no point has the metric");
    put_values(s, d, axis, &a);
    put_metric(s, d, s->metric[0]);
    plot_count(d, "numeric", a.numeric);
    plot_count(d, "logarithmic", a.numeric && a.least > 0 && a.most / a.least >= 20);
    plot_number(d, "x_least", a.least);
    plot_number(d, "x_most", a.most);
    plot_number(d, "unit", is_time ? plot_unit(longest) : 1);
    plot_count(d, "measure", k == METRIC_TIME ? 1 : k == METRIC_GPU_TIME ? 2 : 0);
    plot_count(d, "cases_each", s->sweep->n_cases / s->sweep->axis[axis].n);
    return true;
}

/* ---- one thing at a time ---- */

/* The one axis in which a case differs from the first; none: there are others, or none. */
static uint32_t only_axis(const struct plot_sweep *w, uint32_t which)
{
    uint32_t axis = w->n_axes;

    for (uint32_t x = 0; x < w->n_axes; x++) {
        if (w->at[which][x] == w->at[0][x] || w->axis[x].same_as == axis)
            continue;
        if (axis != w->n_axes)
            return w->n_axes;
        axis = w->axis[x].same_as;
    }
    return axis;
}

struct ablation {
    uint32_t which[ROWS], axis[ROWS], n;
    double edge;
    bool intervals;
};

static void put_ablation(const struct plot_set *s, struct plot_data *d, struct ablation *a,
                         uint32_t policy)
{
    plot_block(d, "policy\trow\tchange_percent\tlow_percent\thigh_percent\tseeds\tclear");
    for (uint32_t i = 0; i < a->n; i++) {
        struct interval v =
            plot_sweep_change(s, (struct plot_group){0, policy},
                              (struct plot_group){a->which[i], policy}, s->metric[0]);
        out_int(d->out, policy + 1);
        plot_cell(d, i + 1);
        put_change(d, &v);
        a->intervals |= !isnan(v.high);
        a->edge = v.n ? fmax(a->edge, fabs(100 * v.mean)) : a->edge;
        a->edge = isnan(v.high) ? a->edge : fmax(a->edge, fmax(fabs(v.low), fabs(v.high)) * 100);
    }
}

bool plot_ablation(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    const struct plot_sweep *w = s->sweep;
    struct ablation a = {.n = 0};
    uint32_t chars = 0;

    (void)policy;
    for (uint32_t c = 1; c < w->n_cases && a.n < ROWS; c++) {
        a.axis[a.n] = only_axis(w, c);
        a.which[a.n] = c;
        a.n += a.axis[a.n] < w->n_axes;
    }
    for (uint32_t p = 0; p < s->cmp.n; p++)
        put_ablation(s, d, &a, p);
    if (!(a.edge > 0))
        return plot_leave(d, "no case that differs from the first in one axis changes the metric");
    plot_block(d, "row\tchanged");
    for (uint32_t i = 0; i < a.n; i++) {
        const char *text = plot_case_text(s, a.which[i], a.axis[i], true);
        out_int(d->out, i + 1);
        plot_cell_text(d, text);
        out_char(d->out, '\n');
        chars = chars_of(text) > chars ? chars_of(text) : chars;
    }
    plot_block(d, "first_case");
    out_text(d->out, plot_case_text(s, 0, PLOT_ALL_AXES, true));
    out_char(d->out, '\n');
    put_metric(s, d, s->metric[0]);
    plot_count(d, "rows", a.n);
    plot_count(d, "row_chars", chars);
    plot_count(d, "intervals", a.intervals);
    plot_number(d, "edge", a.edge);
    return true;
}
