/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpus.h - who is on which GPU, and where there is room.
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
    struct bits with[65]; /* [f]: its nodes with f free GPUs; those with none are nowhere */
    uint64_t some;        /* bit f-1: with[f] is not empty */
    uint32_t free;
};

/* All that is looked at when a GPU changes hands, in one place: a large cluster fills the caches.
 */
struct gpu_now {
    sim_time ready; /* when its last owner's state is saved */
    uint32_t owner; /* slot of a job, or NO_OWNER; not of a cluster that shares its GPUs */
    node_id node;
};

/* A GPU of a cluster that shares its GPUs has seats: seat[g * most] and following, in order of
 * submission. */
struct resident {
    job_id job;
    double resid; /* measured: seconds until its part of a step is done; 0: not yet */
};

struct gpu_shared {
    uint32_t n;
    double used; /* bytes of their replicas */
};

struct node_now {
    uint64_t free; /* bit i: GPU first+i is free */
    gpu_id first;
    uint8_t gpus, n_free, type; /* as in struct node; bits of free */
};

struct gpus {
    const struct world *world;
    uint32_t free;
    sim_time latest;       /* no GPU is ready later */
    uint32_t most;         /* residents of a GPU; 1: one owner each */
    struct resident *seat; /* NULL: GPUs are not shared */
    struct gpu_shared *shared;
    struct gpu_now *gpu;
    struct node_now *node;
    struct type_room *room; /* by type */
};

static inline type_id gpus_type(const struct gpus *s, gpu_id g)
{
    return s->node[s->gpu[g].node].type;
}

struct gpus gpus_new(struct arena *, const struct world *);

/* Whether a placement names GPUs, and only such that there are; NULL does not. */
bool gpus_exist(const struct gpus *, const struct placement *);
/* Gives the GPUs to an owner: all, or none if one is taken, unknown or named twice. */
enum verdict gpus_take(struct gpus *, const struct placement *, uint32_t owner);
/* Frees them; each is ready for others at `ready` or later. */
void gpus_give(struct gpus *, const struct placement *, sim_time ready);

/* ---- of a cluster that shares its GPUs ---- */

static inline struct resident *gpus_residents(const struct gpus *s, gpu_id g)
{
    return s->seat + (size_t)g * s->most;
}
/* NULL: it is none. */
struct resident *gpus_resident(const struct gpus *, gpu_id, job_id);
/* One GPU: a replica of so many bytes comes, or goes; ready as in gpus_give(). There is a seat. */
void gpus_join(struct gpus *, gpu_id, job_id, double bytes);
void gpus_part(struct gpus *, gpu_id, job_id, double bytes, sim_time ready);

/* The default choice of n GPUs (sim_pick) among the types of a mask: home is the node to prefer or
 * UINT32_MAX, home_gpu a GPU in it. false: no room. Fills the GPUs of n shares. */
bool gpus_pick(const struct gpus *, uint32_t n, uint64_t types, node_id home, gpu_id home_gpu,
               struct share *out);

/* Aborts if counts, masks and sets disagree. */
void gpus_check(const struct gpus *);

#endif
