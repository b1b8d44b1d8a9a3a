/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When policies that move batch shares look at a job, and what holds them back. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define LENGTH(x) (sizeof(x) / sizeof *(x))
#define MS        INT64_C(1000000)

/* A node of so many GPUs, each for up to 8 jobs. */
static struct small *shared(uint32_t gpus, const double *speed)
{
    struct small *s = small_new(1);

    small_nodes(s, small_type(s), 1, gpus);
    s->world.residents = 8;
    s->world.contention = contentions[0];
    s->world.type[0].eta = 0.15;
    s->world.nominal = false;
    for (uint32_t g = 0; g < gpus; g++)
        s->world.gpu[g].speed = speed[g];
    return s;
}

static uint32_t count(const struct history *h, uint32_t job, sim_time from, sim_time to)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->n; i++) {
        const struct record *r = &h->record[i];
        n += (r->kind == REC_SPLIT || r->kind == REC_RESIZE) && sim_number(r->job) == job &&
             r->t >= from && r->t < to;
    }
    return n;
}

/* The shares of a job as they are told last before a time. */
static const struct record *shares_at(const struct history *h, uint32_t job, sim_time t)
{
    const struct record *last = NULL;

    for (uint32_t i = 0; i < h->n && h->record[i].t < t; i++)
        if (h->record[i].job != NO_JOB && sim_number(h->record[i].job) == job &&
            (h->record[i].kind == REC_START || h->record[i].kind == REC_SPLIT ||
             h->record[i].kind == REC_RESIZE))
            last = &h->record[i];
    return last;
}

/* ---- whose neighbours have left ---- */

static struct job_spec *train(struct small *s, uint32_t gpus, uint64_t asked, uint32_t model,
                              uint32_t epochs)
{
    struct job_spec *j = small_training(s, 0, gpus, model, 64, epochs);

    j->asked = asked;
    return j;
}

/*
 * Job 0 shares GPU 1 with others until they end, and makes room for them: with a long fixed part
 * (alpha) by leaving it. Job 1 is always alone. When they have gone, the shares of job 0 become
 * even again, as is best alone, and job 1 was never touched.
 */
Test(watch, back_when_alone)
{
    static const struct {
        const char *label;
        uint32_t off; /* samples that it may be off in the end */
        double alpha;
        bool leaves;
    } cases[] = {
        {"slowdown_fair[first_s=0.1,period_s=1]", 0, 1e6, false},
        {"slowdown_fair[first_s=0.1,period_s=1,gpus=all]", 0, 1e6, false},
        {"slowdown_fair[first_s=0.1,period_s=1,controller=local]", 3, 1e6, false},
        {"slowdown_fair[first_s=0.1,period_s=1,controller=optimal]", 0, 1e6, false},
        {"straggler_free[first_s=0.1,period_s=1]", 2, 1e6, false},
        {"slowdown_fair[first_s=0.1,period_s=1,copy_s=0]", 0, 3e7, true},
        {"slowdown_fair[first_s=0.1,period_s=1,copy_s=0,controller=optimal]", 0, 3e7, true},
    };

    for (size_t c = 0; c < LENGTH(cases); c++) {
        static const double speed[] = {1, 1, 1, 0.5};
        struct small *s = shared(4, speed);
        uint32_t m = small_model(s, cases[c].alpha, 5e5, 6400);
        train(s, 2, 3, m, 12);
        train(s, 2, 12, m, 4);
        train(s, 1, 2, m, 2);
        train(s, 1, 2, m, 3);
        struct history *h = history_of(s, cases[c].label);
        sim_time gone = history_find(h, REC_END, 3)->t;
        const struct record *with = shares_at(h, 0, gone), *end = shares_at(h, 0, SIM_LATEST);
        cr_assert(with->n == 1 || (!cases[c].leaves && with->share[1].samples < 28),
                  "%s: %u GPUs, %u samples", cases[c].label, with->n, with->share[0].samples);
        cr_assert(end->n == 2 && labs(32 - (long)end->share[0].samples) <= cases[c].off,
                  "%s: %u GPUs, %u samples", cases[c].label, end->n, end->share[0].samples);
        cr_assert(strstr(cases[c].label, "straggler") || count(h, 1, 0, SIM_LATEST) == 0, "%s",
                  cases[c].label);
        history_free(h);
        small_free(s);
    }
}

/* ---- groups in which nothing changes ---- */

static uint32_t rounds;
static void (*counted)(void *self, struct cx *);

static void count_round(void *self, struct cx *cx)
{
    rounds++;
    counted(self, cx);
}

/* Two jobs share two GPUs for a day. Once their shares stand, no period costs a decision round. */
Test(watch, quiet_while_nothing_changes)
{
    static const char *const labels[] = {
        "slowdown_fair[period_s=1]",
        "slowdown_fair[period_s=1,controller=local]",
        "straggler_free[period_s=1]",
    };

    for (size_t c = 0; c < LENGTH(labels); c++) {
        static const double speed[] = {1, 0.5};
        struct small *s = shared(2, speed);
        struct chosen_policy p = law_policy(s->arena, labels[c]);
        struct policy with = *p.policy;
        train(s, 2, 3, small_model(s, 1e6, 1e6, 6400), 8000);
        train(s, 2, 3, small_model(s, 2e6, 2e6, 6400), 8000);
        counted = with.schedule;
        with.schedule = count_round;
        p.policy = &with;
        rounds = 0;
        struct history *h = history_with(s, &p);
        sim_time end = h->record[h->n - 1].t;
        cr_expect(end > 50000 * SIM_SECOND && rounds < 100, "%s: %u rounds in %ld s", labels[c],
                  rounds, end / SIM_SECOND);
        history_free(h);
        small_free(s);
    }
}

/* ---- what cannot be measured ---- */

/* A job given by its duration is never measured step by step; its neighbours are looked at. */
Test(watch, beside_a_duration)
{
    static const char *const labels[] = {
        "slowdown_fair[first_s=0.1,period_s=1]",
        "slowdown_fair[first_s=0.1,period_s=1,controller=local]",
        "straggler_free[first_s=0.1,period_s=1]",
    };

    for (size_t c = 0; c < 2 * LENGTH(labels); c++) {
        static const double speed[] = {1, 1};
        struct small *s = shared(2, speed);
        s->world.fidelity = c % 2 ? FIDELITY_STEP : FIDELITY_FLUID;
        train(s, 2, 3, small_model(s, 1e6, 1e6, 6400), 20);
        small_job(s, 0, 1, 20 * SIM_SECOND)->asked = 2;
        struct history *h = history_of(s, labels[c / 2]);
        cr_expect(count(h, 0, 0, history_find(h, REC_END, 1)->t) > 0, "%s, case %zu", labels[c / 2],
                  c);
        history_free(h);
        small_free(s);
    }
}

/* ---- memory ---- */

/* Where samples take no memory, GPUs that the replicas fill to the last byte hold nobody back.
 * (`optimal` may come to other shares that are as good, as its bound has more rows.) */
Test(watch, full_to_the_last_byte)
{
    static const char *const labels[] = {
        "slowdown_fair[first_s=0.1,period_s=1]",
        "slowdown_fair[first_s=0.1,period_s=1,controller=local]",
        "slowdown_fair[first_s=0.1,period_s=1,controller=optimal]",
        "straggler_free[first_s=0.1,period_s=1]",
    };

    for (size_t c = 0; c < LENGTH(labels); c++) {
        struct history *h[2];
        for (int known = 0; known < 2; known++) {
            static const double speed[] = {1, 0.5, 0.375};
            struct small *s = shared(3, speed);
            for (uint32_t n = 0; n < 3; n++) {
                uint32_t m = small_model(s, 1e7 * n, 1e6, 6400);
                s->world.model[m].memory_fixed = known ? 1e10 / 3 + n : 0;
                s->world.type[0].memory += known ? ceil(1e10 / 3 + n) : 0;
                train(s, 3, 7, m, 5);
            }
            h[known] = history_of(s, labels[c]);
            small_free(s);
        }
        cr_assert(count(h[1], 0, 0, SIM_LATEST) > 0, "%s", labels[c]);
        const char *other = history_differs(h[0], h[1], SIM_LATEST);
        cr_assert(!other || strstr(labels[c], "optimal"), "%s: %s", labels[c], other);
        for (int known = 0; known < 2; known++)
            history_free(h[known]);
    }
}

/* ---- jobs that are set up ---- */

/* Job 2 gets other shares while it is set up for the first time, as job 1 ends then. When it begins
 * to run, all are looked at, as ever when somebody came. */
Test(watch, split_in_first_set_up)
{
    static const char label[] = "slowdown_fair[controller=optimal,period_s=1000000,min_gain=1e-06]";
    static const double speed[] = {1, 0.5};
    struct small *s = shared(2, speed);
    uint32_t m = small_model(s, 1e6, 1e6, 6400);

    s->world.overheads.start = 4 * SIM_SECOND;
    train(s, 2, 3, m, 10);
    train(s, 2, 3, m, 1);
    struct history *h = history_of(s, label);
    sim_time end = history_find(h, REC_END, 1)->t;
    history_free(h);
    train(s, 2, 3, m, 5)->submit = end - SIM_SECOND;
    h = history_of(s, label);
    sim_time starts = history_find(h, REC_START, 2)->t, runs = starts + 4 * SIM_SECOND;
    cr_assert(count(h, 2, starts, runs) > 0);
    cr_assert(count(h, 0, runs, runs + 1) + count(h, 2, runs, runs + 1) > 0);
    history_free(h);
    small_free(s);
}
