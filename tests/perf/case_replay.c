/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gangs in order of arrival: jobs in memory, results in metrics. And what a run needs of memory. */
#include "analysis/metrics.h"
#include "tests/perf/bench.h"
#include "tests/perf/jobs.h"
#include "tests/perf/plant.h"

enum { WITH_METRICS, BARE, CHECKED };

struct replay {
    struct plant *plant;
    struct jobs jobs;
    int variant;
    struct maker maker; /* memory cases: no columns */
    struct shape shape;
    uint32_t n;
};

static struct shape gangs(uint32_t gpus, double load)
{
    return (struct shape){.gpus = gpus, .load = load, .mu = 7, .sigma = 1.5, .gangs = true};
}

static void *open_replay(const struct bench_case *c, struct outcome *o)
{
    (void)o;
    struct replay *s = mem_get(sizeof(*s));

    s->plant = plant_new(c->gpus, "fifo");
    s->jobs = jobs_new(gangs(c->gpus, 0.9), c->jobs);
    s->variant = c->variant;
    return s;
}

static void run(struct replay *s, struct trace *trace, struct outcome *o)
{
    struct metrics *m = metrics_new(NULL);
    struct sink *sink = metrics_sink(m);
    struct metric_value v[METRICS];

    plant_go(s->plant, (struct plant_run){trace, &sink, s->variant != BARE, s->variant == CHECKED});
    if (s->variant != BARE) {
        o->digest = metrics_digest(m);
        metrics_values(m, v);
        snprintf(o->note, sizeof(o->note), "mean wait %.4g s", (double)v[M_WAIT_MEAN].time / 1e9);
    }
    metrics_free(m);
}

static void pass_replay(void *self, struct outcome *o)
{
    struct replay *s = self;
    struct jobs_trace t = jobs_trace(&s->jobs);

    o->units = s->jobs.n;
    run(s, &t.trace, o);
}

static void close_replay(void *self, struct outcome *o)
{
    struct replay *s = self;

    (void)o;
    plant_free(s->plant);
    jobs_free(&s->jobs);
    mem_drop(s);
}

#define REPLAY .unit = "job", .open = open_replay, .pass = pass_replay, .close = close_replay

const struct bench_case replay_cases[] = {
    {.name = "replay.fifo.1e4.1000", .jobs = 10000, .gpus = 1000, .reps = 25, REPLAY},
    {.name = "replay.fifo.1e5.1000", .jobs = 100000, .gpus = 1000, .reps = 15, REPLAY},
    {.name = "replay.fifo.1e6.1000", .jobs = 1000000, .gpus = 1000, .reps = 5, REPLAY},
    {.name = "replay.fifo.1e7.1000",
     .jobs = 10000000,
     .gpus = 1000,
     .reps = 5,
     .slow = true,
     REPLAY},
    {.name = "replay.fifo.1e6.96", .jobs = 1000000, .gpus = 96, .reps = 5, REPLAY},
    {.name = "replay.fifo.1e6.1e4", .jobs = 1000000, .gpus = 10000, .reps = 5, REPLAY},
    {.name = "replay.fifo.1e6.1e5", .jobs = 1000000, .gpus = 100000, .reps = 5, REPLAY},
    {.name = "replay.bare.1e6.1000",
     .jobs = 1000000,
     .gpus = 1000,
     .reps = 5,
     .variant = BARE,
     REPLAY},
    {.name = "replay.checked.1e4.1000",
     .jobs = 10000,
     .gpus = 1000,
     .reps = 5,
     .variant = CHECKED,
     .twin = "replay.fifo.1e4.1000",
     REPLAY},
    {.name = NULL},
};

/* ---- memory: jobs are made as they are asked for ---- */

static void *open_memory(const struct bench_case *c, struct outcome *o)
{
    (void)o;
    struct replay *s = mem_get(sizeof(*s));

    s->plant = plant_new(c->gpus, "fifo");
    s->shape = gangs(c->gpus, c->variant ? 0 : 0.9);
    s->maker = maker_new(s->shape);
    s->n = c->jobs;
    return s;
}

static void pass_memory(void *self, struct outcome *o)
{
    struct replay *s = self;
    struct jobs_trace t = maker_trace(&s->maker, s->n);

    o->units = s->n;
    run(s, &t.trace, o);
}

static void close_memory(void *self, struct outcome *o)
{
    struct replay *s = self;

    (void)o;
    plant_free(s->plant);
    maker_free(&s->maker);
    mem_drop(s);
}

#define MEMORY                                                                                     \
    .unit = "job", .gpus = 1000, .once = true, .open = open_memory, .pass = pass_memory,           \
    .close = close_memory
#define AT_ONCE .variant = 1

const struct bench_case memory_cases[] = {
    {.name = "mem.stream.1e4", .jobs = 10000, .twin = "replay.fifo.1e4.1000", MEMORY},
    {.name = "mem.stream.1e6", .jobs = 1000000, .twin = "replay.fifo.1e6.1000", MEMORY},
    {.name = "mem.stream.1e7",
     .jobs = 10000000,
     .slow = true,
     .twin = "replay.fifo.1e7.1000",
     MEMORY},
    {.name = "mem.active.1e3", .jobs = 1000, AT_ONCE, MEMORY},
    {.name = "mem.active.1e5", .jobs = 100000, AT_ONCE, MEMORY},
    {.name = NULL},
};
