/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/trail.h"

#include "policies/lib/grow.h"

const char *const trail_measures[] = {"cumulative", "marginal", "metric", "slope", NULL};

void trail_begin(struct trail *t)
{
    t->n = 0;
    t->largest_drop = 0;
}

#define START 1.0 /* the loss before training */

/* A value so many reports before the last one; before the first, the start. */
static double back(const double *by_report, uint32_t last, int64_t window)
{
    return window > last ? START : by_report[last - (uint32_t)window];
}

static double score(const struct trail *t, const struct trail_rules *r)
{
    uint32_t last = t->n - 1;

    switch (r->measure) {
    case MEASURE_CUMULATIVE:
        return START - t->smooth[last];
    case MEASURE_MARGINAL:
        if (t->largest_drop <= 0)
            return 0;
        return (back(t->smooth, last, r->window) - t->smooth[last]) /
               ((double)r->window * t->largest_drop);
    case MEASURE_METRIC:
        return -t->loss[last];
    default:
        return (back(t->loss, last, r->window) - t->loss[last]) / (double)r->window;
    }
}

void trail_add(struct trail *t, const struct trail_rules *r, struct cx *cx,
               const struct job_view *v)
{
    double loss = (v->metric - v->metric_ideal) / (v->metric_start - v->metric_ideal);

    t->score = grow(cx, t->score, t->n, &t->cap[0], sizeof(double));
    t->smooth = grow(cx, t->smooth, t->n, &t->cap[1], sizeof(double));
    t->loss = grow(cx, t->loss, t->n, &t->cap[2], sizeof(double));
    double before = t->n ? t->smooth[t->n - 1] : loss;
    double drop = (t->n ? t->loss[t->n - 1] : START) - loss;
    if (drop > t->largest_drop)
        t->largest_drop = drop;
    t->loss[t->n] = loss;
    t->smooth[t->n] = before + r->weight * (loss - before);
    t->n++;
    t->score[t->n - 1] = score(t, r);
}
