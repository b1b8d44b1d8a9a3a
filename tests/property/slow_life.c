/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Taking GPUs" and "Leaving GPUs" of docs/model.md, and how a job comes and goes. */
#include <math.h>
#include <string.h>

#include "tests/property/slow_tune.h"

bool slow_alive(const struct job *j)
{
    return j->state > JOB_FUTURE && j->state < JOB_DONE;
}
bool slow_holds(const struct job *j)
{
    return j->state == JOB_SETUP || j->state == JOB_RUNNING;
}

struct job *slow_find(const struct engine *e, job_id id)
{
    for (size_t i = 0; i < e->n_jobs; i++)
        if (e->job[i]->id == id && slow_alive(e->job[i]))
            return e->job[i];
    return NULL;
}

struct record slow_record(const struct engine *e, enum record_kind kind, const struct job *j)
{
    (void)e;
    return (struct record){.kind = kind,
                           .job = j->id,
                           .n = j->held,
                           .share = j->held ? j->share : NULL,
                           .experiment = NO_EXPERIMENT,
                           .value = NAN,
                           .told = NAN};
}

void slow_to(struct engine *e, struct job *j, enum job_state s)
{
    j->state = s;
    j->since = e->now;
}

/* ---- arriving ---- */

static uint32_t free_slot(const struct engine *e)
{
    for (uint32_t slot = 0;; slot++) {
        bool taken = false;
        for (size_t i = 0; i < e->n_jobs; i++)
            taken |= slow_alive(e->job[i]) && sim_slot(e->job[i]->id) == slot;
        if (!taken)
            return slot;
    }
}

struct job *slow_arrive(struct engine *e, const struct job_spec *s)
{
    struct job *j = arena_get(e->arena, sizeof(*j));
    const struct world *w = e->world;

    *j = (struct job){.id = (uint64_t)e->n_jobs << 32 | free_slot(e),
                      .spec = *s,
                      .jitter = world_jitter(w, s),
                      .event = SIM_NEVER,
                      .landing = SIM_NEVER,
                      .home = NO_GPU,
                      .ran_on = NO_GPU,
                      .started = SIM_NEVER,
                      .metric = NAN};
    for (type_id t = 0; t < w->n_types; t++)
        if (world_type_rate(w, s, j->jitter, t) > 0 && world_type_fits(w, s, t))
            j->types |= UINT64_C(1) << t;
    j->share = arena_get(e->arena, w->n_gpus * sizeof(*j->share));
    j->resid = arena_get(e->arena, w->n_gpus * sizeof(*j->resid));
    j->replica = arena_get(e->arena, w->n_gpus * sizeof(*j->replica));
    j->step_share = arena_get(e->arena, w->n_gpus * sizeof(*j->step_share));
    j->resid_sum = arena_get(e->arena, w->n_gpus * sizeof(*j->resid_sum));
    j->data = arena_get(e->arena, e->policy->job_size);
    e->job = mem_room(e->job, e->n_jobs, &e->cap_jobs, sizeof(struct job *));
    e->job[e->n_jobs++] = j;
    slow_to(e, j, JOB_WAITING);
    struct record r = slow_record(e, REC_ARRIVE, j);
    r.n = s->gpus;
    r.experiment = s->experiment;
    r.trial = s->trial;
    r.epoch = s->epochs;
    r.good = slow_is_trial(j) && w->experiment[s->experiment].trial[s->trial].good;
    r.value = slow_is_trial(j) ? w->experiment[s->experiment].curves->start : NAN;
    r.name = s->name;
    slow_emit(e, r);
    slow_changed(e, j, JOB_FUTURE);
    return j;
}

/* ---- taking GPUs ---- */

static sim_time transfer(const struct engine *e, const struct job *j, double bandwidth)
{
    return bandwidth > 0
               ? slow_to_time(world_state_bytes(e->world, j->spec.model) / bandwidth * 1e9)
               : 0;
}

static node_id node_of(const struct engine *e, gpu_id g)
{
    return e->world->gpu[g].node;
}

static enum origin origin_of(const struct engine *e, const struct job *j)
{
    node_id n = node_of(e, j->share[0].gpu);

    if (j->ran_on == NO_GPU)
        return FROM_NEW;
    if (j->where == IN_HOST)
        return j->node == n ? FROM_HERE : FROM_MOVED;
    if (j->where == IN_STORAGE)
        return node_of(e, j->ran_on) == n ? FROM_DISK : FROM_DISK_MOVED;
    return FROM_NOTHING;
}

static const struct gpu_type *type_of(const struct engine *e, gpu_id g)
{
    return &e->world->type[e->world->node[node_of(e, g)].type];
}

sim_time slow_context(const struct engine *e, const struct placement *p)
{
    sim_time longest = 0;

    for (uint32_t i = 0; i < p->n; i++)
        if (type_of(e, p->share[i].gpu)->context > longest)
            longest = type_of(e, p->share[i].gpu)->context;
    return longest;
}

static double host_rate(const struct engine *e, gpu_id g)
{
    return type_of(e, g)->host > 0 ? type_of(e, g)->host : e->world->overheads.host;
}

static sim_time load_time(const struct engine *e, const struct job *j, enum origin from)
{
    const struct overheads *o = &e->world->overheads;

    switch (from) {
    case FROM_HERE:
        return o->restore + transfer(e, j, host_rate(e, j->share[0].gpu));
    case FROM_MOVED:
        return o->restore + o->image + transfer(e, j, o->disk_write) + transfer(e, j, o->network) +
               transfer(e, j, o->disk_read);
    case FROM_DISK:
        return o->restore + transfer(e, j, o->disk_read);
    case FROM_DISK_MOVED:
        return o->restore + o->image + transfer(e, j, o->disk_read);
    default:
        return o->start;
    }
}

static void run(struct engine *e, struct job *j)
{
    slow_to(e, j, JOB_RUNNING);
    slow_mark(e, j);
    j->copying = false;
    j->where = NOWHERE;
    j->ran_on = j->share[0].gpu;
    j->line = j->stretch = j->kept_at = j->stepped = e->now;
    j->step_took = 0;
    slow_step_anew(e, j);
    slow_aim(e, j);
}

void slow_hold(struct job *j, const struct placement *p)
{
    memmove(j->share, p->share, p->n * sizeof(*p->share));
    j->held = p->n;
    j->home = j->share[0].gpu;
}

static void first_start(struct engine *e, struct job *j, const struct placement *p)
{
    if (j->started == SIM_NEVER && slow_shares(e)) {
        struct record r = slow_record(e, REC_ALONE, j);
        j->alone = r.run = slow_alone(e, j, p);
        r.n = j->spec.gpus;
        slow_emit(e, r);
    }
    if (j->started == SIM_NEVER)
        j->started = e->now;
}

void slow_start(struct engine *e, struct job *j, const struct placement *p, const char *why)
{
    sim_time ready = e->now;

    first_start(e, j, p);
    slow_hold(j, p);
    for (uint32_t i = 0; i < j->held; i++)
        ready = e->ready[j->share[i].gpu] > ready ? e->ready[j->share[i].gpu] : ready;
    if (j->usable > ready) /* its state is saved, or it has been killed, only then */
        ready = j->usable;
    enum origin from = origin_of(e, j);
    struct placement here = slow_held(j);
    sim_time at = ready + load_time(e, j, from) + slow_context(e, &here);
    struct record r = slow_record(e, REC_START, j);
    r.origin = from;
    r.run = at;
    r.value = slow_true_rate(e, j);
    r.told = slow_told(e, j);
    r.why = why;
    slow_emit(e, r);
    j->rate = slow_rate(e, j);
    slow_to(e, j, JOB_SETUP);
    j->event = at;
    if (at == e->now)
        run(e, j);
}

/* ---- leaving GPUs ---- */

static void free_gpus(struct engine *e, struct job *j)
{
    slow_mark(e, j);
    j->held = 0;
    j->event = SIM_NEVER;
}

/* Sets progress to what it may finish; returns how long that takes. */
static sim_time finish_part(const struct engine *e, struct job *j)
{
    int64_t to = j->whole + (j->part > 0), per_epoch = j->spec.per_epoch;

    if (j->spec.model == NO_MODEL || e->world->preempt_at == PREEMPT_NOW)
        return 0;
    if (e->world->preempt_at == PREEMPT_EPOCH && per_epoch > 0)
        to = (to + per_epoch - 1) / per_epoch * per_epoch;
    sim_time dt = slow_time_to(to, j->whole, j->part, j->rate);
    j->whole = to;
    j->part = 0;
    return dt;
}

static double bytes_in_host(const struct engine *e, node_id n)
{
    double sum = 0;

    for (size_t i = 0; i < e->n_jobs; i++)
        if (slow_alive(e->job[i]) && e->job[i]->where == IN_HOST && e->job[i]->node == n)
            sum += world_state_bytes(e->world, e->job[i]->spec.model);
    return sum;
}

/* Saves its state; returns how long that takes. */
static sim_time save(const struct engine *e, struct job *j)
{
    const struct world *w = e->world;
    node_id n = node_of(e, j->share[0].gpu);
    double room = w->node[n].host_memory, bytes = world_state_bytes(w, j->spec.model);

    j->node = n;
    if (w->suspend_to == SUSPEND_HOST && (room <= 0 || bytes_in_host(e, n) + bytes <= room)) {
        j->where = IN_HOST;
        return w->overheads.save + transfer(e, j, host_rate(e, j->share[0].gpu));
    }
    j->where = IN_STORAGE;
    return w->overheads.save + transfer(e, j, w->overheads.disk_write);
}

/* Kills it; returns the running time whose progress is lost. */
static sim_time fall_back(const struct engine *e, struct job *j, sim_time landing)
{
    int64_t kept = j->spec.per_epoch > 0 ? j->whole / j->spec.per_epoch * j->spec.per_epoch : 0;
    sim_time lost = j->rate == 1 && j->part == 0
                        ? j->whole - kept
                        : slow_to_time(((double)(j->whole - kept) + j->part) / j->rate);

    if (slow_steps(e))
        lost = landing - j->kept_at;
    j->whole = kept;
    j->part = 0;
    j->where = kept > 0 ? IN_STORAGE : NOWHERE;
    return lost < landing - j->stretch ? lost : landing - j->stretch;
}

/* Its state, and its GPUs, can be used from then on. */
static void leave_ready(struct engine *e, struct job *j, sim_time at)
{
    j->usable = at;
    for (uint32_t i = 0; i < j->held; i++)
        if (e->ready[j->share[i].gpu] < at)
            e->ready[j->share[i].gpu] = at;
}

/* Takes a running job off; fills the record and says what state it comes to. */
static enum job_state stop(struct engine *e, struct job *j, struct record *r, enum job_state to)
{
    slow_settle(e, j);
    j->ran_on = j->share[0].gpu;
    sim_time landing = e->now;
    if (to != JOB_PAUSED && slow_steps(e))
        landing = slow_step_leave(e, j, e->world->preempt_at, &r->lost);
    else if (to != JOB_PAUSED)
        landing += finish_part(e, j);
    if (landing > j->stretch)
        slow_measure(e, j);
    r->run = r->ready = landing;
    j->ran += landing - j->stretch;
    if (to != JOB_PAUSED && j->whole == j->goal) {
        j->landing = landing;
        j->landing_goal = j->goal;
        to = j->goal == j->spec.work ? JOB_ENDING : to;
    }
    if (to == JOB_ENDING)
        j->where = NOWHERE;
    else if (e->world->keeps == KEEP_STATE)
        r->ready += save(e, j);
    else
        r->lost = fall_back(e, j, landing);
    leave_ready(e, j, r->ready);
    return to;
}

void slow_take_off(struct engine *e, struct job *j, enum record_kind kind, const char *why)
{
    enum job_state to = kind == REC_PAUSE ? JOB_PAUSED : JOB_WAITING;
    struct record r = slow_record(e, kind, j);

    r.run = r.ready = e->now;
    r.why = why;
    if (j->state == JOB_RUNNING)
        to = stop(e, j, &r, to);
    if (j->copying) { /* between two steps: whatever is kept of others, its state is saved */
        r.ready = j->usable > e->now ? j->usable : e->now;
        if (j->whole == j->spec.work)
            to = JOB_ENDING;
        else
            r.ready += save(e, j);
        leave_ready(e, j, r.ready);
        j->copying = false;
    }
    slow_emit(e, r);
    free_gpus(e, j);
    slow_to(e, j, to);
}

void slow_depart(struct engine *e, struct job *j, enum job_state to, const char *why)
{
    enum job_state was = j->state;
    struct record r = slow_record(e,
                                  to == JOB_DONE     ? REC_END
                                  : to == JOB_KILLED ? REC_KILL
                                                     : REC_REJECT,
                                  j);

    r.why = why;
    slow_emit(e, r);
    slow_settle(e, j);
    if (was == JOB_RUNNING)
        j->ran += e->now - j->stretch;
    free_gpus(e, j);
    j->n_replicas = 0;
    j->landing = SIM_NEVER;
    j->where = NOWHERE;
    slow_to(e, j, to);
    if (to != JOB_REJECTED)
        slow_changed(e, j, was);
    j->gone = true;
    if (slow_is_trial(j))
        slow_ended(e, j);
}

/* ---- own events ---- */

static void at_goal(struct engine *e, struct job *j, int64_t goal)
{
    if (slow_is_trial(j)) {
        j->epoch = (uint32_t)(goal / j->spec.per_epoch);
        slow_reported(e, j);
    }
    if (slow_alive(j) && !e->over) {
        if (goal == j->spec.work)
            slow_depart(e, j, JOB_DONE, NULL);
        else if (j->state == JOB_RUNNING)
            slow_aim(e, j);
    }
    if (slow_is_trial(j))
        slow_target(e, j->spec.experiment, j->metric);
}

void slow_event(struct engine *e, struct job *j)
{
    if (j->landing <= j->event) {
        j->landing = SIM_NEVER;
        at_goal(e, j, j->landing_goal);
    } else if (j->state == JOB_SETUP) {
        run(e, j);
        slow_emit(e, slow_record(e, REC_RUN, j));
        slow_changed(e, j, JOB_SETUP);
    } else {
        if (slow_steps(e))
            slow_step_end(e, j);
        j->whole = j->goal;
        j->part = 0;
        j->line = e->now;
        j->event = SIM_NEVER;
        slow_measure(e, j);
        at_goal(e, j, j->goal);
    }
}
