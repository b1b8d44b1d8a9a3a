/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oracle of slowdown_fair against all splits there are, and its bound. */
#include <math.h>

#include <criterion/criterion.h>

#include "policies/lib/best_load.h"
#include "sim/base/rng.h"
#include "sim/model/plug.h"
#include "tests/unit/best_case.h"
#include "tests/unit/capture.h"

/* ---- small problems at random ---- */

static double between(gsl_rng *r, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(r);
}

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}

/* Jobs on GPUs of several speeds, some held to one of them, some with memory that is short. */
static void draw(struct best_case *c, gsl_rng *r, uint32_t n_jobs, uint32_t n_gpus, uint32_t batch)
{
    static const double etas[] = {0, 0.15, 0.7};
    double speed[4] = {0}, slope[4] = {0};
    uint32_t allowed[4] = {0};

    for (uint32_t g = 0; g < n_gpus; g++)
        speed[g] = below(r, 2) ? 1 : between(r, 0.3, 1);
    best_case_open(c, n_jobs, n_gpus, speed, etas[below(r, 3)], 4);
    for (uint32_t i = 0; i < n_jobs; i++) {
        small_model(c->small, 1e9 * between(r, 0, 0.05), 1e9 * between(r, 0.02, 0.1) / batch, 1);
        c->small->cost->gap[i] = between(r, 0, 0.1);
        c->spec[i] = (struct job_spec){.model = i, .batch = batch};
        allowed[i] = below(r, 5) ? (1u << n_gpus) - 1 : 1u << below(r, n_gpus);
        slope[i] = between(r, 3, 12);
    }
    best_case_fill(c, n_jobs, allowed, slope);
    for (uint32_t i = 0; i < n_jobs; i++)
        c->b.job[i].base = below(r, 2) ? between(r, 0, 1) : 0;
}

/* ---- all splits ---- */

static void try_all(struct best *b, uint32_t k, uint32_t left, double *least)
{
    if (k == b->n_replicas) {
        *least = fmin(*least, best_judge(b));
        return;
    }
    const struct best_job *j = &b->job[b->replica[k].job];
    if (k == j->first)
        left = j->batch;
    bool last = k + 1 == j->first + j->n;
    for (uint32_t s = last ? left : 0; s <= left; s++) {
        b->replica[k].samples = s;
        try_all(b, k + 1, left - s, least);
    }
}

static double least_of_all(struct best *b)
{
    double least = INFINITY;

    try_all(b, 0, 0, &least);
    return least;
}

/* The best of all splits is attained, but for a few; the bound is below it, and not far. */
Test(best, all_splits)
{
    static const struct {
        uint32_t jobs, gpus, batch, worlds;
    } shapes[] = {{2, 2, 16, 60}, {3, 2, 10, 40}, {2, 3, 8, 30}};
    uint32_t n = 0, exact = 0, off = 0;
    double gaps = 0;

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (uint64_t seed = 0; seed < shapes[k].worlds; seed++, n++) {
            struct best_case c;
            gsl_rng *r = rng_stream(seed, "best", k);
            draw(&c, r, shapes[k].jobs, shapes[k].gpus, shapes[k].batch);
            cr_assert(best_solve(&c.b, 1e-3));
            double found = c.b.largest, bound = c.b.bound, least = least_of_all(&c.b);
            cr_assert_leq(least, found * (1 + 1e-9), "%zu.%lu", k, (unsigned long)seed);
            cr_assert_leq(bound, least * (1 + 1e-6), "%zu.%lu: %g %g", k, (unsigned long)seed,
                          bound, least);
            cr_assert_eq(c.b.gave_up, 0);
            exact += found <= least * (1 + 1e-9);
            off += found > least * 1.01;
            gaps += least / bound;
            best_case_close(&c);
            gsl_rng_free(r);
        }
    cr_assert_geq(exact, n * 95 / 100);
    cr_assert_leq(off, n / 50);
    cr_assert_leq(gaps / n, 1.07);
}

/* ---- what is known by hand ---- */

/* Jobs without gaps and fixed parts on two GPUs: all the work at full speed. */
Test(best, by_hand)
{
    static const struct {
        double speed[2], slowdown;
    } cases[] = {{{1, 1}, 1}, {{1, 0.5}, 4.0 / 3}, {{0.5, 0.5}, 2}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct best_case c;
        best_case_open(&c, 2, 2, cases[k].speed, 0, 4);
        small_model(c.small, 0, 1e9 / 64, 1);
        for (uint32_t i = 0; i < 2; i++)
            c.spec[i] = (struct job_spec){.model = 0, .batch = 64};
        best_case_fill(&c, 2, (uint32_t[]){3, 3}, (double[]){1, 1});
        cr_assert(best_solve(&c.b, 1e-3));
        cr_assert_geq(c.b.bound, cases[k].slowdown * (1 - 2e-3));
        cr_assert_leq(c.b.bound, cases[k].slowdown * (1 + 1e-6));
        cr_assert_leq(c.b.largest, cases[k].slowdown * 1.02);
        best_case_close(&c);
    }
}

/* One that cannot move, and memory for a few samples: they are kept. */
Test(best, limits)
{
    uint32_t refused = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        struct best_case c;
        gsl_rng *r = rng_stream(seed, "limits", 0);
        draw(&c, r, 3, 3, 12);
        struct best *b = &c.b;
        uint32_t before = b->replica[0].samples;
        b->job[0].fixed = true;
        for (uint32_t k = 0; k < b->n_replicas; k++) {
            b->replica[k].bytes = 2;
            b->replica[k].more = 1;
        }
        for (uint32_t g = 0; g < 3; g++) {
            b->gpu[g].slice = 14;
            b->gpu[g].bytes = 30;
        }
        if (!best_solve(b, 1e-3)) { /* what there is does not fit */
            refused++;
            best_case_close(&c);
            gsl_rng_free(r);
            continue;
        }
        cr_assert_eq(b->replica[0].samples, before);
        cr_assert_leq(b->bound, b->largest * (1 + 1e-6));
        for (uint32_t g = 0; g < 3; g++) {
            double used = 0;
            for (uint32_t k = 0; k < b->n_replicas; k++)
                if (b->replica[k].gpu == g && b->replica[k].samples)
                    used += 2 + b->replica[k].samples;
            cr_assert_leq(used, 30);
        }
        best_case_close(&c);
        gsl_rng_free(r);
    }
    cr_assert_lt(refused, 10);
}

/* The product form: of one job its part; of n that always compute the peak; more jobs, or longer
 * there, do more, by less and less (the bound needs that). */
Test(best, loads)
{
    double peak[BEST_JOBS + 1];

    for (uint32_t seed = 0; seed < 500; seed++) {
        gsl_rng *r = rng_stream(seed, "loads", 0);
        double eta = between(r, 0, 1), part[BEST_JOBS], always[] = {1 - 1e-9, 1 - 1e-9, 1 - 1e-9};
        for (uint32_t s = 0; s <= BEST_JOBS; s++)
            peak[s] = s ? contention_phi(eta, s) : 0;
        uint32_t n = 2 + below(r, 4);
        for (uint32_t i = 0; i < n; i++)
            part[i] = between(r, 0.01, 0.999);
        double without = best_load(part, n - 2, peak), one = best_load(part, n - 1, peak);
        double all = best_load(part, n, peak), last = part[n - 1];
        part[n - 1] = part[n - 2];
        part[n - 2] = last;
        double other = best_load(part, n - 1, peak);
        part[0] *= 0.9;
        double less = best_load(part, n, peak);
        cr_assert_float_eq(best_load(&last, 1, peak), last, 1e-9);
        cr_assert_float_eq(best_load(always, 3, peak), peak[3], 1e-6);
        cr_assert_gt(one, without);
        cr_assert_gt(all, other);
        cr_assert_geq(other - without, (all - one) * (1 - 1e-7) - 1e-9, "seed %u", seed);
        cr_assert_lt(less, all);
        gsl_rng_free(r);
    }
}

/* Only with this controller it is an oracle. */
Test(best, label)
{
    static const struct {
        const char *label;
        bool oracle;
    } cases[] = {{"slowdown_fair", false},
                 {"slowdown_fair[controller=local]", false},
                 {"slowdown_fair[controller=optimal]", true}};
    struct capture *c = capture_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *l = cases[k].label;
        struct mark at = {.src = capture_source(c, l, strlen(l)), .line = 1, .col = 1};
        struct chosen_policy p;
        cr_assert(
            plug_policy(NULL, c->arena, c->diag, tree_scalar(c->arena, at, l, strlen(l)), &p));
        cr_assert_eq((p.policy->flags & POLICY_ORACLE) != 0, cases[k].oracle);
    }
    capture_free(c);
}
