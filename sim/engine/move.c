/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What taking GPUs and leaving them costs in time: start, save, restore, migrate (eq. 18).
 *
 * A preempted job stops now; its GPUs belong to the next owner now, but are ready only when the
 * step or epoch it may finish is over and its state is saved. There are no draining states: what a
 * policy gave is given.
 */
#include <math.h>
#include <string.h>

#include "sim/engine/share.h"
#include "sim/engine/step.h"

/* ---- placements: small ones in the job, larger ones from pools of 2^i shares ---- */

static unsigned size_class(uint32_t n)
{
    return 32 - (unsigned)__builtin_clz(n - 1);
}

static struct share *take_block(struct engine *e, uint32_t n)
{
    unsigned c = size_class(n);
    struct share *s = e->pool[c];

    if (!s)
        return arena_get(e->arena, sizeof(*s) << c);
    memcpy(&e->pool[c], (const void *)s, sizeof(void *));
    return s;
}

static void drop_block(struct engine *e, struct share *s, uint32_t n)
{
    unsigned c = size_class(n);

    memcpy((void *)s, &e->pool[c], sizeof(void *));
    e->pool[c] = s;
}

static void hold_shares(struct engine *e, struct job *j, const struct placement *p)
{
    struct share *s = p->n <= SMALL_HELD ? j->held.small : take_block(e, p->n);

    memmove(s, p->share, p->n * sizeof(*s));
    if (p->n > SMALL_HELD)
        j->held.block = s;
    j->n_held = p->n;
    j->home = s[0].gpu;
}

static void drop_shares(struct engine *e, const struct placement *p)
{
    if (p->n > SMALL_HELD)
        drop_block(e, (struct share *)(uintptr_t)p->share, p->n);
}

/* Steps are counted one by one: between them a job stands still. */
static double per_ns(const struct engine *e, const struct job *j, double rate)
{
    if (e->steps)
        return 0;
    return j->spec.model == NO_MODEL ? rate : rate / 1e9;
}

static void hold(struct engine *e, struct job *j, const struct placement *p)
{
    hold_shares(e, j, p);
    e->held += p->n;
    tune_held(e, j, p->n);
    e->held_sum -= (sim_area)e->now * p->n;
}

static void unhold(struct engine *e, struct job *j, sim_time ready)
{
    struct placement held = job_held(j);

    count_held(e);
    e->held -= held.n;
    tune_held(e, j, -(int64_t)held.n);
    e->held_sum += (sim_area)e->now * held.n;
    if (is_shared(e)) {
        share_touch(e, &held);
        step_leave(e, j);
        seat_part(e, j, &held, ready);
    } else {
        gpus_give(&e->gpus, &held, ready);
    }
    drop_shares(e, &held);
    j->n_held = 0;
}

/* ---- on ---- */

static sim_time gpus_ready(const struct engine *e, const struct placement *p)
{
    sim_time t = e->now;

    if (e->gpus.latest <= t)
        return t;
    for (uint32_t i = 0; i < p->n; i++)
        if (e->gpus.gpu[p->share[i].gpu].ready > t)
            t = e->gpus.gpu[p->share[i].gpu].ready;
    return t;
}

void move_runs(struct engine *e, struct job *j)
{
    struct placement held = job_held(j);

    haul_leave_host(e, j);
    life_to(e, j, JOB_RUNNING);
    j->line.since = e->now;
    j->copying = false;
    if (!is_shared(e))
        return;
    share_touch(e, &held);
    step_run(e, j);
}

static void first_start(struct engine *e, struct job *j, const struct placement *p)
{
    j->started = e->now;
    if (!is_shared(e))
        return;
    j->alone = share_alone(e, j, p);
    struct record r = job_record(j, REC_ALONE);
    r.run = j->alone;
    r.n = j->spec.gpus;
    engine_emit(e, &r);
}

void move_on(struct engine *e, struct job *j, const struct placement *p, double rate, double told,
             const char *why)
{
    sim_time ready = gpus_ready(e, p);

    if (j->started == SIM_NEVER)
        first_start(e, j, p);
    hold(e, j, p);
    enum origin from = haul_origin(e, j);
    if (from != FROM_NEW && j->saved_at > ready)
        ready = j->saved_at;
    j->begin = later(ready, haul_load(e, j, from));
    j->line.rate = per_ns(e, j, rate);
    if (j->begin > e->now)
        life_to(e, j, JOB_SETUP);
    else
        move_runs(e, j);
    struct record r = placed_record(e, j, REC_START, p);
    r.origin = from;
    r.run = j->begin;
    r.value = rate;
    r.told = told;
    r.why = why;
    engine_emit(e, &r);
    life_aim(e, j);
}

/* Seats as p says; also where they are the same, as other samples need other memory. */
static void reseat(struct engine *e, const struct job *j, const struct placement *p)
{
    struct placement old = job_held(j);

    share_touch(e, &old);
    share_touch(e, p);
    seat_part(e, j, &old, e->now);
    seat_join(e, j, p);
}

/* The rate of one that runs on shared GPUs is found later, with those of the others. */
static void change_shares(struct engine *e, struct job *j, const struct placement *p, double rate)
{
    struct placement old = job_held(j);

    hold_shares(e, j, p);
    drop_shares(e, &old);
    if (!is_shared(e) || j->state != JOB_RUNNING)
        j->line.rate = per_ns(e, j, rate);
    step_reshare(e, j);
}

/* New shares on the GPUs it holds, with a new rate from now on. */
void move_shares(struct engine *e, struct job *j, const struct placement *p, double rate)
{
    if (is_shared(e))
        reseat(e, j, p);
    change_shares(e, j, p, rate);
}

/* The GPUs of a that are not in b, with their shares in room. */
static struct placement without(const struct placement *a, const struct placement *b,
                                struct share *room)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < a->n; i++)
        if (!job_share_on(b, a->share[i].gpu))
            room[n++] = a->share[i];
    return (struct placement){n, room};
}

sim_time move_resize(struct engine *e, struct job *j, const struct placement *p, double rate,
                     sim_time begin)
{
    struct placement old = job_held(j);
    struct share *room = arena_get(e->scratch, (old.n + p->n) * sizeof(*room));
    struct placement left = without(&old, p, room), more = without(p, &old, room + left.n);
    sim_time lost = 0;

    e->scratch_used = true;
    count_held(e);
    if (j->state == JOB_RUNNING) {
        life_settle(e, j);
        lost = step_break(e, j, more.n > 0);
        if (begin > e->now) {
            j->ran += e->now - j->since;
            j->ran_on = j->home;
            j->copying = true;
            life_to(e, j, JOB_SETUP);
        }
    }
    if (is_shared(e)) {
        reseat(e, j, p);
    } else {
        gpus_give(&e->gpus, &left, e->now);
        gpus_take(&e->gpus, &more, sim_slot(j->id));
    }
    e->held += more.n - left.n;
    tune_held(e, j, (int64_t)more.n - left.n);
    e->held_sum += (sim_area)e->now * ((sim_area)left.n - more.n);
    j->begin = begin;
    change_shares(e, j, p, rate);
    return lost;
}

/* ---- off ---- */

/* The GPU type that sets the pace: of the share whose step takes longest. */
void move_observe(struct engine *e, struct job *j)
{
    struct placement held = job_held(j);
    double slowest = -1;

    if (e->steps && step_lately(e, j) <= 0)
        return; /* not one step was done */
    for (uint32_t i = 0; i < held.n; i++) {
        const struct share *share = &held.share[i];
        struct step_parts part = world_step(e->world, j->spec.model, share->gpu, share->samples);
        double s = step_compute(&part);
        if (s > slowest) {
            slowest = s;
            j->seen_type = e->world->node[e->world->gpu[share->gpu].node].type;
        }
    }
    if (e->steps) {
        j->seen_rate = 1 / step_lately(e, j);
        return;
    }
    j->seen_rate = life_rate(e, j, &held);
    if (is_shared(e) && j->line.rate != per_ns(e, j, j->seen_rate)) /* beside others */
        j->seen_rate = j->line.rate * 1e9;
}

/* Lets a job that is taken off finish its step or epoch: sets its progress there, returns when. */
static sim_time land(struct engine *e, struct job *j)
{
    struct line *l = &j->line;
    int64_t to;

    life_settle(e, j);
    if (e->steps)
        return step_land(e, j, e->world->preempt_at);
    if (j->spec.model == NO_MODEL || e->world->preempt_at == PREEMPT_NOW)
        return e->now;
    if (e->world->preempt_at == PREEMPT_EPOCH && j->spec.per_epoch > 0) {
        int64_t k = j->spec.per_epoch;
        to = (l->whole + (l->part > 0) + k - 1) / k * k;
    } else {
        to = l->whole + (l->part > 0);
    }
    double left = (double)(to - l->whole) - l->part;
    l->whole = to;
    l->part = 0;
    return later(e->now, time_of(left / l->rate));
}

/* Back to the last checkpoint, at the end of an epoch: the running time whose progress is lost. */
static sim_time fall_back(const struct engine *e, struct job *j, sim_time landing)
{
    struct line *l = &j->line;
    int64_t kept = j->spec.per_epoch ? l->whole / j->spec.per_epoch * j->spec.per_epoch : 0;

    if (e->steps)
        return step_fall_back(e, j, kept, landing);
    double gone = ((double)(l->whole - kept) + l->part) / l->rate;
    sim_time ran = landing - j->since;

    l->whole = kept;
    l->part = 0;
    return gone < (double)ran ? (sim_time)(gone + 0.5) : ran;
}

/* With a quantum shorter than what lies between checkpoints nobody ever gets on. */
static void count_futile(struct engine *e)
{
    uint64_t most = 10000 + 1000 * (uint64_t)e->in_system;

    if (++e->futile > most)
        engine_stop(e, RUN_LIVELOCK,
                    "policy %s has preempted %llu times since a job last got to a checkpoint or an "
                    "end: what they do in between is lost",
                    e->set.policy->name, (unsigned long long)most);
}

/* Taken off while its replicas are copied, between two steps. With all work done none is saved. */
static void save_copying(struct engine *e, struct job *j, struct record *r)
{
    r->ready = later(j->lands > e->now ? j->lands : e->now,
                     j->line.whole == j->spec.work ? 0 : haul_save(e, j));
    j->saved_at = r->ready;
    j->copying = false;
}

/* Takes a running job off: fills in until when it went on, when its GPUs are ready, what is lost.
 */
static void suspend(struct engine *e, struct job *j, struct record *r, bool paused)
{
    if (paused)
        life_settle(e, j); /* at its goal, which is being reported */
    r->run = paused ? e->now : land(e, j);
    r->ready = r->run;
    j->ran_on = j->home;
    j->ran += r->run - j->since;
    if (j->spec.model != NO_MODEL && r->run > j->since)
        move_observe(e, j);
    j->landing = !paused && j->line.whole == j->goal ? r->run : SIM_NEVER;
    if (j->line.whole == j->spec.work)
        return;
    if (e->world->keeps == KEEP_STATE) {
        r->ready = later(r->ready, haul_save(e, j));
        r->lost = step_given_up(e, j);
        if (r->lost > 0 && !step_got_on(e, j))
            count_futile(e);
    } else if (j->landing == SIM_NEVER) {
        r->lost = fall_back(e, j, r->run);
        count_futile(e);
        j->saved = j->line.whole ? SAVED_DISK : SAVED_LOST;
    } else {
        j->saved = SAVED_DISK;
    }
    j->saved_at = r->ready;
}

void move_off(struct engine *e, struct job *j, enum record_kind kind, enum job_state to,
              const char *why)
{
    struct record r = job_record(j, kind);

    r.run = r.ready = e->now;
    r.why = why;
    if (j->state == JOB_RUNNING)
        suspend(e, j, &r, to == JOB_PAUSED);
    else if (j->copying)
        save_copying(e, j, &r);
    engine_emit(e, &r);
    if (j->n_held)
        unhold(e, j, r.ready);
    life_to(e, j, j->line.whole == j->spec.work ? JOB_ENDING : to);
    life_aim(e, j);
}

void move_drop(struct engine *e, struct job *j)
{
    haul_leave_host(e, j);
    if (j->n_held)
        unhold(e, j, e->now);
}
