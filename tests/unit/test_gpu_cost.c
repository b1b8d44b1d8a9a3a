/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels are made of, and calibrations of what that costs. */
#include <math.h>

#include "sim/model/gpu_cost.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"
#include "tests/unit/tiny_step.h"

static void expect_terms(const double *is, const double *want, const char *what)
{
    for (int i = 0; i < TERMS; i++)
        cr_expect_eq(is[i], want[i], "%s: %s is %g, not %g", what, term_names[i], is[i], want[i]);
}

/* ---- amounts, by hand ---- */

Test(op_terms, convolution)
{
    /* Two images of 4 channels of 5 x 7, 6 filters of 1 x 3 in two groups, padded. */
    const struct conv_shape c = {2, 4, 5, 7, 6, 1, 3, 5, 7, 2, false};
    double t[TERMS];

    /* 2 * 2 images * 35 places * 6 filters * 2 channels deep * 3 */
    conv_terms(&c, PASS_FORWARD, 4, t);
    expect_terms(t, (double[]){1, 5040, 4 * 2 * 4 * 35, 4 * 2 * 6 * 35, 4 * 6 * 2 * 3, 2520, 1680},
                 "forward");
    conv_terms(&c, PASS_BACKWARD_FILTER, 2, t);
    expect_terms(t, (double[]){1, 5040, 2 * 2 * 4 * 35, 2 * 2 * 6 * 35, 2 * 6 * 2 * 3, 2520, 1680},
                 "in half precision");
}

/* A 1 x 1 filter of stride 2 reads one place in four; all of them get a gradient. */
Test(op_terms, strides_skip_pixels)
{
    const struct conv_shape c = {1, 1, 8, 8, 1, 1, 1, 4, 4, 1, true};
    double t[TERMS];

    conv_terms(&c, PASS_FORWARD, 4, t);
    cr_expect_eq(t[TERM_READ], 4 * 16);
    conv_terms(&c, PASS_BACKWARD_FILTER, 4, t);
    cr_expect_eq(t[TERM_READ], 4 * 16);
    conv_terms(&c, PASS_BACKWARD_DATA, 4, t);
    cr_expect_eq(t[TERM_READ], 4 * 64);
}

Test(op_terms, products_and_bytes)
{
    double t[TERMS];

    gemm_terms(2, 3, 5, 7, 4, t);
    expect_terms(t, (double[]){1, 420, 4 * 2 * 21, 4 * 2 * 15, 4 * 2 * 35, 0, 0}, "gemm");
    memory_terms(100, 20, t);
    expect_terms(t, (double[]){1, 0, 120, 0, 0, 0, 0}, "memory");
}

Test(op_terms, classes)
{
    static const struct class_case {
        double r, s;
        bool strided;
        enum op_class first;
    } cases[] = {
        {1, 1, false, CLASS_CONV_1X1_FORWARD},   {1, 1, true, CLASS_CONV_1X1_STRIDED_FORWARD},
        {3, 3, false, CLASS_CONV_3X3_FORWARD},   {1, 3, false, CLASS_CONV_3X3_FORWARD},
        {3, 3, true, CLASS_CONV_OTHER_FORWARD},  {5, 5, false, CLASS_CONV_OTHER_FORWARD},
        {1, 7, false, CLASS_CONV_OTHER_FORWARD}, {7, 7, true, CLASS_CONV_OTHER_FORWARD},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct conv_shape c = {.r = cases[i].r, .s = cases[i].s, .strided = cases[i].strided};
        for (int pass = 0; pass < 3; pass++)
            cr_expect_eq(conv_class(&c, (enum conv_pass)pass), (int)cases[i].first + pass,
                         "%g x %g", c.r, c.s);
    }
    for (int class = 0; class < CLASSES; class ++) {
        unsigned want = class <= CLASS_BMM                          ? 0x1f
                        : class <= CLASS_CONV_OTHER_BACKWARD_FILTER ? 0x7f
                                                                    : 0x05;
        cr_expect_eq(class_terms((enum op_class) class), want, "%s", op_class_names[class]);
    }
    cr_expect_null(op_class_names[CLASSES]);
    cr_expect_null(term_names[TERMS]);
}

/* ---- calibrations ---- */

static struct gpu_cost *load(struct capture *c, const char *text)
{
    struct scratch files;

    scratch_enter(&files);
    scratch_write(&files, "G.yaml", text);
    struct gpu_cost *g = gpu_cost_load(c->arena, c->diag, "G.yaml");
    scratch_leave(&files);
    return g;
}

Test(gpu_cost, read)
{
    struct capture *c = capture_new();
    struct gpu_cost *g = load(
        c, TINY_GPU "  - {op: gemm, precision: fp16, points: 7, set_aside: 2, from: H, launch_s: "
                    "1e-5, latency_s: 4e-6, floor_s: 1.5e-6, flop_se: 1e-12, err_p50: 0.03, "
                    "err_p90: 0.08, work_min: 10, work_max: 20}\n"
                    "figures:\n  - {name: memory, value: 8e11, unit: B/s}\n"
                    "  - {name: launch stream, value: 2e-6, unit: s, from: H}\n");

    cr_assert(g, "%s", capture_all(c));
    cr_expect_str_eq(g->gpu, "G");
    cr_expect_str_eq(g->product, "");
    cr_expect_eq(g->memory_gib, 8);
    const struct op_fit *f = g->fit[CLASS_GEMM][FP16];
    cr_assert(f && g->fit[CLASS_GEMM][FP32] && !g->fit[CLASS_GEMM][TF32] &&
              !g->fit[CLASS_LINEAR][FP32]);
    cr_expect(f->points == 7 && f->set_aside == 2 && f->p50 == 0.03 && f->p90 == 0.08);
    cr_expect(f->flop_min == 10 && f->flop_max == 20 && f->se[TERM_FLOP] == 1e-12);
    cr_expect_str_eq(f->from, "H");
    cr_expect_str_eq(g->fit[CLASS_GEMM][FP32]->from, "");
    cr_expect_eq(gpu_cost_figure(g, "memory"), 8e11);
    cr_expect_eq(gpu_cost_figure(g, "launch stream"), 2e-6);
    cr_expect(isnan(gpu_cost_figure(g, "launch")));
    /* The host's part of a launch is not paid where the GPU is kept busy; the floor is. */
    cr_expect_float_eq(op_fit_time(f, (double[TERMS]){1, 1e9}), 6e-6, 1e-15);
    cr_expect_eq(op_fit_time(f, (double[TERMS]){0.1}), 1.5e-6);
    capture_free(c);
}

Test(gpu_cost, precisions)
{
    cr_expect_eq(precision_named("fp32"), FP32);
    cr_expect_eq(precision_named("amp"), FP16);
    cr_expect_eq(precision_named("bf16"), BF16);
    cr_expect_eq(precision_named("fp64"), -1);
    cr_expect(precision_bytes(FP32) == 4 && precision_bytes(TF32) == 4);
    cr_expect(precision_bytes(FP16) == 2 && precision_bytes(BF16) == 2);
    cr_expect_null(precision_names[PRECISIONS]);
}

/* The first `find` of a calibration replaced by `by`. */
static const struct cost_case {
    const char *find, *by, *errors;
} errors[] = {
    {"gpu: G", "gpu: [G]", "G.yaml:1:6: error: gpu: a list; wanted a text"},
    {"gpu: G\n", "", "G.yaml:1:1: error: key 'gpu' is missing in the calibration"},
    {"memory_gib: 8", "memory: 8", "G.yaml:2:1: error: unknown key 'memory' in the calibration"},
    {"memory_gib: 8", "memory_gib: -1",
     "G.yaml:2:13: error: memory_gib: -1 is below the minimum, 0"},
    {"fits:", "fit:",
     "G.yaml:3:1: error: unknown key 'fit' in the calibration (did you mean "
     "'fits'?)"},
    {"op: gemm", "op: gem", "G.yaml:6:78: error: op: 'gem' is no choice (did you mean 'gemm'?)"},
    {"precision: fp32", "precision: fp64",
     "G.yaml:4:107: error: precision: 'fp64' is none of fp32, tf32, fp16, bf16"},
    {"points: 9", "points: 0", "G.yaml:4:14: error: points: 0 is below the minimum, 1"},
    {"points: 9, ", "", "G.yaml:4:5: error: key 'points' is missing in fits"},
    {"launch_s: 1e-5", "launch_s: -1e-5",
     "G.yaml:4:123: error: launch_s: -1e-5 is below the minimum, 0"},
    {"launch_s: 1e-5", "launch_s: nan", "G.yaml:4:123: error: launch_s: 'nan' is not a number"},
    {"launch_s: 1e-5", "launch_s: .nan", "G.yaml:4:123: error: launch_s: '.nan' is not a number"},
    {"launch_s: 1e-5", "launch: 1e-5",
     "G.yaml:4:113: error: unknown key 'launch' in fits (did you mean 'launch_s'?)"},
    {"op: conv_3x3_backward_filter", "op: conv_3x3_forward",
     "G.yaml:5:5: error: a second fit of conv_3x3_forward in fp32"},
    {"launch_s: 1e-6, read_s: 1e-9, floor_s: 2e-6", "floor_s: 2e-6",
     "G.yaml:7:5: error: the fit of elementwise in fp32 makes kernels of no time"},
    {"fits:", "figures: [{name: a, value: 1, unit: s}, {name: a, value: 2, unit: s}]\nfits:",
     "G.yaml:3:41: error: a second figure 'a'"},
    {"fits:", "figures: [{name: a, value: 0, unit: s}]\nfits:",
     "G.yaml:3:28: error: value: 0 is below the minimum, 1e-12"},
    {"fits:", "figures: [{name: a, value: 1}]\nfits:",
     "G.yaml:3:11: error: key 'unit' is missing in figures"},
};

Test(gpu_cost, errors)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct capture *c = capture_new();
        const char *text = scratch_replace(c->arena, TINY_GPU, errors[i].find, errors[i].by);
        cr_expect_null(load(c, text), "%s", errors[i].by);
        cr_expect_str_eq(capture_lines(c), errors[i].errors);
        capture_free(c);
    }
}
