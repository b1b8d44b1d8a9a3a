/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What policies are told: exactly, from a reference table (eq. 12, 13), with noise. */
#include <math.h>
#include <stdlib.h>

#include "sim/model/predictor.h"
#include "tests/laws/world_small.h"
#include "tests/unit/capture.h"

#define JITTER 1.03

/* k80: 0.3 + 0.01 b, p100: 0.1 + 0.004 b; the second model runs on the first type only. */
static struct small *make_world(void)
{
    struct small *s = small_new(7);
    type_id slow = small_type(s), fast = small_type(s);

    small_nodes(s, slow, 1, 2);
    small_nodes(s, fast, 1, 2);
    small_model(s, 0.3e9, 0.01e9, 1000);
    small_model(s, 1e9, 0, 1000);
    s->cost->alpha[0][fast] = 0.1;
    s->cost->beta[0][fast] = 0.004;
    s->cost->alpha[1][fast] = NAN;
    return s;
}

static double step_s(type_id t, double b)
{
    return t == 0 ? 0.3 + 0.01 * b : 0.1 + 0.004 * b;
}
static double speed(type_id t, double b)
{
    return b / step_s(t, b);
}

static struct belief *open_label(struct capture *c, const struct small *s, const char *label)
{
    struct mark at = {.src = capture_source(c, label, strlen(label)), .line = 1, .col = 1};

    return belief_open(c->arena, c->diag, tree_scalar(c->arena, at, label, strlen(label)),
                       &s->world);
}

/* What is told of a job of the first model on one GPU of a type; seen: where it was measured, 2:
 * nowhere. */
static double told(const struct belief *b, uint32_t model, uint32_t batch, uint32_t trial,
                   type_id seen, type_id on)
{
    struct job_spec job = {
        .gpus = 1, .model = model, .batch = batch, .experiment = NO_EXPERIMENT, .trial = trial};
    struct share share = {on == 0 ? 0 : 2, batch};
    struct known_job known = {&job, JITTER, seen,
                              seen > 1 ? 0 : 1 / (step_s(seen, batch) * JITTER)};

    return belief_rate(b, &known, &(struct placement){1, &share});
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

Test(predictor, exact)
{
    struct capture *c = capture_new();
    struct small *s = make_world();
    struct belief *b = open_label(c, s, "exact");

    for (type_id on = 0; on < 2; on++)
        for (type_id seen = 0; seen < 3; seen++)
            cr_assert(near(told(b, 0, 50, 1, seen, on), 1 / (step_s(on, 50) * JITTER)));
    cr_assert_eq(told(b, 1, 50, 1, 2, 1), 0);
    cr_assert_str_eq(b->label, "exact");
    small_free(s);
    capture_free(c);
}

/* Eq. 13: the rate that was measured times the table's ratio. It is exact at the table's batch, 64;
 * elsewhere it is off by the change of the ratio. */
static void check_table(const struct belief *b, uint32_t batch, double reference)
{
    for (type_id seen = 0; seen < 2; seen++)
        for (type_id on = 0; on < 2; on++) {
            double truth = 1 / (step_s(on, batch) * JITTER), got = told(b, 0, batch, 1, seen, on);
            double ratio = speed(on, reference) / speed(seen, reference),
                   true_ratio = speed(on, batch) / speed(seen, batch);
            cr_assert(near(got / truth, ratio / true_ratio), "batch %u, seen on %u, on %u: %g",
                      batch, seen, on, got / truth);
            cr_assert(seen != on || near(got, truth));
            cr_assert(fabs(reference - batch) > 0 || near(got, truth));
        }
    /* Not measured yet: the table itself, in proportion to the samples. */
    for (type_id on = 0; on < 2; on++)
        cr_assert(near(told(b, 0, batch, 1, 2, on), speed(on, reference) / batch));
}

Test(predictor, reference_table)
{
    static const struct {
        uint32_t batch, bucket;
    } buckets[] = {{1, 1},   {2, 2},   {3, 4},   {5, 4},    {6, 8},      {45, 32},
                   {46, 64}, {64, 64}, {90, 64}, {91, 128}, {1000, 1024}};
    struct capture *c = capture_new();
    struct small *s = make_world();
    struct belief *one = open_label(c, s, "reference_table"),
                  *many = open_label(c, s, "reference_table[key=model_batch]");

    for (size_t i = 0; i < sizeof buckets / sizeof *buckets; i++) {
        check_table(one, buckets[i].batch, 64);
        check_table(many, buckets[i].batch, buckets[i].bucket);
    }
    cr_assert_eq(told(one, 1, 64, 1, 2, 1), 0, "a cell that is not known");
    cr_assert(near(told(one, 1, 64, 1, 2, 0), 1));
    /* Jobs without a model: as fast as their slowest GPU. */
    struct job_spec plain = {.gpus = 1, .model = NO_MODEL};
    struct share share = {0, 0};
    cr_assert_eq(
        belief_rate(one, &(struct known_job){&plain, 1, 0, 0}, &(struct placement){1, &share}), 1);
    cr_assert_str_eq(many->label, "reference_table[key=model_batch]");
    small_free(s);
    capture_free(c);
}

/* Several GPUs: the share that takes longest by the table; none if one of them is not known. */
Test(predictor, several_gpus)
{
    struct capture *c = capture_new();
    struct small *s = make_world();
    struct belief *b = open_label(c, s, "reference_table");
    struct job_spec job = {.gpus = 2, .model = 0, .batch = 128};
    struct share mixed[] = {{2, 100}, {0, 28}},
                 unknown[][2] = {{{0, 64}, {2, 64}}, {{2, 64}, {0, 64}}};
    double slow = 28 / speed(0, 64), fast = 100 / speed(1, 64), longest = slow > fast ? slow : fast;

    cr_assert(
        near(1 / belief_rate(b, &(struct known_job){.spec = &job}, &(struct placement){2, mixed}),
             longest));
    job.model = 1;
    for (int i = 0; i < 2; i++)
        cr_assert_eq(
            belief_rate(b, &(struct known_job){.spec = &job}, &(struct placement){2, unknown[i]}),
            0);
    small_free(s);
    capture_free(c);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* A log-normal factor of median 1, one for each job and GPU type; none where it was measured. */
Test(predictor, noisy)
{
    enum { JOBS = 20000 };
    struct capture *c = capture_new();
    struct small *s = make_world();
    struct belief *b = open_label(c, s, "noisy[sigma=0.5]"),
                  *again = open_label(c, s, "noisy[sigma=0.5]"),
                  *nested =
                      open_label(c, s, "noisy[of=reference_table[key=model_batch],sigma=0.5]");
    double *x = arena_get(c->arena, JOBS * sizeof *x), squares = 0, mixed = 0;

    for (uint32_t j = 0; j < JOBS; j++) {
        double slow = log(told(b, 0, 64, j, 2, 0) * step_s(0, 64) * JITTER),
               fast = log(told(b, 0, 64, j, 0, 1) * step_s(1, 64) * JITTER);
        x[j] = slow;
        squares += slow * slow;
        mixed += slow * fast;
        cr_assert_eq(told(b, 0, 64, j, 2, 0), told(again, 0, 64, j, 2, 0));
        cr_assert_eq(told(b, 0, 64, j, 2, 0), told(b, 0, 64, j, 1, 0),
                     "the error does not depend on measurements elsewhere");
        cr_assert(near(told(b, 0, 64, j, 0, 0) * step_s(0, 64) * JITTER, 1));
        cr_assert(near(told(nested, 0, 64, j, 1, 0), told(b, 0, 64, j, 1, 0)));
    }
    qsort(x, JOBS, sizeof *x, by_value);
    cr_assert(fabs(x[JOBS / 2]) < 4 * 0.5 * 1.2533 / sqrt(JOBS), "median %g", exp(x[JOBS / 2]));
    cr_assert(fabs(sqrt(squares / JOBS) / 0.5 - 1) < 0.02, "sigma %g", sqrt(squares / JOBS));
    cr_assert(fabs(mixed / squares) < 4 / sqrt(JOBS), "types: correlation %g", mixed / squares);
    s->world.seed = 8;
    cr_assert_neq(told(b, 0, 64, 1, 2, 0), told(open_label(c, s, "exact"), 0, 64, 1, 2, 0));
    small_free(s);
    capture_free(c);
}

/* The error of each cell of a table was made when it was measured: one for all jobs. */
Test(predictor, table_error)
{
    struct capture *c = capture_new();
    double sum = 0, squares = 0;

    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct small *s = make_world();
        s->world.seed = seed;
        struct belief *b = open_label(c, s, "reference_table[error=0.2]");
        double e = log(told(b, 0, 64, 1, 2, 0) * step_s(0, 64));
        cr_assert_eq(told(b, 0, 64, 2, 2, 0), told(b, 0, 64, 1, 2, 0));
        sum += e;
        squares += e * e;
        small_free(s);
    }
    cr_assert(fabs(sum / 2000) < 4 * 0.2 / sqrt(2000), "%g", sum / 2000);
    cr_assert(fabs(sqrt(squares / 2000) / 0.2 - 1) < 0.07, "%g", sqrt(squares / 2000));
    capture_free(c);
}

Test(predictor, labels)
{
    static const struct {
        const char *label, *errors;
    } cases[] = {
        {"exact", ""},
        {"noisy", ""},
        {"noisy[of=noisy[sigma=0.1],sigma=0.2]", ""},
        {"exakt", "t:1:1: error: unknown predictor 'exakt' (did you mean 'exact'?)"},
        {"oracle", "t:1:1: error: unknown predictor 'oracle'"},
        {"exact[sigma=1]", "t:1:7: error: unknown key 'sigma' in predictor exact"},
        {"noisy[sigma=-1]", "t:1:13: error: sigma: -1 is below the minimum, 0"},
        {"noisy[of=exakt]", "t:1:1: error: unknown predictor 'exakt' (did you mean 'exact'?)"},
        {"reference_table[key=batch]", "t:1:21: error: key: 'batch' is none of model, model_batch"},
        {"reference_table[error=6]", "t:1:23: error: error: 6 is above the maximum, 5"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture *c = capture_new();
        struct small *s = make_world();
        struct belief *b = open_label(c, s, cases[i].label);
        cr_expect_eq(b != NULL, *cases[i].errors == '\0', "%s", cases[i].label);
        cr_expect_str_eq(capture_lines(c), cases[i].errors, "%s: %s", cases[i].label,
                         capture_all(c));
        small_free(s);
        capture_free(c);
    }
}
