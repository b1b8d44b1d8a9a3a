/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs at work and jobs waiting, from series.csv. */
#include <math.h>

#include "analysis/plot_kinds.h"
#include "sim/text/csv.h"

#define BINS 500u /* of a run with more than PLOT_STEPS changes */

enum { HELD, RUNNING, WAITING, LEVELS };

struct level {
    double t, x[LEVELS]; /* from t on */
};

struct levels {
    struct level *level;
    size_t n, cap;
};

static bool read_row(struct csv *csv, const int *col, struct level *l)
{
    sim_time t;

    if (!csv_seconds(csv, col[0], 0, SIM_LATEST, &t))
        return false;
    l->t = (double)t / 1e9;
    for (int i = 0; i < LEVELS; i++) {
        int64_t x;
        if (!csv_int(csv, col[i + 1], 0, INT64_MAX, &x))
            return false;
        l->x[i] = (double)x;
    }
    return true;
}

static bool read_series(const struct plot_set *s, const char *path, struct levels *all)
{
    static const char *const wanted[] = {"time_s", "gpus_held", "gpus_running", "jobs_waiting",
                                         NULL};
    struct csv *csv = csv_open(s->diag, path);
    int col[LEVELS + 1], got = csv && csv_require(csv, wanted) ? 1 : -1;

    for (int i = 0; got > 0 && i <= LEVELS; i++)
        col[i] = csv_column(csv, wanted[i]);
    while (got > 0 && (got = csv_next(csv)) > 0) {
        all->level = mem_room(all->level, all->n, &all->cap, sizeof(*all->level));
        if (!read_row(csv, col, &all->level[all->n++]))
            got = -1;
    }
    csv_close(csv);
    return got == 0;
}

static void put_level(struct plot_data *d, uint32_t policy, const struct level *l)
{
    out_int(d->out, policy + 1);
    plot_cell(d, l->t);
    for (int i = 0; i < LEVELS; i++)
        plot_cell(d, l->x[i]);
    out_char(d->out, '\n');
}

/* The mean over each of BINS equal times. */
static void put_means(struct plot_data *d, uint32_t policy, const struct levels *all, double end)
{
    size_t k = 0;

    for (uint32_t b = 0; b < BINS; b++) {
        double from = end * b / BINS, to = end * (b + 1) / BINS;
        struct level mean = {.t = from};
        while (k > 0 && all->level[k].t > from)
            k--;
        for (; k < all->n && all->level[k].t < to; k++) {
            double upto = k + 1 < all->n && all->level[k + 1].t < to ? all->level[k + 1].t : to;
            double since = all->level[k].t > from ? all->level[k].t : from;
            for (int i = 0; i < LEVELS && upto > since; i++)
                mean.x[i] += all->level[k].x[i] * (upto - since) / (to - from);
        }
        k -= k > 0;
        put_level(d, policy, &mean);
    }
}

static bool put_run(const struct plot_set *s, struct plot_data *d, uint32_t policy,
                    const char *path, double *waiting, bool *means)
{
    struct levels all = {0};
    bool ok = read_series(s, path, &all);

    plot_block(d, "policy\ttime_s\tgpus_held\tgpus_running\tjobs_waiting");
    if (ok && all.n > 0) {
        double end = all.level[all.n - 1].t;
        for (size_t i = 0; i < all.n; i++)
            *waiting = fmax(*waiting, all.level[i].x[WAITING]);
        *means |= all.n > PLOT_STEPS;
        if (all.n > PLOT_STEPS)
            put_means(d, policy, &all, end);
        for (size_t i = 0; all.n <= PLOT_STEPS && i < all.n; i++)
            put_level(d, policy, &all.level[i]);
        put_level(d, policy, &(struct level){.t = end});
    }
    mem_drop(all.level);
    return ok;
}

bool plot_utilisation(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    double last = 0, waiting = 0, gpus = 1;
    bool means = false;

    (void)policy;
    for (uint32_t p = 0; p < s->cmp.n; p++) {
        const struct result *r = s->first[p];
        const char *path = plot_input(s, r, "series.csv");
        if (!path)
            return plot_leave(d, "a run has no series.csv; write_series: true makes it");
        if (!put_run(s, d, p, path, &waiting, &means))
            return false;
        last = fmax(last, (double)r->value[M_END].time / 1e9);
        gpus = fmax(gpus, r->value[M_GPUS].number);
    }
    if (last == 0)
        return plot_leave(d, "the runs end when they begin");
    plot_number(d, "last", last);
    plot_number(d, "unit", plot_unit(last));
    plot_number(d, "gpus", gpus);
    plot_number(d, "waiting", waiting > 0 ? waiting : 1);
    plot_count(d, "means", means);
    return true;
}
