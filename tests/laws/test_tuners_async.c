/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tuners without barriers against plain ones: these hear the same reports in the same order, sort
 * all they have heard at each, and must come to the same submissions, pauses, promotions and stops.
 */
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "tests/laws/trials.h"

#define MOST  64
#define RUNGS 8

struct result {
    uint32_t trial;
    double metric;
    bool promoted;
};

struct plain {
    const struct experiment *x;
    struct arena *arena;
    const char *acts; /* "a3 p3 r3 k3": trial 3 arrived, was paused, promoted, killed */
    uint32_t eta, at_once, end[RUNGS], rungs;
    struct result result[RUNGS][MOST]; /* by rung; of median_stop, by epoch */
    uint32_t results[RUNGS];
    uint32_t at[MOST], next, busy;
    bool paused[MOST], over;
    double sum[MOST], best[MOST];
    uint32_t grace, samples;
};

static void act(struct plain *p, char what, uint32_t trial)
{
    p->acts = arena_printf(p->arena, "%s %c%u", p->acts, what, trial);
}

static uint32_t planned(const struct plain *p, uint32_t trial)
{
    return curve_planned(p->x->curves, p->x->trial[trial].curve);
}

static void plan_rungs(struct plain *p)
{
    uint32_t most = 0;

    for (uint32_t k = 0; k < p->x->n_trials; k++)
        most = planned(p, k) > most ? planned(p, k) : most;
    for (uint32_t e = 1; e < most; e *= p->eta)
        p->end[p->rungs++] = e;
    p->end[p->rungs++] = most;
}

static void submit_next(struct plain *p)
{
    if (p->next < p->x->n_trials)
        act(p, 'a', p->next++);
}

static void plain_open(struct plain *p)
{
    do
        submit_next(p);
    while (p->next < p->x->n_trials && (p->at_once == 0 || p->next < p->at_once));
}

static void add(struct plain *p, uint32_t rung, uint32_t trial, double metric)
{
    p->result[rung][p->results[rung]++] = (struct result){trial, metric, false};
}

/* ---- promotion ---- */

/* Whether a comes before b. */
static bool before(const struct plain *p, const struct result *a, const struct result *b)
{
    return a->metric != b->metric ? curve_better(p->x->curves, a->metric, b->metric)
                                  : a->trial < b->trial;
}

static struct result *best_of_top(struct plain *p, uint32_t rung)
{
    struct result *best = NULL, *all = p->result[rung];

    for (uint32_t i = 0; i < p->results[rung]; i++) {
        uint32_t ahead = 0;
        for (uint32_t k = 0; k < p->results[rung]; k++)
            ahead += before(p, &all[k], &all[i]);
        if (ahead < p->results[rung] / p->eta && !all[i].promoted &&
            (!best || before(p, &all[i], best)))
            best = &all[i];
    }
    return best;
}

static struct result *promotable(struct plain *p)
{
    struct result *best = NULL;

    for (uint32_t k = p->rungs - 1; k-- > 0 && !best;)
        best = best_of_top(p, k);
    return best;
}

static bool plain_fill(struct plain *p, uint32_t reporter)
{
    bool goes_on = false;
    struct result *r;

    while (p->at_once == 0 || p->busy < p->at_once) {
        if (!(r = promotable(p))) {
            if (p->next == p->x->n_trials)
                break;
            submit_next(p);
            p->busy++;
            continue;
        }
        uint32_t trial = r->trial, rung = ++p->at[trial];
        r->promoted = true;
        if (planned(p, trial) <= p->end[rung - 1]) {
            if (rung + 1 < p->rungs)
                add(p, rung, trial, r->metric);
            continue;
        }
        p->busy++;
        goes_on |= trial == reporter;
        if (trial != reporter)
            act(p, 'r', trial);
        p->paused[trial] = false;
    }
    return goes_on;
}

static void stop_all(struct plain *p, uint32_t reporter)
{
    p->over = p->busy == 0;
    for (uint32_t k = 0; p->over && k < p->next; k++)
        if (p->paused[k] && k != reporter)
            act(p, 'k', k);
}

static void asha_open(struct plain *p)
{
    plan_rungs(p);
    plain_fill(p, UINT32_MAX);
}

static void asha_report(struct plain *p, uint32_t trial, uint32_t epoch, double metric)
{
    bool last = p->at[trial] + 1 == p->rungs;

    if (epoch < p->end[p->at[trial]])
        return;
    p->busy--;
    p->paused[trial] = !last;
    if (!last)
        add(p, p->at[trial], trial, metric);
    if (plain_fill(p, trial))
        return;
    stop_all(p, trial);
    act(p, last || p->over ? 'k' : 'p', trial);
}

static void asha_ended(struct plain *p, uint32_t trial, bool done, double metric)
{
    p->busy--;
    if (done && p->at[trial] + 1 < p->rungs)
        add(p, p->at[trial], trial, metric);
    plain_fill(p, UINT32_MAX);
    stop_all(p, UINT32_MAX);
}

/* ---- stopping ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* As numpy's percentile, of goodness. */
static double quantile(const struct plain *p, uint32_t rung, double share)
{
    double good[MOST];
    uint32_t n = p->results[rung];

    for (uint32_t i = 0; i < n; i++)
        good[i] = p->result[rung][i].metric * (p->x->curves->falls ? -1 : 1);
    qsort(good, n, sizeof *good, ascending);
    double at = share * (n - 1);
    uint32_t i = (uint32_t)at;
    return i + 1 < n ? good[i] + (at - i) * (good[i + 1] - good[i]) : good[i];
}

static void stop(struct plain *p, uint32_t trial)
{
    act(p, 'k', trial);
    submit_next(p);
}

static void stop_open(struct plain *p)
{
    plan_rungs(p);
    plain_open(p);
}

static bool worse(const struct plain *p, uint32_t rung, double share, double metric)
{
    return metric * (p->x->curves->falls ? -1 : 1) < quantile(p, rung, share);
}

static void stop_report(struct plain *p, uint32_t trial, uint32_t epoch, double metric)
{
    uint32_t rung = p->at[trial];
    bool stops = rung + 1 == p->rungs;

    if (epoch < p->end[rung])
        return;
    p->at[trial]++;
    if (!stops) {
        stops = p->results[rung] > 0 && worse(p, rung, 1 - 1.0 / p->eta, metric);
        add(p, rung, trial, metric);
    }
    if (stops)
        stop(p, trial);
}

static void stop_ended(struct plain *p, uint32_t trial, bool done, double metric)
{
    if (done && p->at[trial] + 1 < p->rungs && planned(p, trial) == p->end[p->at[trial]])
        add(p, p->at[trial], trial, metric);
    submit_next(p);
}

static bool hear(struct plain *p, uint32_t trial, uint32_t epoch, double metric)
{
    p->sum[trial] += metric;
    if (epoch == 1 || curve_better(p->x->curves, metric, p->best[trial]))
        p->best[trial] = metric;
    bool stops =
        epoch > p->grace && p->results[epoch] >= p->samples && worse(p, epoch, 0.5, p->best[trial]);
    add(p, epoch, trial, p->sum[trial] / epoch);
    return stops;
}

static void median_report(struct plain *p, uint32_t trial, uint32_t epoch, double metric)
{
    if (hear(p, trial, epoch, metric))
        stop(p, trial);
}

static void median_ended(struct plain *p, uint32_t trial, bool done, double metric)
{
    if (done)
        hear(p, trial, planned(p, trial), metric);
    submit_next(p);
}

/* ---- both hear the same ---- */

static const struct {
    const char *label;
    uint32_t eta, at_once, grace, samples;
    void (*open)(struct plain *);
    void (*report)(struct plain *, uint32_t trial, uint32_t epoch, double metric);
    void (*ended)(struct plain *, uint32_t trial, bool done, double metric);
} tuners[] = {
    {"asha[eta=2]", 2, 0, 0, 0, asha_open, asha_report, asha_ended},
    {"asha[eta=2,at_once=3]", 2, 3, 0, 0, asha_open, asha_report, asha_ended},
    {"asha[eta=4,at_once=5]", 4, 5, 0, 0, asha_open, asha_report, asha_ended},
    {"asha_stop[eta=2]", 2, 0, 0, 0, stop_open, stop_report, stop_ended},
    {"asha_stop[at_once=4]", 4, 4, 0, 0, stop_open, stop_report, stop_ended},
    {"median_stop", 0, 0, 1, 3, plain_open, median_report, median_ended},
    {"median_stop[grace_epochs=0,min_samples=1,at_once=3]", 0, 3, 0, 1, plain_open, median_report,
     median_ended},
};

/* What the tuner did, and what the plain one does when it hears the same. */
static const char *listen(const struct history *h, struct plain *p, size_t which, uint32_t study)
{
    static const char letter[REC_KINDS] = {
        [REC_ARRIVE] = 'a', [REC_PAUSE] = 'p', [REC_PROMOTE] = 'r', [REC_KILL] = 'k'};
    struct trial_map map = {0};
    const char *did = "";
    uint32_t trial;

    for (uint32_t i = 0; i < h->n; i++) {
        const struct record *r = &h->record[i];
        if (r->kind == REC_OPEN && r->experiment == study)
            tuners[which].open(p);
        if (!trial_of(&map, r, study, &trial))
            continue;
        if (letter[r->kind])
            did = arena_printf(p->arena, "%s %c%u", did, letter[r->kind], trial);
        if (r->kind != REC_REPORT)
            continue;
        bool done = r->epoch == planned(p, trial);
        if (done || r->epoch == curve_epochs(p->x->curves, p->x->trial[trial].curve)) {
            if (!done)
                act(p, 'k', trial); /* it broke off */
            tuners[which].ended(p, trial, done, r->value);
        } else {
            tuners[which].report(p, trial, r->epoch, r->value);
        }
    }
    return did;
}

static void check_tuner(uint64_t seed, size_t which, const char *policy)
{
    struct small *s = trials_random(seed, tuners[which].label);
    struct history *h = history_of(s, policy);

    for (uint32_t i = 0; i < s->world.n_experiments; i++) {
        struct plain p = {.x = &s->world.experiment[i],
                          .arena = s->arena,
                          .acts = "",
                          .eta = tuners[which].eta,
                          .at_once = tuners[which].at_once,
                          .grace = tuners[which].grace,
                          .samples = tuners[which].samples};
        const char *did = listen(h, &p, which, i);
        cr_assert_str_eq(did, p.acts, "seed %llu, %s, %s:\n%s\nwanted\n%s",
                         (unsigned long long)seed, tuners[which].label, policy, did, p.acts);
    }
    history_free(h);
    small_free(s);
}

Test(tuners, asynchronous_ones_as_plain_ones)
{
    for (uint64_t seed = 1; seed <= 60; seed++)
        for (size_t which = 0; which < sizeof tuners / sizeof *tuners; which++)
            for (const char *const *policy = trials_policies; *policy; policy++)
                check_tuner(seed, which, *policy);
}

/* ---- brackets by chance ---- */

/* Each trial is worse than the one before: only the first of its bracket gets beyond its rung. */
Test(tuners, brackets_by_chance)
{
    enum { N = 2000 };
    struct small *s = small_new(1);
    double metric[N];
    uint32_t count[5] = {0}, trial;
    struct trial_map map = {0};

    small_nodes(s, small_type(s), 1, 1);
    small_model(s, 1e9, 0, 64);
    struct experiment *x = small_study(s, 0, N, 5, 64);
    for (uint32_t k = 0; k < N; k++)
        metric[k] = 1 - k / (double)N;
    trials_flat(x, metric);
    small_tuner(s, x, "asha_stop[eta=2,brackets=3,at_once=1]");
    struct history *h = history_of(s, "fifo");
    for (uint32_t i = 0; i < h->n; i++)
        if (trial_of(&map, &h->record[i], 0, &trial) && h->record[i].kind == REC_REPORT)
            count[h->record[i].epoch - 1]++;
    /* rungs 1, 2, 4, 5: brackets 0, 1, 2 are left at 1, 2, 4 epochs */
    double all = 1 + exp(-1) + exp(-2), share[] = {1 / all, exp(-1) / all, exp(-2) / all};
    double left[] = {count[0] - count[1], count[1] - count[3], count[3]};
    cr_assert_eq(count[0], N);
    cr_assert_eq(count[4], 3);
    for (int b = 0; b < 3; b++)
        cr_expect_float_eq(left[b] / N, share[b], 3 * sqrt(share[b] * (1 - share[b]) / N),
                           "bracket %d: %g of %g", b, left[b] / N, share[b]);
    history_free(h);
    small_free(s);
}
