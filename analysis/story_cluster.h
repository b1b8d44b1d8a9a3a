/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * story_cluster.h - which GPU is of which type and in which node, from the manifest of a run.
 */
#ifndef ANALYSIS_STORY_CLUSTER_H
#define ANALYSIS_STORY_CLUSTER_H

#include "sim/text/tree.h"
#include "sim/types.h"

struct story_node {
    const char *type; /* foreign text */
    gpu_id first;
    uint32_t gpus;
};

struct story_cluster {
    struct story_node *node; /* in order of their GPUs */
    uint32_t n;              /* 0: the manifest does not say it in a way we know */
};

/* Good as long as the arena. */
struct story_cluster story_cluster_of(struct arena *, const struct tree *manifest);

/* The node of a GPU, or NODE_UNKNOWN. */
#define NODE_UNKNOWN UINT32_MAX
uint32_t story_node_of(const struct story_cluster *, gpu_id);

#endif
