/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of sharing alone: `ps`, stations on which K replicas compute at any time, each followed
 * by another when it is done; `balance`, batch shares that are done together, held against
 * bisection.
 */
#include <math.h>

#include "sim/base/rng.h"
#include "sim/engine/station.h"
#include "sim/policy.h"
#include "tests/perf/bench.h"
#include "tests/perf/plant.h"

#define DRAWS 4096u /* a power of two */

/* ---- stations ---- */

struct ps {
    struct plant *plant;
    uint64_t *work; /* ns alone, drawn before */
    uint32_t residents, events;
};

static void *open_ps(const struct bench_case *c, struct outcome *o)
{
    (void)o;
    struct ps *s = mem_get(sizeof(*s));
    gsl_rng *r = rng_stream(7, "ps", 0);

    s->plant = plant_new(c->gpus, "fifo");
    s->plant->world.residents = (uint32_t)c->variant;
    s->plant->world.contention = contentions[0];
    s->plant->world.type->eta = 0.15;
    s->residents = (uint32_t)c->variant;
    s->events = c->jobs;
    s->work = mem_get(DRAWS * sizeof(*s->work));
    for (uint32_t i = 0; i < DRAWS; i++)
        s->work[i] = 1 + (uint64_t)(1e8 * gsl_rng_uniform(r));
    gsl_rng_free(r);
    return s;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    return (h ^ x) * UINT64_C(0x9e3779b97f4a7c15) ^ (h >> 29);
}

/* A replica's job is its number; `part` says on which GPU. */
static void pass_ps(void *self, struct outcome *o)
{
    struct ps *s = self;
    uint32_t gpus = s->plant->world.n_gpus, n = 0, jobs = gpus * s->residents;
    struct stations *t = stations_new(&s->plant->world);
    uint64_t digest = 0;

    for (uint32_t j = 0; j < jobs; j++)
        station_arrive(t, j % gpus, (struct replica_id){j, j % gpus}, 0,
                       (sim_area)s->work[n++ % DRAWS] * STATION_NS, 0);
    for (uint32_t done = 0; done < s->events;) {
        struct replica_id r;
        sim_time now = stations_next(t);
        for (; stations_take(t, now, &r); done++) {
            digest = mix(digest, (uint64_t)now ^ r.job);
            station_arrive(t, r.part, r, 0, (sim_area)s->work[n++ % DRAWS] * STATION_NS, now);
        }
    }
    stations_free(t);
    o->units = s->events;
    o->digest = digest;
}

static void close_ps(void *self, struct outcome *o)
{
    struct ps *s = self;

    (void)o;
    plant_free(s->plant);
    mem_drop(s->work);
    mem_drop(s);
}

/* ---- balance ---- */

struct balance {
    struct sim_worker *worker; /* `sets` times n */
    uint32_t n, sets;
    uint32_t *samples;
    bool naive;
};

static uint32_t batch_of(uint32_t n)
{
    return 64 * n;
}

static void *open_balance(const struct bench_case *c, struct outcome *o)
{
    (void)o;
    struct balance *s = mem_get(sizeof(*s));
    gsl_rng *r = rng_stream(7, "balance", 0);

    *s = (struct balance){.n = c->gpus, .sets = c->jobs / c->gpus, .naive = c->variant};
    s->worker = mem_get((size_t)s->sets * s->n * sizeof(*s->worker));
    s->samples = mem_get((size_t)s->sets * s->n * sizeof(*s->samples));
    for (uint32_t i = 0; i < s->sets * s->n; i++)
        s->worker[i] =
            (struct sim_worker){0.05 * gsl_rng_uniform(r), 0.0005 + 0.002 * gsl_rng_uniform(r), 1,
                                80 + (uint32_t)gsl_rng_uniform_int(r, 1000)};
    gsl_rng_free(r);
    return s;
}

static double samples_by(const struct sim_worker *w, double t)
{
    return fmin(w->most, fmax(w->least, floor((t - w->fixed) / w->each)));
}

/* The least time by which all workers do the batch, to the last bit; what is too much then is taken
 * from those that would be done last. */
static double bisect(const struct sim_worker *w, uint32_t n, uint32_t batch)
{
    double low = 0, high = 10;

    for (;;) {
        double t = 0.5 * (low + high), sum = 0;
        if (t <= low || t >= high)
            return high;
        for (uint32_t i = 0; i < n; i++)
            sum += samples_by(&w[i], t);
        if (sum >= batch)
            high = t;
        else
            low = t;
    }
}

static double longest(const struct sim_worker *w, const uint32_t *samples, uint32_t n)
{
    double t = 0;

    for (uint32_t i = 0; i < n; i++)
        t = fmax(t, w[i].fixed + w[i].each * samples[i]);
    return t;
}

static void pass_balance(void *self, struct outcome *o)
{
    struct balance *s = self;
    uint32_t batch = batch_of(s->n);
    double sum = 0;

    for (uint32_t k = 0; k < s->sets; k++) {
        const struct sim_worker *w = s->worker + (size_t)k * s->n;
        if (s->naive)
            sum += bisect(w, s->n, batch);
        else if (!sim_balance(w, s->n, batch, s->samples + (size_t)k * s->n))
            snprintf(o->fault, sizeof(o->fault), "set %u: no shares", k);
    }
    o->units = (double)s->sets * s->n;
    if (s->naive)
        snprintf(o->note, sizeof(o->note), "mean %.9g s", sum / s->sets);
}

/* Whether the shares sum to the batch, and how much longer they take than the best. */
static void close_balance(void *self, struct outcome *o)
{
    struct balance *s = self;
    uint32_t batch = batch_of(s->n);
    double worst = 0;

    for (uint32_t k = 0; k < s->sets && !s->naive; k++) {
        const struct sim_worker *w = s->worker + (size_t)k * s->n;
        const uint32_t *samples = s->samples + (size_t)k * s->n;
        uint64_t sum = 0;
        for (uint32_t i = 0; i < s->n; i++)
            sum += samples[i];
        if (sum != batch)
            snprintf(o->fault, sizeof(o->fault), "set %u: %llu of %u samples", k,
                     (unsigned long long)sum, batch);
        worst = fmax(worst, longest(w, samples, s->n) / bisect(w, s->n, batch) - 1);
    }
    if (worst > 1e-9)
        snprintf(o->fault, sizeof(o->fault), "%.3g longer than by bisection", worst);
    if (!s->naive)
        snprintf(o->note, sizeof(o->note), "at most %.1e longer than by bisection", worst);
    mem_drop(s->worker);
    mem_drop(s->samples);
    mem_drop(s);
}

#define PS                                                                                         \
    .unit = "event", .jobs = 1000000, .gpus = 1000, .reps = 7, .open = open_ps, .pass = pass_ps,   \
    .close = close_ps
#define BALANCE                                                                                    \
    .unit = "share", .jobs = 1 << 16, .reps = 15, .open = open_balance, .pass = pass_balance,      \
    .close = close_balance

const struct bench_case ps_cases[] = {
    {.name = "ps.1", .variant = 1, PS},
    {.name = "ps.2", .variant = 2, PS},
    {.name = "ps.4", .variant = 4, PS},
    {.name = "ps.8", .variant = 8, PS},
    {.name = "ps.16", .variant = 16, PS},
    {.name = "ps.64", .variant = 64, PS},
    {.name = "balance.4", .gpus = 4, BALANCE},
    {.name = "balance.16", .gpus = 16, BALANCE},
    {.name = "balance.256", .gpus = 256, BALANCE},
    {.name = "balance.256.bisection", .gpus = 256, .variant = 1, BALANCE},
    {.name = NULL},
};
