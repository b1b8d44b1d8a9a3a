/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a CSV file to a CSV file: read and write alone; simulated on the way, in the memory of the
 * living jobs; all read, simulated, all written. The last two must write the same bytes. And the
 * product's own run folder, file by file.
 */
#include <string.h>
#include <sys/stat.h>

#include "analysis/rundir.h"
#include "tests/perf/bench.h"
#include "tests/perf/jobs.h"
#include "tests/perf/plant.h"

enum { PARSE_WRITE, STREAM, BATCH, FULL_NONE, FULL_JOBS, FULL_SERIES, FULL_EVENTS, FULL_ALL };

struct e2e {
    struct plant *plant;
    const char *path, *to;
    uint32_t n;
    int variant;
    struct out *out;
    /* batch: what was read, and what came of it, by number; the numbers by end */
    sim_time *submit, *work, *start;
    uint16_t *gpus;
    uint32_t *order, ended;
};

static const struct shape shape = {.gpus = 1000, .load = 0.9, .mu = 7, .sigma = 1.5, .gangs = true};

static void *open_e2e(const struct bench_case *c, struct outcome *o)
{
    struct e2e *s = mem_get(sizeof(*s));

    s->plant = plant_new(shape.gpus, "fifo");
    s->n = c->jobs;
    s->variant = c->variant;
    s->path = "trace.csv";
    s->to = c->variant < FULL_NONE ? "result.csv" : c->name;
    if (jobs_csv(s->plant->diag, s->path, shape, c->jobs, c->variant < FULL_NONE ? "id" : "job_id"))
        return s;
    snprintf(o->fault, sizeof(o->fault), "no trace could be written");
    return NULL;
}

static struct trace *source(struct e2e *s)
{
    struct trace *t = trace_csv(s->plant->diag, s->path, &s->plant->world);

    BUG_ON(!t);
    return t;
}

static void put(struct out *o, uint32_t number, sim_time submit, sim_time start, sim_time end,
                uint32_t gpus)
{
    out_int(o, number);
    out_char(o, ',');
    out_seconds(o, submit);
    out_char(o, ',');
    out_seconds(o, start);
    out_char(o, ',');
    out_seconds(o, end);
    out_char(o, ',');
    out_int(o, gpus);
    out_char(o, '\n');
}

static void parse_write(struct e2e *s)
{
    struct trace *t = source(s);
    struct job_spec j;

    while (t->next(t, &j) > 0)
        put(s->out, j.trial, j.submit, j.submit, j.submit + j.work, j.gpus);
    t->close(t);
}

/* ---- simulated ---- */

static void put_row(void *user, const struct job_row *j)
{
    put(((struct e2e *)user)->out, j->number, j->submit, j->first_start, j->end, j->gpus);
}

static void keep_row(void *user, const struct job_row *j)
{
    struct e2e *s = user;

    s->start[j->number] = j->first_start;
    s->order[s->ended++] = j->number;
}

static void simulate(struct e2e *s, struct trace *t, void (*job)(void *, const struct job_row *))
{
    struct metrics *m = metrics_new(&(struct metrics_hooks){.job = job, .user = s});
    struct sink *sink = metrics_sink(m);

    plant_go(s->plant, (struct plant_run){t, &sink, 1, false});
    metrics_free(m);
}

static void stream(struct e2e *s)
{
    struct trace *t = source(s);

    simulate(s, t, put_row);
    t->close(t);
}

static void read_all(struct e2e *s)
{
    struct trace *t = source(s);
    struct job_spec j;

    s->submit = mem_get(s->n * sizeof(*s->submit));
    s->work = mem_get(s->n * sizeof(*s->work));
    s->start = mem_get(s->n * sizeof(*s->start));
    s->gpus = mem_get(s->n * sizeof(*s->gpus));
    s->order = mem_get(s->n * sizeof(*s->order));
    s->ended = 0;
    for (uint32_t i = 0; t->next(t, &j) > 0; i++) {
        s->submit[i] = j.submit;
        s->work[i] = j.work;
        s->gpus[i] = (uint16_t)j.gpus;
    }
    t->close(t);
}

static void batch(struct e2e *s)
{
    read_all(s);
    struct jobs jobs = {s->n, s->submit, s->work, s->gpus};
    struct jobs_trace t = jobs_trace(&jobs);
    simulate(s, &t.trace, keep_row);
    for (uint32_t k = 0; k < s->ended; k++) {
        uint32_t i = s->order[k];
        put(s->out, i, s->submit[i], s->start[i], s->start[i] + s->work[i], s->gpus[i]);
    }
    jobs_free(&jobs);
    mem_drop(s->start);
    mem_drop(s->order);
}

static void pass_e2e(void *self, struct outcome *o)
{
    struct e2e *s = self;

    s->out = out_create(s->plant->diag, s->to);
    BUG_ON(!s->out);
    if (s->variant == PARSE_WRITE)
        parse_write(s);
    else
        (s->variant == STREAM ? stream : batch)(s);
    if (!out_commit(s->out))
        snprintf(o->fault, sizeof(o->fault), "the result could not be written");
    o->units = s->n;
}

/* ---- the run folder ---- */

static struct run_files files(int variant)
{
    return (struct run_files){.events = variant == FULL_EVENTS || variant == FULL_ALL,
                              .jobs = variant == FULL_JOBS || variant == FULL_ALL,
                              .series = variant == FULL_SERIES || variant == FULL_ALL};
}

static void finish(struct e2e *s, struct rundir *dir, uint64_t events, struct outcome *o)
{
    struct config config = {.path = "(benchmark)",
                            .root = tree_map(s->plant->arena, (struct mark){0})};
    struct run_facts facts = {.config = &config,
                              .policy = &s->plant->policy,
                              .predictor = "exact",
                              .seed = 1,
                              .inputs_json = "[]",
                              .world_hash = "(benchmark)",
                              .events = events,
                              .command = "bench"};
    struct metric_value v[METRICS];
    struct metrics *m = rundir_metrics(dir);

    metrics_values(m, v);
    o->digest = metrics_digest(m);
    snprintf(o->note, sizeof(o->note), "mean wait %.4g s", (double)v[M_WAIT_MEAN].time / 1e9);
    if (!rundir_close(dir, &facts, v))
        snprintf(o->fault, sizeof(o->fault), "the run folder could not be written");
}

static void pass_full(void *self, struct outcome *o)
{
    struct e2e *s = self;
    struct rundir *dir =
        rundir_open(s->plant->diag, s->variant == FULL_NONE ? NULL : s->to, files(s->variant));
    struct trace *t = source(s);
    struct plant_run run = {.trace = t};

    BUG_ON(!dir);
    run.sink = rundir_sinks(dir, &run.n_sinks);
    uint64_t events = plant_go(s->plant, run);
    t->close(t);
    finish(s, dir, events, o);
    o->units = s->n;
}

static void close_e2e(void *self, struct outcome *o)
{
    struct e2e *s = self;

    if (s->variant < FULL_NONE)
        o->digest = meter_bytes(s->to);
    plant_free(s->plant);
    mem_drop(s);
}

#define E2E                                                                                        \
    .unit = "job", .jobs = 1000000, .reps = 5, .open = open_e2e, .close = close_e2e,               \
    .pass = pass_e2e
#define FULL                                                                                       \
    .unit = "job", .jobs = 250000, .reps = 5, .open = open_e2e, .close = close_e2e,                \
    .pass = pass_full

const struct bench_case e2e_cases[] = {
    {.name = "e2e.parsewrite", .variant = PARSE_WRITE, E2E},
    {.name = "e2e.stream", .variant = STREAM, E2E},
    {.name = "e2e.batch", .variant = BATCH, .twin = "e2e.stream", E2E},
    {.name = "e2e.full.none", .variant = FULL_NONE, FULL},
    {.name = "e2e.full.jobs", .variant = FULL_JOBS, .twin = "e2e.full.none", FULL},
    {.name = "e2e.full.series", .variant = FULL_SERIES, .twin = "e2e.full.none", FULL},
    {.name = "e2e.full.events", .variant = FULL_EVENTS, .twin = "e2e.full.none", FULL},
    {.name = "e2e.full.all", .variant = FULL_ALL, .twin = "e2e.full.none", FULL},
    {.name = NULL},
};
