/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gavel.h - the names in Gavel's tables, and the batch sizes that two of its models lack there.
 */
#ifndef TRACES_GAVEL_H
#define TRACES_GAVEL_H

#include "traces/convert/convert.h"

static const struct origin gavel = {"stanford-futuredata/gavel",
                                    "c4fa40097339e9608ab71fd64c8bdea96a5e4a4c", "MIT"};

static const struct name gavel_models[] = {{"ResNet-18", "resnet18-cifar10"},
                                           {"ResNet-50", "resnet50-imagenet"},
                                           {"Transformer", "transformer-multi30k"},
                                           {"LM", "lstm-wikitext2"},
                                           {"Recommendation", "recommendation-ml20m"},
                                           {"CycleGAN", "cyclegan"},
                                           {"A3C", "a3c"},
                                           {NULL, NULL}};
static const struct name gavel_gpus[] = {
    {"k80", "K80"}, {"p100", "P100"}, {"v100", "V100"}, {NULL, NULL}};

/* The two models without a batch size in the tables train with 1 and 4 (Gavel's table of jobs). */
static inline bool gavel_batch(struct csv *csv, int col, const char *model, int64_t *batch)
{
    if (!cell_is(csv, col, ""))
        return csv_int(csv, col, 1, 1000000, batch);
    *batch = strcmp(model, "a3c") == 0 ? 4 : 1;
    return true;
}

#endif
