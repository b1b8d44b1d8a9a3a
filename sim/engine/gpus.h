/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpus.h - who owns which GPU, and where there is room.
 *
 * Nodes are kept in sets by GPU type and number of free GPUs, so that the best fitting node is
 * found without a scan, whatever the size of the cluster.
 */
#ifndef SIM_GPUS_H
#define SIM_GPUS_H

#include "sim/base/bits.h"
#include "sim/model/world.h"
#include "sim/policy.h"

#define NO_OWNER UINT32_MAX

struct type_room {
    struct bits with[65]; /* [f]: its nodes with f free GPUs */
    uint64_t some;        /* bit f-1: with[f] is not empty */
    uint32_t free;
};

struct gpus {
    const struct world *world;
    uint32_t free;
    uint32_t *owner;        /* by GPU: slot of a job, or NO_OWNER */
    sim_time *ready;        /* by GPU: when its last owner's state is saved */
    uint64_t *mask;         /* by node: bit i: GPU first+i is free */
    uint8_t *count;         /* by node: bits of its mask */
    struct type_room *room; /* by type */
};

struct gpus gpus_new(struct arena *, const struct world *);

/* Gives the GPUs to an owner: all, or none if one is taken, unknown or named twice. */
enum verdict gpus_take(struct gpus *, const struct placement *, uint32_t owner);
/* Frees them; each is ready for others at `ready` or later. */
void gpus_give(struct gpus *, const struct placement *, sim_time ready);

/* The default choice of n GPUs (sim_pick) among the types of a mask: home is the node to prefer or
 * UINT32_MAX, home_gpu a GPU in it. false: no room. Fills the GPUs of n shares. */
bool gpus_pick(const struct gpus *, uint32_t n, uint64_t types, node_id home, gpu_id home_gpu,
               struct share *out);

/* Aborts if counts, masks and sets disagree. */
void gpus_check(const struct gpus *);

#endif
