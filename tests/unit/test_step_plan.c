/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step times of kernels: a tiny model by hand, and all models on all GPUs. */
#include <dirent.h>
#include <math.h>

#include "sim/model/step_model.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"
#include "tests/unit/tiny_step.h"

static const struct step_setting training = {FP32, true, true, true};

static struct step_plan *plan_of(struct capture *c, const char *model, const char *gpu,
                                 const struct step_setting *setting)
{
    struct scratch files;

    scratch_enter(&files);
    scratch_write(&files, "tiny.yaml", model);
    scratch_write(&files, "G.yaml", gpu);
    struct op_list *l = operators_load(c->arena, c->diag, "tiny.yaml");
    struct gpu_cost *g = gpu_cost_load(c->arena, c->diag, "G.yaml");
    scratch_leave(&files);
    cr_assert(l && g, "%s", capture_all(c));
    return step_plan_make(c->arena, l, g, setting);
}

/* ---- the tiny model, kernel by kernel ---- */

struct by_hand {
    double forward, filter, products, elementwise, optimizer;
};

static double moved(double bytes)
{
    return fmax(2e-6, 1e-6 + 1e-9 * bytes);
}

/*
 * The convolution: 2 * 16 places * 4 filters * 2 channels * 9 = 2304 FLOP a sample, 32 elements in,
 * 64 out, 72 weights; being first it has no backward pass by the data. The linear layer: 2 * 64 * 3
 * = 384 FLOP, 64 in, 3 out, 192 weights. SGD: 5 passes over 267 * 4 bytes in 3 tensors.
 */
static struct by_hand hand(double b, bool backward)
{
    double gemm = 4e-5 + 384e-8 * b;

    return (struct by_hand){
        .forward =
            1e-5 + b * (2304e-9 + 128 * 2e-9 + 256 * 3e-9 + 1152 * 5e-9 + 576 * 6e-9) + 288 * 4e-9,
        .filter = backward ? 2e-5 + b * 2304 * 2e-9 : 0,
        .products = gemm + b * (256 * 1e-9 + 12 * 2e-9) + 768 * 3e-9 +
                    (backward ? gemm + b * (12 * 1e-9 + 256 * 2e-9) + 768 * 3e-9 + gemm +
                                    b * (256 * 1e-9 + 12 * 3e-9) + 768 * 2e-9
                              : 0),
        .elementwise = moved(512 * b) + (backward ? moved(768 * b) + moved(12 * b) : 0),
        .optimizer = backward ? 3 * moved(5 * 1068 / 3.0) : 0};
}

static double sum_of(const struct by_hand *h)
{
    return h->forward + h->filter + h->products + h->elementwise + h->optimizer;
}

#define NEAR(a, b)                                                                                 \
    cr_expect_lt(fabs((a) - (b)), 1e-12 * (b) + 1e-18, #a " is %.12g, not %.12g", a, b)

Test(step_plan, by_hand)
{
    static const double batches[] = {1, 2, 3, 64, 4096, 1.5};
    static const struct step_setting inference = {FP32, false, true, true};
    struct capture *c = capture_new();
    struct step_plan *p = plan_of(c, TINY_MODEL, TINY_GPU, &training);
    struct step_plan *q = plan_of(c, TINY_MODEL, TINY_GPU, &inference);

    cr_assert(!p->missing && !q->missing);
    cr_expect(p->launches == 11 && q->launches == 3, "%g, %g launches", p->launches, q->launches);
    cr_expect(p->input_bytes == 128 && p->parameter_bytes == 1068);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        struct by_hand h = hand(batches[i], true), f = hand(batches[i], false);
        struct step_guess g;
        step_plan_guess(p, batches[i], &g);
        NEAR(g.gpu, sum_of(&h));
        NEAR(g.part[PART_CONV], h.forward + h.filter);
        NEAR(g.part[PART_PRODUCT], h.products);
        NEAR(g.part[PART_ELEMENTWISE], h.elementwise);
        NEAR(g.part[PART_OPTIMIZER], h.optimizer);
        cr_expect(g.part[PART_NORM] == 0 && g.part[PART_LAYOUT] == 0);
        cr_expect(g.extrapolated == 0 && g.carried == 0);
        NEAR(step_plan_gpu(q, batches[i]), sum_of(&f));
        /* Fits' residuals: of a class they add up, of several they add in squares. */
        NEAR(g.sigma,
             0.14826 *
                 sqrt(h.forward * h.forward + h.filter * h.filter + h.products * h.products +
                      (h.elementwise + h.optimizer) * (h.elementwise + h.optimizer)) /
                 sum_of(&h));
    }
    capture_free(c);
}

/* A stack whose steps do not update the weights, and a layer whose input needs a gradient. */
Test(step_plan, passes)
{
    static const struct step_setting bare = {FP32, true, false, true};
    struct capture *c = capture_new();
    struct by_hand h = hand(8, true);
    const char *model = scratch_replace(c->arena, TINY_MODEL, "first: true, ", "");
    const char *fit = "  - {op: conv_3x3_backward_data, precision: fp32, points: 9, err_p50: 0.1, "
                      "err_p90: 0.2, work_min: 0, work_max: 1e18, launch_s: 7e-5}\n";

    NEAR(step_plan_gpu(plan_of(c, TINY_MODEL, TINY_GPU, &bare), 8), sum_of(&h) - h.optimizer);
    cr_expect_str_eq(plan_of(c, model, TINY_GPU, &training)->missing, "conv_3x3_backward_data");
    const char *gpu = arena_printf(c->arena, "%s%s", TINY_GPU, fit);
    NEAR(step_plan_gpu(plan_of(c, model, gpu, &training), 8), sum_of(&h) + 7e-5);
    capture_free(c);
}

/* What no fit is of: a linear layer is a matrix product, what moves bytes is elementwise. */
Test(step_plan, nearest_fits)
{
    struct capture *c = capture_new();
    const char *linear = "  - {op: linear, precision: fp32, points: 1, err_p50: 0, err_p90: 0, "
                         "work_min: 0, work_max: 1e18, launch_s: 5e-5, latency_s: 3e-5}\n";
    struct by_hand h = hand(8, true);

    const char *gpu = arena_printf(c->arena, "%s%s", TINY_GPU, linear);
    NEAR(step_plan_gpu(plan_of(c, TINY_MODEL, gpu, &training), 8),
         sum_of(&h) - h.products + 3 * (5e-5 - 3e-5));
    gpu = scratch_replace(c->arena, TINY_GPU, "op: elementwise", "op: stream");
    NEAR(step_plan_gpu(plan_of(c, TINY_MODEL, gpu, &training), 8), sum_of(&h));
    cr_expect_str_eq(
        plan_of(c, TINY_MODEL, TINY_HEAD TINY_FORWARD TINY_BACKWARD TINY_ELEMENTWISE, &training)
            ->missing,
        "gemm");
    capture_free(c);
}

/* Tensor cores: transposes around convolutions, casts of the weights, activations of 2 bytes. */
Test(step_plan, half_precision)
{
    static const struct step_setting nchw = {FP16, true, true, true},
                                     nhwc = {FP16, true, true, false},
                                     inference = {FP16, false, true, true};
    struct capture *c = capture_new();
    const char *gpu = TINY_GPU;
    double b = 100;
    struct step_guess g, n, i;

    for (int k = 0; k < 3; k++)
        gpu = scratch_replace(c->arena, gpu, "precision: fp32, l", "precision: fp16, l");
    struct step_plan *p = plan_of(c, TINY_MODEL, gpu, &nchw);
    struct step_plan *q = plan_of(c, TINY_MODEL, gpu, &nhwc);
    cr_assert(!p->missing && !q->missing);
    step_plan_guess(p, b, &g);
    step_plan_guess(q, b, &n);
    step_plan_guess(plan_of(c, TINY_MODEL, gpu, &inference), b, &i);
    /* 2 passes over 32 + 64 elements, in 2 passes over the layer; 3 casts each way. */
    double casts = moved(1.5 * 1068 / 3), wrapped = moved(2 * 96 * 2 * b);
    NEAR(g.part[PART_LAYOUT], 2 * wrapped + 6 * casts);
    NEAR(n.part[PART_LAYOUT], 6 * casts);
    NEAR(i.part[PART_LAYOUT], wrapped + 3 * casts);
    NEAR(g.gpu - g.part[PART_LAYOUT], n.gpu - n.part[PART_LAYOUT]);
    NEAR(n.part[PART_ELEMENTWISE], moved(256 * b) + moved(384 * b) + moved(6 * b));
    cr_expect(p->launches == 11 + 2 + 6 && q->launches == 11 + 6);
    capture_free(c);
}

/* ---- bytes that cross the memory ---- */

/* Elements read and written by the forward pass, and by the backward pass; bytes beside these. */
static const struct bytes_case {
    const char *line;
    double forward, backward, fixed;
} moves[] = {
    {"batch_norm, channels: 3, height: 4, width: 5", 3 * 60, 5 * 60, 0},
    {"layer_norm, rows: 3, width: 5", 2 * 15, 3 * 15, 0},
    {"softmax, rows: 3, width: 5", 2 * 15, 3 * 15, 0},
    {"cross_entropy, rows: 3, width: 5", 3 * 15, 2 * 15, 0},
    {"max_pool, channels: 2, kernel: 3, stride: 2, pad: 1, height: 6, width: 6", 72 + 18,
     72 + 2 * 18, 0},
    {"avg_pool, channels: 2, kernel: 6, height: 6, width: 6", 72 + 2, 72 + 2, 0},
    {"embedding, rows: 3, width: 5, vocabulary: 11, shared: true", 2 * 15, 3 * 15, 4 * 55},
    {"lstm_cell, width: 5", 9 * 10, 12 * 10, 0},
    {"relu, elements: 6", 12, 18, 0},
    {"relu, elements: 6, times: 2", 24, 36, 0},
    {"gelu, elements: 6", 12, 18, 0},
    {"tanh, elements: 6", 12, 18, 0},
    {"sigmoid, elements: 6", 12, 18, 0},
    {"dropout, elements: 8", 18, 18, 0},
    {"dropout, elements: 8, training: true", 0, 18 + 18, 0}, /* not run in inference */
    {"add, elements: 6", 18, 18, 0},
    {"mul, elements: 6", 18, 36, 0},
    {"add_scalar, elements: 6", 12, 0, 0},
    {"mul_scalar, elements: 6", 12, 12, 0},
    {"pow_scalar, elements: 6", 12, 18, 0},
    {"max_scalar, elements: 6", 12, 18, 0},
    {"mask, elements: 6", 12, 12, 0},
    {"copy, elements: 6", 12, 12, 0},
    {"concat, elements: 6", 12, 12, 0},
};

Test(step_plan, bytes)
{
    static const struct step_setting bare = {FP32, true, false, true},
                                     inference = {FP32, false, false, true};
    struct capture *c = capture_new();

    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        const struct bytes_case *e = &moves[i];
        const char *model = arena_printf(
            c->arena, "parameters: 1\nmacs: 1\ninput_bytes: 4\noperators:\n  - {op: %s}\n",
            e->line);
        const char *gpu =
            TINY_HEAD TINY_FIT "work_min: 0, op: stream, precision: fp32, read_s: 1e-3}\n";
        for (double b = 1; b <= 7; b += 6) {
            double forward = step_plan_gpu(plan_of(c, model, gpu, &inference), b);
            double both = step_plan_gpu(plan_of(c, model, gpu, &bare), b);
            NEAR(forward, 4e-3 * b * e->forward);
            NEAR(both, 4e-3 * b * (e->forward + e->backward) + 1e-3 * e->fixed);
        }
    }
    capture_free(c);
}

/* Batch 2 products of (3 x 7) (7 x 5); back: (3 x 5) (5 x 7) and (7 x 3) (3 x 5). */
Test(step_plan, matrix_products)
{
    static const struct step_setting bare = {FP32, true, false, true},
                                     inference = {FP32, false, false, true};
    struct capture *c = capture_new();
    const char *model = "parameters: 1\nmacs: 1\ninput_bytes: 4\noperators:\n"
                        "  - {op: matmul, batch: 2, m: 3, n: 5, k: 7}\n";
    const char *gpu = TINY_HEAD TINY_FIT "work_min: 0, op: bmm, precision: fp32, flop_s: 1, "
                                         "read_s: 1e-3, write_s: 1e-2, weight_s: 1e-1}\n";
    double b = 3, flop = 2 * 2 * 105 * b, bytes = 4 * 2 * b;
    double forward = flop + bytes * (21e-3 + 15e-2 + 35e-1);
    double back = 2 * flop + bytes * (15e-3 + 21e-2 + 35e-1 + 21e-3 + 35e-2 + 15e-1);

    NEAR(step_plan_gpu(plan_of(c, model, gpu, &inference), b), forward);
    NEAR(step_plan_gpu(plan_of(c, model, gpu, &bare), b), forward + back);
    capture_free(c);
}

/* A bias of a convolution is added in place; its gradient is a sum over the result's. */
Test(step_plan, bias)
{
    static const struct step_setting bare = {FP32, true, false, true};
    struct capture *c = capture_new();
    const char *with =
        scratch_replace(c->arena, TINY_MODEL, "first: true", "bias: true, first: true");
    const char *gpu = scratch_replace(c->arena, TINY_GPU, "floor_s: 2e-6", "floor_s: 0");
    double more = step_plan_gpu(plan_of(c, with, gpu, &bare), 8) -
                  step_plan_gpu(plan_of(c, TINY_MODEL, gpu, &bare), 8);

    cr_expect_float_eq(more, 2e-6 + 3 * 64 * 4 * 8 * 1e-9, 1e-15, "%g", more);
    capture_free(c);
}

/* ---- of what quality a guess is ---- */

Test(step_plan, extrapolated_and_carried)
{
    struct capture *c = capture_new();
    const char *gpu =
        scratch_replace(c->arena, TINY_GPU, "work_min: 0, op: gemm", "work_min: 1000, op: gemm");
    struct by_hand two = hand(2, true), three = hand(3, true);
    struct step_guess g;

    /* 384 FLOP a sample: two samples are less than was measured. */
    struct step_plan *p = plan_of(c, TINY_MODEL, gpu, &training);
    step_plan_guess(p, 2, &g);
    NEAR(g.extrapolated, two.products / sum_of(&two));
    step_plan_guess(p, 3, &g);
    cr_expect_eq(g.extrapolated, 0);
    cr_expect_eq(g.carried, 0);
    gpu = scratch_replace(c->arena, TINY_GPU, "op: elementwise", "from: H, op: elementwise");
    step_plan_guess(plan_of(c, TINY_MODEL, gpu, &training), 3, &g);
    double carried = (three.elementwise + three.optimizer) / sum_of(&three), own = g.sigma;
    NEAR(g.carried, carried);
    step_plan_guess(p, 3, &g);
    NEAR(own, hypot(g.sigma, 0.22 * carried));
    capture_free(c);
}

/* 512 bytes a sample: a hundred samples are the most that was measured. */
Test(step_plan, larger_than_measured)
{
    struct capture *c = capture_new();
    const char *gpu =
        scratch_replace(c->arena, TINY_HEAD TINY_ELEMENTWISE TINY_FORWARD, "1e18", "51200");
    static const struct step_setting inference = {FP32, false, true, true};
    struct step_guess g;

    struct step_plan *p = plan_of(
        c, "parameters: 1\nmacs: 1\ninput_bytes: 4\noperators:\n  - {op: relu, elements: 64}\n",
        gpu, &inference);
    step_plan_guess(p, 100, &g);
    cr_expect_eq(g.extrapolated, 0);
    step_plan_guess(p, 101, &g);
    cr_expect_eq(g.extrapolated, 1);
    capture_free(c);
}

/* ---- all models on all GPUs ---- */

static void check_plan(const struct step_plan *p, const char *what)
{
    double before = 0;

    for (double b = 1; b <= 4096; b *= 2) {
        struct step_guess g;
        double sum = 0, gpu = step_plan_gpu(p, b);
        step_plan_guess(p, b, &g);
        for (int i = 0; i < STEP_PARTS; i++) {
            cr_expect_geq(g.part[i], 0, "%s, batch %g: %s", what, b, step_part_names[i]);
            sum += g.part[i];
        }
        cr_expect_eq(g.gpu, gpu, "%s, batch %g: %.17g, %.17g", what, b, g.gpu, gpu);
        cr_expect_lt(fabs(sum / g.gpu - 1), 1e-12, "%s, batch %g: parts", what, b);
        cr_expect_geq(gpu, before, "%s: batch %g takes %g, half of it %g", what, b, gpu, before);
        cr_expect(g.extrapolated >= 0 && g.extrapolated <= 1 + 1e-12 && g.carried >= 0 &&
                      g.carried <= 1 + 1e-12 && g.sigma > 0 && g.sigma < 1,
                  "%s, batch %g: %g %g %g", what, b, g.extrapolated, g.carried, g.sigma);
        before = gpu;
    }
}

static void check_all(struct capture *c, const struct op_list *l, const struct gpu_cost *g,
                      const char *model)
{
    for (int i = 0; i < 2 * PRECISIONS; i++) {
        struct step_setting s = {(enum precision)(i / 2), i % 2, true, true};
        struct step_plan *p = step_plan_make(c->arena, l, g, &s);
        if (g->fit[CLASS_GEMM][s.precision])
            cr_expect_null(p->missing, "%s on %s, %s: no %s", model, g->gpu,
                           precision_names[s.precision], p->missing);
        else
            cr_expect(p->missing, "%s on %s, %s", model, g->gpu, precision_names[s.precision]);
        if (!p->missing)
            check_plan(p, arena_printf(c->arena, "%s on %s, %s, %s", model, g->gpu,
                                       precision_names[s.precision],
                                       s.training ? "training" : "inference"));
    }
}

/* Files of a folder that end with .yaml, by their names without it. */
static size_t names_of(struct capture *c, const char *folder, const char **name, size_t most)
{
    DIR *dir = opendir(folder);
    size_t n = 0;

    cr_assert(dir, "%s", folder);
    for (struct dirent *e; (e = readdir(dir));) {
        size_t len = strlen(e->d_name);
        if (len > 5 && strcmp(e->d_name + len - 5, ".yaml") == 0 && n < most)
            name[n++] = arena_text(c->arena, e->d_name, len - 5);
    }
    closedir(dir);
    return n;
}

Test(step_plan, all_models_on_all_gpus)
{
    struct capture *c = capture_new();
    const char *model[64], *gpu[64];
    size_t models = names_of(c, "configs/models", model, 64);
    size_t gpus = names_of(c, "configs/costs/gpus", gpu, 64);

    cr_expect(models == 25 && gpus == 20, "%zu models, %zu GPUs", models, gpus);
    for (size_t j = 0; j < gpus; j++) {
        struct gpu_cost *g = gpu_cost_load(
            c->arena, c->diag, arena_printf(c->arena, "configs/costs/gpus/%s.yaml", gpu[j]));
        cr_assert(g, "%s", capture_all(c));
        for (size_t i = 0; i < models; i++) {
            struct op_list *l = operators_load(
                c->arena, c->diag, arena_printf(c->arena, "configs/models/%s.yaml", model[i]));
            cr_assert(l, "%s", capture_all(c));
            check_all(c, l, g, model[i]);
        }
    }
    capture_free(c);
}
