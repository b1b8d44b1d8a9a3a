/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/op_terms.h"

#include <math.h>
#include <string.h>

const char *const term_names[] = {"launch", "flop",      "read",       "write",
                                  "weight", "narrow_in", "narrow_out", NULL};

const char *const op_class_names[] = {"gemm",
                                      "linear",
                                      "bmm",
                                      "conv_1x1_forward",
                                      "conv_1x1_backward_data",
                                      "conv_1x1_backward_filter",
                                      "conv_1x1_strided_forward",
                                      "conv_1x1_strided_backward_data",
                                      "conv_1x1_strided_backward_filter",
                                      "conv_3x3_forward",
                                      "conv_3x3_backward_data",
                                      "conv_3x3_backward_filter",
                                      "conv_other_forward",
                                      "conv_other_backward_data",
                                      "conv_other_backward_filter",
                                      "elementwise",
                                      "softmax",
                                      "layer_norm",
                                      "batch_norm",
                                      "reduce",
                                      "embedding",
                                      "optimizer",
                                      "stream",
                                      NULL};

enum op_class conv_class(const struct conv_shape *c, enum conv_pass pass)
{
    int shape = 3;

    if (c->r <= 1 && c->s <= 1)
        shape = c->strided;
    else if (c->r <= 3 && c->s <= 3 && !c->strided)
        shape = 2;
    return (enum op_class)(CLASS_CONV_1X1_FORWARD + shape * 3 + (int)pass);
}

void conv_terms(const struct conv_shape *c, enum conv_pass pass, double bytes, double amount[TERMS])
{
    double deep = c->c / c->groups, flop = 2 * c->n * c->p * c->q * c->k * deep * c->r * c->s;
    /* A filter smaller than its stride skips pixels; their gradients are written all the same. */
    double high = pass == PASS_BACKWARD_DATA ? c->h : fmin(c->h, c->p * c->r);
    double wide = pass == PASS_BACKWARD_DATA ? c->w : fmin(c->w, c->q * c->s);

    amount[TERM_LAUNCH] = 1;
    amount[TERM_FLOP] = flop;
    amount[TERM_READ] = bytes * c->n * c->c * high * wide;
    amount[TERM_WRITE] = bytes * c->n * c->k * c->p * c->q;
    amount[TERM_WEIGHT] = bytes * c->k * deep * c->r * c->s;
    amount[TERM_NARROW_IN] = flop / deep;
    amount[TERM_NARROW_OUT] = flop / (c->k / c->groups);
}

void gemm_terms(double batch, double m, double n, double k, double bytes, double amount[TERMS])
{
    memset(amount, 0, TERMS * sizeof(*amount));
    amount[TERM_LAUNCH] = 1;
    amount[TERM_FLOP] = 2 * batch * m * n * k;
    amount[TERM_READ] = bytes * batch * m * k;
    amount[TERM_WEIGHT] = bytes * batch * k * n;
    amount[TERM_WRITE] = bytes * batch * m * n;
}

void memory_terms(double read_bytes, double written_bytes, double amount[TERMS])
{
    memset(amount, 0, TERMS * sizeof(*amount));
    amount[TERM_LAUNCH] = 1;
    amount[TERM_READ] = read_bytes + written_bytes;
}

double terms_work(const double amount[TERMS])
{
    return amount[TERM_FLOP] > 0 ? amount[TERM_FLOP] : amount[TERM_READ];
}

#define BIT(term) (1u << (term))

unsigned class_terms(enum op_class c)
{
    unsigned product =
        BIT(TERM_LAUNCH) | BIT(TERM_FLOP) | BIT(TERM_READ) | BIT(TERM_WRITE) | BIT(TERM_WEIGHT);

    if (c <= CLASS_BMM)
        return product;
    if (c <= CLASS_CONV_OTHER_BACKWARD_FILTER)
        return product | BIT(TERM_NARROW_IN) | BIT(TERM_NARROW_OUT);
    return BIT(TERM_LAUNCH) | BIT(TERM_READ);
}
