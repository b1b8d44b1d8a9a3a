/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First come, first served on M GPUs, one GPU a job, through the whole engine. The anchor is the
 * recursion of Kiefer and Wolfowitz over the same jobs (Trans. Amer. Math. Soc. 78, 1955): a heap
 * of the times at which GPUs become free and nothing else. Both must wait equally long, to the
 * nanosecond.
 */
#include <time.h>

#include "analysis/metrics.h"
#include "tests/perf/bench.h"
#include "tests/perf/hold4.h"
#include "tests/perf/jobs.h"
#include "tests/perf/plant.h"

struct fcfs {
    struct plant *plant;
    struct jobs jobs;
    sim_area waits;  /* by the recursion */
    sim_area waited; /* by the engine */
};

static sim_area recursion(const struct jobs *j, struct hold_item *free_at, uint32_t gpus)
{
    sim_area sum = 0;

    for (uint32_t i = 0; i < gpus; i++)
        free_at[HOLD_ROOT + i] = (struct hold_item){0, i};
    for (uint32_t i = 0; i < j->n; i++) {
        struct hold_item x = free_at[HOLD_ROOT];
        sim_time start = x.key > j->submit[i] ? x.key : j->submit[i];
        sum += start - j->submit[i];
        x.key = start + j->work[i];
        hold_replace(free_at, gpus, x);
    }
    return sum;
}

static double anchor(struct fcfs *s, uint32_t gpus)
{
    struct hold_item *free_at = mem_get((HOLD_ROOT + gpus) * sizeof(*free_at));
    double best = 1e18;

    for (int i = 0; i < 5; i++) {
        struct timespec a, b;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        s->waits = recursion(&s->jobs, free_at, gpus);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        double ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
        best = ns < best ? ns : best;
    }
    mem_drop(free_at);
    return best / s->jobs.n;
}

static void *open_case(const struct bench_case *c, struct outcome *o)
{
    struct fcfs *s = mem_get(sizeof(*s));

    s->plant = plant_new(c->gpus, "fifo");
    s->jobs = jobs_new((struct shape){.gpus = c->gpus, .load = 0.95, .mu = 1000}, c->jobs);
    o->anchor = anchor(s, c->gpus);
    return s;
}

static void add_wait(void *user, const struct job_row *j)
{
    ((struct fcfs *)user)->waited += j->wait;
}

static void pass(void *self, struct outcome *o)
{
    struct fcfs *s = self;
    struct metrics *m = metrics_new(&(struct metrics_hooks){.job = add_wait, .user = s});
    struct sink *sink = metrics_sink(m);
    struct jobs_trace t = jobs_trace(&s->jobs);

    s->waited = 0;
    plant_go(s->plant, (struct plant_run){&t.trace, &sink, 1, false});
    o->units = s->jobs.n;
    o->digest = metrics_digest(m);
    metrics_free(m);
    snprintf(o->note, sizeof(o->note), "mean wait %.6g s", (double)s->waits / 1e9 / s->jobs.n);
    if (s->waited != s->waits)
        snprintf(o->fault, sizeof(o->fault),
                 "the jobs waited %.17g s, but the recursion says %.17g s", (double)s->waited / 1e9,
                 (double)s->waits / 1e9);
}

static void close_case(void *self, struct outcome *o)
{
    struct fcfs *s = self;

    (void)o;
    plant_free(s->plant);
    jobs_free(&s->jobs);
    mem_drop(s);
}

#define CASE(title, n, m, again)                                                                   \
    {                                                                                              \
        .name = title, .unit = "job", .jobs = n, .gpus = m, .reps = again, .open = open_case,      \
        .pass = pass, .close = close_case                                                          \
    }

const struct bench_case fcfs_cases[] = {
    CASE("fcfs.mmc.1.1e5", 100000, 1, 15),
    CASE("fcfs.mmc.1.1e6", 1000000, 1, 5),
    CASE("fcfs.mmc.1000.1e5", 100000, 1000, 15),
    CASE("fcfs.mmc.1000.1e6", 1000000, 1000, 5),
    {.name = NULL},
};
