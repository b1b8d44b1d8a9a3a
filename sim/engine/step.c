/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/pace.h"

#include <gsl/gsl_cdf.h>

void steps_setup(struct engine *e)
{
    if (!e->shares || e->world->fidelity != FIDELITY_STEP)
        return;
    e->steps = arena_get(e->arena, sizeof(*e->steps));
    e->steps->stations = stations_new(e->world);
}

void steps_teardown(struct engine *e)
{
    struct steps *s = e->steps;

    if (!s)
        return;
    for (uint32_t i = 0; i < s->n; i++) {
        mem_drop(s->pace[i].share);
        mem_drop(s->pace[i].part);
    }
    mem_drop(s->pace);
    heap_free(&s->ends);
    stations_free(s->stations);
}

/* ---- a step begins ---- */

/* The factor on a step, by its number alone: the same whatever the policy. */
static double factor_of(const struct engine *e, const struct pace *p, int64_t step)
{
    double sigma = e->world->step_jitter;

    if (sigma <= 0)
        return 1;
    uint64_t bits = rng_hash(p->stream, "", (uint64_t)step) >> 11;
    double z = gsl_cdf_ugaussian_Pinv(((double)bits + 0.5) * 0x1p-53);
    return exp(sigma * z - sigma * sigma / 2);
}

static void take_shares(const struct engine *e, const struct job *j, struct pace *p)
{
    struct placement held = job_held(j);

    BUG_ON(!held.share);
    p->stale = false;
    p->n = held.n;
    p->floor = p->gap = 0;
    for (uint32_t i = 0; i < held.n; i++) {
        const struct share *s = &held.share[i];
        struct step_parts alone = {0, 0, 0};
        if (!by_duration(j))
            alone = world_step(e->world, j->spec.model, s->gpu, s->samples);
        p->share = mem_room(p->share, i, &p->cap_share, sizeof(*p->share));
        p->part = mem_room(p->part, i, &p->cap_part, sizeof(*p->part));
        p->share[i] = *s;
        p->part[i] = (struct part){alone, 0, 0};
        p->floor = fmax(p->floor, alone.floor);
        p->gap = fmax(p->gap, alone.gap);
    }
    p->n_measured = 0;
    p->sum = 0;
}

static sim_area units_of(const struct engine *e, const struct job *j, const struct pace *p,
                         uint32_t i)
{
    sim_area units;

    if (by_duration(j)) {
        units = units_at(units_left(j), e->world->gpu[p->share[i].gpu].speed);
    } else {
        double ns = fmin(p->part[i].alone.busy * p->factor * 1e9, (double)SIM_LATEST);
        units = (sim_area)(ns * (double)STATION_NS + 0.5);
    }
    return units > 0 ? units : 1;
}

/* At a goal that has yet to be dealt with there is nothing to begin. */
static void begin(struct engine *e, struct job *j, struct pace *p)
{
    if (p->stale)
        take_shares(e, j, p);
    if (j->line.whole == j->goal)
        return;
    p->on = true;
    p->began = e->now;
    p->end = SIM_NEVER;
    p->left = p->n;
    p->longest = 0;
    p->factor = by_duration(j) ? 1 : j->jitter * factor_of(e, p, j->line.whole);
    for (uint32_t i = 0; i < p->n; i++) {
        p->part[i].took = 0;
        station_arrive(e->steps->stations, p->share[i].gpu, (struct replica_id){j->id, i},
                       j->spec.model, units_of(e, j, p, i), e->now);
    }
}

static struct pace *make_room(struct engine *e, const struct job *j)
{
    struct steps *s = e->steps;
    uint32_t slot = sim_slot(j->id);

    for (; s->n <= slot; s->n++) {
        s->pace = mem_room(s->pace, s->n, &s->cap, sizeof(*s->pace));
        s->pace[s->n] = (struct pace){.job = NO_JOB};
    }
    struct pace *p = &s->pace[slot];
    if (p->job != j->id) {
        p->job = j->id;
        p->stream = rng_hash(e->world->seed, "step", world_job_key(&j->spec));
        p->last = 0;
    }
    return p;
}

void step_run(struct engine *e, struct job *j)
{
    int64_t k = j->spec.per_epoch;

    if (!e->steps)
        return;
    struct pace *p = make_room(e, j);
    p->on = false;
    p->stale = true;
    p->from = j->line.whole;
    p->last = 0;
    p->checkpoint = k > 0 ? (j->line.whole / k + 1) * k : INT64_MAX;
    p->since = p->saved = e->now;
    begin(e, j, p);
}

void step_next(struct engine *e, struct job *j)
{
    if (e->steps && j->state == JOB_RUNNING && !pace_of(e, j)->on)
        begin(e, j, pace_of(e, j));
}

void step_reshare(struct engine *e, struct job *j)
{
    if (!e->steps || j->state != JOB_RUNNING)
        return;
    pace_of(e, j)->stale = true;
    step_next(e, j);
}

/* ---- a step ends ---- */

static bool at_goal(const struct job *j)
{
    return by_duration(j) || j->line.whole + 1 == j->goal;
}

sim_time pace_end(const struct engine *e, const struct job *j, const struct pace *p,
                  sim_time longest)
{
    struct placement on = {p->n, p->share};

    if (by_duration(j))
        return later(p->began, longest);
    double compute = fmax((double)longest / 1e9 / p->factor, p->floor);
    double s = p->factor * world_step_end(e->world, j->spec.model, &on, compute, p->gap);
    sim_time t = time_of(s * 1e9);
    return later(p->began, t > longest ? t : longest);
}

static void replica_done(struct engine *e, struct replica_id id)
{
    struct job *j = job_at(e, sim_slot(id.job));
    struct pace *p = pace_of(e, j);

    p->part[id.part].took = p->longest = e->now - p->began; /* the longest so far is the last */
    if (--p->left > 0)
        return;
    p->end = pace_end(e, j, p, p->longest);
    heap_set(at_goal(j) ? &e->events : &e->steps->ends, j->id, p->end);
}

static void measure(struct pace *p)
{
    if (p->stale || p->began < p->since)
        return;
    p->n_measured++;
    p->sum += p->last;
    for (uint32_t i = 0; i < p->n; i++)
        p->part[i].sum += p->part[i].took;
}

void step_over(struct engine *e, struct job *j)
{
    if (!e->steps || j->state != JOB_RUNNING || !pace_of(e, j)->on)
        return;
    struct pace *p = pace_of(e, j);
    p->on = false;
    p->last = e->now - p->began;
    if (by_duration(j))
        return;
    measure(p);
    e->given_up = 0;
    j->line.since = e->now;
    if (++j->line.whole == p->checkpoint) {
        p->checkpoint += j->spec.per_epoch;
        p->saved = e->now;
    }
}

sim_time steps_next(const struct engine *e)
{
    const struct steps *s = e->steps;
    sim_time t = stations_next(s->stations);

    return s->ends.n && heap_first_key(&s->ends) < t ? heap_first_key(&s->ends) : t;
}

bool steps_drain(struct engine *e)
{
    struct steps *s = e->steps;
    uint64_t before = e->n_events;
    struct replica_id id;

    for (; stations_take(s->stations, e->now, &id); e->n_events++)
        replica_done(e, id);
    for (; s->ends.n && heap_first_key(&s->ends) == e->now; e->n_events++) {
        struct job *j = job_at(e, sim_slot(heap_first(&s->ends)));
        heap_drop(&s->ends, j->id);
        step_over(e, j);
        begin(e, j, pace_of(e, j));
    }
    return e->n_events > before;
}

sim_time step_goal_at(const struct engine *e, const struct job *j)
{
    const struct pace *p = pace_of(e, j);

    if (!p->on)
        return j->line.whole == j->goal ? e->now : SIM_NEVER;
    return at_goal(j) ? p->end : SIM_NEVER;
}
