/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/trail.h"

#include <string.h>

const char *const trail_measures[] = {"cumulative", "marginal", "metric", "slope", NULL};

void trail_begin(struct trail *t)
{
    t->n = 0;
    t->largest_drop = 0;
}

static double *longer(struct cx *cx, const double *old, uint32_t n, uint32_t cap)
{
    double *a = sim_keep(cx, cap * sizeof(*a));

    if (n)
        memcpy(a, old, n * sizeof(*a));
    return a;
}

static void make_room(struct trail *t, struct cx *cx, uint32_t epochs)
{
    uint32_t cap = t->cap ? 2 * t->cap : epochs > 8 ? epochs : 8;

    if (t->n < t->cap)
        return;
    t->score = longer(cx, t->score, t->n, cap);
    t->smooth = longer(cx, t->smooth, t->n, cap);
    t->loss = longer(cx, t->loss, t->n, cap);
    t->cap = cap;
}

static double loss_of(const struct job_view *v, double metric)
{
    return v->metric_falls ? metric : 1 - metric;
}

/* A value so many reports before the last one; before the first, the start. */
static double back(const double *by_report, uint32_t last, int64_t window, double start)
{
    return window > last ? start : by_report[last - (uint32_t)window];
}

static double score(const struct trail *t, const struct trail_rules *r)
{
    uint32_t last = t->n - 1;

    switch (r->measure) {
    case MEASURE_CUMULATIVE:
        return t->start > 0 ? (t->start - t->smooth[last]) / t->start : 0;
    case MEASURE_MARGINAL:
        if (t->largest_drop <= 0)
            return 0;
        return (back(t->smooth, last, r->window, t->start) - t->smooth[last]) /
               ((double)r->window * t->largest_drop);
    case MEASURE_METRIC:
        return -t->loss[last];
    default:
        return (back(t->loss, last, r->window, t->start) - t->loss[last]) / (double)r->window;
    }
}

void trail_add(struct trail *t, const struct trail_rules *r, struct cx *cx,
               const struct job_view *v)
{
    double loss = loss_of(v, v->metric);

    make_room(t, cx, v->epochs);
    t->start = loss_of(v, v->metric_start);
    double before = t->n ? t->smooth[t->n - 1] : loss;
    double drop = (t->n ? t->loss[t->n - 1] : t->start) - loss;
    if (drop > t->largest_drop)
        t->largest_drop = drop;
    t->loss[t->n] = loss;
    t->smooth[t->n] = before + r->weight * (loss - before);
    t->n++;
    t->score[t->n - 1] = score(t, r);
}
