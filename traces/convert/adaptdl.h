/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adaptdl.h - reader of the step-time tables that Pollux and Sia recorded with AdaptDL.
 *
 * A row is one job on some GPUs: the whole step and the part of it in which gradients were waited
 * for. The placement tables write a placement as digits, the GPUs on each node; the scalability
 * tables give the numbers of nodes and replicas. Pollux' tables have no column `cluster`.
 */
#ifndef TRACES_ADAPTDL_H
#define TRACES_ADAPTDL_H

#include "traces/convert/convert.h"

struct adaptdl_row {
    const char *model, *gpu, *stack, *precision;
    const struct origin *from;
    int64_t nodes, gpus, batch; /* batch: of each GPU */
    bool even;                  /* the same number of GPUs on every node */
    double step_s, sync_s;
};

struct adaptdl {
    struct csv *csv;
    int app, cluster, gpu, placement, nodes, replicas, batch, step, sync;
};

/* gpt_pmp is left out: its rows were computed, not measured. */
static const struct name adaptdl_models[] = {{"cifar10", "resnet18-cifar10"},
                                             {"imagenet", "resnet50-imagenet"},
                                             {"bert", "bert-base-squad"},
                                             {"deepspeech2", "deepspeech2"},
                                             {"yolov3", "yolov3"},
                                             {"ncf", "ncf-ml1m"},
                                             {NULL, NULL}};
static const struct name adaptdl_gpus[] = {{"T4", "T4"},
                                           {"V100", "V100"},
                                           {"A100", "A100"},
                                           {"QuadroRTX6000", "RTX6000"},
                                           {"RTX2080Ti", "2080Ti"},
                                           {NULL, NULL}};
static const struct name adaptdl_stacks[] = {
    {"", "pollux-t4"},    {"azure", "sia-azure"}, {"dgx", "sia-dgx"}, {"dgx-ext", "sia-dgx-ext"},
    {"quad", "sia-quad"}, {"rtx", "sia-rtx"},     {NULL, NULL}};
static const struct origin adaptdl_pollux = {
    "petuum/adaptdl osdi21-artifact", "c793c7089bd307462686339d29707925c461f9a9", "Apache-2.0"};
static const struct origin adaptdl_sia = {"siasosp23/artifacts",
                                          "aaf7a0de7b6cb5eab06ea020467ede5d2fd18e70", "none"};

static inline bool adaptdl_open(struct diag *diag, const char *path, struct adaptdl *t)
{
    static const char *const wanted[] = {"app",         "gpu",         "local_batch",
                                         "step_time_s", "sync_time_s", NULL};

    t->csv = csv_open(diag, path);
    if (!t->csv || !csv_require(t->csv, wanted)) {
        csv_close(t->csv);
        return false;
    }
    t->app = csv_column(t->csv, "app");
    t->cluster = csv_column(t->csv, "cluster");
    t->gpu = csv_column(t->csv, "gpu");
    t->placement = csv_column(t->csv, "placement");
    t->nodes = csv_column(t->csv, "num_nodes");
    t->replicas = csv_column(t->csv, "num_replicas");
    t->batch = csv_column(t->csv, "local_batch");
    t->step = csv_column(t->csv, "step_time_s");
    t->sync = csv_column(t->csv, "sync_time_s");
    return true;
}

/* Digits, checked by the reader of the whole number. */
static inline bool adaptdl_placement(struct adaptdl *t, struct adaptdl_row *r)
{
    size_t len;
    const char *s = csv_cell(t->csv, t->placement, &len);
    int64_t number;

    if (!csv_int(t->csv, t->placement, 1, INT64_MAX, &number))
        return false;
    r->nodes = (int64_t)len;
    r->gpus = 0;
    r->even = true;
    for (size_t i = 0; i < len; i++) {
        r->gpus += s[i] - '0';
        r->even = r->even && s[i] == s[0];
    }
    return true;
}

static inline bool adaptdl_counts(struct adaptdl *t, struct adaptdl_row *r)
{
    if (!csv_int(t->csv, t->nodes, 1, 1000, &r->nodes) ||
        !csv_int(t->csv, t->replicas, r->nodes, 100000, &r->gpus))
        return false;
    r->even = r->gpus % r->nodes == 0;
    return true;
}

/* 1: a row; 0: the end; -1: reported. */
static inline int adaptdl_next(struct adaptdl *t, struct adaptdl_row *r)
{
    int got;

    do {
        got = csv_next(t->csv);
        if (got != 1)
            return got;
        r->model = cell_name(t->csv, t->app, adaptdl_models);
        r->gpu = cell_name(t->csv, t->gpu, adaptdl_gpus);
        r->stack = cell_name(t->csv, t->cluster, adaptdl_stacks);
    } while (!r->model || !r->gpu || !r->stack);
    r->precision = cell_is(t->csv, t->app, "imagenet") ? "amp" : "fp32";
    r->from = t->cluster < 0 ? &adaptdl_pollux : &adaptdl_sia;
    if (!(t->placement >= 0 ? adaptdl_placement(t, r) : adaptdl_counts(t, r)) ||
        !csv_int(t->csv, t->batch, 1, 1000000, &r->batch) ||
        !csv_real(t->csv, t->step, 1e-9, 1e6, &r->step_s) ||
        !csv_real(t->csv, t->sync, 0, 1e6, &r->sync_s))
        return -1;
    return 1;
}

#endif
