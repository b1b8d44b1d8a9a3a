/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Experiments: `hpo.report`, many trials of 50 epochs whose order follows what they report, and
 * tuners that decide at rungs (`hpo.asha`); `rr.closed`, jobs alone on their GPUs, whose quanta end
 * unseen, beside one that looks at the end of each.
 */
#include <math.h>
#include <string.h>

#include "analysis/metrics.h"
#include "sim/base/rng.h"
#include "tests/perf/bench.h"
#include "tests/perf/plant.h"

#define EPOCHS 50u
#define RUNGS  81u /* epochs of a trial under ASHA */

static struct step_parts step_of(const void *self, uint32_t model, type_id t, double samples)
{
    (void)self, (void)model, (void)t, (void)samples;
    return (struct step_parts){20, 0, 0};
}

static struct sync_cost sync_of(const void *self, uint32_t model, type_id t)
{
    (void)self, (void)model, (void)t;
    return (struct sync_cost){.overlap = 1};
}

/* An epoch is a step of 20 s. */
static const struct cost_model cost_flat = {.name = "flat", .step = step_of, .sync = sync_of};
static struct model flat_model = {
    .name = "flat", .parameters = 1e6, .samples_per_epoch = 64, .batch = 64};

/* ---- trials ---- */

/* Power laws (eq. 7) with a little noise. */
static struct curves *make_curves(struct arena *a, uint32_t trials, uint32_t epochs)
{
    struct curves *c = arena_get(a, sizeof(*c));
    gsl_rng *r = rng_stream(7, "curves", 0);

    *c = (struct curves){.name = "accuracy", .start = 0.1, .ideal = 1, .trials = trials};
    c->first = arena_get(a, (trials + 1) * sizeof(*c->first));
    c->value = arena_get(a, (size_t)trials * epochs * sizeof(*c->value));
    for (uint32_t k = 0, n = 0; k < trials; k++) {
        double last = 0.3 + 0.65 * gsl_rng_uniform(r), tau = 1 + 5 * gsl_rng_uniform(r);
        for (uint32_t e = 1; e <= epochs; e++)
            c->value[n++] = last - (last - 0.1) / (1 + e / tau) + 0.01 * gsl_rng_uniform(r);
        c->first[k + 1] = n;
    }
    gsl_rng_free(r);
    return c;
}

struct hpo {
    struct plant *plant;
    uint64_t reports;
};

static void plant_study(struct plant *p, uint32_t trials, uint32_t epochs, const char *tuner)
{
    struct world *w = &p->world;
    struct experiment *x = arena_get(p->arena, sizeof(*x));
    struct chosen_tuner t;

    BUG_ON(!plug_tuner(NULL, p->arena, p->diag,
                       tree_scalar(p->arena, (struct mark){0}, tuner, strlen(tuner)), &t));
    *x = (struct experiment){.name = "study",
                             .gpus = 1,
                             .curves = make_curves(p->arena, trials, epochs),
                             .n_trials = trials,
                             .trial = arena_get(p->arena, trials * sizeof(*x->trial)),
                             .target = NAN,
                             .tuner = t.tuner,
                             .tuner_params = t.params};
    for (uint32_t k = 0; k < trials; k++)
        x->trial[k] = (struct trial_spec){.curve = k, .batch = 64};
    w->model = &flat_model;
    w->n_models = 1;
    w->cost = &cost_flat;
    w->experiment = x;
    w->n_experiments = 1;
}

enum { ALL, ASHA, ASHA_STOP };

static void *open_hpo(const struct bench_case *c, struct outcome *o)
{
    static const char *const tuner[] = {
        [ALL] = "run_all",
        [ASHA] = "asha[eta=3,min_epochs=1,at_once=256]",
        [ASHA_STOP] = "asha_stop[eta=3,min_epochs=1,at_once=256]",
    };
    struct hpo *s = mem_get(sizeof(*s));

    (void)o;
    s->plant = plant_new(c->gpus, c->policy);
    plant_study(s->plant, c->jobs, c->variant == ALL ? EPOCHS : RUNGS, tuner[c->variant]);
    return s;
}

struct counter {
    struct sink sink;
    uint64_t reports, digest;
};

static void count(struct sink *sink, const struct record *r)
{
    struct counter *c = (struct counter *)sink;

    c->reports += r->kind == REC_REPORT;
    c->digest = record_digest(c->digest, r);
}

static void pass_hpo(void *self, struct outcome *o)
{
    struct hpo *s = self;
    struct counter c = {.sink = {count, false}};
    struct sink *sink = &c.sink;

    plant_go(s->plant, (struct plant_run){NULL, &sink, 1, false});
    o->digest = c.digest;
    o->units = (double)c.reports;
    snprintf(o->note, sizeof(o->note), "%llu epochs were reported", (unsigned long long)c.reports);
}

static void close_hpo(void *self, struct outcome *o)
{
    struct hpo *s = self;

    (void)o;
    plant_free(s->plant);
    mem_drop(s);
}

/* ---- quanta in which nothing can change ---- */

struct lonely {
    struct trace trace;
    struct plant *plant;
    uint32_t n, at;
    sim_time work;
};

static int next(struct trace *trace, struct job_spec *out)
{
    struct lonely *s = (struct lonely *)trace;

    if (s->at == s->n)
        return 0;
    *out = (struct job_spec){.work = s->work,
                             .gpus = 1,
                             .model = NO_MODEL,
                             .experiment = NO_EXPERIMENT,
                             .trial = s->at++};
    return 1;
}

/* As many jobs as GPUs; `variant` quanta of a second each. */
static void *open_alone(const struct bench_case *c, struct outcome *o)
{
    struct lonely *s = mem_get(sizeof(*s));

    (void)o;
    s->trace.next = next;
    s->plant = plant_new(c->gpus, c->policy);
    s->n = c->jobs;
    s->work = (sim_time)c->variant * SIM_SECOND;
    return s;
}

static void pass_alone(void *self, struct outcome *o)
{
    struct lonely *s = self;
    struct counter c = {.sink = {count, false}};
    struct sink *sink = &c.sink;

    s->at = 0;
    uint64_t events = plant_go(s->plant, (struct plant_run){&s->trace, &sink, 1, false});
    o->digest = c.digest;
    o->units = (double)s->n * (double)s->work / (double)SIM_SECOND;
    snprintf(o->note, sizeof(o->note), "%llu events", (unsigned long long)events);
}

static void close_alone(void *self, struct outcome *o)
{
    struct lonely *s = self;

    (void)o;
    plant_free(s->plant);
    mem_drop(s);
}

#define HPO(title, label, n, g, ...)                                                               \
    {                                                                                              \
        .name = title, .policy = label, .unit = "report", .jobs = n, .gpus = g, .open = open_hpo,  \
        .pass = pass_hpo, .close = close_hpo, __VA_ARGS__                                          \
    }
#define RR(title, label, quanta, ...)                                                              \
    {                                                                                              \
        .name = title, .policy = label, .unit = "quantum", .jobs = 1000, .gpus = 1000,             \
        .variant = quanta, .open = open_alone, .pass = pass_alone, .close = close_alone,           \
        __VA_ARGS__                                                                                \
    }

const struct bench_case hpo_cases[] = {
    HPO("hpo.report.hermes", "hermes", 100000, 1000, .once = true),
    HPO("hpo.report.rr", "rr[quantum_s=0,quantum_epochs=1]", 100000, 1000, .once = true),
    HPO("hpo.report.fifo", "fifo", 100000, 1000, .once = true),
    HPO("hpo.report.hermes.1e4", "hermes", 10000, 1000, .reps = 5),
    HPO("hpo.asha.256", "fifo", 20000, 256, .reps = 5, .variant = ASHA),
    HPO("hpo.asha_stop.256", "fifo", 20000, 256, .reps = 5, .variant = ASHA_STOP),
    RR("rr.closed", "rr[quantum_s=1]", 1000000, .reps = 25),
    RR("rr.closed.1e3", "rr[quantum_s=1]", 1000, .reps = 25),
    RR("rr.naive.1e3", "every_quantum[quantum_s=1]", 1000, .reps = 5, .twin = "rr.closed.1e3"),
    {.name = NULL},
};
