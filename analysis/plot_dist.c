/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions over jobs: as steps by policy, and as boxes by policy and the GPUs that jobs want.
 */
#include <math.h>
#include <string.h>

#include "analysis/plot_jobs.h"

static const char no_jobs[] = "there is no job in the runs' jobs.csv that is done and took time";

/* ---- steps ---- */

/* At most PLOT_STEPS steps, with the first and the last. */
static void put_steps(const struct plot_set *s, struct plot_data *d, uint32_t policy,
                      enum plot_measure m, const struct plot_values *v)
{
    size_t steps = v->n < PLOT_STEPS ? v->n : PLOT_STEPS;

    plot_block(d, arena_printf(s->arena, "policy\t%s\tshare", plot_measure_name[m]));
    if (v->n == 0)
        out_printf(d->out, "%u\tNaN\tNaN\n", policy + 1);
    for (size_t k = 0; k < steps; k++) {
        size_t rank = (k + 1) * v->n / steps;
        out_int(d->out, policy + 1);
        plot_cell(d, v->value[rank - 1].x);
        plot_cell(d, (double)rank / (double)v->n);
        out_char(d->out, '\n');
    }
}

static bool put_cdf(const struct plot_set *s, struct plot_data *d, enum plot_measure m)
{
    double least = INFINITY, most = 0;
    bool ok = true;

    for (uint32_t p = 0; ok && p < s->cmp.n; p++) {
        struct plot_values v = {0};
        ok = plot_measure(s, p, m, &v);
        if (v.n > 0) {
            least = fmin(least, v.value[0].x);
            most = fmax(most, v.value[v.n - 1].x);
        }
        put_steps(s, d, p, m, &v);
        mem_drop(v.value);
    }
    if (ok && most == 0)
        return plot_leave(d, no_jobs);
    if (ok) {
        plot_count(d, "measure", m);
        plot_number(d, "least", least);
        plot_number(d, "most", most);
    }
    return ok;
}

bool plot_jct_cdf(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    return put_cdf(s, d, PLOT_JCT);
}

bool plot_slowdown_cdf(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    return put_cdf(s, d, PLOT_SLOWDOWN);
}

bool plot_fairness(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    return put_cdf(s, d, PLOT_FAIRNESS);
}

/* ---- boxes ---- */

#define CLASSES 33u /* 1, 2, 3-4, 5-8, ... GPUs */

static uint32_t class_of(uint32_t gpus)
{
    uint32_t c = 0;

    while (c < CLASSES - 1 && (UINT64_C(1) << c) < gpus)
        c++;
    return c;
}

static const char *class_name(struct arena *a, uint32_t c)
{
    uint64_t most = UINT64_C(1) << c, least = most / 2 + 1;

    return c < 2 ? arena_printf(a, "%u", c + 1)
                 : arena_printf(a, "%llu\xE2\x80\x93%llu", (unsigned long long)least,
                                (unsigned long long)most);
}

double plot_quantile(const double *x, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;

    return below + 1 < n ? x[below] + (at - (double)below) * (x[below + 1] - x[below]) : x[below];
}

struct range {
    double least, most;
};

static void put_box(struct plot_data *d, uint32_t policy, uint32_t position, const double *x,
                    size_t n, struct range *range)
{
    static const double q[] = {0.05, 0.25, 0.5, 0.75, 0.95};

    out_int(d->out, policy + 1);
    plot_cell(d, position);
    for (size_t i = 0; i < sizeof(q) / sizeof(*q); i++)
        plot_cell(d, plot_quantile(x, n, q[i]));
    range->least = fmin(range->least, plot_quantile(x, n, q[0]));
    range->most = fmax(range->most, fmax(stats_mean(x, (uint32_t)n), plot_quantile(x, n, q[4])));
    plot_cell(d, stats_mean(x, (uint32_t)n));
    plot_cell(d, (double)n);
    out_char(d->out, '\n');
}

static void put_boxes(const struct plot_set *s, struct plot_data *d, uint32_t policy,
                      const struct plot_values *v, const uint32_t *position, struct range *range)
{
    double *x = arena_get(s->arena, (v->n + 1) * sizeof(*x));

    plot_block(d, "policy\tclass\tq05\tq25\tmedian\tq75\tq95\tmean\tjobs");
    for (uint32_t c = 0; c < CLASSES; c++) {
        size_t n = 0;
        for (size_t i = 0; i < v->n; i++)
            if (class_of(v->value[i].gpus) == c)
                x[n++] = v->value[i].x;
        if (n > 0)
            put_box(d, policy, position[c], x, n, range);
    }
    if (v->n == 0)
        out_printf(d->out, "%u\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\t0\n", policy + 1);
}

/* Names and positions, from 1, of the classes that have jobs. */
static uint32_t put_classes(const struct plot_set *s, struct plot_data *d,
                            const struct plot_values *v, uint32_t *position)
{
    uint32_t n = 0;

    memset(position, 0, CLASSES * sizeof(*position));
    for (uint32_t p = 0; p < s->cmp.n; p++)
        for (size_t i = 0; i < v[p].n; i++)
            position[class_of(v[p].value[i].gpus)] = 1;
    plot_block(d, "class\tname");
    for (uint32_t c = 0; c < CLASSES; c++) {
        if (!position[c])
            continue;
        position[c] = ++n;
        out_int(d->out, n);
        plot_cell_text(d, class_name(s->arena, c));
        out_char(d->out, '\n');
    }
    return n;
}

static bool put_all_boxes(const struct plot_set *s, struct plot_data *d, enum plot_measure m)
{
    struct plot_values *v = arena_get(s->arena, s->cmp.n * sizeof(*v));
    struct range range = {INFINITY, 0};
    uint32_t position[CLASSES], classes = 0;
    bool ok = true;

    memset(v, 0, s->cmp.n * sizeof(*v));
    for (uint32_t p = 0; ok && p < s->cmp.n; p++)
        ok = plot_measure(s, p, m, &v[p]);
    if (ok)
        classes = put_classes(s, d, v, position);
    for (uint32_t p = 0; ok && p < s->cmp.n; p++)
        put_boxes(s, d, p, &v[p], position, &range);
    for (uint32_t p = 0; p < s->cmp.n; p++)
        mem_drop(v[p].value);
    if (ok && classes == 0)
        return plot_leave(d, no_jobs);
    if (!ok)
        return false;
    plot_count(d, "measure", m);
    plot_count(d, "classes", classes);
    plot_number(d, "least", range.least);
    plot_number(d, "most", range.most);
    return true;
}

bool plot_jct_box(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    return put_all_boxes(s, d, PLOT_JCT);
}

bool plot_slowdown_box(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    (void)policy;
    return put_all_boxes(s, d, PLOT_SLOWDOWN);
}
