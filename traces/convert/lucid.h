/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lucid.h - what Lucid's tables call things, and where they are from. */
#ifndef TRACES_LUCID_H
#define TRACES_LUCID_H

#include "traces/convert/convert.h"

#define LUCID_GPU "3090" /* not named there; see traces/README.md */

static const struct origin lucid = {"S-Lab-System-Group/Lucid",
                                    "63685a3ab7d15d8e940bb47ef98b6d5cca472b13", "S-Lab-1.0"};

static const struct {
    const char *model, *data, *ours;
} lucid_models[] = {{"ResNet18", "CIFAR-10", "resnet18-cifar10"},
                    {"MobileNetV2", "CIFAR-10", "mobilenet2-cifar10"},
                    {"EfficientNet", "CIFAR-10", "efficientnet-cifar10"},
                    {"VGG", "CIFAR-10", "vgg-cifar10"},
                    {"MobileNetV3", "ImageNet", "mobilenet3-imagenet"},
                    {"PointNet", "ShapeNet", "pointnet-shapenet"},
                    {"DCGAN", "LSUN", "dcgan-lsun"},
                    {"LSTM", "Wikitext2", "lstm-wikitext2"},
                    {"NeuMF", "MovieLens", "neumf-movielens"},
                    {"PPO", "LunarLander", "ppo-lunarlander"},
                    {"TD3", "BipedalWalker", "td3-bipedalwalker"}};
static const struct name lucid_precisions[] = {{"0", "fp32"}, {"1", "amp"}, {NULL, NULL}};

/* Our name for a model of pairs.csv; NULL: it is none. */
static inline const char *lucid_model(const struct csv *csv, int model, int data)
{
    for (size_t i = 0; i < sizeof lucid_models / sizeof *lucid_models; i++)
        if (cell_is(csv, model, lucid_models[i].model) && cell_is(csv, data, lucid_models[i].data))
            return lucid_models[i].ours;
    return NULL;
}

#endif
