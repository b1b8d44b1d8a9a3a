/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grids of all but the matrix products and convolutions. */
#include "analysis/microbench/grid.h"
#include "sim/base/mem.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

void mb_grid_drop(struct mb_grid *g)
{
    mem_drop(g->cases);
    *g = (struct mb_grid){0};
}

void mb_grid_add(struct mb_grid *g, const char *kind, enum mb_precision p, const int64_t *dim,
                 size_t n)
{
    g->cases = mem_room(g->cases, g->n, &g->cap, sizeof *g->cases);
    g->cases[g->n] = (struct mb_case){.kind = kind, .precision = p};
    for (size_t i = 0; i < n; i++)
        g->cases[g->n].dim[i] = dim[i];
    g->n++;
}

bool mb_can(const struct mb_gpu *gpu, enum mb_precision p)
{
    return p == MB_FP16 ? gpu->cc >= 60 : p == MB_TF32 || p == MB_BF16 ? gpu->cc >= 80 : true;
}

int64_t mb_bytes(enum mb_precision p)
{
    return p == MB_FP16 || p == MB_BF16 ? 2 : 4;
}

static const enum mb_precision own[] = {MB_FP32, MB_FP16}; /* of our own kernels */

/* Powers of two from low to high; `arrays` of so many elements must fit. */
static void elements(struct mb_grid *g, const struct mb_gpu *gpu, const char *kind,
                     enum mb_precision p, int low, int high, int by, int64_t arrays)
{
    for (int log = low; log <= high; log += by) {
        int64_t n = (int64_t)1 << log;

        if (arrays * n * mb_bytes(p) <= gpu->memory / 2)
            mb_grid_add(g, kind, p, &n, 1);
    }
}

void mb_plan_elementwise(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"add",        "mul",        "div",        "pow",
                                        "add_scalar", "mul_scalar", "div_scalar", "pow_scalar",
                                        "relu",       "gelu",       "tanh"};

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t p = 0; p < COUNT(own); p++)
            if (mb_can(gpu, own[p]))
                elements(g, gpu, kinds[k], own[p], 8, 28, 4, 3);
}

void mb_plan_optimizer(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"sgd", "momentum", "adam"};

    for (size_t k = 0; k < COUNT(kinds); k++)
        elements(g, gpu, kinds[k], MB_FP32, 10, 28, 3, 4);
}

/* Rows and widths; `arrays` of such matrices must fit. */
static void matrices(struct mb_grid *g, const struct mb_gpu *gpu, const char *kind, int64_t arrays)
{
    static const int64_t rows[] = {16, 256, 4096, 65536}, widths[] = {64, 512, 1024, 4096, 32768};

    for (size_t p = 0; p < COUNT(own); p++)
        for (size_t r = 0; r < COUNT(rows) && mb_can(gpu, own[p]); r++)
            for (size_t w = 0; w < COUNT(widths); w++) {
                int64_t dim[] = {rows[r], widths[w]}, n = rows[r] * widths[w];

                if (n <= (int64_t)1 << 28 && arrays * n * mb_bytes(own[p]) <= gpu->memory / 2)
                    mb_grid_add(g, kind, own[p], dim, 2);
            }
}

void mb_plan_reduce(struct mb_grid *g, const struct mb_gpu *gpu)
{
    matrices(g, gpu, "sum", 1);
}

void mb_plan_softmax(struct mb_grid *g, const struct mb_gpu *gpu)
{
    matrices(g, gpu, "forward", 2);
    matrices(g, gpu, "backward", 3);
}

void mb_plan_layer_norm(struct mb_grid *g, const struct mb_gpu *gpu)
{
    matrices(g, gpu, "forward", 2);
    matrices(g, gpu, "backward", 3);
}

void mb_plan_embedding(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"forward", "backward"};
    static const int64_t rows[] = {256, 4096, 65536}, widths[] = {64, 512, 1024},
                         words[] = {1000, 32000, 256000};

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t r = 0; r < COUNT(rows); r++)
            for (size_t w = 0; w < COUNT(widths); w++)
                for (size_t v = 0; v < COUNT(words); v++) {
                    int64_t dim[] = {rows[r], widths[w], words[v]};

                    if ((rows[r] + words[v]) * widths[w] * 4 <= gpu->memory / 4)
                        mb_grid_add(g, kinds[k], MB_FP32, dim, 3);
                }
}

static void bytes(struct mb_grid *g, const struct mb_gpu *gpu, const char *kind,
                  enum mb_precision p, int low, int high, int by, int copies)
{
    for (int log = low; log <= high; log += by) {
        int64_t n = (int64_t)1 << log;

        if (copies * n <= gpu->memory / 2)
            mb_grid_add(g, kind, p, &n, 1);
    }
}

void mb_plan_stream(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"init", "read", "scale", "copy", "triad", "dot"};

    for (size_t k = 0; k < COUNT(kinds); k++)
        bytes(g, gpu, kinds[k], MB_FP32, 18, 32, 1, 1);
}

void mb_plan_launch(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const int64_t kernels[] = {1, 10, 100, 1000};

    (void)gpu;
    for (size_t i = 0; i < COUNT(kernels); i++)
        mb_grid_add(g, "stream", MB_NONE, &kernels[i], 1);
    for (size_t i = 0; i < COUNT(kernels); i++)
        mb_grid_add(g, "graph", MB_NONE, &kernels[i], 1);
}

void mb_plan_copy(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"h2d_pinned", "h2d_pageable", "d2h_pinned", "d2h_pageable",
                                        "d2d"};

    for (size_t k = 0; k < COUNT(kinds); k++)
        bytes(g, gpu, kinds[k], MB_NONE, 2, 30, 2, 2);
}

void mb_plan_allocate(struct mb_grid *g, const struct mb_gpu *gpu)
{
    bytes(g, gpu, "", MB_NONE, 8, 34, 2, 1);
}

void mb_plan_context(struct mb_grid *g, const struct mb_gpu *gpu)
{
    (void)gpu;
    mb_grid_add(g, "", MB_NONE, NULL, 0);
}

void mb_plan_peer(struct mb_grid *g, const struct mb_gpu *gpu)
{
    if (gpu->gpus > 1)
        bytes(g, gpu, "", MB_NONE, 2, 30, 2, 2);
}

void mb_plan_all_reduce(struct mb_grid *g, const struct mb_gpu *gpu)
{
    for (int n = 2; n <= gpu->gpus; n *= 2)
        for (int log = 10; log <= 30; log += 2) {
            int64_t dim[] = {(int64_t)1 << log, n};

            if (2 * dim[0] <= gpu->memory / 2)
                mb_grid_add(g, gpu->nvlink ? "nvlink" : "pcie", MB_FP32, dim, 2);
        }
}

void mb_plan_shared(struct mb_grid *g, const struct mb_gpu *gpu)
{
    static const char *const kinds[] = {"time_slice_gemm", "time_slice_stream", "mps_gemm",
                                        "mps_stream"};

    (void)gpu;
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int64_t processes = 2; processes <= 4; processes++)
            mb_grid_add(g, kinds[k], MB_FP32, &processes, 1);
}
