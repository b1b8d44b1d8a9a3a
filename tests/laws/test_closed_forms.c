/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small cases whose ends can be written down, and policies that must do the same. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define LENGTH(x) (sizeof(x) / sizeof *(x))

/* k * gpus trials of `epochs` epochs, each a step of t_e ns, on so many GPUs; the good one is best
 * from its first epoch on. */
static struct small *study_of(uint32_t gpus, uint32_t k, uint32_t epochs, sim_time t_e,
                              uint32_t good)
{
    struct small *s = small_new(1);

    small_nodes(s, small_type(s), gpus, 1);
    small_model(s, (double)t_e, 0, 64);
    struct experiment *x = small_study(s, 0, k * gpus, epochs, 64);
    for (uint32_t e = 1; e <= epochs; e++)
        *small_metric(x, good, e) = 0.6 + 0.3 * e / epochs;
    x->trial[good].good = true;
    return s;
}

static sim_time end_of(const struct history *s, uint32_t number)
{
    const struct record *r = history_find(s, REC_END, number);

    cr_assert(r, "job %u has not ended", number);
    return r->t;
}

/* ---- one GPU, equal jobs ---- */

static const struct equal_jobs {
    uint32_t k, parts; /* jobs; quanta (or epochs) of each */
    sim_time part;     /* ns */
} equal_jobs[] = {
    {1, 1, 1},
    {2, 1, 1},
    {2, 3, 7},
    {5, 10, 1},
    {17, 4, 999999937},
    {3, 1000, 1},
    {40, 2, INT64_C(1) << 40},
    {7, 50, 20 * SIM_SECOND},
};

/* The r-th of k equal jobs ends at r * T1. */
static void check_fifo(const struct equal_jobs *c, const struct small *s)
{
    struct history *history = history_of(s, "fifo");

    for (uint32_t r = 0; r < c->k; r++)
        cr_assert_eq(end_of(history, r), (r + 1) * c->parts * c->part,
                     "%u jobs, the %u-th ends at %lld", c->k, r + 1, (long long)end_of(history, r));
    history_free(history);
}

/* 9, 2: in turn by quanta, without costs, they end one after the other in the last round. */
static void check_rr(const struct equal_jobs *c, const struct small *s, bool trials)
{
    struct arena *a = arena_new();
    long long q = (long long)c->part;
    struct history *history = history_of(
        s, trials ? "rr[quantum_s=0,quantum_epochs=1]"
                  : arena_printf(a, "rr[quantum_s=%lld.%09lld]", q / SIM_SECOND, q % SIM_SECOND));

    for (uint32_t r = 0; r < c->k; r++)
        cr_assert_eq(end_of(history, r), c->k * c->parts * c->part - (c->k - 1 - r) * c->part,
                     "%u jobs of %u quanta, the %u-th ends at %lld", c->k, c->parts, r + 1,
                     (long long)end_of(history, r));
    history_free(history);
    arena_free(a);
}

Test(closed_forms, equal_jobs_on_one_gpu)
{
    for (size_t i = 0; i < LENGTH(equal_jobs); i++) {
        const struct equal_jobs *c = &equal_jobs[i];
        struct small *jobs = small_new(1), *trials = study_of(1, c->k, c->parts, c->part, 0);

        small_nodes(jobs, small_type(jobs), 1, 1);
        for (uint32_t k = 0; k < c->k; k++)
            small_job(jobs, 0, 1, c->parts * c->part);
        check_fifo(c, jobs);
        check_fifo(c, trials);
        if (c->part <= INT64_C(1000000) * SIM_SECOND)
            check_rr(c, jobs, false);
        check_rr(c, trials, true);
        small_free(jobs);
        small_free(trials);
    }
}

/* D/D/1: arrivals every a, service s. The n-th waits n (s - a) if that is positive. */
Test(closed_forms, d_d_1)
{
    static const struct {
        sim_time a, s;
    } cases[] = {{10, 3}, {10, 10}, {10, 11}, {1, 1000000007}, {SIM_SECOND, SIM_SECOND - 1},
                 {7, 50}};
    static const char *const labels[] = {"fifo",    "sjf",   "srtf", "las[quantum_s=100]",
                                         "uniform", "hermes"};

    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct small *s = small_new(1);
        sim_time late = cases[i].s > cases[i].a ? cases[i].s - cases[i].a : 0;
        small_nodes(s, small_type(s), 1, 1);
        for (uint32_t n = 0; n < 200; n++)
            small_job(s, n * cases[i].a, 1, cases[i].s);
        for (size_t p = 0; p < LENGTH(labels); p++) {
            struct history *history = history_of(s, labels[p]);
            for (uint32_t n = 0; n < 200; n++)
                cr_assert_eq(end_of(history, n), n * (cases[i].a + late) + cases[i].s,
                             "case %zu, %s, job %u", i, labels[p], n);
            history_free(history);
        }
        small_free(s);
    }
}

/* ---- 9, 3: under Hermes the others get one quantum each, then the good one runs ---- */

/* An oracle knows it even if it looks worst until its last epoch. */
static void check_good_trial(uint32_t gpus, uint32_t k, uint32_t q, uint32_t at, bool oracle)
{
    enum { EPOCHS = 12 };
    const sim_time t_e = 20 * SIM_SECOND + 1;
    uint32_t good = at * gpus + at % gpus, first[64] = {0};
    struct small *s = study_of(gpus, k, EPOCHS, t_e, good);
    for (uint32_t e = 1; oracle && e < EPOCHS; e++)
        *small_metric(&s->world.experiment[0], good, e) = 0.001;
    struct arena *a = arena_new();
    struct history *history = history_of(
        s, arena_printf(a, "hermes[quantum_epochs=%u%s]", q, oracle ? ",measure=final" : ""));
    sim_time end = end_of(history, good);

    cr_assert_eq(end, EPOCHS * t_e + (k - 1) * q * t_e,
                 "%u GPUs, %u trials each, quantum %u, the %u-th is good%s: %lld", gpus, k, q, at,
                 oracle ? " (oracle)" : "", (long long)end);
    for (uint32_t i = 0; i < history->n && history->record[i].t < end; i++)
        if (history->record[i].kind == REC_REPORT)
            first[sim_number(history->record[i].job)]++;
    for (uint32_t n = good % gpus; n < k * gpus; n += gpus)
        cr_assert_eq(first[n], n == good ? EPOCHS - 1 : q, "trial %u has reported %u times", n,
                     first[n]);
    history_free(history);
    small_free(s);
    arena_free(a);
}

Test(closed_forms, good_trial_under_hermes)
{
    for (uint32_t gpus = 1; gpus <= 3; gpus++)
        for (uint32_t k = 1; k <= 6; k++)
            for (uint32_t q = 1; q <= 4; q++)
                for (uint32_t at = 0; at < k; at++) {
                    check_good_trial(gpus, k, q, at, false);
                    check_good_trial(gpus, k, q, at, true);
                }
}

/* ---- policies that must do the same, record for record ---- */

enum { ALL_AT_ONCE = 1, EQUAL_RATES = 2 };

static const struct {
    const char *a, *b;
    struct small_shape shape;
    unsigned how;
} pairs[] = {
    /* one GPU type: nothing to choose by (9, 5) */
    {"hermes",
     "uniform[order=convergence,placement=fewest]",
     {3, 4, 3, 8, 3, 8, true, true, true, true},
     0},
    {"hermes", "hermes_v2[relocate=none]", {1, 4, 3, 8, 1, 8, true, false, true, true}, 0},
    {"hermes", "hermes_v2", {1, 4, 3, 8, 1, 8, true, false, true, true}, 0},
    {"rr[quantum_s=1000000]",
     "uniform[placement=fewest]",
     {3, 4, 3, 12, 3, 0, true, true, true, true},
     0},
    {"rr[scope=node,quantum_s=1000000]",
     "uniform[scope=node,placement=fewest]",
     {3, 4, 3, 12, 1, 0, true, true, true, true},
     0},
    {"las[threshold_gpu_s=1000000]",
     "fifo[skip_ahead=true]",
     {1, 4, 3, 12, 1, 0, false, true, true, false},
     0},
    /* without deadlines, without reports, without several groups */
    {"hypersched", "fifo[skip_ahead=true]", {3, 4, 3, 12, 3, 8, true, true, true, true}, 0},
    {"hyperdrive", "fifo[skip_ahead=true]", {3, 4, 3, 12, 3, 0, true, true, true, true}, 0},
    {"fair_share", "fifo[skip_ahead=true]", {3, 4, 3, 12, 3, 0, true, true, true, true}, 0},
    {"fifo[skip_ahead=true]", "fifo", {1, 4, 3, 12, 1, 0, false, true, true, false}, 0},
    {"sjf", "srtf", {1, 4, 3, 12, 1, 0, false, true, true, false}, ALL_AT_ONCE},
    /* types that do not differ: uniform places as well as the one that knows them (9, 5) */
    {"hermes",
     "hermes_v2[relocate=none]",
     {3, 4, 3, 8, 1, 8, true, false, true, false},
     EQUAL_RATES},
    {"hermes", "hermes_v2", {3, 4, 3, 8, 1, 8, true, false, true, false}, EQUAL_RATES},
    /* relocation off, or too dear (9, 6) */
    {"hermes_v2[relocate=run,move_s=1000000]",
     "hermes_v2[relocate=none]",
     {3, 4, 3, 8, 1, 12, true, true, true, true},
     0},
    {"hermes_v2[placement=uniform,relocate=none]",
     "uniform[order=convergence]",
     {3, 4, 3, 8, 1, 12, true, true, true, true},
     0},
    /* what is saved in a second is no second; a horizon that is never reached is none */
    {"hermes_v2[relocate=run,horizon_s=1,move_s=1]",
     "hermes_v2[relocate=none]",
     {3, 4, 3, 8, 1, 12, true, true, true, true},
     0},
    {"hermes_v2[move_s=0.1,horizon_s=1000000]",
     "hermes_v2[move_s=0.1]",
     {3, 4, 3, 8, 1, 12, true, true, true, true},
     0},
    {"hermes_v2[relocate=both,move_s=1000000]",
     "hermes_v2[relocate=placement,move_s=1000000]",
     {3, 4, 3, 8, 1, 12, true, true, true, true},
     0},
    /* quanta that are skipped change nothing */
    {"las[quantum_s=1,threshold_gpu_s=3]",
     "las[quantum_s=1,threshold_gpu_s=3,every_quantum=true]",
     {3, 4, 3, 12, 3, 6, true, true, true, true},
     0},
    {"las[quantum_s=1,threshold_gpu_s=0]",
     "las[quantum_s=1,threshold_gpu_s=0,every_quantum=true]",
     {3, 4, 3, 12, 3, 6, true, true, true, true},
     0},
    {"las[quantum_s=1,threshold_gpu_s=0]",
     "las[quantum_s=1,threshold_gpu_s=0,every_quantum=true]",
     {1, 4, 3, 12, 3, 0, false, true, true, true},
     0},
    {"las[quantum_s=2,threshold_gpu_s=0,skip_ahead=false]",
     "las[quantum_s=2,threshold_gpu_s=0,skip_ahead=false,every_quantum=true]",
     {1, 4, 3, 12, 3, 0, false, true, true, true},
     0},
    {"srtf[quantum_s=0.5]",
     "srtf[quantum_s=0.5,every_quantum=true]",
     {3, 4, 3, 12, 3, 6, true, true, true, true},
     0},
    {"srtf[quantum_s=0.5,skip_ahead=false]",
     "srtf[quantum_s=0.5,skip_ahead=false,every_quantum=true]",
     {1, 4, 3, 12, 3, 0, false, true, true, true},
     0},
};

/* No GPU type is better than another, and the policy is told so. */
static void make_rates_equal(struct small *s)
{
    s->predictor = "exact";
    for (node_id k = 0; k < s->world.n_nodes; k++)
        s->world.node[k].input_rate = 0;
    world_count(&s->world);
    for (uint32_t m = 0; m < s->world.n_models; m++)
        for (type_id t = 1; t < s->world.n_types; t++) {
            s->cost->alpha[m][t] = s->cost->alpha[m][0] = fmin(s->cost->alpha[m][0], 0.4);
            s->cost->beta[m][t] = s->cost->beta[m][0];
        }
}

Test(closed_forms, policies_that_coincide)
{
    for (size_t i = 0; i < LENGTH(pairs); i++) {
        for (uint64_t seed = 0; seed < SMALL_WORLDS(200); seed++) {
            struct small *s = small_random(seed, &pairs[i].shape);
            for (uint32_t j = 0; pairs[i].how & ALL_AT_ONCE && j < s->n_jobs; j++)
                s->job[j].submit = 0;
            if (pairs[i].how & EQUAL_RATES)
                make_rates_equal(s);
            struct history *a = history_of(s, pairs[i].a), *b = history_of(s, pairs[i].b);
            const char *differ = history_differs(a, b, SIM_NEVER);
            cr_assert(!differ, "%s and %s, world %llu: %s", pairs[i].a, pairs[i].b,
                      (unsigned long long)seed, differ);
            history_free(a);
            history_free(b);
            small_free(s);
        }
    }
}

/* Equal trials on as many GPUs: whatever decides, each starts at once and nothing ever happens to
 * it. */
Test(closed_forms, one_gpu_for_each)
{
    for (uint32_t n = 1; n <= 8; n++) {
        struct small *s = study_of(n, 1, 3, SIM_SECOND, 0);
        struct history *first = history_of(s, "fifo");
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct history *history = history_of(s, p->label);
            const char *differ =
                strstr(p->label, "random") ? NULL : history_differs(first, history, SIM_NEVER);
            cr_assert(!differ, "%s, %u trials: %s", p->label, n, differ);
            for (uint32_t k = 0; k < n && !strstr(p->label, "random"); k++)
                cr_assert_eq(end_of(history, k), 3 * SIM_SECOND, "%s", p->label);
            history_free(history);
        }
        history_free(first);
        small_free(s);
    }
}
