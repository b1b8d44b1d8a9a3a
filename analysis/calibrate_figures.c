/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is a figure rather than a fit: memory, launches, copies, links, contexts, shared GPUs. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/calibrate.h"
#include "analysis/relative_fit.h"

void calib_add_figure(struct arena *a, struct calibration *c, const char *name, double value,
                      const char *unit, const char *from)
{
    struct gpu_figure *all;

    if (!isnan(gpu_cost_figure(&c->cost, name)) || !(value > 0))
        return;
    all = arena_get(a, (c->cost.n_figures + 1) * sizeof(*all));
    if (c->cost.n_figures)
        memcpy(all, c->cost.figure, c->cost.n_figures * sizeof(*all));
    all[c->cost.n_figures++] = (struct gpu_figure){name, value, unit, from};
    c->cost.figure = all;
}

static double median(double *x, size_t n)
{
    gsl_sort(x, 1, n);
    return gsl_stats_median_from_sorted_data(x, 1, n);
}

/* B/s of a row of copies or streams. */
static double rate(const struct series *s, size_t i)
{
    int bytes = series_column(s, "bytes");
    double result = series_cell(s, i, s->result);

    if (s->is_rate)
        return result;
    return bytes < 0 ? 0 : series_cell(s, i, (size_t)bytes) / result;
}

/* The best of a series: large copies, full occupancy. */
static double best_rate(const struct series *s)
{
    double best = 0;

    for (size_t i = 0; i < s->rows; i++)
        best = fmax(best, rate(s, i));
    return best;
}

/* Sustained device memory: the median over kernels that read and write of the best of each. */
static void memory(struct arena *a, struct calibration *c)
{
    static const char *const kinds[] = {"scale", "copy", "add", "triad", NULL};
    double *found = arena_get(a, 4 * c->n_runs * sizeof(*found) + 1);
    size_t n = 0;

    for (uint32_t r = 0; r < c->n_runs; r++)
        for (size_t i = 0; i < c->run[r]->count; i++)
            for (int k = 0; kinds[k]; k++) {
                const struct series *s = &c->run[r]->series[i];
                if (strcmp(s->op->name, "stream") == 0 && strcmp(s->kind, kinds[k]) == 0 &&
                    n < 4 * (size_t)c->n_runs)
                    found[n++] = best_rate(s);
            }
    if (n > 0)
        calib_add_figure(a, c, "memory", median(found, n), "B/s", "");
}

/* Times of a series: launches, allocations, contexts. */
static double typical(struct arena *a, const struct series *s, bool least)
{
    double *t = arena_get(a, s->rows * sizeof(*t));

    for (size_t i = 0; i < s->rows; i++)
        t[i] = series_cell(s, i, s->result);
    gsl_sort(t, 1, s->rows);
    return least ? t[0] : gsl_stats_median_from_sorted_data(t, 1, s->rows);
}

/* All-reduce by ring: 2 (g - 1) hops, 2 (g - 1) / g of the bytes over each link. */
static bool all_reduce(struct arena *a, struct diag *d, struct calibration *c,
                       const struct series *s)
{
    int bytes = series_column(s, "bytes"), gpus = series_column(s, "gpus");
    double *amount = arena_get(a, 2 * s->rows * sizeof(*amount));
    double *time = arena_get(a, s->rows * sizeof(*time));
    struct relative_fit fit;

    for (size_t i = 0; i < s->rows; i++) {
        double g = series_cell(s, i, (size_t)gpus);
        amount[2 * i] = 2 * (g - 1);
        amount[2 * i + 1] = 2 * (g - 1) / g * series_cell(s, i, (size_t)bytes);
        time[i] = series_cell(s, i, s->result);
    }
    if (relative_fit(s->rows, 2, amount, time, NULL, &fit) != RELATIVE_FIT_OK)
        return diag_error(d, s->at,
                          "all_reduce %s: no latency and bandwidth describe its times; wanted 3 or "
                          "more, of several sizes",
                          s->kind);
    calib_add_figure(a, c, arena_printf(a, "all_reduce %s hop", s->kind), fit.x[0], "s", "");
    if (fit.x[1] > 0)
        calib_add_figure(a, c, arena_printf(a, "all_reduce %s bus", s->kind), 1 / fit.x[1], "B/s",
                         "");
    return true;
}

/* The work of so many processes together, of that of one. */
static void shared(struct arena *a, struct calibration *c, const struct series *s)
{
    int processes = series_column(s, "processes");

    for (size_t i = 0; i < s->rows; i++)
        calib_add_figure(
            a, c, arena_printf(a, "shared %s %.0f", s->kind, series_cell(s, i, (size_t)processes)),
            series_cell(s, i, s->result), "1", "");
}

static bool figure_of(struct arena *a, struct diag *d, struct calibration *c,
                      const struct series *s)
{
    const char *op = s->op->name, *name = arena_printf(a, *s->kind ? "%s %s" : "%s", op, s->kind);

    if (s->rows == 0)
        return true;
    if (strcmp(op, "launch") == 0 && !s->is_rate)
        calib_add_figure(a, c, name, typical(a, s, true), "s", "");
    else if (strcmp(op, "copy") == 0 || strcmp(op, "peer") == 0)
        calib_add_figure(a, c, name, best_rate(s), "B/s", "");
    else if (strcmp(op, "allocate") == 0 || strcmp(op, "context") == 0)
        calib_add_figure(a, c, name, typical(a, s, false), "s", "");
    else if (strcmp(op, "shared") == 0)
        shared(a, c, s);
    else if (strcmp(op, "all_reduce") == 0 && !s->is_rate)
        return all_reduce(a, d, c, s);
    return true;
}

bool calib_figures(struct arena *a, struct diag *d, struct calibration *c)
{
    bool ok = true;

    memory(a, c);
    for (uint32_t r = 0; r < c->n_runs; r++)
        for (size_t i = 0; i < c->run[r]->count; i++)
            ok &= figure_of(a, d, c, &c->run[r]->series[i]);
    return ok;
}
