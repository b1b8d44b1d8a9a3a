/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of learning curves side by side: metrics by time, last metrics, early against last ranks. */
#include <math.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/curve_sets.h"
#include "analysis/plot_kinds.h"

#define TIMES   60u  /* points by time, at most; else one an epoch */
#define STEPS   200u /* of the distribution of last metrics, at most */
#define LONGEST 24u

static const double bands[] = {0.1, 0.5, 0.9};
#define BANDS (sizeof(bands) / sizeof(*bands))

static void put_labels(struct arena *a, struct plot_data *d, const struct curve_set *set,
                       uint32_t n)
{
    out_text(d->out, "number\tlabel\ttrials\n");
    for (uint32_t i = 0; i < n; i++) {
        out_int(d->out, i + 1);
        plot_cell_text(d, plot_clean(a, set[i].label, LONGEST));
        out_printf(d->out, "\t%u\n", set[i].facts.trials);
    }
}

/* At each time: quantiles of the metric and its rank correlation with the last one. */
static void put_times(struct plot_data *d, const struct curve_set *set, double *room)
{
    const struct curves *c = set->curves;
    uint32_t times = set->facts.epochs < TIMES ? set->facts.epochs : TIMES;
    double *now = room, *last = room + c->trials, *work = room + 2 * (size_t)c->trials;

    plot_block(d, "time\tlow\tmiddle\thigh\trank");
    for (uint32_t i = 1; i <= times; i++) {
        double t = (double)i / times;
        curve_metrics(c, t, now);
        curve_metrics(c, 1, last);
        double rank = gsl_stats_spearman(now, 1, last, 1, c->trials, work);
        gsl_sort(now, 1, c->trials);
        out_printf(d->out, "%.3f", t);
        for (size_t q = 0; q < BANDS; q++)
            plot_cell(d, gsl_stats_quantile_from_sorted_data(now, 1, c->trials, bands[q]));
        plot_cell(d, rank);
        out_char(d->out, '\n');
    }
}

static void put_last(struct plot_data *d, const struct curves *c, double *last, double range[2])
{
    uint32_t steps = c->trials < STEPS ? c->trials : STEPS;

    curve_metrics(c, 1, last);
    gsl_sort(last, 1, c->trials);
    plot_block(d, "metric\tshare");
    for (uint32_t i = 0; i <= steps; i++) {
        double share = (double)i / steps;
        double x = gsl_stats_quantile_from_sorted_data(last, 1, c->trials, share);
        out_printf(d->out, "%.9g\t%.4f\n", x, share);
    }
    range[0] = fmin(range[0], gsl_stats_quantile_from_sorted_data(last, 1, c->trials, 0.02));
    range[1] = fmax(range[1], gsl_stats_quantile_from_sorted_data(last, 1, c->trials, 0.98));
}

bool curve_sets_plot(struct arena *a, struct diag *diag, const struct plot_request *r,
                     const struct curve_set *set, uint32_t n)
{
    static const struct plot_kind kind = {
        .name = "curve_sets", .about = "sets of learning curves", .script = "curve_sets"};
    struct plot_data d = {.out = out_create(diag, arena_printf(a, "%s/curve_sets.tsv", r->out))};
    double range[2] = {INFINITY, -INFINITY};

    if (!d.out)
        return false;
    put_labels(a, &d, set, n);
    for (uint32_t i = 0; i < n; i++)
        put_times(&d, &set[i], arena_get(a, 4 * (size_t)set[i].facts.trials * sizeof(double)));
    for (uint32_t i = 0; i < n; i++)
        put_last(&d, set[i].curves, arena_get(a, set[i].facts.trials * sizeof(double)), range);
    plot_count(&d, "policies", n);
    plot_count(&d, "falls", set[0].curves->falls);
    plot_number(&d, "least", range[0]);
    plot_number(&d, "most", range[1] > range[0] ? range[1] : range[0] + 1);
    if (!out_commit(d.out) || !plot_write_script(r, diag, "curve_sets", &kind, &d))
        return false;
    const char *program = plot_program(a);
    return (!program || plot_draw(a, diag, program, r, "curve_sets")) && plot_can_draw(a, diag);
}
