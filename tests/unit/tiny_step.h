/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tiny_step.h - a DL model of three layers and a GPU whose kernels cost round numbers: step times
 * that are computed by hand.
 */
#ifndef TESTS_TINY_STEP_H
#define TESTS_TINY_STEP_H

/* 72 + 195 = 267 parameters in 3 tensors; the convolution comes first. */
#define TINY_MODEL                                                                                 \
    "parameters: 267\nmacs: 1344\ninput_bytes: 128\noperators:\n"                                  \
    "  - {op: conv, in: 2, out: 4, first: true, kernel: 3, pad: 1, height: 4, width: 4}\n"         \
    "  - {op: relu, elements: 64}\n"                                                               \
    "  - {op: linear, rows: 1, in: 64, out: 3, bias: true}\n"

#define TINY_FIT "  - {points: 9, err_p50: 0.1, err_p90: 0.2, work_max: 1e18, "
#define TINY_FORWARD                                                                               \
    TINY_FIT "work_min: 0, op: conv_3x3_forward, precision: fp32, launch_s: 1e-5, flop_s: 1e-9, "  \
             "read_s: 2e-9, write_s: 3e-9, weight_s: 4e-9, narrow_in_s: 5e-9, narrow_out_s: "      \
             "6e-9}\n"
#define TINY_BACKWARD                                                                              \
    TINY_FIT "work_min: 0, op: conv_3x3_backward_filter, precision: fp32, launch_s: 2e-5, "        \
             "flop_s: 2e-9}\n"
#define TINY_GEMM                                                                                  \
    TINY_FIT "work_min: 0, op: gemm, precision: fp32, launch_s: 4e-5, flop_s: 1e-8, read_s: "      \
             "1e-9, write_s: 2e-9, weight_s: 3e-9}\n"
#define TINY_ELEMENTWISE                                                                           \
    TINY_FIT "work_min: 0, op: elementwise, precision: fp32, launch_s: 1e-6, read_s: 1e-9, "       \
             "floor_s: 2e-6}\n"
#define TINY_HEAD "gpu: G\nmemory_gib: 8\nfits:\n"
#define TINY_FITS TINY_FORWARD TINY_BACKWARD TINY_GEMM TINY_ELEMENTWISE
#define TINY_GPU  TINY_HEAD TINY_FITS

#endif
