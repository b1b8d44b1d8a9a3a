/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/model/trace.h"
#include "tests/laws/world_small.h"
#include "tests/unit/capture.h"

#define SEEDS 4000
#define MOST  16 /* jobs of a draw here */

static uint32_t models[] = {0, 2}, gpus[] = {1, 2, 4};
static double weights[] = {8, 4, 2, 1, 0};
static const struct job_draw usual = {.jobs = {3, 6},
                                      .steps = {100, 300},
                                      .n_models = 2,
                                      .model = models,
                                      .n_gpus = 3,
                                      .gpus = gpus,
                                      .weight = weights,
                                      .gap_s = 10};

static struct small *make_world(void)
{
    struct small *s = small_new(1);

    small_nodes(s, small_type(s), 1, 5);
    for (int i = 0; i < 3; i++)
        small_model(s, 1e6, 1e3, 1000);
    for (uint32_t m = 0; m < 3; m++)
        s->world.model[m].batch = 100 + m;
    return s;
}

static uint32_t draw(const struct job_draw *x, struct world *w, uint64_t seed, struct job_spec *job)
{
    uint32_t n = 0;

    w->seed = seed;
    struct trace *t = trace_open(NULL, NULL, x, w);
    while (t->next(t, &job[n]) > 0)
        n++;
    cr_assert_eq(t->next(t, &job[MOST - 1]), 0);
    t->close(t);
    return n;
}

/* ---- what is drawn has the distribution that is asked for ---- */

struct tally {
    double n, sum;
};

static void add(struct tally *t, double x)
{
    t->n++;
    t->sum += x;
}

/* The mean lies within 4 standard errors. */
static void expect_mean(const char *what, const struct tally *t, double mean, double variance)
{
    double z = (t->sum / t->n - mean) / sqrt(variance / t->n);

    cr_expect_lt(fabs(z), 4, "%s: %g over %g, wanted %g, z = %g", what, t->sum / t->n, t->n, mean,
                 z);
}

/* Of whole numbers from..to, both included. */
static double uniform_variance(const struct draw_range *r)
{
    double n = (double)(r->to - r->from + 1);

    return (n * n - 1) / 12;
}

static double pick(uint32_t g, uint32_t wanted, uint64_t taken)
{
    double left = 0, p = 0;

    for (uint32_t k = 0; k < 5; k++)
        left += taken >> k & 1 ? 0 : weights[k];
    for (uint32_t k = 0; k < 5 && wanted > 0; k++)
        if (!(taken >> k & 1) && weights[k] > 0)
            p += weights[k] / left * (k == g ? 1 : pick(g, wanted - 1, taken | UINT64_C(1) << k));
    return p;
}

Test(draw, means)
{
    struct small *s = make_world();
    struct tally jobs = {0}, steps = {0}, gap = {0}, model = {0}, of[3] = {{0}}, on[3][5] = {{{0}}};
    struct job_spec job[MOST];

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint32_t n = draw(&usual, &s->world, seed, job);
        add(&jobs, n);
        for (uint32_t i = 0; i < n; i++) {
            add(&steps, (double)job[i].work);
            add(&model, job[i].model == 2);
            if (i > 0)
                add(&gap, (double)(job[i].submit - job[i - 1].submit) / 1e9);
            for (uint32_t k = 0; k < 3; k++)
                add(&of[k], job[i].gpus == gpus[k]);
            uint32_t kind = job[i].gpus / 2; /* 1, 2, 4: 0, 1, 2 */
            for (gpu_id g = 0; g < 5; g++)
                add(&on[kind][g], (double)(job[i].asked >> g & 1));
        }
    }
    expect_mean("jobs", &jobs, 4.5, uniform_variance(&usual.jobs));
    expect_mean("steps", &steps, 200, uniform_variance(&usual.steps));
    expect_mean("gap", &gap, 10, 100);
    expect_mean("model", &model, 0.5, 0.25);
    for (uint32_t k = 0; k < 3; k++)
        expect_mean("gpus", &of[k], 1.0 / 3, 2.0 / 9);
    for (uint32_t k = 0; k < 2; k++)
        for (gpu_id g = 0; g < 4; g++) {
            double p = pick(g, gpus[k], 0);
            expect_mean("asked", &on[k][g], p, p * (1 - p));
        }
    cr_expect_float_eq(pick(0, 1, 0), 8.0 / 15, 1e-15);
    /* four of the five have a weight, and the fifth is wanted by nobody */
    for (gpu_id g = 0; g < 5; g++)
        cr_expect_eq(on[2][g].sum, g < 4 ? on[2][g].n : 0);
    cr_expect_eq(on[0][4].sum + on[1][4].sum, 0);
    small_free(s);
}

/* ---- jobs are whole ---- */

Test(draw, jobs)
{
    struct small *s = make_world();
    struct job_spec job[MOST];
    struct job_draw x = usual;

    for (uint64_t seed = 1; seed <= 200; seed++) {
        x.batch = seed % 2 ? 0 : 64;
        x.batch_of = seed % 3 ? DRAW_JOB : DRAW_GPU;
        uint32_t n = draw(&x, &s->world, seed, job);
        cr_assert(n >= 3 && n <= 6);
        for (uint32_t i = 0; i < n; i++) {
            const struct job_spec *j = &job[i];
            cr_assert(j->work >= 100 && j->work <= 300 && j->per_epoch == j->work);
            cr_assert_eq(j->epochs, 1);
            cr_assert_eq(j->experiment, NO_EXPERIMENT);
            cr_assert_eq(j->trial, i);
            cr_assert_eq(j->batch, (seed % 2 ? 100 + j->model : 64) * (seed % 3 ? 1 : j->gpus));
            cr_assert_eq((uint32_t)__builtin_popcountll(j->asked), j->gpus);
            cr_assert(i == 0 ? j->submit == 0 : j->submit >= job[i - 1].submit);
            cr_assert_null(j->name);
        }
    }
    small_free(s);
}

/* ---- a part that changes leaves the others ---- */

enum part { SUBMIT, WORK, MODEL, GPUS, ASKED, PARTS };

static int64_t part_of(const struct job_spec *j, enum part p)
{
    const int64_t part[PARTS] = {j->submit, j->work, j->model, j->gpus, (int64_t)j->asked};

    return part[p];
}

static void widen(struct job_draw *x)
{
    x->jobs = (struct draw_range){9, 9};
}
static void lengthen(struct job_draw *x)
{
    x->steps = (struct draw_range){500, 900};
}
static void one_model(struct job_draw *x)
{
    x->n_models = 1;
}
static void slow_down(struct job_draw *x)
{
    x->gap_s = 20;
}
static void all_at_once(struct job_draw *x)
{
    x->gap_s = 0;
}
static void no_wish(struct job_draw *x)
{
    x->weight = NULL;
}
static void nothing(struct job_draw *x)
{
    (void)x;
}

static const struct change {
    const char *name;
    void (*change)(struct job_draw *);
    unsigned parts; /* that change */
} changes[] = {
    {"nothing", nothing, 0},          {"jobs", widen, 0},
    {"steps", lengthen, 1 << WORK},   {"models", one_model, 1 << MODEL},
    {"gap", slow_down, 1 << SUBMIT},  {"no gap", all_at_once, 1 << SUBMIT},
    {"weights", no_wish, 1 << ASKED},
};

Test(draw, streams)
{
    struct small *s = make_world();

    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        unsigned changed = 0;
        for (uint64_t seed = 1; seed <= 50; seed++) {
            struct job_spec was[MOST], is[MOST];
            struct job_draw x = usual;
            changes[c].change(&x);
            uint32_t n = draw(&usual, &s->world, seed, was), m = draw(&x, &s->world, seed, is);
            for (uint32_t i = 0; i < n && i < m; i++)
                for (unsigned p = 0; p < PARTS; p++)
                    changed |= part_of(&was[i], p) != part_of(&is[i], p) ? 1u << p : 0;
        }
        cr_expect_eq(changed, changes[c].parts, "%s: %#x", changes[c].name, changed);
    }
    small_free(s);
}

/* ---- with the sources that change others ---- */

Test(draw, shaken)
{
    struct small *s = make_world();
    struct job_spec was[MOST], is[MOST];
    struct job_draw x = usual;
    bool swapped = false;

    for (uint64_t seed = 1; seed <= 50; seed++) {
        s->world.shake = 0;
        uint32_t n = draw(&usual, &s->world, seed, was);
        s->world.shake = 0.1;
        cr_assert_eq(draw(&usual, &s->world, seed, is), n);
        for (uint32_t i = 1; i < n; i++) {
            double before = (double)(was[i].submit - was[i - 1].submit);
            double after = (double)(is[i].submit - is[i - 1].submit);
            cr_assert(fabs(after - before) <= 0.1 * before + 1);
            cr_assert_eq(is[i].work, was[i].work);
        }
    }
    s->world.shake = 0;
    s->world.random_ties = true;
    x.gap_s = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        unsigned rows = 0;
        uint32_t n = draw(&x, &s->world, seed, is);
        for (uint32_t i = 0; i < n; i++) {
            swapped |= is[i].trial != i;
            rows |= 1u << is[i].trial;
        }
        cr_assert_eq(rows, (1u << n) - 1);
    }
    cr_assert(swapped);
    small_free(s);
}
