/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/laws/history.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "analysis/events.h"

/* ---- policies ---- */

const struct law_policy law_policies[] = {
    {"fifo", IS_GREEDY},
    {"fifo[skip_ahead=true]", IS_GREEDY},
    {"sjf", IS_GREEDY | IS_ORACLE},
    {"sjf[skip_ahead=true]", IS_GREEDY | IS_ORACLE},
    {"srtf", IS_GREEDY | IS_ORACLE},
    {"srtf[quantum_s=1,skip_ahead=false]", IS_GREEDY | IS_ORACLE},
    {"las[threshold_gpu_s=2,quantum_s=1]", IS_GREEDY},
    {"las[threshold_gpu_s=0,quantum_s=1,skip_ahead=false]", IS_GREEDY},
    {"las[threshold_gpu_s=0,quantum_s=2]", IS_GREEDY},
    {"rr[quantum_s=0.5]", IS_BOUND},
    {"rr[quantum_s=0,quantum_epochs=2,placement=random]", IS_BOUND},
    {"rr[scope=node,quantum_s=1]", IS_BOUND | IS_SINGLE},
    {"uniform", IS_BOUND},
    {"uniform[order=convergence,placement=per_node]", IS_BOUND},
    {"hermes", IS_BOUND},
    {"hermes[quantum_s=0.5,preempt_on=any,compare_at=latest,measure=marginal,window=2]", IS_BOUND},
    {"hermes[scope=node,preempt_on=quantum,measure=slope]", IS_BOUND | IS_SINGLE},
    {"hermes[placement=least_used]", IS_BOUND},
    {"slaq", IS_BOUND},
    {"slaq[oracle=true,preempt_on=any,delta=0.01]", IS_BOUND | IS_ORACLE},
    {"slaq[scope=node,quantum_s=1,family=sublinear,window=6]", IS_BOUND | IS_SINGLE},
    {"hyperdrive", IS_GREEDY},
    {"hyperdrive[promising=0.5,quantum_epochs=2,window=6]", IS_GREEDY},
    {"hypersched[start_up_s=1]", IS_GREEDY},
    {"fair_share[quantum_s=1]", IS_GREEDY},
    {"hermes_v2[move_s=1]", IS_BOUND | IS_SINGLE},
    {"hermes_v2[relocate=run,residence=0,move_s=0,margin=0,victim=convergence]",
     IS_BOUND | IS_SINGLE},
    {"hermes_v2[cap=speed,gain=absolute,victim_loss=false,move_s=0.5,residence=1]",
     IS_BOUND | IS_SINGLE},
    {"hermes_v2[placement=uniform,horizon_s=4,move_s=0.5]", IS_BOUND | IS_SINGLE},
    {"hermes_v2[cap=none,relocate=placement,quantum_s=1]", IS_BOUND | IS_SINGLE},
    {"even_split", IS_GREEDY | IS_SHARING},
    {"even_split[skip_ahead=false]", IS_GREEDY | IS_SHARING},
    {"slowdown_fair[period_s=1,first_s=0.5]", IS_GREEDY | IS_SHARING},
    {NULL, 0},
};

struct chosen_policy law_policy(struct arena *a, const char *label)
{
    struct diag *d = diag_new(stderr);
    struct chosen_policy p = {0};

    cr_assert(plug_policy(NULL, a, d, tree_scalar(a, (struct mark){0}, label, strlen(label)), &p),
              "%s", label);
    diag_free(d);
    return p;
}

void law_scale_policy(const struct chosen_policy *p, int64_t by)
{
    for (const struct field *f = p->policy->params; f && f->type != FIELD_END; f++)
        if (f->type == FIELD_SECONDS)
            *(sim_time *)(void *)((char *)p->params + f->offset) *= by;
}

/* ---- a trace in memory ---- */

struct list {
    struct trace trace;
    const struct job_spec *job;
    uint32_t n, at;
};

static int next(struct trace *t, struct job_spec *out)
{
    struct list *l = (struct list *)t;

    if (l->at == l->n)
        return 0;
    *out = l->job[l->at++];
    return 1;
}

/* ---- a sink that keeps records ---- */

#define MOST_RECORDS 200000

struct keeper {
    struct sink sink;
    struct history *history;
    size_t cap;
};

static void keep(struct sink *sink, const struct record *r)
{
    struct keeper *k = (struct keeper *)sink;
    struct history *s = k->history;

    if (s->n == MOST_RECORDS)
        cr_assert_fail("the run does not end; a late record: %s",
                       history_row(s->arena, &s->record[s->n - 1]));
    s->record = mem_room(s->record, s->n, &k->cap, sizeof *s->record);
    struct record *to = &s->record[s->n++];
    *to = *r;
    if (r->n > 0 && r->share) {
        struct share *share = arena_get(s->arena, r->n * sizeof *share);
        memcpy(share, r->share, r->n * sizeof *share);
        to->share = share;
    }
    to->name = NULL;
    if (r->why)
        to->why = arena_text(s->arena, r->why, strlen(r->why));
}

/* ---- runs ---- */

static void must_end_well(struct engine *e, const struct small *s, const struct chosen_policy *p)
{
    char *text = NULL;
    size_t len;

    if (engine_end(e) == RUN_DRAINED || engine_end(e) == RUN_UNTIL)
        return;
    FILE *out = open_memstream(&text, &len);
    engine_report(e, out);
    fclose(out);
    cr_assert_fail("world %llu, policy %s: %s", (unsigned long long)s->world.seed, p->label, text);
}

/* All that a run needs while it goes on. */
struct running {
    struct keeper keeper;
    struct metrics *metrics;
    struct sink *sink[2];
    struct list list;
    struct diag *diag;
    struct engine *engine;
};

static void begin(struct running *t, const struct small *s, const struct chosen_policy *p)
{
    struct arena *a = arena_new();
    struct history *history = arena_get(a, sizeof *history);

    mallopt(M_TRIM_THRESHOLD,
            64 << 20); /* thousands of runs: the heap need not shrink in between */
    history->arena = a;
    t->keeper = (struct keeper){{keep, true}, history, 0};
    t->metrics = metrics_new(NULL);
    t->sink[0] = &t->keeper.sink;
    t->sink[1] = metrics_sink(t->metrics);
    t->list = (struct list){{next, NULL}, s->job, s->n_jobs, 0};
    t->diag = diag_new(stderr);
    struct belief *belief = belief_open(
        a, t->diag, tree_scalar(a, (struct mark){0}, s->predictor, strlen(s->predictor)),
        &s->world);
    cr_assert(belief, "%s", s->predictor);
    t->engine = engine_new(&(struct engine_setup){.world = &s->world,
                                                  .trace = &t->list.trace,
                                                  .policy = p->policy,
                                                  .params = p->params,
                                                  .belief = belief,
                                                  .sink = t->sink,
                                                  .n_sinks = 2,
                                                  .until = s->until,
                                                  .max_rounds = 1000,
                                                  .paranoid = true});
}

static struct history *end(struct running *t, const struct small *s, const struct chosen_policy *p)
{
    struct history *history = t->keeper.history;

    history->end = engine_run(t->engine);
    must_end_well(t->engine, s, p);
    metrics_values(t->metrics, history->value);
    history->digest = metrics_digest(t->metrics);
    engine_free(t->engine);
    metrics_free(t->metrics);
    diag_free(t->diag);
    return history;
}

struct history *history_with(const struct small *s, const struct chosen_policy *p)
{
    struct running t;

    begin(&t, s, p);
    return end(&t, s, p);
}

void history_twins(const struct small *s, const struct chosen_policy *p, struct history *out[2])
{
    struct running t[2];
    bool more = true;

    for (int i = 0; i < 2; i++)
        begin(&t[i], s, p);
    while (more) {
        more = engine_step(t[0].engine);
        more |= engine_step(t[1].engine);
    }
    for (int i = 0; i < 2; i++)
        out[i] = end(&t[i], s, p);
}

struct history *history_of(const struct small *s, const char *label)
{
    struct arena *a = arena_new();
    struct chosen_policy p = law_policy(a, label);
    struct history *history = history_with(s, &p);

    arena_free(a);
    return history;
}

void history_free(struct history *s)
{
    mem_drop(s->record);
    arena_free(s->arena);
}

/* ---- comparing ---- */

static bool same_number(double a, double b)
{
    return a == b || (a != a && b != b);
}

static uint32_t number_of(const struct record *r)
{
    return r->job == NO_JOB ? UINT32_MAX : sim_number(r->job);
}

static bool same_record(const struct record *a, const struct record *b)
{
    return a->t == b->t && a->kind == b->kind && a->origin == b->origin &&
           number_of(a) == number_of(b) && a->n == b->n && a->experiment == b->experiment &&
           a->trial == b->trial && a->epoch == b->epoch && a->good == b->good && a->run == b->run &&
           a->ready == b->ready && a->lost == b->lost && same_number(a->value, b->value) &&
           same_number(a->told, b->told) && !a->share == !b->share &&
           (!a->share || memcmp(a->share, b->share, a->n * sizeof *a->share) == 0);
}

const char *history_row(struct arena *a, const struct record *r)
{
    struct out *o = out_memory();
    size_t len;

    events_row(o, r);
    const char *text = out_data(o, &len);
    text = arena_text(a, text, len);
    out_drop(o);
    return text;
}

const char *history_differs(const struct history *a, const struct history *b, sim_time before)
{
    for (uint32_t i = 0; i < a->n || i < b->n; i++) {
        const struct record *x = i < a->n && a->record[i].t < before ? &a->record[i] : NULL;
        const struct record *y = i < b->n && b->record[i].t < before ? &b->record[i] : NULL;
        if (!x && !y)
            return NULL;
        if (!x || !y || !same_record(x, y))
            return arena_printf(a->arena, "record %u:\n  %s\n  %s", i,
                                x ? history_row(a->arena, x) : "none",
                                y ? history_row(a->arena, y) : "none");
    }
    return NULL;
}

const struct record *history_find(const struct history *s, enum record_kind kind, uint32_t number)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->record[i].kind == kind && s->record[i].job != NO_JOB &&
            sim_number(s->record[i].job) == number)
            return &s->record[i];
    return NULL;
}
