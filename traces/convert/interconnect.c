/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interconnect OUT SET FIGURES NCCL - copies between host and GPUs, and all-reduce, from single
 * figures of small public places. A set is one place and one type of GPU; a place without a stated
 * licence gives figures only.
 *
 * A device-to-device copy counts the bytes that it reads and those that it writes. Peak rates,
 * which are no measurement of an operator here, and figures of several GPUs at once are not taken.
 */
#include "traces/convert/microbench.h"

static const struct origin inspector = {"pc2/GPUInspector.jl",
                                        "b0bea3a60675b7494eace5a5dd2ce0f21ea3e979", "MIT"};
static const struct origin demo = {"router-gao/cuda-demo",
                                   "8e2367b498052bd7810c4d1b72f03300c732f9a1", "none"};
static const struct origin a3mega = {"lessizzmore/create-a3mega-ztan-fork",
                                     "02dd8f455c43ced1cf442ef29334bda97149264b", "none"};

static const struct set {
    const char *name;
    struct bench_gpu gpu;
    const struct origin *from;
    const char *method;
} sets[] = {
    {"gpuinspector-v100",
     {"V100-SXM2-32GB", "V100", "Tesla V100-SXM2-32GB", 32, 80, 1530, 15.67, 125.3},
     &inspector,
     "GPUInspector.jl"},
    {"gpuinspector-a100",
     {"A100-SXM4-40GB", "A100", "A100-SXM4-40GB", 40, 108, 1410, 19.49, 312},
     &inspector,
     "GPUInspector.jl"},
    {"bandwidthtest-t4",
     {"T4", "T4", "Tesla T4", 16, 40, 1590, 8.14, 65.1},
     &demo,
     "bandwidthTest of the CUDA samples, 32 MB, in a virtual machine"},
    {"bandwidthtest-v100",
     {"V100-SXM2-16GB", "V100", "Tesla V100-SXM2-16GB", 16, 80, 1530, 15.67, 125.3},
     &demo,
     "bandwidthTest of the CUDA samples, 32 MB, in a virtual machine"},
    {"nccl-h100",
     {"H100", "H100", "H100 80GB HBM3", 80, 132, 1980, 66.91, 989},
     &a3mega,
     "nccl-tests, 16 GPUs in two virtual machines of 8, out of place"},
    {.name = NULL},
};

static const struct quantity {
    const char *theirs, *op, *kind;
} quantities[] = {
    {"h2d pinned", "copy", "h2d_pinned"},
    {"h2d pinned (PCIe3 x16)", "copy", "h2d_pinned"},
    {"h2d pinned (PCIe4 x16)", "copy", "h2d_pinned"},
    {"h2d pageable", "copy", "h2d_pageable"},
    {"d2h pinned", "copy", "d2h_pinned"},
    {"device copy bandwidth", "copy", "d2d"},
    {"device-to-device copy", "copy", "d2d"},
    {"p2p 1 NVLink (e.g. 0-1)", "peer", "nvlink_1"},
    {"p2p 2 NVLinks (e.g. 0-2)", "peer", "nvlink_2"},
    {"p2p no direct link (PCIe/host)", "peer", "pcie"},
    {"p2p NVSwitch unidirectional avg of 56 pairs", "peer", "nvswitch"},
    {.theirs = NULL},
};

static const char *const rate_columns[] = {"rate", NULL};
static const char *const reduce_columns[] = {"bytes", "gpus", "time", NULL};
static const char *const figures_wanted[] = {"gpu", "quantity", "unit", "value", NULL};
static const char *const reduce_wanted[] = {"bytes", "time_us", NULL};

#define REDUCE_GPUS 16

static bool put_figure(struct csv *csv, const struct set *set, struct out *out, const char **comma)
{
    int quantity = csv_column(csv, "quantity");
    double rate;

    if (!cell_is(csv, csv_column(csv, "gpu"), set->gpu.theirs))
        return true;
    for (const struct quantity *q = quantities; q->theirs; q++) {
        struct bench_series s = {q->op, q->kind, "", "GB/s", .columns = rate_columns};

        if (!cell_is(csv, quantity, q->theirs))
            continue;
        if (!csv_real(csv, csv_column(csv, "value"), 1e-3, 1e6, &rate))
            return false;
        bench_add(&s, &rate, NULL);
        bench_put(out, &s, comma);
        bench_drop(&s);
    }
    return true;
}

static bool put_figures(struct diag *diag, const char *path, const struct set *set, struct out *out)
{
    struct csv *csv = csv_open(diag, path);
    const char *comma = "";
    int got = -1;
    bool good = csv && csv_require(csv, figures_wanted);

    while (good && (got = csv_next(csv)) == 1)
        good = put_figure(csv, set, out, &comma);
    csv_close(csv);
    return good && got == 0;
}

static bool put_reduce(struct diag *diag, const char *path, struct out *out)
{
    struct bench_series s = {"all_reduce", "nvlink_nodes", "", "us", .columns = reduce_columns};
    struct csv *csv = csv_open(diag, path);
    double row[3] = {0, REDUCE_GPUS, 0};
    const char *comma = "";
    int got = -1;
    bool good = csv && csv_require(csv, reduce_wanted);

    while (good && (got = csv_next(csv)) == 1) {
        good = csv_real(csv, csv_column(csv, "bytes"), 1, 1e15, &row[0]) &&
               csv_real(csv, csv_column(csv, "time_us"), 1e-3, 1e12, &row[2]);
        if (good)
            bench_add(&s, row, NULL);
    }
    csv_close(csv);
    bench_put(out, &s, &comma);
    bench_drop(&s);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    const struct set *set = sets;
    bool good;

    while (set->name && strcmp(set->name, input[0]) != 0)
        set++;
    if (!set->name)
        return diag_error(diag, (struct mark){.src = NULL}, "no set '%s'", input[0]);
    bench_head(out, &set->gpu, set->from, NULL,
               (const struct bench_pair[]){{"method", set->method}, {NULL, NULL}});
    good = set->from == &a3mega ? put_reduce(diag, input[2], out)
                                : put_figures(diag, input[1], set, out);
    bench_end(out);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 3, "interconnect OUT SET FIGURES NCCL", convert);
}
