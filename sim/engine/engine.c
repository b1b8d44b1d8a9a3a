/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sim/engine/share.h"
#include "sim/engine/step.h"
#include "sim/text/num.h"

#define CHECK_SMALL 1024u /* GPUs and jobs of a world that is checked after every instant */
#define CHECK_PART  4u    /* else so many of them an instant, on average */

/* ---- records and ends ---- */

void engine_emit(struct engine *e, struct record *r)
{
    if (e->ended && r->kind != REC_FINISH && r->kind != REC_LOAD)
        return;
    r->t = e->now;
    e->past[e->n_past++ % PAST] = (struct past){r->t, r->job, r->kind, r->n};
    for (struct sink *const *s = e->set.sink, *const *end = s + e->set.n_sinks; s < end; s++)
        (*s)->take(*s, r);
}

void engine_stop(struct engine *e, enum run_end end, const char *fmt, ...)
{
    va_list ap;

    if (e->ended)
        return;
    e->ended = true;
    e->end = end;
    va_start(ap, fmt);
    vsnprintf(e->reason, sizeof(e->reason), fmt, ap);
    va_end(ap);
}

/* What jobs that are still alive have waited and held, so that the identities hold at any end. */
static void check_identities(struct engine *e)
{
    count_system(e);
    count_held(e);
    for (uint32_t s = 0; s < e->n_slots; s++) {
        const struct job *j = job_at(e, s);
        if (e->link[s].id == NO_JOB)
            continue;
        e->jct_sum += e->now - j->spec.submit;
        e->held_sum += (sim_area)e->now * j->n_held;
    }
    BUG_ON(e->in_system_area != e->jct_sum);
    BUG_ON(e->held_area != e->held_sum);
}

/* ---- sources ---- */

static void pull(struct engine *e)
{
    sim_time last = e->arrival.submit;
    int got = e->set.trace ? e->set.trace->next(e->set.trace, &e->arrival) : 0;

    e->arrives = got > 0 ? e->arrival.submit : SIM_NEVER;
    if (got < 0)
        engine_stop(e, RUN_BAD_INPUT, "the trace broke off after %u jobs", e->n_arrived);
    else if (e->n_arrived == UINT32_MAX) /* the number of none */
        engine_stop(e, RUN_BAD_INPUT, "more than %u jobs", e->n_arrived - 1);
    BUG_ON(e->arrives < last);
}

static void next_opening(struct engine *e)
{
    e->opens = e->next_opening < e->world->n_experiments
                   ? e->world->experiment[e->opening[e->next_opening]].submit
                   : SIM_NEVER;
}

static inline sim_time next_time(const struct engine *e)
{
    sim_time t = e->events.n ? heap_first_key(&e->events) : SIM_NEVER;

    t = e->arrives < t ? e->arrives : t;
    t = e->opens < t ? e->opens : t;
    if (e->closing.n && heap_first_key(&e->closing) < t)
        t = heap_first_key(&e->closing);
    if (e->steps && steps_next(e) < t)
        t = steps_next(e);
    if (t == SIM_NEVER && e->list[JOB_WAITING].n == 0 && e->list[JOB_PAUSED].n == 0)
        return SIM_NEVER; /* nobody is left whom an alarm could serve */
    return e->alarm < t ? e->alarm : t;
}

/* Events of this instant: jobs' own first (they free GPUs), then arrivals, experiments, the alarm.
 */
static void drain(struct engine *e)
{
    while (!e->ended && e->events.n && heap_first_key(&e->events) == e->now) {
        e->n_events++;
        life_event(e, job_at(e, sim_slot(heap_first(&e->events))));
    }
    while (e->arrives == e->now && !e->ended) {
        e->n_events++;
        life_arrive(e, &e->arrival);
        pull(e);
    }
    while (e->opens == e->now && !e->ended) {
        uint32_t experiment = e->opening[e->next_opening++];
        e->n_events++;
        next_opening(e);
        tune_open(e, experiment);
    }
    while (!e->ended && e->closing.n && heap_first_key(&e->closing) == e->now) {
        e->n_events++;
        tune_overdue(e, (uint32_t)heap_first(&e->closing));
    }
    if (e->alarm == e->now)
        e->alarm = SIM_NEVER;
}

/* ---- the loop ---- */

static void scratch_done(struct engine *e)
{
    if (e->scratch_used)
        arena_reset(e->scratch);
    e->scratch_used = false;
}

static void decide(struct engine *e)
{
    e->in_schedule = true;
    e->n_acts = 0;
    e->set.policy->schedule(e->policy_self, &e->cx);
    e->in_schedule = false;
}

static void check_all(const struct engine *e)
{
    uint32_t held = 0;

    gpus_check(&e->gpus);
    for (uint32_t s = 0; s < e->n_slots; s++) {
        const struct job *j = job_at(e, s);
        struct placement p = job_held(j);
        if (e->link[s].id == NO_JOB)
            continue;
        held += p.n;
        for (uint32_t i = 0; is_shared(e) && i < p.n; i++)
            BUG_ON(!gpus_resident(&e->gpus, p.share[i].gpu, j->id));
        BUG_ON(j->id != e->link[s].id);
        BUG_ON((p.n > 0) != (j->state == JOB_SETUP || j->state == JOB_RUNNING));
        BUG_ON(j->line.whole > j->spec.work || j->line.part < 0 || j->line.part >= 1);
        for (uint32_t i = 0; !is_shared(e) && i < p.n; i++)
            BUG_ON(e->gpus.gpu[p.share[i].gpu].owner != s);
    }
    BUG_ON(held != e->held);
    BUG_ON(!is_shared(e) && held + e->gpus.free != e->world->n_gpus);
}

/* All is checked after each instant of a small world; in a large one only so often that it costs
 * about as little as a few of its GPUs and jobs an instant. */
static void check_some(struct engine *e)
{
    uint32_t size = e->world->n_gpus + e->n_slots;

    e->unchecked += CHECK_PART;
    if (size > CHECK_SMALL && e->unchecked < size)
        return;
    check_all(e);
    e->unchecked = 0;
}

/* Names the first jobs of a state, for a report. */
static int name_jobs(struct engine *e, enum job_state s, char *buf, size_t size)
{
    int n = 0, at = 0;

    for (job_id j = sim_first(&e->cx, s); j != NO_JOB && n < 10; j = sim_next(&e->cx, j), n++)
        at += snprintf(buf + at, size - (size_t)at, "%s%u", n ? ", " : "", sim_number(j));
    if (e->list[s].n > 10)
        at += snprintf(buf + at, size - (size_t)at, ", ...");
    return at;
}

static void end_quiet(struct engine *e)
{
    char names[160] = "";

    if (e->list[JOB_WAITING].n) {
        name_jobs(e, JOB_WAITING, names, sizeof(names));
        engine_stop(e, RUN_STALLED,
                    "policy %s has forgotten %u waiting job%s (%s): nothing is left to happen",
                    e->set.policy->name, e->list[JOB_WAITING].n,
                    e->list[JOB_WAITING].n > 1 ? "s" : "", names);
    } else if (e->list[JOB_PAUSED].n) {
        name_jobs(e, JOB_PAUSED, names, sizeof(names));
        engine_stop(e, RUN_STALLED,
                    "%u paused trial%s (job %s) will not be promoted: nothing is left to happen",
                    e->list[JOB_PAUSED].n, e->list[JOB_PAUSED].n > 1 ? "s" : "", names);
    } else {
        engine_stop(e, RUN_DRAINED, "%s", "");
    }
}

/* A policy that wants to be asked for ever while its jobs wait and nothing else will happen. */
static void count_rings(struct engine *e)
{
    bool alone = !e->events.n && !e->closing.n && e->arrives == SIM_NEVER &&
                 e->opens == SIM_NEVER && !(e->steps && steps_next(e) != SIM_NEVER);

    e->rings = alone && e->next != SIM_NEVER ? e->rings + 1 : 0;
    if (e->rings > e->set.max_rounds)
        engine_stop(
            e, RUN_STALLED,
            "policy %s has set its alarm %u times and done nothing, and nothing else is left "
            "to happen",
            e->set.policy->name, e->set.max_rounds);
}

/* Nothing is done at t. */
static void end_before(struct engine *e, sim_time t)
{
    if (t == SIM_NEVER) {
        end_quiet(e);
    } else if (e->set.until >= SIM_LATEST) {
        engine_stop(e, RUN_BAD_INPUT, "simulated time passes its end, 2^62 ns (146 years)");
    } else {
        e->now = e->set.until;
        engine_stop(e, RUN_UNTIL, "%s", "");
    }
}

/* What is inside steps comes first, and concerns nobody else: no round follows. */
static bool only_steps(struct engine *e)
{
    return e->steps && steps_drain(e) && (e->next = next_time(e)) > e->now;
}

bool engine_step(struct engine *e)
{
    uint32_t rounds = 0;
    sim_time t = e->next;

    if (e->ended)
        return false;
    if (t > e->last) {
        end_before(e, t);
        return false;
    }
    BUG_ON(t < e->now);
    if (t > e->now && e->list[JOB_RUNNING].n > 0)
        e->stopped = 0;
    e->now = t;
    if (only_steps(e))
        return true;
    do {
        if (rounds++ == e->set.max_rounds) {
            engine_stop(e, RUN_LIVELOCK,
                        "policy %s was asked %u times in one instant and still wants more",
                        e->set.policy->name, rounds - 1);
            break;
        }
        e->again = false;
        drain(e);
        if (!e->ended)
            decide(e);
        if (is_shared(e))
            share_settle(e);
        scratch_done(e);
    } while (!e->ended && ((e->next = next_time(e)) == t || e->again));
    count_rings(e);
    if (e->set.paranoid)
        check_some(e);
    return !e->ended;
}

static const char *const end_name[] = {
    [RUN_DRAINED] = "drained",     [RUN_UNTIL] = "until",     [RUN_STALLED] = "stalled",
    [RUN_LIVELOCK] = "livelock",   [RUN_REFUSED] = "refused", [RUN_FAILED] = "failed",
    [RUN_BAD_INPUT] = "bad_input",
};

/* A record of the run itself. */
static void emit_run(struct engine *e, enum record_kind kind, const char *why)
{
    engine_emit(e, &(struct record){.kind = kind,
                                    .job = NO_JOB,
                                    .n = e->world->n_gpus,
                                    .experiment = NO_EXPERIMENT,
                                    .value = NAN,
                                    .told = NAN,
                                    .why = why});
}

enum run_end engine_run(struct engine *e)
{
    while (engine_step(e))
        ;
    if (e->set.paranoid)
        check_all(e);
    if (is_shared(e))
        share_finish(e);
    emit_run(e, REC_FINISH, end_name[e->end]);
    check_identities(e);
    return e->end;
}

/* ---- making and ending ---- */

static void sort_openings(struct engine *e)
{
    const struct experiment *x = e->world->experiment;

    for (uint32_t i = 0; i < e->world->n_experiments; i++) {
        uint32_t k = i;
        for (; k > 0 && x[e->opening[k - 1]].submit > x[i].submit; k--)
            e->opening[k] = e->opening[k - 1];
        e->opening[k] = i;
    }
}

struct engine *engine_new(const struct engine_setup *set)
{
    struct arena *a = arena_new();
    struct engine *e = arena_get(a, sizeof(*e));
    const struct policy *p = set->policy;

    e->set = *set;
    e->world = set->world;
    e->cx.e = e;
    e->arena = a;
    e->scratch = arena_new();
    e->asking = arena_new();
    e->last = set->until < SIM_LATEST ? set->until : SIM_LATEST - 1;
    e->alarm = SIM_NEVER;
    e->free_slot = NO_SLOT;
    for (int s = 0; s < JOB_STATES; s++)
        e->list[s] = (struct list){NO_SLOT, NO_SLOT, 0, true};
    for (uint32_t i = 0; i < set->n_sinks; i++)
        e->wants_why |= set->sink[i]->wants_why;
    e->gpus = gpus_new(a, e->world);
    e->host_used = arena_get(a, e->world->n_nodes * sizeof(double));
    e->picked = arena_get(a, e->world->n_gpus * sizeof(*e->picked));
    e->opening = arena_get(a, e->world->n_experiments * sizeof(uint32_t));
    share_setup(e);
    steps_setup(e);
    sort_openings(e);
    next_opening(e);
    tune_setup(e);
    e->policy_self = arena_get(a, p->state_size);
    if (set->params)
        memcpy(e->policy_self, set->params, p->state_size);
    emit_run(e, REC_BEGIN, NULL);
    pull(e);
    if (p->init)
        p->init(e->policy_self, &e->cx);
    scratch_done(e);
    e->next = next_time(e);
    return e;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    if (e->set.policy->fini)
        e->set.policy->fini(e->policy_self);
    tune_teardown(e);
    share_teardown(e);
    steps_teardown(e);
    if (e->random)
        gsl_rng_free(e->random);
    heap_free(&e->events);
    heap_free(&e->closing);
    mem_drop(e->block);
    mem_drop(e->link);
    arena_free(e->scratch);
    arena_free(e->asking);
    arena_free(e->arena);
}

/* ---- what the outside reads ---- */

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
    return e->n_events;
}
uint64_t engine_refusals(const struct engine *e)
{
    return e->n_refusals;
}
uint64_t engine_unsettled(const struct engine *e)
{
    return e->n_unsettled;
}
const char *engine_reason(const struct engine *e)
{
    return e->reason;
}

void engine_report(const struct engine *e, FILE *out)
{
    uint32_t from = e->n_past > PAST ? e->n_past - PAST : 0;

    char now[NUM_MAX];

    now[num_put_seconds(now, e->now)] = '\0';
    fprintf(out, "%s at %s s\n", e->reason, now);
    fprintf(
        out,
        "jobs: %u waiting, %u in set-up, %u running, %u paused, %u submitted; %u of %u GPUs free\n",
        e->list[JOB_WAITING].n, e->list[JOB_SETUP].n, e->list[JOB_RUNNING].n, e->list[JOB_PAUSED].n,
        e->n_arrived, e->gpus.free, e->world->n_gpus);
    fprintf(out, "the last records:\n");
    for (uint32_t i = from; i < e->n_past; i++) {
        const struct past *p = &e->past[i % PAST];
        now[num_put_seconds(now, p->t)] = '\0';
        fprintf(out, "  %s s  %-7s", now, record_name[p->kind]);
        if (p->job != NO_JOB)
            fprintf(out, "  job %u", sim_number(p->job));
        fprintf(out, "  %u\n", p->n);
    }
    if (e->set.policy->dump) {
        fprintf(out, "policy %s says:\n", e->set.policy->name);
        e->set.policy->dump(e->policy_self, out);
    }
}
