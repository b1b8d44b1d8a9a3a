/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies that take GPUs away at multiples of a quantum: one-GPU jobs, more of them than the
 * cluster can serve, 20 s to restart. `fast` looks only at quanta where something can change,
 * `naive` is the same with a look at each, `sorted` sorts all jobs at each; the histories must be
 * the same. With `uneven` each GPU has a speed of its own (sigma 0.1), so that no two running jobs
 * come nearer to their ends at the same pace.
 */
#include "analysis/metrics.h"
#include "sim/base/rng.h"
#include "tests/perf/bench.h"
#include "tests/perf/draw.h"
#include "tests/perf/jobs.h"
#include "tests/perf/plant.h"

struct pre {
    struct plant *plant;
    struct jobs jobs;
};

enum { SINGLE, GANGS, UNEVEN };

static void vary_speeds(struct world *w)
{
    gsl_rng *r = rng_stream(w->seed, "speed", 0);

    for (gpu_id g = 0; g < w->n_gpus; g++)
        w->gpu[g].speed = draw_lognormal(r, -0.005, 0.1); /* mean 1 */
    w->nominal = false;
    gsl_rng_free(r);
}

static void *open_pre(const struct bench_case *c, struct outcome *o)
{
    (void)o;
    struct pre *s = mem_get(sizeof(*s));

    s->plant = plant_new(c->gpus, c->policy);
    s->plant->world.overheads.restore = 20 * SIM_SECOND;
    if (c->variant == UNEVEN)
        vary_speeds(&s->plant->world);
    s->jobs = jobs_new(
        (struct shape){
            .gpus = c->gpus, .load = 1.1, .mu = 7.6, .sigma = 1.7, .gangs = c->variant == GANGS},
        c->jobs);
    return s;
}

static void pass_pre(void *self, struct outcome *o)
{
    struct pre *s = self;
    struct metrics *m = metrics_new(NULL);
    struct sink *sink = metrics_sink(m);
    struct jobs_trace t = jobs_trace(&s->jobs);
    struct metric_value v[METRICS];

    plant_go(s->plant, (struct plant_run){&t.trace, &sink, 1, false});
    o->digest = metrics_digest(m);
    metrics_values(m, v);
    metrics_free(m);
    o->preemptions = (uint64_t)v[M_PREEMPTIONS].number;
    o->units = 2.0 * s->jobs.n + (double)o->preemptions;
    snprintf(o->note, sizeof(o->note), "%llu preemptions, mean JCT %.5g s",
             (unsigned long long)o->preemptions, (double)v[M_JCT_MEAN].time / 1e9);
}

static void close_pre(void *self, struct outcome *o)
{
    struct pre *s = self;

    (void)o;
    plant_free(s->plant);
    jobs_free(&s->jobs);
    mem_drop(s);
}

#define PRE(title, label, n, ...)                                                                  \
    {                                                                                              \
        .name = title, .policy = label, .unit = "decision", .jobs = n, .gpus = 1000,               \
        .open = open_pre, .pass = pass_pre, .close = close_pre, __VA_ARGS__                        \
    }

#define SRTF  "srtf[quantum_s="
#define LAS   "las[threshold_gpu_s=0,quantum_s="
#define LAS2  "las[threshold_gpu_s=3600,quantum_s="
#define EVERY ",every_quantum=true]"

/* A policy with one quantum, three ways, at 1e5 jobs. */
#define THREE(name, label, q)                                                                      \
    PRE("pre." name "." q ".fast", label q "]", 100000, .reps = 11),                               \
        PRE("pre." name "." q ".naive", label q EVERY, 100000, .reps = 11,                         \
            .twin = "pre." name "." q ".fast"),                                                    \
        PRE("pre." name "." q ".sorted", "sorted[by=" name ",quantum_s=" q "]", 100000,            \
            .once = true, .twin = "pre." name "." q ".fast")

const struct bench_case pre_cases[] = {
    THREE("srtf", SRTF, "60"),
    THREE("srtf", SRTF, "360"),
    THREE("las", LAS, "60"),
    THREE("las", LAS, "360"),
    THREE("las2", LAS2, "60"),
    THREE("las2", LAS2, "360"),
    PRE("pre.srtf.360.1e4", SRTF "360]", 10000, .reps = 25),
    PRE("pre.srtf.360.1e6", SRTF "360]", 1000000, .once = true, .slow = true),
    PRE("pre.las.360.1e4", LAS "360]", 10000, .reps = 25),
    PRE("pre.las.360.1e6", LAS "360]", 1000000, .once = true, .slow = true),
    PRE("pre.las2.360.1e4", LAS2 "360]", 10000, .reps = 25),
    PRE("pre.las2.360.3e5", LAS2 "360]", 300000, .reps = 5),
    PRE("pre.las2.360.3e5.sorted", "sorted[by=las2,quantum_s=360]", 300000, .once = true,
        .slow = true, .twin = "pre.las2.360.3e5"),
    PRE("pre.las2.360.1e6", LAS2 "360]", 1000000, .reps = 5),
    PRE("pre.las2.360.1e6.naive", LAS2 "360" EVERY, 1000000, .once = true, .slow = true,
        .twin = "pre.las2.360.1e6"),
    PRE("pre.las2.360.1e6.sorted", "sorted[by=las2,quantum_s=360]", 1000000, .once = true,
        .asked = true, .twin = "pre.las2.360.1e6"),
    PRE("pre.las2.360.gangs.fast", LAS2 "360]", 100000, .reps = 11, .variant = GANGS),
    PRE("pre.las2.360.gangs.naive", LAS2 "360" EVERY, 100000, .reps = 11, .variant = GANGS,
        .twin = "pre.las2.360.gangs.fast"),
    PRE("pre.srtf.360.uneven.1e4", SRTF "360]", 10000, .reps = 25, .variant = UNEVEN),
    PRE("pre.srtf.360.uneven.1e5", SRTF "360]", 100000, .reps = 5, .variant = UNEVEN),
    PRE("pre.srtf.360.uneven.naive", SRTF "360" EVERY, 100000, .reps = 5, .variant = UNEVEN,
        .twin = "pre.srtf.360.uneven.1e5"),
    PRE("pre.srtf.360.uneven.sorted", "sorted[by=srtf,quantum_s=360]", 100000, .once = true,
        .variant = UNEVEN, .twin = "pre.srtf.360.uneven.1e5"),
    PRE("pre.srtf.360.uneven.1e6", SRTF "360]", 1000000, .once = true, .slow = true,
        .variant = UNEVEN),
    {.name = NULL},
};
