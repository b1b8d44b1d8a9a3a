/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot_jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/text/csv.h"

const char *const plot_measure_name[PLOT_MEASURES] = {"jct_s", "bounded_slowdown",
                                                      "finish_time_fairness"};

#define BOUND_S 10.0 /* of the bounded slowdown, as metrics have it */

struct job {
    double submit, end, jct, run, lost;
    uint32_t gpus;
    bool done;
};

struct jobs {
    struct job *job;
    size_t n, cap;
};

/* ---- rows ---- */

enum { ENDED, GPUS, SUBMIT, END, JCT, RUN, LOST, COLUMNS };

static bool read_time(struct csv *csv, int col, double *s)
{
    sim_time t;

    if (!csv_seconds(csv, col, 0, SIM_LATEST, &t))
        return false;
    *s = (double)t / 1e9;
    return true;
}

/* A job that has not ended stays until the run ends. */
static bool read_job(struct csv *csv, const int *col, double end, struct job *j)
{
    size_t len, n_ended;
    int64_t gpus;
    const char *ended = csv_cell(csv, col[ENDED], &n_ended);

    *j = (struct job){.end = end, .done = n_ended == 3 && memcmp(ended, "end", 3) == 0};
    csv_cell(csv, col[END], &len);
    if (!csv_int(csv, col[GPUS], 0, UINT32_MAX, &gpus) ||
        !read_time(csv, col[SUBMIT], &j->submit) || (len > 0 && !read_time(csv, col[END], &j->end)))
        return false;
    j->gpus = (uint32_t)gpus;
    return !j->done || (read_time(csv, col[JCT], &j->jct) && read_time(csv, col[RUN], &j->run) &&
                        read_time(csv, col[LOST], &j->lost));
}

static bool read_jobs(const struct plot_set *s, const char *path, double end, struct jobs *all)
{
    static const char *const wanted[] = {"ended", "gpus",  "submit_s", "end_s",
                                         "jct_s", "run_s", "lost_s",   NULL};
    struct csv *csv = csv_open(s->diag, path);
    int col[COLUMNS], got = csv && csv_require(csv, wanted) ? 1 : -1;

    for (int i = 0; got > 0 && i < COLUMNS; i++)
        col[i] = csv_column(csv, wanted[i]);
    while (got > 0 && (got = csv_next(csv)) > 0) {
        all->job = mem_room(all->job, all->n, &all->cap, sizeof(*all->job));
        if (!read_job(csv, col, end, &all->job[all->n++]))
            got = -1;
    }
    csv_close(csv);
    return got == 0;
}

/* ---- jobs in the system ---- */

struct change {
    double t, by; /* jobs come or go */
    double area;  /* job seconds up to t */
};

static int by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->t != y->t)
        return x->t > y->t ? 1 : -1;
    return (x->by > y->by) - (x->by < y->by);
}

/* Of two changes a job, their order and areas. */
static struct change *changes_of(const struct jobs *all)
{
    struct change *c = mem_get(2 * all->n * sizeof(*c));
    double in = 0;

    for (size_t i = 0; i < all->n; i++) {
        c[2 * i] = (struct change){all->job[i].submit, 1, 0};
        c[2 * i + 1] = (struct change){all->job[i].end, -1, 0};
    }
    qsort(c, 2 * all->n, sizeof(*c), by_time);
    for (size_t i = 1; i < 2 * all->n; i++) {
        in += c[i - 1].by;
        c[i].area = c[i - 1].area + in * (c[i].t - c[i - 1].t);
    }
    return c;
}

/* Up to the time of a change. */
static double area_at(const struct change *c, size_t n, double t)
{
    size_t lo = 0, hi = n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (c[mid].t < t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n ? c[lo].area : 0;
}

/* ---- values ---- */

static void add(struct plot_values *v, double x, uint32_t gpus)
{
    if (!(x > 0) || !isfinite(x))
        return;
    v->value = mem_room(v->value, v->n, &v->cap, sizeof(*v->value));
    v->value[v->n++] = (struct plot_value){x, gpus};
}

static void add_fairness(const struct jobs *all, double gpus, struct plot_values *v)
{
    struct change *c = all->n > 0 ? changes_of(all) : NULL;

    for (size_t i = 0; i < all->n; i++) {
        const struct job *j = &all->job[i];
        if (!j->done || !(j->jct > 0))
            continue;
        double n = (area_at(c, 2 * all->n, j->end) - area_at(c, 2 * all->n, j->submit)) /
                   (j->end - j->submit);
        add(v, j->jct / ((j->run - j->lost) * fmax(1, j->gpus * n / gpus)), j->gpus);
    }
    mem_drop(c);
}

static void add_values(const struct jobs *all, double gpus, enum plot_measure m,
                       struct plot_values *v)
{
    if (m == PLOT_FAIRNESS) {
        add_fairness(all, gpus, v);
        return;
    }
    for (size_t i = 0; i < all->n; i++) {
        const struct job *j = &all->job[i];
        if (j->done)
            add(v, m == PLOT_JCT ? j->jct : fmax(1, j->jct / fmax(j->run, BOUND_S)), j->gpus);
    }
}

static int by_size(const void *a, const void *b)
{
    const struct plot_value *x = a, *y = b;

    if (x->x != y->x)
        return x->x > y->x ? 1 : -1;
    return (x->gpus > y->gpus) - (x->gpus < y->gpus);
}

bool plot_measure(const struct plot_set *s, uint32_t policy, enum plot_measure m,
                  struct plot_values *v)
{
    for (uint32_t i = 0; i < s->results->n; i++) {
        const struct result *r = &s->results->result[i];
        const char *path = NULL;
        struct jobs all = {0};
        if (strcmp(r->label, s->cmp.policy[policy].label) == 0)
            path = plot_input(s, r, "jobs.csv");
        bool ok = !path || read_jobs(s, path, (double)r->value[M_END].time / 1e9, &all);
        if (ok && path)
            add_values(&all, r->value[M_GPUS].number, m, v);
        mem_drop(all.job);
        if (!ok)
            return false;
    }
    if (v->n > 0)
        qsort(v->value, v->n, sizeof(*v->value), by_size);
    return true;
}
