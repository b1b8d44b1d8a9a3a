/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared GPUs: cases whose ends can be written down, and what holds in every record. */
#include <math.h>

#include <criterion/criterion.h>

#include "tests/laws/crowd.h"

#define LENGTH(x) (sizeof(x) / sizeof *(x))

/* Times that are the same but for what the rates' iteration leaves. */
static void same_time(sim_time got, double want, const char *what)
{
    cr_assert_leq(fabs((double)got - want), 2 + 1e-8 * want, "%s: %lld, wanted %.0f", what,
                  (long long)got, want);
}

/* ---- n always-busy jobs: each takes n / phi(n) times as long ---- */

static const double etas[] = {0, 0.12, 0.15, 0.74, 3};

static double stretch_of(double eta, uint32_t n)
{
    return n / contention_phi(eta, n);
}

/* n equal jobs on `gpus` GPUs of one speed, by their duration or as steps without gaps. */
static void check_always_busy(double eta, uint32_t n, uint32_t gpus, double speed, bool steps)
{
    struct crowd *c = crowd_new(1, "processor_sharing", 64);
    double alone = (double)(100 * SIM_SECOND) / speed;

    c->small->world.type[0].eta = eta;
    for (uint32_t g = 0; g < gpus; g++)
        crowd_gpu(c, speed);
    small_model(c->small, 0, 1e6, 1);
    for (uint32_t i = 0; i < n; i++)
        if (steps)
            crowd_steps(c, 0, gpus, 0, 100 * gpus, 1000);
        else
            crowd_job(c, 0, gpus, 100 * SIM_SECOND);
    struct history *s = crowd_run(c);
    for (uint32_t i = 0; i < n; i++) {
        const struct record *r = history_find(s, REC_ALONE, i);
        cr_assert_leq(fabs((double)r->run - alone), 1);
        same_time(crowd_end(s, i), alone * stretch_of(eta, n), "always busy");
    }
    history_free(s);
    crowd_free(c);
}

Test(sharing, always_busy_jobs)
{
    for (size_t k = 0; k < LENGTH(etas); k++)
        for (uint32_t n = 1; n <= 16; n += n < 4 ? 1 : 4)
            for (uint32_t gpus = 1; gpus <= 4; gpus += 3) {
                check_always_busy(etas[k], n, gpus, 1, false);
                check_always_busy(etas[k], n, gpus, 1, true);
                check_always_busy(etas[k], n, gpus, 0.35, true);
            }
}

/* ---- GPUs of different speeds: the slowest binds, unless the shares follow the speeds ---- */

static const struct speeds {
    double v[4];
    uint32_t best[4]; /* of 3600 samples */
} speeds[] = {
    {{1, 1, 1, 1}, {900, 900, 900, 900}},
    {{1, 1, 0.5, 0.5}, {1200, 1200, 600, 600}},
    {{1, 0.5, 0.25, 0.25}, {1800, 900, 450, 450}},
    {{2, 1, 0.5, 0.1}, {2000, 1000, 500, 100}},
};

static sim_time end_on(const struct speeds *x, uint32_t jobs, bool best)
{
    struct crowd *c = crowd_new(1, "processor_sharing", 4);

    c->small->world.type[0].eta = 0.15;
    for (int g = 0; g < 4; g++)
        crowd_gpu(c, x->v[g]);
    small_model(c->small, 0, 1e5, 1);
    for (uint32_t i = 0; i < jobs; i++) {
        struct wish *w = crowd_steps(c, 0, 4, 0, 3600, 100);
        for (int g = 0; g < 4 && best; g++)
            w->part[g] = x->best[g];
    }
    struct history *s = crowd_run(c);
    sim_time end = crowd_end(s, 0);
    for (uint32_t i = 1; i < jobs; i++)
        cr_assert_eq(crowd_end(s, i), end);
    history_free(s);
    crowd_free(c);
    return end;
}

Test(sharing, splits_over_speeds)
{
    for (size_t i = 0; i < LENGTH(speeds); i++) {
        const double *v = speeds[i].v;
        double least = fmin(fmin(v[0], v[1]), fmin(v[2], v[3])),
               mean = (v[0] + v[1] + v[2] + v[3]) / 4;
        sim_time even = end_on(&speeds[i], 1, false), best = end_on(&speeds[i], 1, true);
        same_time(even, 100 * 900 * 1e5 / least, "even shares");
        same_time(best, 100 * 900 * 1e5 / mean, "shares by speed");
        cr_assert_float_eq((double)even / (double)best, mean / least, 1e-6);
        same_time(end_on(&speeds[i], 3, true), (double)best * stretch_of(0.15, 3), "three jobs");
    }
}

/* ---- equal jobs on equal GPUs stay equal ---- */

/* Each on `width` GPUs of a ring, to the bit if each names them in the same order. */
static void check_ring(uint32_t gpus, uint32_t width, uint32_t turns, double gap)
{
    struct crowd *c = crowd_new(1, "processor_sharing", 64);

    c->small->world.type[0].eta = 0.15;
    for (uint32_t g = 0; g < gpus; g++)
        crowd_gpu(c, 0.6);
    small_model(c->small, 1e7, 1e5, 1);
    c->small->cost->gap[0] = gap;
    for (uint32_t i = 0; i < gpus * turns; i++) {
        struct wish *w = crowd_steps(c, 0, width, 0, 512, 333);
        for (uint32_t k = 0; k < width; k++)
            w->gpu[k] = width == gpus ? k : (i + k) % gpus;
    }
    struct history *s = crowd_run(c);
    for (uint32_t i = 1; i < gpus * turns; i++)
        if (width == gpus)
            cr_assert_eq(crowd_end(s, i), crowd_end(s, 0), "%u GPUs, job %u", gpus, i);
        else
            same_time(crowd_end(s, i), (double)crowd_end(s, 0), "on a ring");
    history_free(s);
    crowd_free(c);
}

Test(sharing, equal_jobs_stay_equal)
{
    for (uint32_t gpus = 1; gpus <= 5; gpus++)
        for (uint32_t width = 1; width <= gpus; width++)
            for (uint32_t turns = 1; turns <= 3; turns++) {
                check_ring(gpus, width, turns, 0);
                check_ring(gpus, width, turns, 0.05);
            }
}

/* ---- one job alone ---- */

/* Its jobs one after the other, each when all before have ended. */
static void in_turn(struct crowd *c)
{
    for (uint32_t i = 0; i < c->small->n_jobs; i++)
        c->small->job[i].submit = (sim_time)i * 100000 * SIM_SECOND;
}

/* Slowdown 1 to the ns, whatever the cluster allows to others. */
Test(sharing, one_job_alone)
{
    static const struct crowd_shape shape = {8, 4, 0, 0, true, false};

    for (uint64_t seed = 0; seed < 300; seed++) {
        struct crowd *c = crowd_random(seed, 0, &shape);
        in_turn(c);
        struct history *s = crowd_run(c);
        for (uint32_t i = 0; i < c->small->n_jobs; i++) {
            sim_time start = history_find(s, REC_START, i)->t,
                     alone = history_find(s, REC_ALONE, i)->run;
            cr_assert_leq(llabs(crowd_end(s, i) - start - alone), 1, "world %llu, job %u: %lld",
                          (unsigned long long)seed, i, (long long)(crowd_end(s, i) - start));
            cr_assert(!history_find(s, REC_RATE, i));
        }
        history_free(s);
        crowd_free(c);
    }
}

/* ---- what holds in every record, whatever the policy does ---- */

static void check_shares(const struct crowd *c, const struct record *r)
{
    const struct job_spec *j = &c->small->job[sim_number(r->job)];
    uint32_t sum = 0;

    for (uint32_t i = 0; i < r->n; i++) {
        sum += r->share[i].samples;
        cr_assert(j->model == NO_MODEL || r->share[i].samples > 0);
    }
    cr_assert_eq(sum, j->batch, "job %u: %u of %u samples", sim_number(r->job), sum, j->batch);
}

static void check_record(const struct crowd *c, const struct record *r, const double *alone)
{
    if (r->kind == REC_START || r->kind == REC_SPLIT || r->kind == REC_RESIZE)
        check_shares(c, r);
    if (r->kind == REC_RATE)
        cr_assert(r->value > 0 && r->value <= alone[sim_number(r->job)] * (1 + 1e-7),
                  "job %u: rate %.9g, alone %.9g", sim_number(r->job), r->value,
                  alone[sim_number(r->job)]);
    if (r->kind != REC_LOAD)
        return;
    cr_assert(r->value > 0 && r->value <= 1 + 1e-9, "busy %.9g", r->value);
    cr_assert(r->told > 0 && r->told <= 1 + 1e-7, "world %llu, GPU %u: work %.9g",
              (unsigned long long)c->small->world.seed, r->share->gpu, r->told);
    cr_assert_lt(r->run, r->t);
}

Test(sharing, every_record)
{
    static const struct crowd_shape shape = {10, 4, 0, 3 * SIM_SECOND, true, false};
    uint32_t seen[REC_KINDS] = {0};

    for (uint64_t seed = 0; seed < 600; seed++) {
        struct crowd *c = crowd_random(seed, 0, &shape);
        struct history *s = crowd_run(c);
        double alone[64] = {0};
        for (uint32_t i = 0; i < s->n; i++) {
            const struct record *r = &s->record[i];
            seen[r->kind]++;
            if (r->kind == REC_START || r->kind == REC_SPLIT || r->kind == REC_RESIZE)
                alone[sim_number(r->job)] = r->value;
            check_record(c, r, alone);
        }
        history_free(s);
        crowd_free(c);
    }
    cr_assert(seen[REC_SPLIT] > 2000 && seen[REC_RESIZE] > 1000 && seen[REC_PREEMPT] > 500 &&
                  seen[REC_RATE] > 5000 && seen[REC_LOAD] > 5000,
              "%u splits, %u resizes, %u preemptions, %u rates, %u loads", seen[REC_SPLIT],
              seen[REC_RESIZE], seen[REC_PREEMPT], seen[REC_RATE], seen[REC_LOAD]);
}

/* ---- jobs without gaps on one GPU each: a GPU does phi(n) of its speed, always ---- */

static void all_single(struct crowd *c)
{
    for (uint32_t i = 0; i < c->small->n_jobs; i++) {
        struct job_spec *j = &c->small->job[i];
        *j = (struct job_spec){.submit = j->submit,
                               .work = 100000000 * (1 + j->work % 300),
                               .gpus = 1,
                               .model = NO_MODEL,
                               .experiment = NO_EXPERIMENT,
                               .trial = j->trial};
        c->wish[i].begin = c->wish[i].n = 1;
    }
}

Test(sharing, work_is_conserved)
{
    static const struct crowd_shape shape = {20, 4, 5, 0, true, false};
    uint32_t loads = 0;

    for (uint64_t seed = 0; seed < 300; seed++) {
        struct crowd *c = crowd_random(seed, 0, &shape);
        const struct world *w = &c->small->world;
        all_single(c);
        struct history *s = crowd_run(c);
        for (uint32_t i = 0; i < s->n; i++) {
            const struct record *r = &s->record[i];
            if (r->kind != REC_LOAD)
                continue;
            type_id t = w->node[w->gpu[r->share->gpu].node].type;
            double done = r->told * w->contention->peak(NULL, w, t, w->residents),
                   most = w->contention->peak(NULL, w, t, r->share->samples);
            cr_assert_float_eq(r->value, 1, 1e-12);
            cr_assert_float_eq(done, most, 1e-8, "%u jobs: %.12g, wanted %.12g", r->share->samples,
                               done, most);
            loads++;
        }
        history_free(s);
        crowd_free(c);
    }
    cr_assert_gt(loads, 3000, "%u", loads);
}
