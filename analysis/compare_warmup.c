/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare_warmup.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/dist.h"
#include "analysis/stats.h"
#include "analysis/story_text.h"
#include "sim/text/csv.h"

/* ---- jobs that are done, in the order of their ends ---- */

struct done {
    sim_time submit, end, jct, wait, run;
};

struct done_list { /* zero-initialised */
    struct done *job;
    uint32_t n;
    size_t cap;
};

static bool read_rows(struct csv *csv, struct done_list *list)
{
    static const char *const names[] = {"submit_s", "end_s", "jct_s", "wait_s",
                                        "run_s",    "ended", NULL};
    int col[6], row;
    size_t len;

    if (!csv_require(csv, names))
        return false;
    for (int i = 0; i < 6; i++)
        col[i] = csv_column(csv, names[i]);
    while ((row = csv_next(csv)) > 0) {
        const char *ended = csv_cell(csv, col[5], &len);
        struct done d = {0};
        sim_time *field[] = {&d.submit, &d.end, &d.jct, &d.wait, &d.run};
        if (len != 3 || memcmp(ended, "end", 3) != 0)
            continue;
        for (int i = 0; i < 5; i++)
            if (!csv_seconds(csv, col[i], 0, SIM_NEVER - 1, field[i]))
                return false;
        list->job = mem_room(list->job, list->n, &list->cap, sizeof(*list->job));
        list->job[list->n++] = d;
    }
    return row == 0;
}

/* false: reported. mem_drop frees the jobs in any case. */
static bool read_done(struct diag *d, const char *path, struct done_list *list)
{
    struct csv *csv = csv_open(d, path);
    bool ok = csv && read_rows(csv, list);

    if (csv)
        csv_close(csv);
    return ok;
}

/* ---- where a run settles ---- */

/* The end of the last job that is left out; 0: none is. false: it does not settle. */
static bool settles(const struct done_list *list, sim_time *at)
{
    double *jct = mem_get((list->n + 1) * sizeof(*jct));

    for (uint32_t i = 0; i < list->n; i++)
        jct[i] = (double)list->job[i].jct / 1e9;
    struct truncation t = stats_mser5(jct, list->n);
    mem_drop(jct);
    *at = t.first > 0 ? list->job[t.first - 1].end : 0;
    return t.converged;
}

/* ---- metrics of what is left ---- */

static void put_time(struct metric_value *v, sim_time x)
{
    *v = (struct metric_value){true, x, 0};
}

static void put_dist(struct metric_value *v, struct dist *jct, struct dist *wait)
{
    put_time(&v[M_JCT_MEAN], dist_mean(jct));
    put_time(&v[M_JCT_P50], dist_quantile(jct, 0.5));
    put_time(&v[M_JCT_P90], dist_quantile(jct, 0.9));
    put_time(&v[M_JCT_P99], dist_quantile(jct, 0.99));
    put_time(&v[M_JCT_MAX], dist_quantile(jct, 1));
    put_time(&v[M_WAIT_MEAN], dist_mean(wait));
    put_time(&v[M_WAIT_P50], dist_quantile(wait, 0.5));
    put_time(&v[M_WAIT_P99], dist_quantile(wait, 0.99));
    put_time(&v[M_WAIT_MAX], dist_quantile(wait, 1));
}

/* Values of the jobs submitted from a time on; how many those are. */
static uint32_t fold(const struct done_list *list, sim_time from, struct metric_value *v)
{
    struct dist jct = {0}, wait = {0};
    double sum = 0, most = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct done *d = &list->job[i];
        double slowdown = metrics_slowdown(d->jct, d->run);
        if (d->submit < from)
            continue;
        dist_add(&jct, d->jct);
        dist_add(&wait, d->wait);
        sum += slowdown;
        most = slowdown > most ? slowdown : most;
    }
    uint32_t n = (uint32_t)jct.n;
    if (n > 0) {
        put_dist(v, &jct, &wait);
        v[M_SLOWDOWN_MEAN] = (struct metric_value){true, 0, sum / n};
        v[M_SLOWDOWN_MAX] = (struct metric_value){true, 0, most};
    }
    dist_free(&jct);
    dist_free(&wait);
    return n;
}

/* ---- all runs of a case ---- */

struct removal {
    struct arena *arena;
    struct diag *diag;
    struct results *runs;
    sim_time *from;       /* of each run; then the latest of its seed */
    const char **why;     /* it cannot be done; NULL: it can */
    uint32_t least, most; /* jobs left */
};

static const char *jobs_path(const struct removal *x, uint32_t i)
{
    return arena_printf(x->arena, "%s/jobs.csv", x->runs->result[i].path);
}

/* One run at a time, so that memory is that of one. */
static bool find_ends(struct removal *x)
{
    for (uint32_t i = 0; i < x->runs->n; i++) {
        struct done_list list = {0};
        const char *path = jobs_path(x, i);
        if (access(path, F_OK) != 0) {
            x->why[i] = "has no jobs.csv";
            continue;
        }
        bool ok = read_done(x->diag, path, &list);
        if (ok && !settles(&list, &x->from[i]))
            x->why[i] = list.n < 50 ? "has fewer than 50 jobs done" : "does not settle";
        mem_drop(list.job);
        if (!ok)
            return false;
    }
    return true;
}

static void latest_of_seeds(struct removal *x)
{
    const struct result *r = x->runs->result;

    for (uint32_t i = 0; i < x->runs->n; i++)
        for (uint32_t k = 0; k < x->runs->n; k++)
            if (r[k].seed == r[i].seed && x->from[k] > x->from[i])
                x->from[i] = x->from[k];
}

static bool fold_all(struct removal *x, struct metric_value (*values)[METRICS])
{
    x->least = UINT32_MAX;
    for (uint32_t i = 0; i < x->runs->n; i++) {
        struct done_list list = {0};
        bool ok = read_done(x->diag, jobs_path(x, i), &list);
        memcpy(values[i], x->runs->result[i].value, sizeof(values[i]));
        uint32_t n = ok ? fold(&list, x->from[i], values[i]) : 0;
        mem_drop(list.job);
        if (!ok)
            return false;
        x->why[i] = n > 0 ? NULL : "has no job that was submitted after it";
        x->least = n < x->least ? n : x->least;
        x->most = n > x->most ? n : x->most;
    }
    return true;
}

/* The reason why nothing is removed, or NULL. */
static const char *obstacle(const struct removal *x)
{
    uint32_t n = 0, first = 0;

    for (uint32_t i = x->runs->n; i-- > 0;)
        if (x->why[i]) {
            n++;
            first = i;
        }
    if (n == 0)
        return NULL;
    struct out *o = out_memory();
    size_t len;
    out_text(o, "no warm-up is removed, values are of all jobs: ");
    say_safe(o, x->runs->result[first].label);
    out_printf(o, " with seed %llu %s", (unsigned long long)x->runs->result[first].seed,
               x->why[first]);
    if (n > 1)
        out_printf(o, "; %u of %u runs stand in the way", n, x->runs->n);
    const char *text = out_data(o, &len);
    text = arena_text(x->arena, text, len);
    out_drop(o);
    return text;
}

static const char *success(const struct removal *x)
{
    sim_time low = x->from[0], high = x->from[0];
    struct out *o = out_memory();
    size_t len;

    for (uint32_t i = 1; i < x->runs->n; i++) {
        low = x->from[i] < low ? x->from[i] : low;
        high = x->from[i] > high ? x->from[i] : high;
    }
    out_text(o, "without warm-up (MSER-5): JCT, wait and slowdown are of the jobs submitted from ");
    out_seconds(o, low);
    if (high > low) {
        out_text(o, " to ");
        out_seconds(o, high);
    }
    out_printf(o, " s on, by seed: %u", x->least);
    if (x->most > x->least)
        out_printf(o, " to %u", x->most);
    out_text(o, " jobs done a run");
    const char *text = out_data(o, &len);
    text = arena_text(x->arena, text, len);
    out_drop(o);
    return text;
}

bool warmup_remove(struct arena *a, struct diag *d, struct results *runs, const char **note)
{
    struct removal x = {.arena = a, .diag = d, .runs = runs};
    struct metric_value(*values)[METRICS] = arena_get(a, (runs->n + 1) * sizeof(*values));

    x.from = arena_get(a, (runs->n + 1) * sizeof(*x.from));
    x.why = arena_get(a, (runs->n + 1) * sizeof(char *));
    if (!find_ends(&x))
        return false;
    *note = obstacle(&x);
    if (*note)
        return true;
    latest_of_seeds(&x);
    if (!fold_all(&x, values))
        return false;
    *note = obstacle(&x);
    if (*note)
        return true;
    for (uint32_t i = 0; i < runs->n; i++)
        memcpy(runs->result[i].value, values[i], sizeof(values[i]));
    *note = success(&x);
    return true;
}
