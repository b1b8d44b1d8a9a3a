/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fidelity step: what is known exactly about steps that are simulated one by one. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <gsl/gsl_rng.h>

#include "sim/base/rng.h"
#include "tests/laws/history.h"

#define LENGTH(x) (sizeof(x) / sizeof *(x))
#define MS        INT64_C(1000000)

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}

static struct small *shared(uint64_t seed, uint32_t residents, double eta, enum fidelity f)
{
    struct small *s = small_new(seed);

    s->world.residents = residents;
    s->world.contention = contentions[0];
    s->world.fidelity = f;
    s->world.type[small_type(s)].eta = eta;
    return s;
}

static sim_time end_of(const struct history *h, uint32_t job)
{
    return history_find(h, REC_END, job)->t;
}

/* ---- a single job; jobs that are always busy ---- */

static struct small *lonely(uint64_t seed, enum fidelity f)
{
    struct small *s = shared(seed, 4, 0.5, f);
    gsl_rng *r = rng_stream(seed, "lonely", 0);
    uint32_t gpus = 1 + below(r, 4);

    small_nodes(s, 0, 1 + below(r, 2), 4);
    uint32_t m = small_model(s, below(r, 90) * (double)MS, 1 + below(r, 3) * (double)MS, 6400);
    s->cost->gap[m] = below(r, 2) * gsl_rng_uniform(r);
    s->cost->sync = (struct sync_cost){gsl_rng_uniform(r), gsl_rng_uniform(r), gsl_rng_uniform(r),
                                       0.1, 1 + below(r, 3)};
    s->world.jitter = 0.2 * below(r, 2);
    small_training(s, 0, gpus, m, 64, 1 + below(r, 3));
    gsl_rng_free(r);
    return s;
}

/* Alone a job goes as it does by fluid rates, but that a replica is done at a whole nanosecond (1
 * ns) and a step ends at one (half of it). */
Test(steps, alone)
{
    for (uint64_t seed = 0; seed < SMALL_WORLDS(100); seed++) {
        struct small *s[2] = {lonely(seed, FIDELITY_FLUID), lonely(seed, FIDELITY_STEP)};
        struct history *h[2] = {history_of(s[0], "even_split"), history_of(s[1], "even_split")};
        sim_time apart = llabs(end_of(h[0], 0) - end_of(h[1], 0));
        cr_expect(2 * apart <= 3 * s[0]->job[0].work, "world %lu: %ld ns in %ld steps", seed, apart,
                  s[0]->job[0].work);
        for (int i = 0; i < 2; i++) {
            history_free(h[i]);
            small_free(s[i]);
        }
    }
}

/* n jobs that never wait for anything: each takes n/phi(n) times as long, and the GPU is busy with
 * phi(n) of work all the time. */
Test(steps, always_busy)
{
    static const uint32_t many[] = {1, 2, 3, 5, 8, 64};
    static const double etas[] = {0, 0.15, 0.74};

    for (size_t i = 0; i < LENGTH(many) * LENGTH(etas); i++) {
        uint32_t n = many[i / LENGTH(etas)];
        double eta = etas[i % LENGTH(etas)], phi = contention_phi(eta, n);
        struct small *s = shared(1, MOST_RESIDENTS, eta, FIDELITY_STEP);
        uint32_t m = small_model(s, 0, (double)MS, 6400);
        small_nodes(s, 0, 1, 1);
        for (uint32_t k = 0; k < n; k++)
            *(i % 2 ? small_training(s, 0, 1, m, 64, 3) : small_job(s, 0, 1, 19200 * MS)) =
                (struct job_spec){.asked = 1,
                                  .gpus = 1,
                                  .model = i % 2 ? m : NO_MODEL,
                                  .batch = i % 2 ? 64 : 0,
                                  .work = i % 2 ? 300 : 19200 * MS,
                                  .experiment = NO_EXPERIMENT,
                                  .trial = k};
        struct history *h = history_of(s, "even_split");
        double exact = 19200.0 * MS * n / phi;
        for (uint32_t k = 0; k < n; k++)
            cr_expect(fabs((double)end_of(h, k) - exact) <= 300 + 2e-8 * exact, "%u jobs: %ld, %f",
                      n, end_of(h, k), exact);
        const struct record *load = &h->record[h->n - 2];
        cr_assert_eq(load->kind, REC_LOAD);
        double most = contention_phi(eta, MOST_RESIDENTS);
        cr_expect(load->value == 1 && fabs(load->told * most / phi - 1) < 1e-7, "%u: %.9f of %.9f",
                  n, load->told * most, phi);
        history_free(h);
        small_free(s);
    }
}

/* Two models that slow each other unequally: the first is slowed four times as much. */
static double unequal(const void *self, const struct world *w, type_id t, uint32_t me,
                      const uint32_t *other, const double *p, uint32_t n)
{
    double sum = 1;

    (void)self, (void)w, (void)t;
    for (uint32_t i = 0; i < n; i++)
        sum += p[i] * (me == other[i] ? 0.8 : me == 0 ? 1.2 : 0.3);
    return sum;
}

static double one(const void *self, const struct world *w, type_id t, uint32_t n)
{
    (void)self, (void)w, (void)t;
    return n;
}

/* Whatever the ratio of their steps, the mean rate of the slower one is within 0.2 % where it never
 * pauses, within 3 % else; by the others' duties it is up to 16 % off. */
Test(steps, unequal_pairs)
{
    static const struct contention table = {.name = "unequal", .stretch = unequal, .peak = one};
    static const double ratios[] = {0.013, 0.17, 1.9, 23, 170};
    double worst[2] = {0, 0};

    for (size_t i = 0; i < 2 * LENGTH(ratios); i++) {
        double end[3];
        for (int how = 0; how < 3; how++) { /* step, by arrival, by duty */
            struct small *s = shared(1, 2, 0, how ? FIDELITY_FLUID : FIDELITY_STEP);
            s->world.contention = &table;
            s->world.by_duty = how == 2;
            small_nodes(s, 0, 1, 1);
            uint32_t a = small_model(s, 1e8, 0, 1), b = small_model(s, 1e8 * ratios[i / 2], 0, 1);
            s->cost->gap[a] = i % 2 ? 0.07 : 0;
            s->cost->gap[b] = 0.15 * ratios[i / 2];
            small_training(s, 0, 1, a, 1, 1)->work = 6000;
            small_training(s, 0, 1, b, 1, 1)->work = (int64_t)(60000 / ratios[i / 2]);
            s->until = SIM_NEVER;
            struct history *h = history_of(s, "even_split");
            end[how] = (double)end_of(h, 0);
            history_free(h);
            small_free(s);
        }
        for (int how = 1; how < 3; how++)
            worst[how - 1] = fmax(worst[how - 1], fabs(end[how] / end[0] - 1));
        cr_expect(fabs(end[1] / end[0] - 1) < (i % 2 ? 0.03 : 0.002), "steps %g as long: %f, %f",
                  ratios[i / 2], end[1], end[0]);
    }
    cr_expect_lt(5 * worst[0], worst[1], "%.4f by arrival, %.4f by duty", worst[0], worst[1]);
}

/* Jobs of one GPU that come and go, and compute without a break: what fluid rates say is exact. */
static struct small *busy(uint64_t seed, enum fidelity f)
{
    struct small *s = shared(seed, 5, 0.6, f);
    gsl_rng *r = rng_stream(seed, "busy", 0);
    sim_time at = 0;

    small_nodes(s, 0, 3, 1);
    uint32_t m = small_model(s, 0, (double)MS, 6400);
    for (uint32_t k = 0; k < 40; k++, at += below(r, 4000) * MS) {
        struct job_spec *j = below(r, 2) ? small_job(s, at, 1, (1 + below(r, 20000)) * MS)
                                         : small_training(s, at, 1, m, 1 + below(r, 64), 1);
        j->asked = UINT64_C(1) << below(r, 3);
    }
    gsl_rng_free(r);
    return s;
}

Test(steps, as_fluid)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct small *s[2] = {busy(seed, FIDELITY_FLUID), busy(seed, FIDELITY_STEP)};
        struct history *h[2] = {history_of(s[0], "even_split"), history_of(s[1], "even_split")};
        for (uint32_t k = 0; k < s[0]->n_jobs; k++) {
            double a = (double)end_of(h[0], k), b = (double)end_of(h[1], k);
            cr_expect(fabs(a - b) < 2e5 + 1e-7 * a, "world %lu, job %u: %f, %f", seed, k, a, b);
        }
        for (int i = 0; i < 2; i++) {
            history_free(h[i]);
            small_free(s[i]);
        }
    }
}

/* ---- order ---- */

/* Jobs of several GPUs on four nodes of one GPU, by what they are rather than by where they stand:
 * job at[k] is the k-th, and on[g] is GPU g. */
static struct small *permuted(uint64_t seed, const uint32_t at[6], const uint32_t on[4])
{
    struct small *s = shared(seed, 6, 0.3, FIDELITY_STEP);
    gsl_rng *r = rng_stream(seed, "permuted", 0);
    struct job_spec job[6];
    uint32_t m[2];

    small_nodes(s, 0, 4, 1);
    for (int i = 0; i < 2; i++) {
        m[i] = small_model(s, below(r, 20) * (double)MS, (double)MS, 6400);
        s->cost->gap[m[i]] = 0.01 * below(r, 9);
    }
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t gpus = 1u << below(r, 2), first = below(r, 4);
        job[k] = *small_training(s, 0, gpus, m[below(r, 2)], 64, 1);
        job[k].asked = UINT64_C(1) << on[first] | UINT64_C(1) << on[(first + gpus - 1) % 4];
        job[k].trial = k;
    }
    for (uint32_t k = 0; k < 6; k++)
        s->job[at[k]] = job[k];
    s->world.step_jitter = 0.1;
    gsl_rng_free(r);
    return s;
}

Test(steps, order)
{
    static const uint32_t as_is[] = {0, 1, 2, 3, 4, 5};

    for (uint64_t seed = 0; seed < SMALL_WORLDS(100); seed++) {
        uint32_t at[] = {0, 1, 2, 3, 4, 5}, on[] = {0, 1, 2, 3};
        gsl_rng *r = rng_stream(seed, "order", 0);
        for (uint32_t i = 5; i > 0; i--) {
            uint32_t k = below(r, i + 1), x = at[i];
            at[i] = at[k];
            at[k] = x;
        }
        for (uint32_t i = 3; i > 0; i--) {
            uint32_t k = below(r, i + 1), x = on[i];
            on[i] = on[k];
            on[k] = x;
        }
        struct small *s[2] = {permuted(seed, as_is, as_is), permuted(seed, at, on)};
        struct history *h[2] = {history_of(s[0], "even_split"), history_of(s[1], "even_split")};
        for (uint32_t k = 0; k < 6; k++)
            cr_expect_eq(end_of(h[0], k), end_of(h[1], at[k]), "world %lu, job %u", seed, k);
        for (int i = 0; i < 2; i++) {
            history_free(h[i]);
            small_free(s[i]);
        }
        gsl_rng_free(r);
    }
}

/* ---- jobs that are split, moved and taken off in the middle of steps ---- */

struct shaker {
    gsl_rng *r;
    uint32_t acts;
    double least; /* that a step may take, of what it takes alone */
};

/* Some of the GPUs of eight, with shares that sum to the batch. */
static struct placement any(struct cx *cx, gsl_rng *r, job_id j, bool same)
{
    struct placement held = sim_held(cx, j);
    uint32_t n = same ? held.n : 1 + below(r, 4), batch = sim_job(cx, j)->batch;
    struct share *s = sim_scratch(cx, n * sizeof *s);
    uint32_t first = below(r, 8);

    for (uint32_t i = 0; i < n; i++) {
        s[i].gpu = same ? held.share[i].gpu : (first + i) % 8;
        s[i].samples = batch > 0 && i + 1 < n ? 1 + below(r, batch / n) : batch;
        batch -= s[i].samples;
    }
    return (struct placement){n, s};
}

/* The steps that it shows are whole, and what it measures is longer than a step alone. */
static void look(struct cx *cx, job_id j, double least)
{
    const struct job_view *v = sim_job(cx, j);
    double resid[16];

    if (v->model == NO_MODEL)
        return;
    cr_assert(v->steps == floor(v->steps) && v->stepped <= sim_now(cx));
    double step = sim_measured(cx, j, resid);
    for (uint32_t i = 0; step > 0 && i < sim_held(cx, j).n; i++) {
        struct share s = sim_held(cx, j).share[i];
        double alone = sim_step_alone(cx, j, s.gpu, s.samples).busy;
        cr_assert(resid[i] >= alone * least && step >= resid[i], "%f, %f, %f", alone, resid[i],
                  step);
    }
}

static void shake(void *self, struct cx *cx)
{
    struct shaker *k = self;

    if (!k->r)
        k->r = rng_stream(sim_random(cx), "shake", 0);
    for (job_id j = sim_first(cx, JOB_WAITING), next; j != NO_JOB; j = next) {
        next = sim_next(cx, j);
        gpu_id gpu[2] = {below(k->r, 8), 0};
        gpu[1] = (gpu[0] + 1 + below(k->r, 7)) % 8;
        sim_start(cx, j, sim_even(cx, j, gpu, sim_job(cx, j)->gpus), "any");
    }
    for (job_id j = sim_first(cx, JOB_RUNNING), next; j != NO_JOB; j = next) {
        next = sim_next(cx, j);
        look(cx, j, k->least);
        struct placement p = any(cx, k->r, j, k->acts % 2);
        if (k->acts++ > 300 || below(k->r, 3) > 0)
            continue;
        if (below(k->r, 3) == 0)
            sim_preempt(cx, j, "any");
        else if (k->acts % 2 == 0)
            sim_split(cx, j, &p, "any");
        else
            sim_resize(cx, j, &p, "any");
    }
    if (k->acts < 300)
        sim_wake(cx, sim_now(cx) + (1 + below(k->r, 900)) * MS);
}

static void still(void *self)
{
    struct shaker *k = self;

    if (k->r)
        gsl_rng_free(k->r);
}

static const struct policy shaking = {.abi = POLICY_ABI,
                                      .size = sizeof(struct policy),
                                      .flags = POLICY_SHARES | POLICY_RESIZES | POLICY_PREEMPTS,
                                      .name = "shaking",
                                      .about = "moves anything anywhere",
                                      .state_size = sizeof(struct shaker),
                                      .fini = still,
                                      .schedule = shake};

static struct small *shaken(uint64_t seed)
{
    struct small *s = shared(seed, 12, 0.4, FIDELITY_STEP);
    gsl_rng *r = rng_stream(seed, "shaken", 0);
    sim_time at = 0;

    small_nodes(s, 0, 2, 4);
    for (int i = 0; i < 2; i++) {
        uint32_t m = small_model(s, below(r, 20) * (double)MS, (double)MS, 1280);
        s->cost->gap[m] = 0.02 * below(r, 4);
    }
    s->cost->sync = (struct sync_cost){0.01, 0.001, 0.02, 0.002, 1 + below(r, 2)};
    for (uint32_t k = 0; k < 8; k++, at += below(r, 2000) * MS) {
        if (below(r, 4) == 0)
            small_job(s, at, 1 + below(r, 2), (1 + below(r, 9000)) * MS);
        else
            small_training(s, at, 1 + below(r, 2), below(r, 2), 64, 1 + below(r, 5));
    }
    if (below(r, 2))
        small_study(s, below(r, 9) * SIM_SECOND, 3, 3, 32)->gpus = 1;
    s->world.preempt_at = (enum preempt_at)below(r, 3);
    s->world.keeps = (enum preempt_keeps)below(r, 2);
    s->world.step_jitter = 0.05 * below(r, 2);
    if (below(r, 3)) {
        s->world.overheads.replica = below(r, 300) * MS;
        s->world.overheads.start = below(r, 300) * MS;
        s->world.overheads.save = below(r, 300) * MS;
    }
    gsl_rng_free(r);
    return s;
}

/* Whatever is done to jobs, the run ends, is the same again, and its loads are those of no more
 * than whole GPUs. */
Test(steps, shaken)
{
    for (uint64_t seed = 0; seed < SMALL_WORLDS(300); seed++) {
        struct small *s = shaken(seed);
        struct shaker params = {.least = s->world.step_jitter > 0 ? 0.7 : 1 - 1e-9};
        struct chosen_policy p = {.policy = &shaking, .params = &params, .label = "shaking"};
        struct history *h[2];
        history_twins(s, &p, h);
        cr_expect_eq(h[0]->digest, h[1]->digest, "world %lu", seed);
        for (uint32_t i = 0; i < h[0]->n; i++) {
            const struct record *x = &h[0]->record[i];
            cr_expect_neq(x->kind, REC_RATE);
            cr_expect(x->kind != REC_LOAD ||
                          (x->value >= 0 && x->value <= 1 && x->told >= 0 && x->told <= 1 + 1e-9),
                      "world %lu: %s", seed, history_row(h[0]->arena, x));
        }
        history_free(h[0]);
        history_free(h[1]);
        small_free(s);
    }
}
