/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of each job when, from events.csv: also the times in which it has no GPU. */
#include <math.h>

#include "analysis/events.h"
#include "analysis/plot_kinds.h"

#define ROWS 150u /* jobs that are drawn */

enum doing { RUNNING, WAITING, SUSPENDED, SETUP, RELOCATING, SAVE, LOST, DOINGS, GONE };

struct piece {
    uint32_t job;
    enum doing what;
    sim_time from, to;
};

struct job {
    uint32_t number;
    enum doing now;
    sim_time since;
};

struct jobs {
    struct job *job; /* by slot */
    size_t n_jobs, cap_jobs;
    struct piece *piece;
    uint32_t pieces, all;
    size_t cap_pieces;
    bool has[DOINGS];
};

static void put_piece(struct jobs *g, uint32_t job, enum doing what, sim_time from, sim_time to)
{
    if (to <= from || job >= ROWS)
        return;
    g->piece = mem_room(g->piece, g->pieces, &g->cap_pieces, sizeof(*g->piece));
    g->piece[g->pieces++] = (struct piece){job, what, from, to};
    g->has[what] = true;
}

static struct job *job_of(struct jobs *g, job_id j)
{
    while (sim_slot(j) >= g->n_jobs) {
        g->job = mem_room(g->job, g->n_jobs, &g->cap_jobs, sizeof(*g->job));
        g->job[g->n_jobs++] = (struct job){.now = GONE};
    }
    return &g->job[sim_slot(j)];
}

/* What it did is over; from `since` on it does something else. */
static void turn(struct jobs *g, struct job *j, sim_time now, enum doing what, sim_time since)
{
    if (j->now != GONE)
        put_piece(g, j->number, j->now, j->since, now);
    j->now = what;
    j->since = since;
}

static bool has_gpus(const struct job *j)
{
    return j->now == RUNNING || j->now == SETUP || j->now == RELOCATING;
}

static void start(struct jobs *g, struct job *j, const struct record *r)
{
    bool moved = r->origin == FROM_MOVED || r->origin == FROM_DISK_MOVED;

    turn(g, j, r->t, r->run == r->t ? RUNNING : moved ? RELOCATING : SETUP, r->t);
}

/* Its GPUs are taken away: progress went on until r->run, the last of it is lost, its state is
 * saved. */
static void suspend(struct jobs *g, struct job *j, const struct record *r)
{
    if (j->now != RUNNING) {
        turn(g, j, r->t, SUSPENDED, r->t);
        return;
    }
    turn(g, j, r->run - r->lost, SUSPENDED, r->ready > r->run ? r->ready : r->run);
    put_piece(g, j->number, LOST, r->run - r->lost, r->run);
    put_piece(g, j->number, SAVE, r->run, r->ready);
}

static void arrive(struct jobs *g, const struct record *r)
{
    struct job *j = job_of(g, r->job);

    *j = (struct job){sim_number(r->job), WAITING, r->t};
    g->all = j->number + 1 > g->all ? j->number + 1 : g->all;
}

static void close_all(struct jobs *g, sim_time t)
{
    for (size_t i = 0; i < g->n_jobs; i++)
        turn(g, &g->job[i], t, GONE, t);
}

static void take(struct jobs *g, const struct record *r)
{
    if (r->kind == REC_FINISH)
        close_all(g, r->t);
    if (r->job == NO_JOB)
        return;
    struct job *j = job_of(g, r->job);
    switch (r->kind) {
    case REC_ARRIVE:
        arrive(g, r);
        break;
    case REC_START:
        start(g, j, r);
        break;
    case REC_RESIZE:
        if (j->now == RUNNING && r->run > r->t)
            turn(g, j, r->t, SETUP, r->t);
        break;
    case REC_RUN:
        turn(g, j, r->t, RUNNING, r->t);
        break;
    case REC_PREEMPT:
    case REC_PAUSE:
        if (has_gpus(j))
            suspend(g, j, r);
        break;
    case REC_END:
    case REC_KILL:
    case REC_REJECT:
        turn(g, j, r->t, GONE, r->t);
        break;
    default:
        break;
    }
}

static bool read_jobs(const struct plot_set *s, struct jobs *g, const char *path)
{
    struct events *e = events_open(s->diag, path);
    struct record r;
    int got = e ? 1 : -1;

    while (e && (got = events_next(e, &r)) > 0)
        take(g, &r);
    events_close(e);
    return got == 0;
}

/* ---- out ---- */

static double put_pieces(struct plot_data *d, const struct jobs *g)
{
    sim_time last = 1;

    plot_block(d, "job\tfrom_s\tto_s\tdoes");
    for (uint32_t i = 0; i < g->pieces; i++) {
        const struct piece *p = &g->piece[i];
        out_int(d->out, p->job);
        plot_cell(d, (double)p->from / 1e9);
        plot_cell(d, (double)p->to / 1e9);
        plot_cell(d, p->what);
        out_char(d->out, '\n');
        last = p->to > last ? p->to : last;
    }
    return (double)last / 1e9;
}

bool plot_gantt_jobs(const struct plot_set *s, uint32_t policy, struct plot_data *d)
{
    static const char *const has[DOINGS] = {"has_0", "has_1", "has_2", "has_3",
                                            "has_4", "has_5", "has_6"};
    const char *path = plot_input(s, s->first[policy], "events.csv");
    struct jobs g = {0};

    if (!path)
        return plot_leave(d, "the run has no events.csv; write_events: true makes it");
    bool ok = read_jobs(s, &g, path);
    if (ok && g.pieces == 0) {
        plot_leave(d, "no job takes any time");
    } else if (ok) {
        uint32_t jobs = g.all < ROWS ? g.all : ROWS;
        double last = put_pieces(d, &g);
        plot_count(d, "jobs", jobs);
        plot_count(d, "all_jobs", g.all);
        plot_number(d, "row_in", fmax(0.03, fmin(0.13, 4.5 / jobs)));
        plot_number(d, "last", last);
        plot_number(d, "unit", plot_unit(last));
        for (int i = 0; i < DOINGS; i++)
            plot_count(d, has[i], g.has[i]);
    }
    mem_drop(g.job);
    mem_drop(g.piece);
    return ok;
}
