/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/trail.h"

#include <math.h>

#include "policies/lib/grow.h"

const char *const trail_measures[] = {"cumulative", "marginal", "metric", "slope", "final", NULL};

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

static double loss_of(const struct job_view *v, double metric)
{
    return (metric - v->metric_ideal) / (v->metric_start - v->metric_ideal);
}

/* How far it will have converged in the end; one that diverges before comes after all others. */
static double truth(struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    double metric = sim_true_metric(cx, j, v->epochs);

    return isnan(metric) ? -INFINITY : START - loss_of(v, metric);
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

void trail_add(struct trail *t, const struct trail_rules *r, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    double loss = loss_of(v, v->metric);

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
    t->score[t->n - 1] = r->measure == MEASURE_FINAL ? truth(cx, j) : score(t, r);
}
