/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of GPUs and jobs goes, by an account of our own, and what policies must not
 * change. */
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "tests/laws/history.h"

#define MOST_JOBS  64
#define MOST_GPUS  32
#define MOST_SPANS 4096

static const struct small_shape shapes[] = {
    {3, 4, 4, 8, 1, 10, true, true, true, true},
    {3, 4, 4, 8, 3, 10, true, true, true, true},
    {1, 4, 4, 8, 1, 6, false, true, true, true},
    {1, 4, 4, 8, 3, 6, false, true, true, true},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* ---- item 12: every nanosecond of every GPU is in one account ---- */

enum use { USEFUL, LOST, SETUP, SAVE, USES };

struct span {
    gpu_id gpu;
    sim_time from, to;
};

struct account {
    struct span span[MOST_SPANS];
    uint32_t n;
    sim_area use[USES];
    sim_time ready[MOST_GPUS], end;
    const struct record *start[MOST_JOBS]; /* of jobs that hold GPUs */
    const struct record *off[MOST_JOBS];   /* of jobs that ran and were taken off */
};

static void spend(struct account *a, enum use use, gpu_id g, sim_time from, sim_time to)
{
    if (from >= to)
        return;
    cr_assert(a->n < MOST_SPANS && g < MOST_GPUS);
    a->span[a->n++] = (struct span){g, from, to};
    a->use[use] += to - from;
}

static sim_time later(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

/* A job gives its GPUs back at r->t, or its run ends there. */
static void give_back(struct account *a, const struct record *r, uint32_t number)
{
    const struct record *start = a->start[number];
    bool off = r->kind == REC_PREEMPT || r->kind == REC_PAUSE, ran = start && r->t >= start->run;

    for (uint32_t i = 0; start && i < start->n; i++) {
        gpu_id g = start->share[i].gpu;
        spend(a, SETUP, g, later(start->t, a->ready[g]), ran ? start->run : r->t);
        if (!ran)
            continue;
        spend(a, USEFUL, g, start->run, off ? r->run : r->t);
        if (off) {
            a->use[USEFUL] -= r->lost;
            a->use[LOST] += r->lost;
            spend(a, SAVE, g, r->run, r->ready);
            a->ready[g] = later(a->ready[g], r->ready);
            a->end = later(a->end, r->ready);
        }
    }
    if (off && ran)
        a->off[number] = r;
    a->start[number] = NULL;
}

/* A job that is gone before it has landed did not run until then. */
static void cut_off(struct account *a, sim_time t, uint32_t number)
{
    const struct record *r = a->off[number];
    sim_time over = r ? r->run - t : 0, lost = r && over < r->lost ? over : r ? r->lost : 0;

    if (over > 0) {
        a->use[USEFUL] -= (sim_area)(over - lost) * r->n;
        a->use[LOST] -= (sim_area)lost * r->n;
    }
    a->off[number] = NULL;
}

static void take_record(struct account *a, const struct record *r)
{
    a->end = later(a->end, r->t);
    for (uint32_t j = 0; r->kind == REC_FINISH && j < MOST_JOBS; j++) {
        give_back(a, r, j);
        cut_off(a, r->t, j);
    }
    if (r->job == NO_JOB)
        return;
    cr_assert(sim_number(r->job) < MOST_JOBS);
    if (r->kind == REC_START)
        a->start[sim_number(r->job)] = r;
    else if (r->kind == REC_PREEMPT || r->kind == REC_PAUSE || r->kind == REC_END ||
             r->kind == REC_KILL)
        give_back(a, r, sim_number(r->job));
    if (r->kind == REC_END || r->kind == REC_KILL || r->kind == REC_REJECT)
        cut_off(a, r->t, sim_number(r->job));
}

static int by_gpu_and_time(const void *x, const void *y)
{
    const struct span *a = x, *b = y;

    return a->gpu != b->gpu ? (a->gpu > b->gpu) - (a->gpu < b->gpu)
                            : (a->from > b->from) - (a->from < b->from);
}

static void check_account(const struct small *s, const struct history *history, const char *label)
{
    static const enum metric_id id[USES] = {M_GPU_USEFUL, M_GPU_LOST, M_GPU_SETUP, M_GPU_SAVE};
    struct account a = {.n = 0};
    sim_area idle;

    for (uint32_t i = 0; i < history->n; i++)
        take_record(&a, &history->record[i]);
    qsort(a.span, a.n, sizeof *a.span, by_gpu_and_time);
    for (uint32_t i = 1; i < a.n; i++)
        cr_assert(a.span[i].gpu != a.span[i - 1].gpu || a.span[i].from >= a.span[i - 1].to,
                  "world %llu, %s: GPU %u is used twice at %lld", (unsigned long long)s->world.seed,
                  label, a.span[i].gpu, (long long)a.span[i].from);
    idle = (sim_area)a.end * s->world.n_gpus;
    for (int u = 0; u < USES; u++) {
        idle -= a.use[u];
        cr_assert(a.use[u] == history->value[id[u]].time,
                  "world %llu, %s: %s is %lld, metrics say %lld", (unsigned long long)s->world.seed,
                  label, metric_defs[id[u]].name, (long long)a.use[u],
                  (long long)history->value[id[u]].time);
    }
    cr_assert(idle >= 0 && idle == history->value[M_GPU_IDLE].time, "world %llu, %s: idle",
              (unsigned long long)s->world.seed, label);
}

Test(accounts, gpu_time)
{
    sim_area seen[USES] = {0};

    for (uint64_t seed = 0; seed < SMALL_WORLDS(400); seed++) {
        const struct small_shape *shape = &shapes[seed % SHAPES];
        struct small *s = small_random(seed, shape);
        for (const struct law_policy *p = law_policies; p->label; p++) {
            if (p->is & IS_SINGLE && shape->gang > 1)
                continue;
            struct history *history = history_of(s, p->label);
            check_account(s, history, p->label);
            for (int u = 0; u < USES; u++)
                seen[u] += history->value[M_GPU_USEFUL + u].time;
            history_free(history);
        }
        small_free(s);
    }
    for (int u = 0; u < USES; u++)
        cr_assert(seen[u] > 0, "%d was never seen", u);
}

/* ---- on equal GPUs: what a job has progressed, less what it lost, is its work ---- */

static void make_plain(struct small *s)
{
    for (node_id k = 0; k < s->world.n_nodes; k++)
        s->world.node[k].input_rate = 0;
    world_count(&s->world);
}

static double nominal_s(const struct small *s, const struct record *arrive)
{
    struct job_spec spec = arrive->experiment == NO_EXPERIMENT
                               ? s->job[arrive->trial]
                               : world_trial(&s->world, arrive->experiment, arrive->trial, 0);

    if (spec.model == NO_MODEL)
        return (double)spec.work / 1e9;
    return (double)spec.work *
           (s->cost->alpha[spec.model][0] + s->cost->beta[spec.model][0] * spec.batch);
}

static void check_useful(const struct small *s, const struct history *history, const char *label)
{
    sim_time begin[MOST_JOBS] = {0}, useful[MOST_JOBS] = {0};
    double nominal[MOST_JOBS];

    for (uint32_t i = 0; i < history->n; i++) {
        const struct record *r = &history->record[i];
        uint32_t n = r->job == NO_JOB ? 0 : sim_number(r->job);
        if (r->kind == REC_ARRIVE)
            nominal[n] = nominal_s(s, r);
        if (r->kind == REC_START)
            begin[n] = r->run;
        if ((r->kind == REC_PREEMPT || r->kind == REC_PAUSE) && r->n > 0)
            useful[n] += r->run > begin[n] ? r->run - begin[n] - r->lost : 0;
        if (r->kind == REC_END) {
            useful[n] += r->n ? r->t - begin[n] : 0;
            cr_assert_eq(useful[n], (sim_time)(nominal[n] * 1e9 + 0.5),
                         "world %llu, %s, job %u: %lld, alone %.9g",
                         (unsigned long long)s->world.seed, label, n, (long long)useful[n],
                         nominal[n]);
        }
    }
}

Test(accounts, useful_time)
{
    static const struct small_shape equal[] = {{1, 4, 4, 8, 1, 10, true, false, true, false},
                                               {1, 4, 4, 12, 3, 0, false, false, true, false}};

    for (uint64_t seed = 0; seed < SMALL_WORLDS(300); seed++) {
        struct small *s = small_random(seed, &equal[seed % 2]);
        make_plain(s);
        for (const struct law_policy *p = law_policies; p->label; p++) {
            if (p->is & IS_SINGLE && seed % 2)
                continue;
            struct history *history = history_of(s, p->label);
            check_useful(s, history, p->label);
            history_free(history);
        }
        small_free(s);
    }
}

/* ---- experiments close when their rule is met, and not before ---- */

/* When the rule of an experiment is met, by the records of its trials before it closes; SIM_NEVER:
 * it is not. */
static sim_time rule_met(const struct small *s, const struct history *history, uint32_t study)
{
    const struct experiment *x = &s->world.experiment[study];
    bool good[MOST_JOBS] = {false};
    uint32_t goods = 0, left = 0;

    for (uint32_t k = 0; k < x->n_trials; k++)
        goods += x->trial[k].good;
    for (uint32_t i = 0; i < history->n; i++) {
        const struct record *r = &history->record[i];
        if (r->kind == REC_CLOSE && r->experiment == study)
            break;
        if (r->job == NO_JOB || r->experiment != study)
            continue;
        uint32_t n = sim_number(r->job);
        bool gone = r->kind == REC_END || r->kind == REC_KILL;
        if (r->kind == REC_ARRIVE)
            good[n] = r->good;
        left += r->kind == REC_ARRIVE ? 1 : 0;
        left -= gone;
        goods -= gone && good[n];
        if ((x->end == END_FIRST_GOOD && r->kind == REC_END && good[n]) ||
            (x->end == END_ALL_GOOD && gone && good[n] && goods == 0) ||
            (x->end == END_TARGET && r->kind == REC_REPORT &&
             !curve_better(x->curves, x->target, r->value)) ||
            (gone && left == 0))
            return r->t;
    }
    return SIM_NEVER;
}

Test(accounts, end_rules)
{
    uint32_t met[4] = {0};

    for (uint64_t seed = 0; seed < SMALL_WORLDS(200); seed++) {
        struct small *s = small_random(seed, &shapes[0]);
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct history *history = history_of(s, p->label);
            sim_time closed[SMALL_KINDS] = {SIM_NEVER, SIM_NEVER, SIM_NEVER, SIM_NEVER};
            for (uint32_t i = 0; i < history->n; i++)
                if (history->record[i].kind == REC_CLOSE)
                    closed[history->record[i].experiment] = history->record[i].t;
            for (uint32_t k = 0; k < s->world.n_experiments; k++) {
                cr_assert_eq(closed[k], rule_met(s, history, k),
                             "world %llu, %s, study %u: closed at %lld, rule met at %lld",
                             (unsigned long long)seed, p->label, k, (long long)closed[k],
                             (long long)rule_met(s, history, k));
                met[s->world.experiment[k].end] += closed[k] < SIM_NEVER;
            }
            history_free(history);
        }
        small_free(s);
    }
    for (int rule = 0; rule < 4; rule++)
        cr_assert_gt(met[rule], 100, "rule %d", rule);
}

/* ---- item 11: the world is the same whatever the policy ---- */

#define MOST_EPOCHS 8

struct seen {
    double metric[MOST_JOBS][MOST_EPOCHS]; /* by job and epoch; 0: not seen */
    double rate[MOST_JOBS][MOST_GPUS];     /* of jobs of one GPU, by GPU; 0: not seen */
    uint32_t reports;
};

/* Notes a number, or compares it with what another policy has seen. */
static void must_agree(double *known, double x, const char *what, uint32_t number,
                       const char *label, uint64_t seed)
{
    cr_assert(*known == 0 || *known == x, "world %llu, %s, job %u: %s %.17g, elsewhere %.17g",
              (unsigned long long)seed, label, number, what, x, *known);
    *known = x;
}

static uint32_t note(struct seen *seen, const struct history *history, const char *label,
                     uint64_t seed)
{
    uint32_t reports = 0;

    for (uint32_t i = 0; i < history->n; i++) {
        const struct record *r = &history->record[i];
        uint32_t number = r->job == NO_JOB ? 0 : sim_number(r->job);
        if (r->kind == REC_REPORT)
            must_agree(&seen->metric[number][r->epoch], r->value, "metric", number, label, seed);
        else if (r->kind == REC_START && r->n == 1)
            must_agree(&seen->rate[number][r->share[0].gpu], r->value, "rate", number, label, seed);
        reports += r->kind == REC_REPORT;
    }
    return reports;
}

Test(accounts, world_is_the_same)
{
    for (uint64_t seed = 0; seed < SMALL_WORLDS(200); seed++) {
        struct small *s = small_random(seed, &shapes[0]);
        struct seen seen = {.reports = 0};
        bool whole = s->until == SIM_NEVER;

        for (uint32_t i = 0; i < s->world.n_experiments; i++)
            whole &= s->world.experiment[i].end == END_ALL_DONE &&
                     s->world.experiment[i].tuner != &small_halving;
        for (const struct law_policy *p = law_policies; p->label; p++) {
            struct history *history = history_of(s, p->label);
            uint32_t reports = note(&seen, history, p->label, seed);
            if (whole && p > law_policies)
                cr_assert_eq(reports, seen.reports, "world %llu, %s", (unsigned long long)seed,
                             p->label);
            seen.reports = reports;
            history_free(history);
        }
        small_free(s);
    }
}
