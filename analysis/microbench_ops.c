/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/microbench_ops.h"

#include <string.h>

typedef const char *const words[];

static words no_kind = {"", NULL};
static words forward_backward = {"forward", "backward", NULL};
static words passes = {"forward", "backward_data", "backward_filter", NULL};
static words pointwise = {"add",        "mul",        "div",        "pow",  "add_scalar",
                          "mul_scalar", "div_scalar", "pow_scalar", "relu", "gelu",
                          "tanh",       "sigmoid",    NULL};
static words sums = {"sum", NULL};
static words optimizers = {"sgd", "momentum", "adam", NULL};
static words streams = {"init", "read", "scale", "copy", "add", "triad", "dot", NULL};
static words launches = {"stream", "graph", NULL};
static words copies = {"h2d_pinned", "h2d_pageable", "d2h_pinned", "d2h_pageable", "d2d", NULL};

static words none = {NULL};
static words mnk = {"m", "n", "k", NULL};
static words mnk_transposed = {"m", "n", "k", "ta", "tb", NULL};
static words batch_mnk = {"batch", "m", "n", "k", NULL};
static words filter = {"n", "c",     "h",     "w",        "k",        "r",
                       "s", "pad_h", "pad_w", "stride_h", "stride_w", NULL};
static words nchw = {"n", "c", "h", "w", NULL};
static words elements = {"elements", NULL};
static words rows_width = {"rows", "width", NULL};
static words lookups = {"rows", "width", "vocabulary", NULL};
static words bytes = {"bytes", NULL};
static words footprint = {"bytes", "occupancy_pct", "elements", NULL};
static words launched = {"kernels", "elements", "bytes", NULL};
static words bytes_gpus = {"bytes", "gpus", NULL};
static words processes = {"processes", NULL};

const struct microbench_op microbench_ops[] = {
    {"gemm", no_kind, true, false, mnk_transposed, none},
    {"linear", no_kind, true, false, mnk, none},
    {"bmm", no_kind, true, false, batch_mnk, none},
    {"conv", passes, true, false, filter, none},
    {"elementwise", pointwise, true, false, elements, none},
    {"softmax", forward_backward, true, false, rows_width, none},
    {"layer_norm", forward_backward, true, false, rows_width, none},
    {"batch_norm", forward_backward, true, false, nchw, none},
    {"reduce", sums, true, false, rows_width, none},
    {"embedding", forward_backward, true, false, lookups, none},
    {"optimizer", optimizers, true, false, elements, none},
    {"stream", streams, false, false, none, footprint},
    {"launch", launches, false, false, none, launched},
    {"copy", copies, false, false, none, bytes},
    {"allocate", no_kind, false, false, bytes, none},
    {"context", no_kind, false, false, none, none},
    {"peer", NULL, false, false, none, bytes},
    {"all_reduce", NULL, false, false, bytes_gpus, none},
    {"shared", NULL, false, true, processes, none},
    {.name = NULL},
};

const char *const microbench_precisions[] = {"fp64", "fp32",         "tf32", "fp16",
                                             "bf16", "fp16_storage", "fp8",  NULL};

const struct microbench_op *microbench_op(const char *name)
{
    for (const struct microbench_op *op = microbench_ops; op->name; op++)
        if (strcmp(op->name, name) == 0)
            return op;
    return NULL;
}

enum column_range microbench_column(const char *name)
{
    static words from_0 = {"ta", "tb", "pad_h", "pad_w", NULL};

    for (const char *const *word = from_0; *word; word++)
        if (strcmp(*word, name) == 0)
            return COLUMN_FROM_0;
    if (strcmp(name, "spread") == 0)
        return COLUMN_SHARE;
    return strcmp(name, "occupancy_pct") == 0 ? COLUMN_PER_CENT : COLUMN_FROM_1;
}
