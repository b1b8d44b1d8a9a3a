/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GPUs that several jobs hold: a day of a large cluster with fluid rates, and every step of a small
 * one (`iter.sync`: a segment is what a replica does of a step).
 */
#include "analysis/metrics.h"
#include "tests/perf/bench.h"
#include "tests/perf/jobs.h"
#include "tests/perf/plant.h"

#define KINDS 4u
#define EACH  64u /* samples on a GPU */
#define SEATS 4u

/* ---- a cost model without a table ---- */

static const struct kind {
    const char *name;
    double alpha, beta, gap;
} kinds[KINDS] = {
    {"busy", 0.01, 0.003, 0},
    {"even", 0.02, 0.0015, 0.1},
    {"idle", 0.02, 0.0005, 0.15},
    {"short", 0.005, 0.001, 0.03},
};

static struct step_parts step_of(const void *self, uint32_t model, type_id t, double samples)
{
    (void)self, (void)t;
    return (struct step_parts){kinds[model].alpha + kinds[model].beta * samples, 0,
                               kinds[model].gap};
}

static struct sync_cost sync_of(const void *self, uint32_t model, type_id t)
{
    (void)self, (void)model, (void)t;
    return (struct sync_cost){.overlap = 1};
}

static const struct cost_model cost_made_up = {.name = "made_up", .step = step_of, .sync = sync_of};

static double step_alone(uint32_t model)
{
    return kinds[model].alpha + kinds[model].beta * EACH + kinds[model].gap;
}

static void share_gpus(struct plant *p, uint32_t residents)
{
    struct world *w = &p->world;

    w->model = arena_get(p->arena, KINDS * sizeof(*w->model));
    for (uint32_t m = 0; m < KINDS; m++)
        w->model[m] = (struct model){
            .name = kinds[m].name, .parameters = 1e7, .samples_per_epoch = EACH, .batch = EACH};
    w->n_models = KINDS;
    w->cost = &cost_made_up;
    w->residents = residents;
    w->contention = contentions[0];
    w->type->eta = 0.15;
}

/* ---- jobs ---- */

struct sharing {
    struct trace trace;
    struct plant *plant;
    struct job_spec *job;
    uint32_t n, at;
    double segments; /* 0: they are not counted */
};

static int next(struct trace *trace, struct job_spec *out)
{
    struct sharing *s = (struct sharing *)trace;

    if (s->at == s->n)
        return 0;
    *out = s->job[s->at++];
    return 1;
}

static struct job_spec job_of(uint32_t row, uint32_t model, uint32_t gpus, int64_t steps)
{
    return (struct job_spec){.work = steps,
                             .per_epoch = steps,
                             .epochs = 1,
                             .gpus = gpus,
                             .model = model,
                             .batch = EACH * gpus,
                             .experiment = NO_EXPERIMENT,
                             .trial = row};
}

static struct sharing *sharing_new(const struct bench_case *c, uint32_t residents)
{
    struct sharing *s = mem_get(sizeof(*s));

    s->trace.next = next;
    s->plant = plant_new(c->gpus, c->policy);
    share_gpus(s->plant, residents);
    s->n = c->jobs;
    s->job = arena_get(s->plant->arena, s->n * sizeof(*s->job));
    return s;
}

/* Gangs that fill the seats of the cluster, by exponential times alone of an hour on average. */
static void *open_day(const struct bench_case *c, struct outcome *o)
{
    struct sharing *s = sharing_new(c, SEATS);
    struct maker maker = maker_new(
        (struct shape){.gpus = c->gpus, .load = 2.2, .mu = 3600, .sigma = 0, .gangs = true});

    (void)o;
    for (uint32_t i = 0; i < s->n; i++) {
        struct one_job j = maker_next(&maker);
        uint32_t model = i % KINDS, gpus = j.gpus > 8 ? 8 : j.gpus;
        s->job[i] = job_of(i, model, gpus, 1 + (int64_t)((double)j.work / 1e9 / step_alone(model)));
        s->job[i].submit = j.submit;
    }
    maker_free(&maker);
    return s;
}

/* Jobs of four replicas, dealt over the GPUs at different distances. */
static void *open_steps(const struct bench_case *c, struct outcome *o)
{
    struct sharing *s = sharing_new(c, 64);
    uint32_t rounds = c->gpus / 4;

    (void)o;
    s->plant->world.fidelity = FIDELITY_STEP;
    s->plant->world.step_jitter = 0.02;
    for (uint32_t i = 0; i < s->n; i++) {
        s->job[i] = job_of(i, i % KINDS, 4, (int64_t)(20000 / step_alone(i % KINDS) / s->n));
        for (uint32_t k = 0; k < 4; k++)
            s->job[i].asked |= UINT64_C(1) << (4 * i + k * (1 + i / rounds % rounds)) % c->gpus;
        s->segments += 4.0 * (double)s->job[i].work;
    }
    return s;
}

static void pass_sharing(void *self, struct outcome *o)
{
    struct sharing *s = self;
    struct metrics *m = metrics_new(NULL);
    struct sink *sink = metrics_sink(m);
    struct metric_value v[METRICS];

    s->at = 0;
    plant_go(s->plant, (struct plant_run){&s->trace, &sink, 1, false});
    o->digest = metrics_digest(m);
    metrics_values(m, v);
    metrics_free(m);
    o->units = s->segments > 0 ? s->segments : s->n;
    snprintf(o->note, sizeof(o->note), "%.4g s simulated, mean JCT %.5g s",
             (double)v[M_MAKESPAN].time / 1e9, (double)v[M_JCT_MEAN].time / 1e9);
}

static void close_sharing(void *self, struct outcome *o)
{
    struct sharing *s = self;

    (void)o;
    plant_free(s->plant);
    mem_drop(s);
}

#define DAY                                                                                        \
    .unit = "job", .jobs = 14000, .gpus = 1000, .reps = 3, .open = open_day, .pass = pass_sharing, \
    .close = close_sharing
#define STEPS                                                                                      \
    .unit = "segment", .policy = "even_split", .reps = 5, .open = open_steps,                      \
    .pass = pass_sharing, .close = close_sharing

const struct bench_case share_cases[] = {
    {.name = "share.day.even", .policy = "even_split", DAY},
    {.name = "share.day.fair", .policy = "slowdown_fair", .once = true, DAY},
    {.name = "iter.sync.8.4", .jobs = 8, .gpus = 4, STEPS},
    {.name = "iter.sync.64.32", .jobs = 64, .gpus = 32, STEPS},
    {.name = NULL},
};
