/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a job: slots, lists of jobs by state, progress, its own events. */
#include <math.h>
#include <string.h>

#include "sim/engine/step.h"

/* ---- slots ---- */

/* Blocks never move, so that pointers to jobs stay good while the table of blocks grows. */
static void add_block(struct engine *e)
{
    uint32_t n = e->n_slots / JOB_CHUNK;
    size_t data = e->set.policy->job_size;

    e->block = mem_room(e->block, n, &e->cap_blocks, sizeof(*e->block));
    e->block[n].job = arena_get(e->arena, JOB_CHUNK * sizeof(struct job));
    e->block[n].view = NULL;
    e->block[n].data = data ? arena_get(e->arena, JOB_CHUNK * data) : NULL;
    for (uint32_t i = 0; i < JOB_CHUNK; i++)
        e->link = mem_room(e->link, e->n_slots + i, &e->cap_links, sizeof(*e->link));
    for (uint32_t i = JOB_CHUNK; i-- > 0; e->free_slot = e->n_slots + i)
        e->link[e->n_slots + i] = (struct link){NO_JOB, NO_SLOT, e->free_slot};
    e->n_slots += JOB_CHUNK;
}

static struct job *take_slot(struct engine *e)
{
    size_t data = e->set.policy->job_size;

    if (e->free_slot == NO_SLOT)
        add_block(e);
    uint32_t slot = e->free_slot;
    struct job *j = job_at(e, slot);
    e->free_slot = e->link[slot].next;
    mem_zero(j, sizeof(*j));
    j->id = e->link[slot].id = (uint64_t)e->n_arrived++ << 32 | slot;
    if (data)
        memset(e->block[slot / JOB_CHUNK].data + slot % JOB_CHUNK * data, 0, data);
    return j;
}

static void leave_slot(struct engine *e, struct job *j)
{
    uint32_t slot = sim_slot(j->id);

    j->id = NO_JOB;
    e->link[slot] = (struct link){NO_JOB, NO_SLOT, e->free_slot};
    e->free_slot = slot;
}

/* ---- lists ---- */

static void list_add(struct link *link, struct list *l, job_id id)
{
    uint32_t slot = sim_slot(id);

    link[slot].prev = l->tail;
    link[slot].next = NO_SLOT;
    if (l->tail == NO_SLOT) {
        l->head = slot;
        l->sorted = true;
    } else {
        link[l->tail].next = slot;
        l->sorted &= link[l->tail].id < id;
    }
    l->tail = slot;
    l->n++;
}

static void list_drop(struct link *link, struct list *l, job_id id)
{
    struct link at = link[sim_slot(id)];

    *(at.prev == NO_SLOT ? &l->head : &link[at.prev].next) = at.next;
    *(at.next == NO_SLOT ? &l->tail : &link[at.next].prev) = at.prev;
    l->n--;
}

/* Merges two sorted chains that are linked by next only. */
static uint32_t merge(struct link *link, uint32_t a, uint32_t b)
{
    uint32_t head = NO_SLOT, *end = &head;

    while (a != NO_SLOT && b != NO_SLOT) {
        uint32_t *from = link[a].id < link[b].id ? &a : &b;
        *end = *from;
        end = &link[*from].next;
        *from = *end;
    }
    *end = a != NO_SLOT ? a : b;
    return head;
}

/* Cuts the sorted chain off the front of *rest. */
static uint32_t cut_run(struct link *link, uint32_t *rest)
{
    uint32_t head = *rest, last = head;

    while (link[last].next != NO_SLOT && link[last].id < link[link[last].next].id)
        last = link[last].next;
    *rest = link[last].next;
    link[last].next = NO_SLOT;
    return head;
}

/* A natural merge sort: jobs that came back (preempted) are short runs behind a long sorted one. */
void list_sort(struct engine *e, struct list *l)
{
    uint32_t stack[33] = {NO_SLOT}, rest = l->head, depth = 0;
    struct link *link = e->link;

    for (uint32_t runs = 0; rest != NO_SLOT; runs++) {
        stack[depth++] = cut_run(link, &rest);
        for (uint32_t r = runs; r & 1; r >>= 1, depth--)
            stack[depth - 2] = merge(link, stack[depth - 2], stack[depth - 1]);
    }
    for (; depth > 1; depth--)
        stack[depth - 2] = merge(link, stack[depth - 2], stack[depth - 1]);
    l->head = stack[0];
    l->tail = NO_SLOT;
    for (uint32_t s = l->head; s != NO_SLOT; s = link[s].next) {
        link[s].prev = l->tail;
        l->tail = s;
    }
    l->sorted = true;
}

void life_to(struct engine *e, struct job *j, enum job_state to)
{
    if (j->state != JOB_FUTURE)
        list_drop(e->link, &e->list[j->state], j->id);
    j->state = to;
    j->since = e->now;
    if (to < JOB_DONE)
        list_add(e->link, &e->list[to], j->id);
}

void life_changed(struct engine *e, struct job *j, enum job_state was)
{
    bool acting = e->in_schedule;

    e->again |= acting;
    if (!e->set.policy->job_changed)
        return;
    e->in_schedule = false;
    e->set.policy->job_changed(e->policy_self, &e->cx, j->id, was);
    e->in_schedule = acting;
}

/* ---- progress ---- */

/* At nominal speed a unit is a nanosecond: whole numbers, exact however long the job is. */
static struct line settled(const struct engine *e, const struct job *j)
{
    struct line l = j->line;
    sim_time dt = e->now - l.since;

    if (e->steps)
        return step_line(e, j);
    l.since = e->now;
    if (l.rate == 1.0) {
        l.whole += dt;
    } else {
        double x = l.part + l.rate * (double)dt, whole = floor(x);
        bool past = !(x < (double)j->goal); /* an int64_t may not hold it */
        l.whole = past ? j->goal : l.whole + (int64_t)whole;
        l.part = x - whole;
    }
    if (l.whole >= j->goal) {
        l.whole = j->goal;
        l.part = 0;
    }
    return l;
}

void life_settle(struct engine *e, struct job *j)
{
    j->line = settled(e, j);
}

/* Rounded to the nearest nanosecond: rounding up would split ties that belong together. */
static sim_time time_to(const struct line *l, int64_t goal)
{
    if (l->rate == 1.0 && l->part == 0)
        return goal - l->whole;
    return time_of(((double)(goal - l->whole) - l->part) / l->rate);
}

static int64_t next_goal(const struct job *j)
{
    if (j->spec.experiment == NO_EXPERIMENT || j->spec.per_epoch == 0)
        return j->spec.work;
    int64_t goal = (j->line.whole / j->spec.per_epoch + 1) * j->spec.per_epoch;
    return goal < j->spec.work ? goal : j->spec.work;
}

double life_steps(const struct engine *e, const struct job *j)
{
    struct line l = e->steps && j->state == JOB_RUNNING ? step_line(e, j) : j->line;
    double done = (double)l.whole + l.part;

    if (j->state == JOB_RUNNING)
        done += j->line.rate * (double)(e->now - j->line.since);
    return done < (double)j->goal ? done : (double)j->goal;
}

sim_time life_ran(const struct engine *e, const struct job *j)
{
    return j->ran + (j->state == JOB_RUNNING ? e->now - j->since : 0);
}

/* The rate on the fastest type: an even split over GPUs of one type, as if it had them alone. */
static double best_rate(const struct engine *e, const struct job *j)
{
    const struct world *w = e->world;
    double best = 0;

    for (type_id t = 0; t < w->n_types; t++) {
        double r = j->types >> t & 1 ? world_type_rate(w, &j->spec, j->jitter, t) : 0;
        best = r > best ? r : best;
    }
    return j->spec.model == NO_MODEL ? best : best / 1e9;
}

/* Exact while a job runs at the rate that is asked for: its end is on its line. */
static sim_time remaining_at(const struct engine *e, const struct job *j, double rate)
{
    struct line l = j->line;

    if (j->state == JOB_RUNNING && rate == l.rate)
        return l.since + time_to(&l, j->spec.work) - e->now;
    if (j->state == JOB_RUNNING)
        l = settled(e, j);
    l.rate = rate;
    return rate > 0 ? time_to(&l, j->spec.work) : SIM_NEVER;
}

sim_time life_remaining(const struct engine *e, const struct job *j)
{
    return remaining_at(e, j, best_rate(e, j));
}

sim_time life_remaining_on(const struct engine *e, const struct job *j, const struct placement *p)
{
    double rate = life_rate(e, j, p);

    return remaining_at(e, j, j->spec.model == NO_MODEL ? rate : rate / 1e9);
}

void life_aim(struct engine *e, struct job *j)
{
    sim_time at = j->landing;

    if (j->state == JOB_SETUP)
        at = j->begin < at ? j->begin : at;
    else if (j->state == JOB_RUNNING)
        at = e->steps ? step_goal_at(e, j) : later(j->line.since, time_to(&j->line, j->goal));
    if (at == SIM_NEVER)
        heap_drop(&e->events, j->id);
    else
        heap_set(&e->events, j->id, at);
}

/* ---- events ---- */

/* The GPU types on which an even split of the job can run. */
static uint64_t runs_on(const struct engine *e, const struct job_spec *s)
{
    uint64_t all = UINT64_MAX >> (64 - e->world->n_types), types = 0;

    if (s->model == NO_MODEL)
        return all;
    for (type_id t = 0; t < e->world->n_types; t++)
        if (world_type_rate(e->world, s, 1, t) > 0 && world_type_fits(e->world, s, t))
            types |= UINT64_C(1) << t;
    return types;
}

struct job *life_arrive(struct engine *e, const struct job_spec *spec)
{
    struct job *j = take_slot(e);

    j->spec = *spec;
    j->spec.name = NULL; /* the source keeps it for this call only */
    j->types = runs_on(e, spec);
    j->goal = next_goal(j);
    j->landing = SIM_NEVER;
    j->home = NO_GPU;
    j->metric = NAN;
    j->started = SIM_NEVER;
    j->jitter = world_jitter(e->world, spec);
    count_system(e);
    e->in_system++;
    e->futile = 0;
    life_to(e, j, JOB_WAITING);
    struct record r = job_record(j, REC_ARRIVE);
    r.n = spec->gpus;
    r.epoch = spec->epochs;
    r.name = spec->name;
    if (spec->experiment != NO_EXPERIMENT) {
        const struct experiment *x = &e->world->experiment[spec->experiment];
        r.good = x->trial[spec->trial].good;
        r.value = x->curves->start;
    }
    engine_emit(e, &r);
    life_changed(e, j, JOB_FUTURE);
    return j;
}

/* The lines of the job whose event follows come while this one is dealt with. */
static void prefetch_first(const struct engine *e)
{
    if (!e->events.n)
        return;
    const char *j = (const char *)job_at(e, sim_slot(heap_first(&e->events)));
    for (size_t at = 0; at < offsetof(struct job, types); at += 64)
        __builtin_prefetch(j + at);
}

void life_leave(struct engine *e, struct job *j, enum job_state how)
{
    static const enum record_kind kind[JOB_STATES] = {
        [JOB_DONE] = REC_END, [JOB_KILLED] = REC_KILL, [JOB_REJECTED] = REC_REJECT};
    enum job_state was = j->state;
    struct job_spec spec = j->spec;

    heap_drop(&e->events, j->id);
    prefetch_first(e);
    /* A rejection is an act: its record has gone out with the policy's reason. */
    if (how != JOB_REJECTED) {
        struct record r = job_record(j, kind[how]);
        engine_emit(e, &r);
    }
    if (was == JOB_RUNNING) {
        if (how != JOB_DONE) /* else its goal was set */
            life_settle(e, j);
        j->ran += e->now - j->since;
    }
    move_drop(e, j);
    life_to(e, j, how);
    e->jct_sum += e->now - j->spec.submit;
    count_system(e);
    e->in_system--;
    if (how != JOB_REJECTED)
        life_changed(e, j, was);
    leave_slot(e, j);
    if (spec.experiment != NO_EXPERIMENT)
        tune_ended(e, &spec, how == JOB_DONE);
}

/* The end of an epoch of a trial: everybody hears its metric. Its tuner may end or pause it. */
static double report(struct engine *e, struct job *j)
{
    double metric = tune_metric_at(e, j, j->epoch + 1);
    struct record r = job_record(j, REC_REPORT);

    j->metric = metric;
    r.epoch = ++j->epoch;
    r.value = metric;
    r.share = NULL;
    engine_emit(e, &r);
    if (e->set.policy->job_reported)
        e->set.policy->job_reported(e->policy_self, &e->cx, j->id);
    tune_reported(e, j, metric);
    return metric;
}

static void go_on(struct engine *e, struct job *j)
{
    if (j->line.whole == j->spec.work) {
        life_leave(e, j, JOB_DONE);
    } else {
        j->goal = next_goal(j);
        if (e->steps)
            step_next(e, j);
        life_aim(e, j);
    }
}

/* A goal is reached: the end of an epoch, of all work, or both. */
static void reach_goal(struct engine *e, struct job *j)
{
    job_id id = j->id;
    uint32_t experiment = j->spec.experiment;
    bool landed = j->landing != SIM_NEVER;
    double metric = NAN;

    e->futile = 0;
    j->line.whole = j->goal; /* set, not computed */
    j->line.part = 0;
    j->line.since = e->now;
    j->landing = SIM_NEVER;
    if (!landed && j->state == JOB_RUNNING && j->spec.model != NO_MODEL)
        move_observe(e, j);
    if (experiment != NO_EXPERIMENT)
        metric = report(e, j);
    if (job_find(e, id) == j)
        go_on(e, j);
    if (experiment != NO_EXPERIMENT)
        tune_target(e, experiment, metric);
}

void life_event(struct engine *e, struct job *j)
{
    if (e->steps)
        step_over(e, j);
    if (j->landing == e->now || j->state == JOB_RUNNING) {
        reach_goal(e, j);
    } else {
        BUG_ON(j->state != JOB_SETUP || j->begin != e->now);
        move_runs(e, j);
        struct record r = job_record(j, REC_RUN);
        engine_emit(e, &r);
        life_changed(e, j, JOB_SETUP);
        life_aim(e, j);
    }
}
