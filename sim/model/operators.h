/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * operators.h - DL models as lists of operators: what one training step runs, of one sample.
 *
 * A file of configs/models names every operator with its shapes resolved (README.md there); nothing
 * is inferred. Counts are of the forward pass and a sample unless said otherwise; tensors are of
 * elements, 4 bytes each (fp32). All counts are whole and below 2^53, so exact as doubles.
 */
#ifndef SIM_OPERATORS_H
#define SIM_OPERATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/field.h"

enum op_kind {
    OP_CONV,
    OP_LINEAR,
    OP_MATMUL, /* both matrices are results: no parameters */
    OP_BATCH_NORM,
    OP_LAYER_NORM,
    OP_SOFTMAX,
    OP_CROSS_ENTROPY, /* log-softmax and the loss */
    OP_MAX_POOL,
    OP_AVG_POOL,
    OP_EMBEDDING,
    OP_LSTM_CELL, /* gates and state of a step, behind its two products */
    OP_RELU,
    OP_GELU,
    OP_TANH,
    OP_SIGMOID,
    OP_DROPOUT,
    OP_ADD, /* of two tensors, as mul */
    OP_MUL,
    OP_ADD_SCALAR, /* of a tensor and a number, as the next three */
    OP_MUL_SCALAR,
    OP_POW_SCALAR,
    OP_MAX_SCALAR,
    OP_MASK, /* a small mask is added to a tensor or chooses from it */
    OP_COPY, /* into another order or a part */
    OP_CONCAT,
    OP_KINDS
};

/* Fields that an operator's kind does not have are 0, but groups, times and steps are 1. */
struct op {
    enum op_kind kind;
    double in, out;                          /* conv: channels; linear: features */
    double kernel_h, kernel_w, pad_h, pad_w; /* conv, pools */
    double stride, groups;                   /* conv, pools; conv */
    double channels, height, width;          /* of the input */
    double rows;                             /* linear, norms, softmax, embedding */
    double batch, m, n, k;                   /* matmul: batch products, (m x k) (k x n) */
    double vocabulary;                       /* embedding */
    double elements;                         /* of the result */
    double times;                            /* equal ones, each with its own parameters */
    double steps;                            /* runs one behind another, same parameters */
    bool bias;                               /* conv, linear */
    bool first;                              /* conv: its input needs no gradient */
    bool shared;                             /* the matrix is another operator's */
    bool training;                           /* does not run in inference */
    bool branch;                             /* an operator further above keeps the input */
    struct mark at;
};

struct op_list {
    const char *about;
    double parameters, macs; /* as published */
    double input_bytes;      /* what a loader copies to the GPU */
    size_t n;
    struct op *op;
};

/* Reads a file; NULL: reported. Good as long as the arena. */
struct op_list *operators_load(struct arena *, struct diag *, const char *path);

const char *operator_name(enum op_kind);
const struct field *operator_fields(enum op_kind); /* its keys but op, kernel and pad */
bool operator_windowed(enum op_kind);              /* it has a kernel and a pad */

/* Of one execution: an operator runs times x steps of them, forward. */
double operator_macs(const struct op *);         /* multiply-adds of products, else 0 */
double operator_elements_in(const struct op *);  /* read, without parameters */
double operator_elements_out(const struct op *); /* written */
double operator_parameters(const struct op *);   /* of one of `times` */
double operator_tensors(const struct op *);      /* that these parameters are in */

/* Height and width of the result of a convolution or a pooling. */
void operator_window(const struct op *, double *height, double *width);

/* Of the list: parameters (trained; an optimiser updates operators_tensors() of them), multiply-
 * adds of a sample, bytes a sample that the backward pass needs from the forward pass. */
double operators_parameters(const struct op_list *);
double operators_tensors(const struct op_list *);
double operators_macs(const struct op_list *);
double operators_activation_bytes(const struct op_list *);

#endif
