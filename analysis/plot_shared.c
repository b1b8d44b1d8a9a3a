/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters that share their GPUs: slowdowns job by job, and how each job's batch is split. */
#include <math.h>
#include <string.h>

#include "analysis/events.h"
#include "analysis/plot_kinds.h"
#include "analysis/story_cluster.h"
#include "sim/base/utf8.h"
#include "sim/text/json.h"

/* ---- slowdown by job ---- */

#define MOST_JOBS 60u

struct slowdowns {
    double of[MOST_JOBS]; /* NAN: the job is not done */
    double most;          /* of all jobs */
    uint32_t jobs;
};

/* 1: a row was taken; 0: no more; -1: reported. */
static int take_row(struct csv *csv, const int *col, struct slowdowns *to)
{
    int64_t job;
    double x = NAN;
    size_t len;
    int got = csv_next(csv);

    if (got <= 0)
        return got;
    csv_cell(csv, col[1], &len);
    if (!csv_int(csv, col[0], 0, UINT32_MAX - 1, &job) ||
        (len > 0 && !csv_real(csv, col[1], 0, 1e18, &x)))
        return -1;
    to->jobs = job >= to->jobs ? (uint32_t)job + 1 : to->jobs;
    to->most = fmax(to->most, x);
    if (job < MOST_JOBS)
        to->of[job] = x;
    return 1;
}

static bool read_slowdowns(const struct plot_set *s, const char *path, struct slowdowns *to)
{
    static const char *const wanted[] = {"job", "slowdown", NULL};
    struct csv *csv = csv_open(s->diag, path);
    int col[2], got = csv && csv_require(csv, wanted) ? 1 : -1;

    *to = (struct slowdowns){.jobs = 0};
    for (uint32_t j = 0; j < MOST_JOBS; j++)
        to->of[j] = NAN;
    for (int i = 0; got > 0 && i < 2; i++)
        col[i] = csv_column(csv, wanted[i]);
    while (got > 0)
        got = take_row(csv, col, to);
    csv_close(csv);
    return got == 0;
}

static const char not_shared[] = "no cluster of these runs shares its GPUs";

bool plot_job_slowdown(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    struct slowdowns x;
    double most = 0;
    uint32_t jobs = 0;

    (void)policy;
    if (!s->shared)
        return plot_leave(d, not_shared);
    for (uint32_t p = 0; p < s->cmp.n; p++) {
        const char *path = plot_input(s, s->first[p], "jobs.csv");
        if (!path)
            return plot_leave(d, "a run has no jobs.csv; write_jobs: true makes it");
        if (!read_slowdowns(s, path, &x))
            return false;
        plot_block(d, "policy\tjob\tslowdown\tlargest");
        for (uint32_t j = 0; j < x.jobs && j < MOST_JOBS; j++) {
            out_int(d->out, p + 1);
            plot_cell(d, j);
            plot_cell(d, x.of[j]);
            plot_cell(d, x.most);
            out_char(d->out, '\n');
        }
        most = fmax(most, x.most);
        jobs = x.jobs > jobs ? x.jobs : jobs;
    }
    if (most == 0)
        return plot_leave(d, "no job is done");
    plot_count(d, "jobs", jobs < MOST_JOBS ? jobs : MOST_JOBS);
    plot_count(d, "all_jobs", jobs);
    plot_number(d, "most", most);
    return true;
}

/* ---- shares against time ---- */

#define PANELS 12u /* jobs, the first ones */
#define GROUPS 8u  /* GPUs, or, if there are more, GPU types */

struct step {
    sim_time t;
    double part[GROUPS]; /* of the batch, from t on */
};

struct panel {
    job_id job; /* NO_JOB: none yet, or it is gone */
    struct step *step;
    uint32_t n;
    size_t cap;
    sim_time end; /* it left */
    double alone, begin;
};

struct shares {
    struct panel panel[PANELS];
    uint32_t groups, jobs;
    const struct story_cluster *cluster;
    const char *type[GROUPS];
    bool by_type;
    sim_time shortest, end; /* steps that are shorter become one */
};

static uint32_t group_of(const struct shares *x, gpu_id g)
{
    uint32_t node = story_node_of(x->cluster, g);
    uint32_t k = 0;

    if (!x->by_type)
        return g < GROUPS ? g : GROUPS - 1;
    while (node != NODE_UNKNOWN && k + 1 < x->groups &&
           strcmp(x->type[k], x->cluster->node[node].type) != 0)
        k++;
    return k;
}

/* GPUs have colours of their own if there are few; else their types have, the last of them for all
 * further ones. */
static void find_groups(struct shares *x)
{
    const struct story_cluster *c = x->cluster;
    uint32_t gpus = c->n ? c->node[c->n - 1].first + c->node[c->n - 1].gpus : GROUPS;

    x->by_type = gpus > GROUPS;
    x->groups = x->by_type ? 0 : gpus;
    for (uint32_t i = 0; x->by_type && i < c->n && x->groups < GROUPS; i++) {
        uint32_t k = 0;
        while (k < x->groups && strcmp(x->type[k], c->node[i].type) != 0)
            k++;
        if (k == x->groups)
            x->type[x->groups++] = c->node[i].type;
    }
}

static struct panel *panel_of(struct shares *x, job_id j)
{
    uint32_t number = sim_number(j);

    return j != NO_JOB && number < PANELS && x->panel[number].job == j ? &x->panel[number] : NULL;
}

static bool same_parts(const struct step *x, const struct step *y)
{
    bool same = true;

    for (uint32_t k = 0; k < GROUPS; k++)
        same &= x->part[k] == y->part[k];
    return same;
}

/* The shares of a record, or none. */
static void put_step(struct shares *x, struct panel *p, const struct record *r, bool none)
{
    struct step now = {.t = r->t};
    double all = 0;

    for (uint32_t i = 0; !none && i < r->n; i++)
        all += r->share[i].samples;
    for (uint32_t i = 0; !none && i < r->n; i++)
        now.part[group_of(x, r->share[i].gpu)] += all > 0 ? r->share[i].samples / all : 1.0 / r->n;
    if (p->n > 0 && same_parts(&p->step[p->n - 1], &now))
        return;
    if (p->n > 0 && r->t - p->step[p->n - 1].t < x->shortest) {
        memcpy(p->step[p->n - 1].part, now.part, sizeof(now.part));
        return;
    }
    p->step = mem_room(p->step, p->n, &p->cap, sizeof(*p->step));
    p->step[p->n++] = now;
}

static void leave(struct shares *x, struct panel *p, const struct record *r)
{
    p->end = r->t;
    put_step(x, p, r, true);
}

static void take(struct shares *x, const struct record *r)
{
    uint32_t number = r->job == NO_JOB ? PANELS : sim_number(r->job);
    struct panel *p = r->kind == REC_REFUSE ? NULL : panel_of(x, r->job);

    if (r->kind == REC_ARRIVE) {
        x->jobs++;
        if (number < PANELS)
            x->panel[number] = (struct panel){.job = r->job};
    } else if (r->kind == REC_FINISH) {
        for (uint32_t i = 0; i < PANELS; i++)
            if (x->panel[i].n > 0 && x->panel[i].job != NO_JOB)
                leave(x, &x->panel[i], r);
    } else if (!p) {
        return;
    } else if (r->kind == REC_ALONE) {
        p->alone = (double)r->run;
        p->begin = (double)r->t;
    } else if (r->kind == REC_START || r->kind == REC_SPLIT || r->kind == REC_RESIZE) {
        put_step(x, p, r, false);
    } else if (r->kind == REC_PREEMPT || r->kind == REC_PAUSE) {
        leave(x, p, r);
    } else if (r->kind == REC_END || r->kind == REC_KILL || r->kind == REC_REJECT) {
        leave(x, p, r);
        p->alone = r->kind == REC_END ? p->alone : 0;
        p->job = NO_JOB;
    }
}

static bool read_shares(const struct plot_set *s, struct shares *x, const char *path)
{
    struct events *e = events_open(s->diag, path);
    struct record r;
    int got = e ? 1 : -1;

    for (uint32_t i = 0; i < PANELS; i++)
        x->panel[i].job = NO_JOB;
    while (e && (got = events_next(e, &r)) > 0)
        take(x, &r);
    events_close(e);
    return got == 0;
}

static uint32_t put_groups(const struct plot_set *s, struct plot_data *d, const struct shares *x)
{
    uint32_t chars = 0;

    plot_block(d, "group\tname");
    for (uint32_t k = 0; k < x->groups; k++) {
        uint32_t node = x->by_type ? NODE_UNKNOWN : story_node_of(x->cluster, k);
        const char *type = node == NODE_UNKNOWN ? "GPU" : x->cluster->node[node].type;
        const char *name = plot_clean(
            s->arena, x->by_type ? x->type[k] : arena_printf(s->arena, "%s #%u", type, k), 14);
        out_int(d->out, k + 1);
        plot_cell_text(d, name);
        out_char(d->out, '\n');
        chars = utf8_count(name, strlen(name)) > chars ? (uint32_t)utf8_count(name, strlen(name))
                                                       : chars;
    }
    return chars;
}

/* Each row: a time, and from then on the parts of the batch, added up. */
static void put_panel(struct plot_data *d, const struct panel *p, uint32_t groups)
{
    for (uint32_t i = 0; i < p->n; i++) {
        double sum = 0;
        out_real(d->out, (double)p->step[i].t / 1e9);
        for (uint32_t k = 0; k < groups; k++)
            plot_cell(d, sum += p->step[i].part[k]);
        out_char(d->out, '\n');
    }
}

static uint32_t put_panels(struct plot_data *d, const struct shares *x)
{
    uint32_t panels = 0;

    plot_block(d, "job\tslowdown");
    for (uint32_t i = 0; i < PANELS; i++) {
        const struct panel *p = &x->panel[i];
        if (p->n == 0)
            continue;
        out_int(d->out, i);
        plot_cell(d,
                  p->job == NO_JOB && p->alone > 0 ? ((double)p->end - p->begin) / p->alone : NAN);
        out_char(d->out, '\n');
        panels++;
    }
    for (uint32_t i = 0; i < PANELS; i++) {
        if (x->panel[i].n == 0)
            continue;
        plot_block(d, "time_s\tparts_of_the_batch_added_up");
        put_panel(d, &x->panel[i], x->groups);
    }
    return panels;
}

static void draw_shares(const struct plot_set *s, struct plot_data *d, const struct shares *x)
{
    uint32_t chars = put_groups(s, d, x), panels = put_panels(d, x);
    double last = (double)x->end / 1e9;

    if (panels == 0) {
        plot_leave(d, "no job ever held a GPU");
        return;
    }
    plot_count(d, "groups", x->groups);
    plot_count(d, "group_chars", chars);
    plot_count(d, "panels", panels);
    plot_count(d, "jobs", x->jobs);
    plot_number(d, "last", last);
    plot_number(d, "unit", plot_unit(last));
}

bool plot_shares(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    const struct result *r = s->first[policy];
    const char *path = plot_input(s, r, "events.csv");
    struct shares x = {.end = (sim_time)r->value[M_END].time};

    if (!s->shared)
        return plot_leave(d, not_shared);
    if (!path)
        return plot_leave(d, "the run has no events.csv; write_events: true makes it");
    const struct tree *manifest =
        json_load(s->arena, s->diag, arena_printf(s->arena, "%s/manifest.json", r->path));
    if (!manifest)
        return false;
    struct story_cluster c = story_cluster_of(s->arena, manifest);
    x.cluster = &c;
    x.end = x.end > 0 ? x.end : 1;
    x.shortest = x.end / (sim_time)PLOT_STEPS;
    find_groups(&x);
    bool ok = read_shares(s, &x, path);
    if (ok)
        draw_shares(s, d, &x);
    for (uint32_t i = 0; i < PANELS; i++)
        mem_drop(x.panel[i].step);
    return ok;
}
