/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs at work and jobs waiting, from series.csv. */
#include <math.h>
#include <string.h>

#include "analysis/plot_kinds.h"
#include "analysis/plot_loads.h"
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

/* Of shared GPUs, in the place of those held and running: on how many some job computes, and their
 * work; jobs waiting as they are. */
static void merge_loads(struct levels *all, const struct plot_loads *loads)
{
    struct levels both = {0};
    struct level now = {.t = 0};

    for (size_t i = 0, k = 0; i < all->n || k < loads->n;) {
        bool is_load = i == all->n || (k < loads->n && loads->load[k].t <= all->level[i].t);
        bool same = both.n > 0;
        now.t = is_load ? loads->load[k].t : all->level[i].t;
        if (is_load) {
            now.x[HELD] = loads->load[k].active;
            now.x[RUNNING] = loads->load[k++].work;
        } else {
            now.x[WAITING] = all->level[i++].x[WAITING];
        }
        same = same && both.level[both.n - 1].t == now.t;
        both.level = mem_room(both.level, both.n, &both.cap, sizeof(*both.level));
        both.level[same ? both.n - 1 : both.n++] = now;
    }
    mem_drop(all->level);
    *all = both;
}

static bool add_loads(const struct plot_set *s, const struct result *r, struct levels *all)
{
    struct plot_loads loads = {0};
    bool ok = plot_loads(s->diag, plot_input(s, r, "events.csv"), &loads);

    if (ok)
        merge_loads(all, &loads);
    mem_drop(loads.load);
    return ok;
}

static void put_level(struct plot_data *d, uint32_t policy, const struct level *l)
{
    out_int(d->out, policy + 1);
    plot_cell(d, l->t);
    for (int i = 0; i < LEVELS; i++)
        plot_cell(d, l->x[i]);
    out_char(d->out, '\n');
}

/* The mean over each of BINS equal times; after its end a run has none of anything. */
static void means_of(const struct levels *all, double end, struct level *means)
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
        means[b] = mean;
    }
}

static void put_means(struct plot_data *d, uint32_t policy, const struct levels *all, double end)
{
    struct level means[BINS];

    means_of(all, end, means);
    for (uint32_t b = 0; b < BINS; b++)
        put_level(d, policy, &means[b]);
}

static bool put_run(const struct plot_set *s, struct plot_data *d, uint32_t policy,
                    const char *path, double *waiting, bool *means)
{
    const struct result *r = s->first[policy];
    struct levels all = {0};
    bool shared = metric_applies(r->value, M_GPU_ACTIVE_SHARE);
    bool ok = read_series(s, path, &all) && (!shared || add_loads(s, r, &all));

    plot_block(d, shared ? "policy\ttime_s\tgpus_active\tgpus_work\tjobs_waiting"
                         : "policy\ttime_s\tgpus_held\tgpus_running\tjobs_waiting");
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
    bool means = false, shared = false;

    (void)policy;
    for (uint32_t p = 0; p < s->cmp.n; p++) {
        const struct result *r = s->first[p];
        const char *path = plot_input(s, r, "series.csv");
        if (!path)
            return plot_leave(d, "a run has no series.csv; write_series: true makes it");
        shared |= metric_applies(r->value, M_GPU_ACTIVE_SHARE);
        if (shared && !plot_input(s, r, "events.csv"))
            return plot_leave(d, "a run has no events.csv, which shared GPUs need; write_events: "
                                 "true makes it");
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
    plot_count(d, "shared", shared);
    return true;
}

/* ---- the queue ---- */

/* One run's means of jobs waiting, as a column of x. */
static bool add_queue(const struct plot_set *s, const char *path, double end, double *x)
{
    struct levels all = {0};
    struct level means[BINS];
    bool ok = read_series(s, path, &all);

    if (ok)
        means_of(&all, end, means);
    for (uint32_t b = 0; ok && b < BINS; b++)
        x[b] = means[b].x[WAITING];
    mem_drop(all.level);
    return ok;
}

static void put_queue(struct plot_data *d, uint32_t policy, double end, const double *x, uint32_t n)
{
    double *column = mem_get((n + 1) * sizeof(*column));

    plot_block(d, "policy\ttime_s\tjobs_waiting\tlow\thigh");
    for (uint32_t b = 0; b < BINS; b++) {
        for (uint32_t i = 0; i < n; i++)
            column[i] = x[i * BINS + b];
        struct interval v = interval_of(column, n);
        out_int(d->out, policy + 1);
        plot_cell(d, end * (b + 0.5) / BINS);
        plot_cell(d, v.mean);
        plot_cell(d, v.low);
        plot_cell(d, v.high);
        out_char(d->out, '\n');
    }
    mem_drop(column);
}

static double latest_end(const struct plot_set *s)
{
    double end = 0;

    for (uint32_t i = 0; i < s->results->n; i++)
        end = fmax(end, (double)s->results->result[i].value[M_END].time / 1e9);
    return end;
}

static bool put_policy_queue(const struct plot_set *s, struct plot_data *d, uint32_t policy,
                             double end)
{
    const struct results *all = s->results;
    double *x = mem_get((size_t)all->n * BINS * sizeof(*x));
    uint32_t n = 0;
    bool ok = true;

    for (uint32_t i = 0; ok && i < all->n; i++) {
        const struct result *r = &all->result[i];
        const char *path = NULL;
        if (strcmp(r->label, s->cmp.policy[policy].label) == 0)
            path = plot_input(s, r, "series.csv");
        if (path)
            ok = add_queue(s, path, end, x + (size_t)n++ * BINS);
    }
    if (ok)
        put_queue(d, policy, end, x, n);
    mem_drop(x);
    return ok;
}

static bool any_series(const struct plot_set *s)
{
    for (uint32_t i = 0; i < s->results->n; i++)
        if (plot_input(s, &s->results->result[i], "series.csv"))
            return true;
    return false;
}

bool plot_queue(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    double end = latest_end(s);

    (void)policy;
    if (!any_series(s))
        return plot_leave(d, "no run has a series.csv; write_series: true makes it");
    if (end == 0)
        return plot_leave(d, "the runs end when they begin");
    for (uint32_t p = 0; p < s->cmp.n; p++)
        if (!put_policy_queue(s, d, p, end))
            return false;
    plot_number(d, "last", end);
    plot_number(d, "unit", plot_unit(end));
    return true;
}
