/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps one by one: jobs that leave in the middle of one, and what is measured. */
#include "sim/engine/pace.h"

void step_leave(struct engine *e, struct job *j)
{
    struct steps *s = e->steps;
    uint32_t slot = sim_slot(j->id);

    if (!s || slot >= s->n || s->pace[slot].job != j->id || !s->pace[slot].on)
        return;
    struct pace *p = &s->pace[slot];
    for (uint32_t i = 0; i < p->n; i++)
        if (p->part[i].took == 0)
            station_leave(s->stations, p->share[i].gpu, j->id, e->now);
    heap_drop(&s->ends, j->id);
    p->on = false;
}

struct line step_line(const struct engine *e, const struct job *j)
{
    struct pace *p = pace_of(e, j);
    struct line l = j->line;
    sim_area most = 0, all;

    if (!by_duration(j) || !p->on)
        return l;
    all = units_left(j);
    l.since = e->now;
    for (uint32_t i = 0; i < p->n; i++) {
        gpu_id g = p->share[i].gpu;
        if (p->part[i].took > 0)
            continue;
        sim_area left = station_left(e->steps->stations, g, j->id, e->now);
        left = nominal_units(left, e->world->gpu[g].speed);
        most = left > most ? left : most;
    }
    most = most < all ? most : all; /* no less than it had: there and back is not exact */
    sim_area whole =
        (most + STATION_NS - 1) / (sim_area)STATION_NS; /* nanoseconds, begun ones too */
    l.whole = j->goal - (int64_t)whole;
    l.part = (double)(whole * (sim_area)STATION_NS - most) / (double)STATION_NS;
    return l;
}

static bool is_inside(const struct engine *e, const struct job *j, const struct pace *p)
{
    return !by_duration(j) && p->on && p->began < e->now;
}

/* The end of the present step if nobody comes or goes. */
static sim_time end_by_now(struct engine *e, const struct job *j, const struct pace *p)
{
    sim_time longest = p->longest;

    if (p->left == 0)
        return p->end;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->part[i].took > 0)
            continue;
        sim_time t = station_done_at(e->steps->stations, p->share[i].gpu, j->id, e->now) - p->began;
        longest = t > longest ? t : longest;
    }
    return pace_end(e, j, p, longest);
}

sim_time step_lands(struct engine *e, const struct job *j)
{
    const struct pace *p = pace_of(e, j);

    if (e->world->preempt_at == PREEMPT_NOW || !is_inside(e, j, p))
        return e->now;
    return end_by_now(e, j, p);
}

/* Seconds of a step until the end of the epoch. */
static double expected(const struct engine *e, const struct job *j)
{
    struct placement held = job_held(j);
    double s = step_measured(e, j, NULL);

    return s > 0 ? s : 1 / life_rate(e, j, &held);
}

sim_time step_land(struct engine *e, struct job *j, enum preempt_at at)
{
    struct pace *p = pace_of(e, j);
    struct line *l = &j->line;
    int64_t k = j->spec.per_epoch;
    sim_time t = step_lands(e, j);

    if (by_duration(j) || at == PREEMPT_NOW)
        return e->now;
    if (is_inside(e, j, p)) {
        l->whole++;
        p->last = t - p->began;
    }
    if (at == PREEMPT_EPOCH && k > 0 && l->whole % k > 0) {
        int64_t left = k - l->whole % k;
        t = later(t, time_of((double)left * expected(e, j) * 1e9));
        l->whole += left;
    }
    return t;
}

sim_time step_given_up(const struct engine *e, const struct job *j)
{
    if (!e->steps || e->world->preempt_at != PREEMPT_NOW)
        return 0;
    const struct pace *p = pace_of(e, j);
    return is_inside(e, j, p) ? e->now - p->began : 0;
}

sim_time step_break(struct engine *e, struct job *j, bool more)
{
    sim_time lost = more ? step_given_up(e, j) : 0;

    if (!e->steps || (!more && !by_duration(j)))
        return 0;
    j->lands = step_land(e, j, e->world->preempt_at == PREEMPT_NOW ? PREEMPT_NOW : PREEMPT_STEP);
    if (j->line.whole == j->goal)
        j->landing = j->lands;
    step_leave(e, j);
    struct pace *p = pace_of(e, j);
    p->last = 0;      /* was on other GPUs */
    p->saved += lost; /* and is not lost once more if the rest is */
    return lost;
}

sim_time step_fall_back(const struct engine *e, struct job *j, int64_t kept, sim_time landing)
{
    bool back = j->line.whole > kept || j->line.part > 0;

    j->line.whole = kept;
    j->line.part = 0;
    return back ? landing - pace_of(e, j)->saved : step_given_up(e, j);
}

bool step_got_on(const struct engine *e, const struct job *j)
{
    return by_duration(j) || j->line.whole > pace_of(e, j)->from;
}

/* ---- what is measured ---- */

double step_measured(const struct engine *e, const struct job *j, double *resid)
{
    const struct pace *p = pace_of(e, j);
    double n = (double)p->n_measured * 1e9;

    if (p->stale || p->n_measured == 0)
        return 0;
    for (uint32_t i = 0; resid && i < p->n; i++)
        resid[i] = (double)p->part[i].sum / n;
    return (double)p->sum / n;
}

double step_lately(const struct engine *e, const struct job *j)
{
    double s = step_measured(e, j, NULL);

    return s > 0 ? s : (double)pace_of(e, j)->last / 1e9;
}

void step_changed(struct engine *e, gpu_id g)
{
    const struct resident *on = gpus_residents(&e->gpus, g);

    for (uint32_t i = 0; i < e->gpus.shared[g].n; i++) {
        const struct job *j = job_at(e, sim_slot(on[i].job));
        if (j->state != JOB_RUNNING)
            continue;
        struct pace *p = pace_of(e, j);
        p->since = e->now;
        p->n_measured = 0;
        p->sum = 0;
        for (uint32_t k = 0; k < p->n; k++)
            p->part[k].sum = 0;
    }
}

struct station_account step_account(struct engine *e, gpu_id g)
{
    return station_account(e->steps->stations, g, e->now);
}
