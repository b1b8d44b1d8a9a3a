/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has not happened yet must not show: not to the engine, and not to a policy that is no
 * oracle. */
#include <math.h>

#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define WORLDS      SMALL_WORLDS(200)
#define NEVER_COMES (INT64_C(1000000000) * SIM_SECOND)

static const struct small_shape any[] = {{3, 4, 3, 8, 1, 8, true, true, true, true},
                                         {3, 4, 3, 8, 3, 8, true, true, true, true}},
                                durations[] = {{1, 4, 3, 12, 1, 0, false, true, true, false},
                                               {1, 4, 3, 12, 3, 0, false, true, true, false}};

/*
 * A change that a policy's past must not depend on. It looks at the history before it, and returns
 * until when (not included) both must be the same; 0: this world has nothing to be changed.
 */
typedef sim_time change_future(struct small *, const struct history *);

/* All but how it ended, and what the regret is reckoned from: the best metric that there will be.
 */
static struct history *open_history(const struct small *s, const char *label)
{
    struct history *history = history_of(s, label);

    cr_assert_eq(history->record[--history->n].kind, REC_FINISH);
    for (uint32_t i = 0; i < history->n; i++)
        if (history->record[i].kind == REC_OPEN)
            history->record[i].told = NAN;
    return history;
}

/* Returns in how many worlds the past differed. */
static uint32_t check_policy(const struct small_shape *shape, change_future *change,
                             const struct law_policy *p, bool must)
{
    uint32_t differed = 0;

    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        const struct small_shape *this = &shape[seed % 2 && !(p->is & IS_SINGLE)];
        struct small *s = small_random(seed, this);
        struct history *before = open_history(s, p->label);
        sim_time until = change(s, before);
        if (until > 0) {
            struct history *after = open_history(s, p->label);
            const char *differ = history_differs(before, after, until);
            cr_assert(!differ || !must, "world %llu, %s, before %lld: %s", (unsigned long long)seed,
                      p->label, (long long)until, differ);
            differed += differ != NULL;
            history_free(after);
        }
        history_free(before);
        small_free(s);
    }
    return differed;
}

static void check(const struct small_shape *shape, change_future *change)
{
    for (const struct law_policy *p = law_policies; p->label; p++)
        check_policy(shape, change, p, true);
}

/* ---- more to come, and less ---- */

static sim_time one_job_after_the_end(struct small *s, const struct history *history)
{
    sim_time end = history->record[history->n - 1].t;

    if (history->end != RUN_DRAINED)
        return 0;
    struct job_spec *j = &s->job[s->n_jobs++];
    *j = s->n_jobs > 1 ? s->job[0] : (struct job_spec){.gpus = 1, .work = 1, .model = NO_MODEL};
    j->experiment = NO_EXPERIMENT;
    j->trial = s->n_jobs;
    j->submit = end + 1;
    return end + 1;
}

static sim_time nothing_from_the_middle_on(struct small *s, const struct history *history)
{
    uint32_t keep = s->n_jobs / 2;
    sim_time t = s->n_jobs ? s->job[keep].submit : 2 * SIM_SECOND;

    (void)history;
    while (keep > 0 && s->job[keep - 1].submit == t)
        keep--;
    s->n_jobs = keep;
    for (uint32_t i = 0; i < s->world.n_experiments; i++)
        if (s->world.experiment[i].submit >= t)
            s->world.experiment[i].submit = NEVER_COMES;
    if (s->until > t)
        s->until = t;
    return t;
}

static sim_time stops_in_the_middle(struct small *s, const struct history *history)
{
    sim_time middle = history->record[history->n / 2].t;

    s->until = middle;
    return middle + 1;
}

Test(causality, jobs_that_come_later)
{
    check(any, stops_in_the_middle);
    check(any, one_job_after_the_end);
    check(any, nothing_from_the_middle_on);
    check(durations, one_job_after_the_end);
    check(durations, nothing_from_the_middle_on);
}

/* ---- how long a job will run ---- */

static uint32_t some(const struct small *s, uint32_t n)
{
    return (uint32_t)(s->world.seed * 2654435761u % n);
}

static sim_time ends_later(struct small *s, const struct history *history)
{
    uint32_t number = some(s, s->n_jobs);
    const struct record *end = history_find(history, REC_END, number);

    s->job[number].work = 3 * s->job[number].work + SIM_SECOND;
    return end ? end->t : 0;
}

/* The other way round: what the longer job had done until the shorter one ends. */
static sim_time ends_sooner(struct small *s, const struct history *history)
{
    uint32_t number = some(s, s->n_jobs);
    const struct record *start = history_find(history, REC_START, number);

    s->job[number].work = (s->job[number].work + 1) / 2;
    /* No sooner than after half its time at the highest speed. */
    return start ? start->run + s->job[number].work / 2 : 0;
}

Test(causality, durations_are_not_known)
{
    uint32_t caught = 0;

    for (const struct law_policy *p = law_policies; p->label; p++) {
        caught += check_policy(durations, ends_later, p, !(p->is & IS_ORACLE)) > 0;
        caught += check_policy(durations, ends_sooner, p, !(p->is & IS_ORACLE)) > 0;
    }
    cr_assert_eq(caught, 8, "of 4 oracles of durations, each caught in both ways: %u", caught);
}

/* ---- what a trial will report ---- */

static sim_time other_metrics(struct small *s, const struct history *history)
{
    uint32_t reports = 0, at;

    for (uint32_t i = 0; i < history->n; i++)
        reports += history->record[i].kind == REC_REPORT;
    if (reports == 0)
        return 0;
    at = some(s, reports);
    for (uint32_t i = 0; i < history->n; i++) {
        const struct record *r = &history->record[i];
        if (r->kind != REC_REPORT || at-- > 0)
            continue;
        struct experiment *x = &s->world.experiment[r->experiment];
        for (uint32_t e = r->epoch; e <= curve_epochs(x->curves, x->trial[r->trial].curve); e++)
            *small_metric(x, r->trial, e) = x->curves->falls ? 0.01 : 0.99;
        return r->t;
    }
    return 0;
}

Test(causality, metrics_are_not_known)
{
    uint32_t caught = 0;

    for (const struct law_policy *p = law_policies; p->label; p++)
        caught += check_policy(any, other_metrics, p, !(p->is & IS_ORACLE)) > 0;
    cr_assert_eq(caught, 1, "of one oracle of metrics: %u", caught);
}
