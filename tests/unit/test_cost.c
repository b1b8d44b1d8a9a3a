/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step times from fits, and what they amount to on a placement (eq. 1, 3, 4). Complaints:
 * test_config.c. */
#include <math.h>

#include "sim/base/rng.h"
#include "sim/model/world.h"
#include "sim/text/yaml.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

enum { RESNET, VGG, LSTM, MODELS };
enum { V100, A100, TYPES };

/* One node of 4 V100, two of 2 A100; the last A100 is 20 % slower. */
static const struct gpu_type types[] = {{.name = "V100", .memory = 16e9},
                                        {.name = "A100", .memory = 40e9}};
static const struct node nodes[] = {{V100, 0, 4, 0, 0}, {A100, 4, 2, 0, 1000}, {A100, 6, 2, 0, 0}};
static const struct gpu gpus[] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 1}, {2, 1}, {2, 0.8}};
static const struct model models[] = {{"resnet", 1e6, 1, 50000, 128, 0, 0},
                                      {"vgg", 25e6, 2, 1000, 32, 2e9, 1e9},
                                      {"lstm", 100, 0, 7, 1, 0, 0}};

static struct world world = {
    .n_types = TYPES, .n_nodes = 3, .n_gpus = 8, .n_models = MODELS, .nominal = false, .seed = 1};

static void make_world(struct capture *c, const char *yaml)
{
    struct scratch files;

    world.type = arena_get(c->arena, sizeof types);
    world.node = arena_get(c->arena, sizeof nodes);
    world.gpu = arena_get(c->arena, sizeof gpus);
    world.model = arena_get(c->arena, sizeof models);
    memcpy(world.type, types, sizeof types);
    memcpy(world.node, nodes, sizeof nodes);
    memcpy(world.gpu, gpus, sizeof gpus);
    memcpy(world.model, models, sizeof models);
    world_count(&world);
    world.cost = cost_models[0];
    world.cost_self = arena_get(c->arena, world.cost->state_size);
    scratch_enter(&files);
    scratch_write(&files, "cost.yaml", yaml);
    scratch_write(&files, "fits.csv",
                  "stack,model,gpu,beta_s,alpha_s,floor_s,batch_min,batch_max\n"
                  "new,resnet,V100,0.001,0.01,0.2,16,512\nold,resnet,V100,0.002,0.5,,,\n"
                  "old,resnet,A100,0.0005,0.02,,8,64\nother,vgg,V100,1,1,,,\nold,bert,V100,1,1,,,"
                  "\nold,vgg,T4,1,1,,,\n");
    struct tree *conf = yaml_load(c->arena, c->diag, "cost.yaml");
    bool ok = conf && world.cost->load(world.cost_self, c->arena, c->diag, conf, models, MODELS,
                                       types, TYPES);
    cr_assert(ok, "%s", capture_all(c));
    scratch_leave(&files);
}

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

/* ---- which row counts ---- */

static const struct fit_case {
    const char *yaml;
    uint32_t model;
    type_id type;
    double samples, step_s, range_max;
} fit_cases[] = {
    {"{stacks: [new, old], fits: fits.csv}", RESNET, V100, 100, 0.2, 512}, /* the floor */
    {"{stacks: [new, old], fits: fits.csv}", RESNET, V100, 190, 0.2, 512},
    {"{stacks: [new, old], fits: fits.csv}", RESNET, V100, 500, 0.51, 512},
    {"{stacks: [old, new], fits: fits.csv}", RESNET, V100, 100, 0.7, 0},
    {"{stacks: [old], fits: fits.csv}", RESNET, V100, 100, 0.7, 0},
    {"{stacks: [new, old], fits: fits.csv}", RESNET, A100, 100, 0.07, 64},
    {"{stacks: [new], fits: fits.csv}", RESNET, A100, 100, NAN, 0},
    {"{stacks: [new, old], fits: fits.csv}", VGG, V100, 1, NAN, 0}, /* not among the stacks */
    {"{stacks: [new, old, other], fits: fits.csv}", VGG, V100, 1, 2, 0},
    {"{stacks: [], fits: fits.csv}", RESNET, V100, 1, NAN, 0},
    {"{fits: [{model: lstm, gpu: A100, alpha_s: 0, beta_s: 0.25}]}", LSTM, A100, 3, 0.75, 0},
    {"{fits: [{model: lstm, gpu: A100, alpha_s: 0, beta_s: 0, floor_s: 3}]}", LSTM, A100, 3, 3, 0},
    {"{fits: [{model: lstm, gpu: A100, alpha_s: 0.5, beta_s: 0, stack: x}]}", LSTM, A100, 3, 0.5,
     0},
    {"{fits: [{model: lstm, gpu: A100, alpha_s: 1, beta_s: 0}, {model: lstm, gpu: V100, alpha_s: "
     "2, beta_s: 0}]}",
     LSTM, V100, 3, 2, 0},
    {"{}", RESNET, V100, 1, NAN, 0},
};

Test(cost, fits)
{
    for (size_t i = 0; i < sizeof fit_cases / sizeof *fit_cases; i++) {
        const struct fit_case *k = &fit_cases[i];
        struct capture *c = capture_new();
        make_world(c, k->yaml);
        struct step_parts part = world.cost->step(world.cost_self, k->model, k->type, k->samples);
        double s = step_compute(&part) + part.gap;
        cr_expect(near(s, k->step_s), "%s: %g, wanted %g", k->yaml, s, k->step_s);
        cr_expect_eq(world.cost->range(world.cost_self, k->model, k->type).max, k->range_max, "%s",
                     k->yaml);
        capture_free(c);
    }
}

/* ---- rates on placements ---- */

#define COST                                                                                       \
    "fits:\n"                                                                                      \
    "  - {model: resnet, gpu: V100, alpha_s: 0.1, beta_s: 0.002}\n"                                \
    "  - {model: resnet, gpu: A100, alpha_s: 0.05, beta_s: 0.001}\n"                               \
    "  - {model: vgg, gpu: A100, alpha_s: 1, beta_s: 0}\n"                                         \
    "  - {model: lstm, gpu: V100, alpha_s: 3, beta_s: 0}\n"                                        \
    "sync:\n"                                                                                      \
    "  - {model: resnet, gpu: V100, node_base_s: 0.01, node_per_gpu_s: 0.004, cluster_base_s: "    \
    "9}\n"                                                                                         \
    "  - {model: resnet, gpu: A100, node_base_s: 0.02, cluster_base_s: 0.08, cluster_per_gpu_s: "  \
    "0.03, stack: a}\n"                                                                            \
    "  - {model: lstm, gpu: V100, node_base_s: 4, overlap: 2}\n"

static const struct rate_case {
    uint32_t model;
    struct share share[4];
    double jitter, step_s; /* NAN: there is no rate */
} rate_cases[] = {
    {RESNET, {{0, 100}}, 1, 0.3},
    {RESNET, {{0, 100}}, 1.25, 0.375},
    {RESNET, {{7, 100}}, 1, 0.15 / 0.8}, /* a slow GPU */
    {RESNET, {{4, 400}}, 1, 0.45},
    {RESNET, {{4, 1000}}, 1, 1.05},
    {RESNET, {{0, 100}, {1, 100}}, 1, 0.31}, /* 2 in a node */
    {RESNET, {{0, 100}, {1, 300}}, 1, 0.71}, /* the larger share sets the pace */
    {RESNET, {{0, 50}, {1, 50}, {2, 50}, {3, 50}}, 1, 0.2 + 0.01 + 2 * 0.004},
    {RESNET, {{6, 100}, {7, 80}}, 1, 0.13 / 0.8 + 0.02},
    {RESNET, {{4, 400}, {5, 400}}, 1, 0.8},      /* 800 samples a step at 1000 a second */
    {RESNET, {{5, 50}, {6, 50}}, 1, 0.1 + 0.08}, /* across nodes */
    {RESNET, {{4, 50}, {5, 50}, {6, 50}}, 1, 0.1 + 0.08 + 0.03},
    {RESNET, {{0, 10}, {4, 70}}, 1, 0.12 + 9}, /* across types: the slower synchronisation */
    {LSTM, {{0, 1}, {1, 1}}, 1, 5},            /* (3^2 + 4^2)^(1/2) */
    {LSTM, {{0, 1}, {1, 1}}, 0.5, 2.5},
    {VGG, {{4, 1}}, 1, 1},
    {VGG, {{0, 1}}, 1, NAN},
    {VGG, {{4, 1}, {0, 1}}, 1, NAN},
    {VGG, {{0, 1}, {4, 1}}, 1, NAN},
    {VGG, {{4, 1}, {0, 1}, {5, 1}}, 1, NAN},
};

static struct placement placed(const struct share *share)
{
    uint32_t n = 0;

    while (n < 4 && share[n].samples > 0)
        n++;
    return (struct placement){n, share};
}

Test(cost, rates)
{
    struct capture *c = capture_new();

    make_world(c, COST);
    for (size_t i = 0; i < sizeof rate_cases / sizeof *rate_cases; i++) {
        const struct rate_case *k = &rate_cases[i];
        struct placement p = placed(k->share);
        struct job_spec job = {.model = k->model, .gpus = p.n};
        double rate = world_rate(&world, &job, k->jitter, &p);
        cr_expect(isnan(k->step_s) ? rate == 0 : near(1 / rate, k->step_s),
                  "case %zu: %.12g s, wanted %.12g", i, 1 / rate, k->step_s);
    }
    capture_free(c);
}

/* Jobs given by their duration: the slowest GPU. By type: as on the fewest nodes that hold them. */
Test(cost, other_rates)
{
    struct capture *c = capture_new();
    struct share share[] = {{0, 0}, {7, 0}, {6, 0}};
    struct job_spec job = {.model = NO_MODEL, .gpus = 3},
                    resnet = {.model = RESNET, .gpus = 4, .batch = 101},
                    vgg = {.model = VGG, .gpus = 2, .batch = 59};

    make_world(c, COST);
    cr_assert_eq(world_rate(&world, &job, 1, &(struct placement){3, share}), 0.8);
    cr_assert_eq(world_rate(&world, &job, 1, &(struct placement){1, share}), 1);
    cr_assert_eq(world_type_rate(&world, &job, 1, V100), 1);
    cr_assert(near(1 / world_type_rate(&world, &resnet, 2, V100), 2 * (0.1 + 26 * 0.002 + 0.018)));
    cr_assert(near(1 / world_type_rate(&world, &resnet, 1, A100), 0.05 + 26 * 0.001 + 0.14));
    cr_assert_eq(world_type_rate(&world, &vgg, 1, V100), 0);
    job.gpus = 5;
    cr_assert_eq(world_type_rate(&world, &job, 1, V100), 0, "five of four");
    cr_assert_eq(world_state_bytes(&world, RESNET), 8e6);
    cr_assert_eq(world_state_bytes(&world, VGG), 300e6);
    cr_assert_eq(world_state_bytes(&world, NO_MODEL), 0);
    cr_assert(world_type_fits(&world, &vgg, A100) && !world_type_fits(&world, &vgg, V100));
    vgg.batch = 77; /* 39 and 38: the larger must fit */
    cr_assert(!world_type_fits(&world, &vgg, A100));
    cr_assert(world_fits(&world, VGG, &(struct placement){2, (struct share[]){{4, 38}, {0, 14}}}));
    cr_assert(!world_fits(&world, VGG, &(struct placement){2, (struct share[]){{4, 38}, {0, 15}}}));
    cr_assert(world_fits(&world, RESNET, &(struct placement){1, (struct share[]){{0, 1u << 23}}}));
    capture_free(c);
}

/* One factor a job, with mean 1, the same whenever it is asked for. */
Test(cost, jitter)
{
    double sum = 0, squares = 0;

    world.jitter = 0.1;
    for (uint32_t i = 0; i < 20000; i++) {
        struct job_spec job = {.experiment = i % 2 ? NO_EXPERIMENT : 0, .trial = i};
        double x = world_jitter(&world, &job);
        cr_assert_eq(x, world_jitter(&world, &job));
        sum += x;
        squares += log(x) * log(x);
    }
    cr_assert(fabs(sum / 20000 - 1) < 4 * 0.1 / sqrt(20000), "mean %g", sum / 20000);
    cr_assert(fabs(squares / 20000 - 0.01) < 0.0006, "variance of the logarithm %g",
              squares / 20000);
    world.jitter = 0;
    cr_assert_eq(world_jitter(&world, &(struct job_spec){.trial = 7}), 1);
}
