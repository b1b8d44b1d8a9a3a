/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - what the parts of the generator of worlds share. */
#ifndef PROPERTY_DRAW_H
#define PROPERTY_DRAW_H

#include "tests/property/worlds.h"

struct draw {
    struct chance c;
    struct random_world *r;
    struct arena *arena;
    bool throng; /* more replicas on a GPU than residents */
};

/* lo .. hi */
uint32_t worlds_between(struct draw *, uint32_t lo, uint32_t hi);
/* A duration around the world's scale, mostly a small multiple of it. */
sim_time worlds_duration(struct draw *);

void throng_cluster(struct draw *); /* another one in its place */
void throng_jobs(struct draw *);
const char *throng_label(struct draw *);
void worlds_jobs(struct draw *); /* the cluster and the models are there */
void worlds_experiments(struct draw *);
void worlds_policy(struct draw *);
struct belief *worlds_belief(struct draw *);
struct trace *worlds_trace(struct draw *); /* of the jobs */

#endif
