/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid.h - which cases a benchmark measures on a GPU. Plain C: no device is needed to ask.
 *
 * A grid leaves out what the GPU cannot do (precision by compute capability) and what does not fit
 * in half its memory. It is the same for the same GPU.
 */
#ifndef MICROBENCH_GRID_H
#define MICROBENCH_GRID_H

#include "analysis/microbench/microbench.h"

struct mb_grid {
    struct mb_case *cases; /* in the order of the report: those of a series together */
    size_t n, cap;
};

void mb_grid_drop(struct mb_grid *);

/* Adds a case with n dimensions. */
void mb_grid_add(struct mb_grid *, const char *kind, enum mb_precision, const int64_t *dim,
                 size_t n);

typedef void mb_plan(struct mb_grid *, const struct mb_gpu *);

mb_plan mb_plan_gemm, mb_plan_bmm, mb_plan_conv, mb_plan_batch_norm; /* grid_layers.c */
mb_plan mb_plan_elementwise, mb_plan_optimizer, mb_plan_reduce, mb_plan_softmax;
mb_plan mb_plan_layer_norm, mb_plan_embedding, mb_plan_stream, mb_plan_launch, mb_plan_copy;
mb_plan mb_plan_allocate, mb_plan_context, mb_plan_peer, mb_plan_all_reduce, mb_plan_shared;

/* Whether the GPU computes in this precision at a speed of its own. */
bool mb_can(const struct mb_gpu *, enum mb_precision);

/* Bytes of an element. */
int64_t mb_bytes(enum mb_precision);

#endif
