/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop: "Time and order" of docs/model.md. */
#include <string.h>

#include "sim/base/rng.h"
#include "tests/property/slow_tune.h"

/* ---- records and callbacks ---- */

void slow_emit(struct engine *e, struct record r)
{
    if (e->over && r.kind != REC_FINISH && r.kind != REC_LOAD)
        return;
    r.t = e->now;
    for (uint32_t i = 0; i < e->setup.n_sinks; i++)
        e->setup.sink[i]->take(e->setup.sink[i], &r);
}

void slow_over(struct engine *e, enum run_end end, const char *reason)
{
    if (e->over)
        return;
    e->over = true;
    e->end = end;
    snprintf(e->reason, sizeof(e->reason), "%s", reason);
}

void slow_enter(struct engine *e)
{
    e->depth++;
}

void slow_leave(struct engine *e)
{
    if (--e->depth == 0)
        arena_reset(e->scratch);
}

void slow_changed(struct engine *e, struct job *j, enum job_state was)
{
    bool acting = e->cx.acting;

    e->again |= acting; /* something happened inside schedule(): it follows once more */
    if (!e->policy->job_changed)
        return;
    e->cx.acting = false;
    slow_enter(e);
    e->policy->job_changed(e->self, &e->cx, j->id, was);
    slow_leave(e);
    e->cx.acting = acting;
}

/* ---- what happens next ---- */

static sim_time event_of(const struct job *j)
{
    return j->event < j->landing ? j->event : j->landing;
}

static struct job *first_job(const struct engine *e)
{
    struct job *first = NULL;

    for (size_t i = 0; i < e->n_jobs; i++)
        if (slow_alive(e->job[i]) && event_of(e->job[i]) != SIM_NEVER &&
            (!first || event_of(e->job[i]) < event_of(first)))
            first = e->job[i];
    return first;
}

/* The experiment that begins next; n_experiments: none. */
static uint32_t first_study(const struct engine *e)
{
    const struct world *w = e->world;
    uint32_t first = w->n_experiments;

    for (uint32_t i = 0; i < w->n_experiments; i++)
        if (!e->study[i].begun &&
            (first == w->n_experiments || w->experiment[i].submit < w->experiment[first].submit))
            first = i;
    return first;
}

static bool any_alive(const struct engine *e)
{
    for (size_t i = 0; i < e->n_jobs; i++)
        if (slow_alive(e->job[i]))
            return true;
    return false;
}

static sim_time earlier(sim_time a, sim_time b)
{
    return a < b ? a : b;
}

/* Of all but the alarm. */
static sim_time next_event(const struct engine *e)
{
    const struct job *j = first_job(e);
    uint32_t x = first_study(e);
    sim_time t = SIM_NEVER;

    if (j)
        t = earlier(t, event_of(j));
    if (e->has_next)
        t = earlier(t, e->next.submit);
    if (x < e->world->n_experiments)
        t = earlier(t, e->world->experiment[x].submit);
    for (x = 0; x < e->world->n_experiments; x++)
        t = earlier(t, slow_overdue_at(e, x));
    return t;
}

/* An alarm alone, when nobody is left who could be served, is no reason to go on. */
static sim_time next_time(const struct engine *e)
{
    sim_time t = next_event(e);

    return t != SIM_NEVER || any_alive(e) ? earlier(t, e->alarm) : t;
}

/* ---- one instant ---- */

static void pull(struct engine *e)
{
    int got = e->setup.trace ? e->setup.trace->next(e->setup.trace, &e->next) : 0;

    e->has_next = got > 0;
    if (got < 0)
        slow_over(e, RUN_BAD_INPUT, "the trace broke off");
}

static void own_events(struct engine *e)
{
    for (struct job *j; !e->over && (j = first_job(e)) && event_of(j) <= e->now; e->events++)
        slow_event(e, j);
}

static void submissions(struct engine *e)
{
    for (; !e->over && e->has_next && e->next.submit <= e->now; e->events++) {
        slow_arrive(e, &e->next);
        pull(e);
    }
}

static void experiments(struct engine *e)
{
    for (uint32_t x; !e->over && (x = first_study(e)) < e->world->n_experiments &&
                     e->world->experiment[x].submit <= e->now;
         e->events++)
        slow_open(e, x);
    for (uint32_t x = 0; !e->over && x < e->world->n_experiments; x++) {
        if (slow_overdue_at(e, x) > e->now)
            continue;
        e->events++;
        slow_overdue(e, x);
    }
}

static void decide(struct engine *e)
{
    if (e->over)
        return;
    slow_enter(e);
    e->cx.acting = true;
    e->policy->schedule(e->self, &e->cx);
    e->cx.acting = false;
    slow_leave(e);
}

static void instant(struct engine *e, sim_time t)
{
    e->now = t;
    slow_spend(e);
    slow_steps_pass(e);
    for (uint32_t round = 0; !e->over && (round == 0 || e->again || next_time(e) <= e->now);
         round++) {
        if (round == e->setup.max_rounds) {
            slow_over(e, RUN_LIVELOCK, "too many decision rounds in one instant");
            return;
        }
        e->again = false;
        own_events(e);
        submissions(e);
        experiments(e);
        if (e->alarm <= e->now)
            e->alarm = SIM_NEVER;
        decide(e);
        slow_solve(e);
    }
    bool only_alarm =
        next_event(e) == SIM_NEVER && slow_steps_next(e) == SIM_NEVER && next_time(e) != SIM_NEVER;
    e->rings = only_alarm ? e->rings + 1 : 0;
    if (e->rings > e->setup.max_rounds)
        slow_over(e, RUN_STALLED, "only alarms are left to ring");
}

/* ---- a run ---- */

struct engine *engine_new(const struct engine_setup *s)
{
    struct engine *e = mem_get(sizeof(*e));
    const struct world *w = s->world;

    e->setup = *s;
    e->world = w;
    e->policy = s->policy;
    e->cx.e = e;
    e->arena = arena_new();
    e->scratch = arena_new();
    e->alarm = SIM_NEVER;
    e->self = arena_get(e->arena, e->policy->state_size);
    if (s->params)
        memcpy(e->self, s->params, e->policy->state_size);
    e->ready = arena_get(e->arena, w->n_gpus * sizeof(*e->ready));
    e->load = arena_get(e->arena, w->n_gpus * sizeof(*e->load));
    e->stretch = arena_get(e->arena, w->n_gpus * sizeof(*e->stretch));
    for (gpu_id g = 0; g < w->n_gpus; g++) {
        e->stretch[g].job = arena_get(e->arena, w->residents * sizeof(struct job *));
        e->stretch[g].samples = arena_get(e->arena, w->residents * sizeof(uint32_t));
    }
    e->changed = arena_get(e->arena, w->n_gpus * sizeof(*e->changed));
    e->study = arena_get(e->arena, w->n_experiments * sizeof(*e->study));
    for (uint32_t x = 0; x < w->n_experiments; x++)
        e->study[x].trial =
            arena_get(e->arena, w->experiment[x].n_trials * sizeof(*e->study[x].trial));
    return e;
}

static void begin(struct engine *e)
{
    e->begun = true;
    slow_emit(e, (struct record){.kind = REC_BEGIN, .job = NO_JOB, .n = e->world->n_gpus});
    if (e->policy->init) {
        slow_enter(e);
        e->policy->init(e->self, &e->cx);
        slow_leave(e);
    }
    pull(e);
}

static bool finish(struct engine *e)
{
    static const char *const words[] = {
        [RUN_DRAINED] = "drained",    [RUN_UNTIL] = "until",     [RUN_STALLED] = "stalled",
        [RUN_LIVELOCK] = "livelock",  [RUN_REFUSED] = "refused", [RUN_FAILED] = "failed",
        [RUN_BAD_INPUT] = "bad_input"};

    slow_last_loads(e);
    slow_emit(e,
              (struct record){
                  .kind = REC_FINISH, .job = NO_JOB, .n = e->world->n_gpus, .why = words[e->end]});
    e->finished = true;
    return false;
}

/* What happens inside steps before, or when, anything else does. */
static void quietly(struct engine *e)
{
    for (sim_time t; (t = slow_steps_next(e)) != SIM_NEVER && t <= next_time(e) &&
                     t <= e->setup.until && !e->over;)
        slow_steps_to(e, t);
}

bool engine_step(struct engine *e)
{
    if (e->finished)
        return false;
    if (!e->begun)
        begin(e);
    quietly(e);
    sim_time t = earlier(next_time(e), slow_steps_next(e));
    if (e->over)
        return finish(e);
    if (t == SIM_NEVER) {
        slow_over(e, any_alive(e) ? RUN_STALLED : RUN_DRAINED, "");
    } else if (t > e->setup.until) {
        e->now = e->setup.until;
        slow_over(e, RUN_UNTIL, "");
    } else {
        instant(e, t);
    }
    return e->over ? finish(e) : true;
}

enum run_end engine_run(struct engine *e)
{
    while (engine_step(e))
        ;
    return e->end;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    if (e->policy->fini)
        e->policy->fini(e->self);
    for (uint32_t x = 0; x < e->world->n_experiments; x++) {
        if (e->study[x].begun && e->world->experiment[x].tuner->close)
            e->world->experiment[x].tuner->close(e->study[x].self);
        if (e->study[x].random)
            gsl_rng_free(e->study[x].random);
    }
    if (e->random)
        gsl_rng_free(e->random);
    mem_drop(e->job);
    arena_free(e->scratch);
    arena_free(e->arena);
    mem_drop(e);
}

enum run_end engine_end(const struct engine *e)
{
    return e->end;
}
sim_time engine_now(const struct engine *e)
{
    return e->now;
}
uint64_t engine_events(const struct engine *e)
{
    return e->events;
}
uint64_t engine_refusals(const struct engine *e)
{
    return e->refusals;
}
const char *engine_reason(const struct engine *e)
{
    return e->reason;
}

void engine_report(const struct engine *e, FILE *out)
{
    fprintf(out, "at %lld ns: %s\n", (long long)e->now, e->reason);
    if (e->policy->dump)
        e->policy->dump(e->self, out);
}
