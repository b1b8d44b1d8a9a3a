/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fluid_solve() on random groups: it settles, and what comes out hangs together. */
#include <math.h>

#include <criterion/criterion.h>

#include "sim/base/rng.h"
#include "sim/model/fluid.h"
#include "tests/laws/crowd.h"

#define GROUPS SMALL_WORLDS(10000)
#define JOBS   8
#define SEATS  4

struct group {
    struct crowd *crowd;
    struct share share[JOBS][8];
    struct fluid_job job[JOBS];
    struct fluid_gpu gpu[8];
    uint32_t n, n_gpus;
};

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}

/* Eight GPUs of any speeds, and the costs of four models: some without gaps, some with many. */
static void draw_world(struct group *x, gsl_rng *r)
{
    struct small *s = x->crowd->small;

    for (uint32_t g = 0; g < 8; g++)
        crowd_gpu(x->crowd, 0.25 + gsl_rng_uniform(r));
    s->world.type[0].eta = below(r, 4) * 0.25;
    for (uint32_t m = 0; m < SMALL_KINDS; m++) {
        small_model(s, 5e6 * below(r, 5), 1e4 + 1e6 * gsl_rng_uniform(r), 1024);
        s->cost->gap[m] = below(r, 2) ? 0.2 * gsl_rng_uniform(r) : 0;
    }
    s->cost->sync = (struct sync_cost){0, 0, 0.01 * below(r, 3), 0.001, 1 + below(r, 2)};
}

/* A job on some of the GPUs that have a seat. */
static void draw_job(struct group *x, gsl_rng *r)
{
    struct share *s = x->share[x->n];
    struct job_spec *spec = small_training(x->crowd->small, 0, 1, below(r, SMALL_KINDS), 64, 1);
    uint32_t n = 0;

    spec->batch = 0;
    for (gpu_id g = 0; g < 8; g++)
        if (x->gpu[g].n < SEATS && below(r, 3) == 0) {
            s[n++] = (struct share){g, 1 + below(r, 200)};
            spec->batch += s[n - 1].samples;
            x->gpu[g].n++;
        }
    if (n > 0)
        x->job[x->n++] =
            (struct fluid_job){(job_id)x->n << 32, spec, {n, s}, 0.9 + 0.2 * gsl_rng_uniform(r), 0};
}

/* GPUs that somebody is on: a group need not hang together, it is only solved at once. */
static void keep_used(struct group *x)
{
    for (gpu_id g = 0; g < 8; g++)
        if (x->gpu[g].n > 0)
            x->gpu[x->n_gpus++] = (struct fluid_gpu){g, 0, 0, 0};
}

static struct group *draw_group(uint64_t seed)
{
    gsl_rng *r = rng_stream(seed, "group", 0);
    struct crowd *c = crowd_new(seed, below(r, 4) ? "processor_sharing" : "time_slice", SEATS);
    struct group *x = arena_get(c->small->arena, sizeof(*x));
    uint32_t jobs = 1 + below(r, JOBS);

    x->crowd = c;
    draw_world(x, r);
    for (uint32_t i = 0; i < jobs; i++)
        draw_job(x, r);
    keep_used(x);
    gsl_rng_free(r);
    return x;
}

/* No replica is faster than alone, none slower than beside all others at all times. A step takes no
 * less than the longest of its mean residences, and no more than if all had been there all the
 * time: the mean of the longest lies in between. While it does not settle it may still take less.
 */
static void check_job(const struct fluid *f, const struct group *x, uint32_t i, bool settled)
{
    const struct world *w = &x->crowd->small->world;
    const struct fluid_job *j = &x->job[i];
    double slowest = 0, worst = 0, gap = 0;

    for (uint32_t k = 0; k < j->held.n; k++) {
        const struct share *s = &j->held.share[k];
        struct step_parts part = world_step(w, j->spec->model, s->gpu, s->samples);
        double resid = fluid_resid(f, i, k), most = part.busy * SEATS;
        cr_assert(resid >= part.busy * (1 - 1e-9) && resid <= most * (1 + 1e-9),
                  "job %u: %.12g s, %.12g alone", i, resid, part.busy);
        slowest = fmax(slowest, settled ? resid : part.busy);
        worst = fmax(worst, most);
        gap = fmax(gap, part.gap);
    }
    double least = world_step_end(w, j->spec->model, &j->held, slowest, gap) * j->jitter,
           longest = world_step_end(w, j->spec->model, &j->held, worst, gap) * j->jitter;
    cr_assert(1 / j->rate >= least * (1 - 1e-7) && 1 / j->rate <= longest * (1 + 1e-7),
              "job %u: step %.12g, wanted %.12g to %.12g", i, 1 / j->rate, least, longest);
}

/* A GPU does not do more than it can. */
static void check_gpu(const struct group *x, const struct fluid_gpu *g)
{
    cr_assert(g->busy > 0 && g->busy <= 1 + 1e-9, "GPU %u: busy %.12g", g->gpu, g->busy);
    cr_assert(g->work > 0 && g->work <= 1 + 1e-7, "world %llu, GPU %u: work %.12g",
              (unsigned long long)x->crowd->small->world.seed, g->gpu, g->work);
}

Test(fluid, random_groups)
{
    uint32_t groups = 0, jobs = 0, most = 0;
    uint64_t rounds = 0;

    for (uint64_t seed = 0; seed < GROUPS; seed++) {
        struct group *x = draw_group(seed);
        struct fluid *f = fluid_new(&x->crowd->small->world);
        if (x->n > 0) {
            cr_assert(fluid_solve(f, x->job, x->n, x->gpu, x->n_gpus), "group %llu does not settle",
                      (unsigned long long)seed);
            for (uint32_t i = 0; i < x->n; i++)
                check_job(f, x, i, true);
            for (uint32_t g = 0; g < x->n_gpus; g++)
                check_gpu(x, &x->gpu[g]);
            groups += x->n > 1;
            jobs += x->n;
            rounds += fluid_rounds(f);
            most = fluid_rounds(f) > most ? fluid_rounds(f) : most;
        }
        fluid_free(f);
        crowd_free(x->crowd);
    }
    cr_log_info("%u groups of several jobs, %.1f jobs on average: %.1f rounds, at most %u", groups,
                (double)jobs / groups, (double)rounds / groups, most);
    cr_assert_lt(most, FLUID_ROUNDS / 2, "%u rounds", most);
}

/* Out of rounds: it says so, and the last iterate stands, between alone and beside all others. */
Test(fluid, out_of_rounds)
{
    uint32_t unsettled = 0;

    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct group *x = draw_group(seed);
        x->crowd->small->world.rounds = 1 + (uint32_t)seed % 5;
        struct fluid *f = fluid_new(&x->crowd->small->world);
        if (x->n > 0) {
            bool settled = fluid_solve(f, x->job, x->n, x->gpu, x->n_gpus);
            unsettled += !settled;
            cr_assert_leq(fluid_rounds(f), 2 * x->crowd->small->world.rounds); /* two stages */
            for (uint32_t i = 0; i < x->n; i++)
                check_job(f, x, i, settled);
        }
        fluid_free(f);
        crowd_free(x->crowd);
    }
    cr_assert_gt(unsettled, 500, "%u", unsettled);
}
