/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The learning curve of each trial of a run's first experiment, and where and how it stops. */
#include <math.h>

#include "analysis/events.h"
#include "analysis/plot_kinds.h"

#define LINES  100u /* trials that are drawn */
#define POINTS 200u /* of one trial, about */

enum stop { DONE = 1, STOPPED, GOING }; /* as curves.gp has them */

struct trial {
    double *t, *metric;
    uint32_t n;
    size_t cap_t, cap_metric;
    enum stop stop;
};

struct learn {
    struct trial trial[LINES]; /* by its number */
    uint32_t trials;           /* of the experiment */
    sim_time begin;
    bool falls;
    double target, last;
    uint32_t *trial_of; /* by slot of a job; LINES: none of ours */
    size_t n_slots, cap_slots;
};

static struct trial *trial_of(struct learn *l, job_id j)
{
    size_t slot = sim_slot(j);

    return slot < l->n_slots && l->trial_of[slot] < LINES ? &l->trial[l->trial_of[slot]] : NULL;
}

static void arrive(struct learn *l, const struct record *r)
{
    size_t slot = sim_slot(r->job);

    while (slot >= l->n_slots) {
        l->trial_of = mem_room(l->trial_of, l->n_slots, &l->cap_slots, sizeof(*l->trial_of));
        l->trial_of[l->n_slots++] = LINES;
    }
    l->trial_of[slot] = r->experiment == 0 && r->trial < LINES ? r->trial : LINES;
}

static void report(struct learn *l, const struct record *r)
{
    struct trial *x = trial_of(l, r->job);

    if (!x || !isfinite(r->value))
        return;
    x->t = mem_room(x->t, x->n, &x->cap_t, sizeof(*x->t));
    x->metric = mem_room(x->metric, x->n, &x->cap_metric, sizeof(*x->metric));
    x->t[x->n] = (double)(r->t - l->begin) / 1e9;
    x->metric[x->n++] = r->value;
    l->last = fmax(l->last, x->t[x->n - 1]);
}

static void take(struct learn *l, const struct record *r)
{
    struct trial *x = r->kind == REC_END || r->kind == REC_KILL ? trial_of(l, r->job) : NULL;

    if (r->kind == REC_OPEN && r->experiment == 0) {
        l->trials = r->n;
        l->begin = r->t;
        l->falls = r->good;
        l->target = r->value;
    } else if (r->kind == REC_ARRIVE) {
        arrive(l, r);
    } else if (r->kind == REC_REPORT) {
        report(l, r);
    } else if (x) {
        x->stop = r->kind == REC_END ? DONE : STOPPED;
    }
}

static bool read_learn(const struct plot_set *s, const char *path, struct learn *l)
{
    struct events *e = events_open(s->diag, path);
    struct record r;
    int got = e ? 1 : -1;

    while (e && (got = events_next(e, &r)) > 0)
        take(l, &r);
    events_close(e);
    return got == 0;
}

/* ---- out ---- */

static void put_point(struct plot_data *d, uint32_t trial, double t, double metric)
{
    out_int(d->out, trial);
    plot_cell(d, t);
    plot_cell(d, metric);
}

/* All lines of one colour; a gap after each trial. */
static uint32_t put_lines(struct plot_data *d, const struct learn *l, enum stop stop)
{
    uint32_t lines = 0;

    plot_block(d, "trial\ttime_s\tmetric");
    for (uint32_t i = 0; i < LINES; i++) {
        const struct trial *x = &l->trial[i];
        uint32_t stride = x->n / POINTS + 1;
        if (x->n == 0 || (x->stop ? x->stop : GOING) != stop)
            continue;
        for (uint32_t k = 0; k < x->n; k += stride) {
            put_point(d, i, x->t[k], x->metric[k]);
            out_char(d->out, '\n');
        }
        put_point(d, i, x->t[x->n - 1], x->metric[x->n - 1]);
        out_text(d->out, "\n0\tNaN\tNaN\n");
        lines++;
    }
    if (lines == 0)
        out_text(d->out, "0\tNaN\tNaN\n");
    return lines;
}

static uint32_t put_curves(struct plot_data *d, const struct learn *l)
{
    static const char *const has[] = {"has_1", "has_2", "has_3"};
    uint32_t lines = 0;

    for (int stop = DONE; stop <= GOING; stop++) {
        uint32_t n = put_lines(d, l, (enum stop)stop);
        plot_count(d, has[stop - DONE], n > 0);
        lines += n;
    }
    plot_block(d, "trial\ttime_s\tmetric\tstop");
    for (uint32_t i = 0; i < LINES; i++) {
        const struct trial *x = &l->trial[i];
        if (x->n == 0)
            continue;
        put_point(d, i, x->t[x->n - 1], x->metric[x->n - 1]);
        plot_cell(d, x->stop ? x->stop : GOING);
        out_char(d->out, '\n');
    }
    return lines;
}

static void drop(struct learn *l)
{
    for (uint32_t i = 0; i < LINES; i++) {
        mem_drop(l->trial[i].t);
        mem_drop(l->trial[i].metric);
    }
    mem_drop(l->trial_of);
}

bool plot_curves(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    const struct result *r = s->first[policy];
    const char *path = plot_input(s, r, "events.csv");
    struct learn *l = arena_get(s->arena, sizeof(*l));

    if (!(r->value[M_EXPERIMENTS].number > 0))
        return plot_leave(d, "there are no experiments in these runs");
    if (!path)
        return plot_leave(d, "the run has no events.csv; write_events: true makes it");
    bool ok = read_learn(s, path, l);
    uint32_t lines = ok ? put_curves(d, l) : 0;
    if (ok && lines == 0) {
        plot_leave(d, "there is no report of a metric in the run's events.csv");
    } else if (ok) {
        double last = l->last > 0 ? 1.02 * l->last : 1;
        plot_count(d, "lines", lines);
        plot_count(d, "trials", l->trials);
        plot_number(d, "last", last);
        plot_number(d, "unit", plot_unit(last));
        plot_count(d, "lower_is_better", l->falls);
        plot_count(d, "has_target", isfinite(l->target) ? 1 : 0);
        plot_number(d, "target", isfinite(l->target) ? l->target : 0);
    }
    drop(l);
    return ok;
}
