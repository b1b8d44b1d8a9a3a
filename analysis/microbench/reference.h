/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - what our own kernels ought to compute, plainly and in double precision.
 */
#ifndef MICROBENCH_REFERENCE_H
#define MICROBENCH_REFERENCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The second operand of the *_scalar kinds and the constants of the optimisers. */
#define MB_SCALAR  1.25f
#define MB_RATE    0.01f
#define MB_DECAY   0.9f /* of momentum, and of Adam's first moment */
#define MB_DECAY_2 0.999f
#define MB_TINY    1e-5f /* layer and batch normalisation, Adam */

/* add mul div pow, *_scalar (b is not read), relu, gelu (with the error function), tanh.
 * NAN for another kind. */
double mb_ref_elementwise(const char *kind, double a, double b);

double mb_ref_sum(const float *x, size_t width);

/* Of one row; backward from the row's own output y and the gradient dy. */
void mb_ref_softmax(const float *x, size_t width, double *y);
void mb_ref_softmax_back(const float *y, const float *dy, size_t width, double *dx);

/* Of one row with scale g and shift b; backward from the input x. */
void mb_ref_layer_norm(const float *x, const float *g, const float *b, size_t width, double *y);
void mb_ref_layer_norm_back(const float *x, const float *g, const float *dy, size_t width,
                            double *dx);

/* One element, one step: weight, momentum or first moment, second moment; sgd momentum adam. Adam's
 * moments are taken as unbiased. */
void mb_ref_optimizer(const char *kind, double gradient, double w[3]);

#ifdef __cplusplus
}
#endif

#endif
