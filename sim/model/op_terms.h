/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * op_terms.h - what the time of a kernel is made of: the terms that a calibration has prices for.
 *
 *   t = max(floor, sum over terms of amount * price)        (docs/calibration.md, eq. C1)
 *
 * Fits and predictions share these functions, so that both mean the same by a term. All amounts are
 * linear in the number of samples.
 */
#ifndef SIM_OP_TERMS_H
#define SIM_OP_TERMS_H

#include <stdbool.h>

enum term {
    TERM_LAUNCH,     /* 1 */
    TERM_FLOP,       /* a multiply-add is 2 */
    TERM_READ,       /* bytes of the input */
    TERM_WRITE,      /* bytes of the result */
    TERM_WEIGHT,     /* bytes of the weights; of a matrix product: of its right factor */
    TERM_NARROW_IN,  /* FLOP / channels in: what narrow layers cannot use of the units */
    TERM_NARROW_OUT, /* FLOP / channels out */
    TERMS
};
extern const char *const term_names[TERMS + 1]; /* as a calibration's keys; ended by NULL */

/* Kinds of kernels that are fitted apart. */
enum op_class {
    CLASS_GEMM,
    CLASS_LINEAR, /* a framework's fully connected layer */
    CLASS_BMM,
    CLASS_CONV_1X1_FORWARD, /* twelve in a row: shape * 3 + pass */
    CLASS_CONV_1X1_BACKWARD_DATA,
    CLASS_CONV_1X1_BACKWARD_FILTER,
    CLASS_CONV_1X1_STRIDED_FORWARD,
    CLASS_CONV_1X1_STRIDED_BACKWARD_DATA,
    CLASS_CONV_1X1_STRIDED_BACKWARD_FILTER,
    CLASS_CONV_3X3_FORWARD, /* stride 1 */
    CLASS_CONV_3X3_BACKWARD_DATA,
    CLASS_CONV_3X3_BACKWARD_FILTER,
    CLASS_CONV_OTHER_FORWARD,
    CLASS_CONV_OTHER_BACKWARD_DATA,
    CLASS_CONV_OTHER_BACKWARD_FILTER,
    CLASS_ELEMENTWISE,
    CLASS_SOFTMAX,
    CLASS_LAYER_NORM,
    CLASS_BATCH_NORM,
    CLASS_REDUCE,
    CLASS_EMBEDDING,
    CLASS_OPTIMIZER,
    CLASS_STREAM, /* device memory alone */
    CLASSES
};
extern const char *const op_class_names[CLASSES + 1]; /* ended by NULL */

enum conv_pass { PASS_FORWARD, PASS_BACKWARD_DATA, PASS_BACKWARD_FILTER };

/* A convolution of n images of c channels, h x w, by k filters of r x s; p x q is what comes out.
 */
struct conv_shape {
    double n, c, h, w, k, r, s, p, q, groups;
    bool strided;
};
enum op_class conv_class(const struct conv_shape *, enum conv_pass);

/* Amounts of one kernel, in elements of so many bytes. */
void conv_terms(const struct conv_shape *, enum conv_pass, double bytes, double amount[TERMS]);
/* batch products (m x k) (k x n) */
void gemm_terms(double batch, double m, double n, double k, double bytes, double amount[TERMS]);
void memory_terms(double read_bytes, double written_bytes, double amount[TERMS]);

/* How large a kernel is: FLOP; bytes where there are none. */
double terms_work(const double amount[TERMS]);

/* The terms that are fitted for a class; bit i stands for term i. */
unsigned class_terms(enum op_class);

#endif
