/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lanes.h - which place of a GPU each of its jobs has, so that what happens in one place never
 * overlaps. GPUs that are not shared have one.
 */
#ifndef ANALYSIS_LANES_H
#define ANALYSIS_LANES_H

#include "sim/engine/record.h"

struct gpu_lanes {
    sim_time *free; /* by seat: from when on; SIM_NEVER: it is taken */
    uint32_t n;
    size_t cap;
};

struct lanes { /* zero-initialised */
    struct gpu_lanes *gpu;
    size_t n, cap;
    bool shared;   /* GPUs are */
    uint32_t most; /* that a GPU had at a time */
};

/* Before a record is looked at otherwise: it may be the first of a shared cluster. */
void lanes_see(struct lanes *, const struct record *);
/* A job takes a GPU: the lowest free seat, or, if it is free, the one that it prefers. */
#define LANES_ANY UINT32_MAX
uint32_t lanes_take(struct lanes *, gpu_id, sim_time now, uint32_t prefers);
/* It leaves; the seat is free once its state is saved. */
void lanes_leave(struct lanes *, gpu_id, uint32_t seat, sim_time free);
void lanes_free(struct lanes *);

#endif
