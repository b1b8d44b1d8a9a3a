/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best_case.h - problems for best_solve() on worlds made in memory. */
#ifndef TESTS_BEST_CASE_H
#define TESTS_BEST_CASE_H

#include "policies/lib/best.h"
#include "sim/model/fluid.h"
#include "tests/laws/world_small.h"

struct best_case {
    struct small *small;
    struct fluid *fluid;
    struct arena *scratch;
    struct job_spec *spec;
    struct best b;
};

/* Jobs of the first models, each with `batch` samples. GPUs of one node with these speeds. */
static inline void best_case_open(struct best_case *c, uint32_t n_jobs, uint32_t n_gpus,
                                  const double *speed, double eta, uint32_t residents)
{
    struct world *w;

    *c = (struct best_case){.small = small_new(1), .scratch = arena_new()};
    w = &c->small->world;
    small_nodes(c->small, small_type(c->small), 1, n_gpus);
    for (uint32_t g = 0; g < n_gpus; g++)
        w->gpu[g].speed = speed[g];
    w->nominal = false;
    w->residents = residents;
    w->contention = contentions[0]; /* processor sharing */
    w->type[0].eta = eta;
    c->fluid = fluid_new(w);
    c->spec = arena_get(c->small->arena, n_jobs * sizeof(*c->spec));
}

static inline bool best_case_rates(void *user, const struct placement *p, double *rate)
{
    struct best_case *c = user;
    struct fluid_job job[16];
    uint32_t n = c->b.n_jobs;

    arena_reset(c->scratch);
    for (uint32_t i = 0; i < n; i++)
        job[i] = (struct fluid_job){i + 1, &c->spec[i], p[i], 1, 0};
    if (!fluid_rates(c->fluid, c->scratch, &c->small->world, job, n))
        return false;
    for (uint32_t i = 0; i < n; i++)
        rate[i] = job[i].rate;
    return true;
}

/* allowed: bit g of job i: it may use GPU g, and begins with even shares there. */
static inline void best_case_fill(struct best_case *c, uint32_t n_jobs, const uint32_t *allowed,
                                  const double *slope)
{
    const struct world *w = &c->small->world;
    struct arena *a = c->small->arena;
    struct best *b = &c->b;
    uint32_t most = n_jobs * w->n_gpus;

    *b = (struct best){.n_jobs = n_jobs, .n_gpus = w->n_gpus, .rates = best_case_rates, .user = c};
    b->job = arena_get(a, n_jobs * sizeof(*b->job));
    b->replica = arena_get(a, most * sizeof(*b->replica));
    b->gpu = arena_get(a, b->n_gpus * sizeof(*b->gpu));
    b->placement = arena_get(a, n_jobs * sizeof(*b->placement));
    b->rate = arena_get(a, n_jobs * sizeof(*b->rate));
    b->slowdown = arena_get(a, n_jobs * sizeof(*b->slowdown));
    b->share = arena_get(a, most * sizeof(*b->share));
    b->kept = arena_get(a, most * sizeof(*b->kept));
    b->used = arena_get(a, b->n_gpus * sizeof(*b->used));
    b->seated = arena_get(a, b->n_gpus * sizeof(*b->seated));
    b->column = arena_get(a, (2 * most + 1) * sizeof(*b->column));
    b->value = arena_get(a, (2 * most + 1) * sizeof(*b->value));
    for (uint32_t g = 0; g < b->n_gpus; g++)
        b->gpu[g] = (struct best_gpu){
            .id = g, .bytes = INFINITY, .slice = INFINITY, .seats = w->residents, .equal = true};
    for (uint32_t i = 0; i < n_jobs; i++) {
        struct best_job *j = &b->job[i];
        uint32_t n = (uint32_t)__builtin_popcount(allowed[i]);
        *j = (struct best_job){
            .slope = slope[i], .jitter = 1, .batch = c->spec[i].batch, .first = b->n_replicas};
        for (uint32_t g = 0; g < b->n_gpus; g++) {
            if (!(allowed[i] >> g & 1))
                continue;
            struct step_parts none = world_step(w, c->spec[i].model, g, 0);
            struct step_parts one = world_step(w, c->spec[i].model, g, 1);
            b->replica[b->n_replicas++] =
                (struct best_replica){.job = i,
                                      .gpu = g,
                                      .samples = j->batch / n + (j->n < j->batch % n),
                                      .held = true,
                                      .fixed = none.busy,
                                      .each = one.busy - none.busy,
                                      .floor = none.floor,
                                      .gap = none.gap};
            j->n++;
            b->gpu[g].n++;
        }
    }
    for (uint32_t g = 0; g < b->n_gpus; g++) {
        double *peak = arena_get(a, (b->gpu[g].n + 1) * sizeof(*peak));
        for (uint32_t k = 0; k <= b->gpu[g].n; k++)
            peak[k] = fluid_peak(w, g, k);
        b->gpu[g].peak = peak;
    }
}

static inline void best_case_close(struct best_case *c)
{
    fluid_free(c->fluid);
    arena_free(c->scratch);
    small_free(c->small);
}

#endif
