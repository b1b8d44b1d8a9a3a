/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where all replicas of a GPU are equally fast, the GPU has a clock of its own: the units that each
 * of them has done since it was last idle. A replica is done when that clock shows what it showed
 * at its arrival plus its work, so that only the first of a heap is to be looked at. Else each has
 * its own speed and what is left of it, and all are looked at.
 */
#include "sim/engine/station.h"

#include <math.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/base/mem.h"
#include "sim/heap.h"

struct entry {
    sim_area at; /* equal: the clock when it is done; else the units that are left */
    job_id job;
    uint32_t part, model;
};

struct station {
    sim_area clock; /* equal */
    sim_time since; /* up to when all is counted */
    uint32_t n;
    struct entry *entry; /* equal: a binary heap by `at`; else in order of arrival */
    uint64_t *speed;     /* not equal: of each entry, units a nanosecond */
    size_t cap, cap_speed;
    uint64_t pace; /* equal: speed of each; else of all together */
    struct station_account account;
};

struct stations {
    const struct world *world;
    bool equal;
    uint64_t *pace; /* equal: by type and number, [type * (MOST_RESIDENTS + 1) + n] */
    struct station *station;
    struct heap next; /* GPUs by when their next replica is done */
};

/* ---- speeds ---- */

/* Of a replica beside n others. */
static uint64_t speed_beside(const struct world *w, type_id t, uint32_t me, const uint32_t *other,
                             uint32_t n)
{
    double p[MOST_RESIDENTS];

    if (n == 0 || w->contention->sliced) /* what a slice costs is in the work */
        return STATION_NS;
    for (uint32_t i = 0; i < n; i++)
        p[i] = 1;
    double s = w->contention->stretch(w->contention_self, w, t, me, other, p, n);
    double speed = floor((double)STATION_NS / s + 0.5);
    return speed < 1 ? 1 : (uint64_t)speed;
}

struct stations *stations_new(const struct world *w)
{
    struct stations *s = mem_get(sizeof(*s));
    uint32_t none[MOST_RESIDENTS];

    s->world = w;
    s->equal = w->contention->equal || w->contention->sliced;
    s->station = mem_get(w->n_gpus * sizeof(*s->station));
    if (!s->equal)
        return s;
    s->pace = mem_get(w->n_types * (MOST_RESIDENTS + 1) * sizeof(*s->pace));
    for (uint32_t i = 0; i < MOST_RESIDENTS; i++)
        none[i] = NO_MODEL;
    for (type_id t = 0; t < w->n_types; t++)
        for (uint32_t n = 1; n <= MOST_RESIDENTS; n++)
            s->pace[t * (MOST_RESIDENTS + 1) + n] = speed_beside(w, t, NO_MODEL, none, n - 1);
    return s;
}

void stations_free(struct stations *s)
{
    if (!s)
        return;
    for (gpu_id g = 0; g < s->world->n_gpus; g++) {
        mem_drop(s->station[g].entry);
        mem_drop(s->station[g].speed);
    }
    heap_free(&s->next);
    mem_drop(s->pace);
    mem_drop(s->station);
    mem_drop(s);
}

static type_id type_of(const struct stations *s, gpu_id g)
{
    return s->world->node[s->world->gpu[g].node].type;
}

/* More than MOST_RESIDENTS, where jobs have given up GPUs on which their step goes on, share what
 * so many get. */
static uint64_t crowded(uint64_t speed, uint32_t n)
{
    uint64_t less = n > MOST_RESIDENTS ? speed * MOST_RESIDENTS / n : speed;

    return less > 0 ? less : 1;
}

static void find_speeds(struct stations *s, gpu_id g)
{
    struct station *st = &s->station[g];
    uint32_t other[MOST_RESIDENTS], n = st->n < MOST_RESIDENTS ? st->n : MOST_RESIDENTS;

    if (s->equal) {
        st->pace = crowded(s->pace[type_of(s, g) * (MOST_RESIDENTS + 1) + n], st->n);
        return;
    }
    st->pace = 0;
    for (uint32_t i = 0; i < st->n; i++) {
        uint32_t k = 0;
        for (uint32_t x = 0; x < st->n && k + 1 < n; x++)
            if (x != i)
                other[k++] = st->entry[x].model;
        st->speed[i] =
            crowded(speed_beside(s->world, type_of(s, g), st->entry[i].model, other, k), st->n);
        st->pace += st->speed[i];
    }
}

/* ---- time ---- */

/* Whole nanoseconds until so many units are done. */
static sim_time time_for(sim_area units, uint64_t speed)
{
    if (units <= 0)
        return 0;
    if (units < INT64_MAX - (sim_area)(STATION_NS * 2))
        return (sim_time)(((uint64_t)units + speed - 1) / speed);
    sim_area t = (units + speed - 1) / speed;
    return t < SIM_LATEST ? (sim_time)t : SIM_LATEST;
}

static void advance(struct stations *s, struct station *st, sim_time now)
{
    sim_time dt = now - st->since;

    st->since = now;
    if (dt == 0 || st->n == 0)
        return;
    st->account.busy += dt;
    if (s->equal) {
        sim_area each = (sim_area)st->pace * dt;
        st->clock += each;
        st->account.work += each * st->n;
        return;
    }
    for (uint32_t i = 0; i < st->n; i++)
        st->entry[i].at -= (sim_area)st->speed[i] * dt;
    st->account.work += (sim_area)st->pace * dt;
}

static sim_area left_of(const struct stations *s, const struct station *st, uint32_t i)
{
    return s->equal ? st->entry[i].at - st->clock : st->entry[i].at;
}

static uint64_t speed_of(const struct stations *s, const struct station *st, uint32_t i)
{
    return s->equal ? st->pace : st->speed[i];
}

/* The one that is done first; there is one. */
static uint32_t first_of(const struct stations *s, const struct station *st)
{
    uint32_t first = 0;
    sim_time least = SIM_NEVER;

    for (uint32_t i = 0; !s->equal && i < st->n; i++) {
        sim_time t = time_for(st->entry[i].at, st->speed[i]);
        if (t < least) {
            least = t;
            first = i;
        }
    }
    return first;
}

static sim_time done_at(const struct stations *s, const struct station *st, uint32_t i)
{
    sim_time dt = time_for(left_of(s, st, i), speed_of(s, st, i));

    return dt < SIM_LATEST - st->since ? st->since + dt : SIM_LATEST;
}

/* After replicas came or went. */
static void aim(struct stations *s, gpu_id g)
{
    struct station *st = &s->station[g];

    if (st->n == 0) {
        st->clock = 0;
        heap_drop(&s->next, g);
        return;
    }
    find_speeds(s, g);
    heap_set(&s->next, g, done_at(s, st, first_of(s, st)));
}

/* ---- the entries of a station: a heap if they are equal ---- */

static void rise(struct entry *e, uint32_t i, struct entry x)
{
    for (uint32_t p; i > 0 && x.at < e[p = (i - 1) / 2].at; i = p)
        e[i] = e[p];
    e[i] = x;
}

static void put(struct stations *s, struct station *st, struct entry x)
{
    st->entry = mem_room(st->entry, st->n, &st->cap, sizeof(*st->entry));
    if (s->equal) {
        rise(st->entry, st->n++, x);
        return;
    }
    st->speed = mem_room(st->speed, st->n, &st->cap_speed, sizeof(*st->speed));
    st->entry[st->n++] = x;
}

static void take_out(struct stations *s, struct station *st, uint32_t i)
{
    struct entry *e = st->entry, x = e[--st->n];
    uint32_t n = st->n;

    if (!s->equal) {
        memmove(e + i, e + i + 1, (n - i) * sizeof(*e));
        return;
    }
    if (i == n)
        return;
    for (uint32_t c; (c = 2 * i + 1) < n; i = c) {
        c += c + 1 < n && e[c + 1].at < e[c].at;
        e[i] = e[c];
    }
    rise(e, i, x);
}

static uint32_t find(const struct station *st, job_id job)
{
    for (uint32_t i = 0; i < st->n; i++)
        if (st->entry[i].job == job)
            return i;
    BUG("job %u computes nothing there", sim_number(job));
}

/* ---- what callers do ---- */

void station_arrive(struct stations *s, gpu_id g, struct replica_id id, uint32_t model,
                    sim_area work, sim_time now)
{
    struct station *st = &s->station[g];

    advance(s, st, now);
    put(s, st, (struct entry){(s->equal ? st->clock : 0) + work, id.job, id.part, model});
    aim(s, g);
}

void station_leave(struct stations *s, gpu_id g, job_id job, sim_time now)
{
    struct station *st = &s->station[g];

    advance(s, st, now);
    take_out(s, st, find(st, job));
    aim(s, g);
}

sim_area station_left(struct stations *s, gpu_id g, job_id job, sim_time now)
{
    struct station *st = &s->station[g];

    advance(s, st, now);
    return left_of(s, st, find(st, job));
}

sim_time station_done_at(struct stations *s, gpu_id g, job_id job, sim_time now)
{
    struct station *st = &s->station[g];

    advance(s, st, now);
    return done_at(s, st, find(st, job));
}

sim_time stations_next(const struct stations *s)
{
    return s->next.n ? heap_first_key(&s->next) : SIM_NEVER;
}

bool stations_take(struct stations *s, sim_time now, struct replica_id *id)
{
    if (!s->next.n || heap_first_key(&s->next) > now)
        return false;
    gpu_id g = (gpu_id)heap_first(&s->next);
    struct station *st = &s->station[g];
    advance(s, st, now);
    uint32_t i = first_of(s, st);
    BUG_ON(left_of(s, st, i) > 0);
    *id = (struct replica_id){st->entry[i].job, st->entry[i].part};
    st->account.work +=
        left_of(s, st, i); /* what it would have done in the rest of the nanosecond */
    take_out(s, st, i);
    aim(s, g);
    return true;
}

struct station_account station_account(struct stations *s, gpu_id g, sim_time now)
{
    struct station *st = &s->station[g];

    advance(s, st, now);
    struct station_account a = st->account;
    st->account = (struct station_account){0, 0};
    return a;
}
