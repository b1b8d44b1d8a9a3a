/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plant.h - a cluster and a policy without a configuration file, and one run on them.
 */
#ifndef PERF_PLANT_H
#define PERF_PLANT_H

#include "sim/engine/engine.h"
#include "sim/model/plug.h"

struct plant {
    struct arena *arena;
    struct diag *diag;
    struct world world;
    struct belief *belief;
    struct chosen_policy policy;
};

/* GPUs of one type in nodes of 8 (the last may be smaller). A label names a built-in policy or the
 * suite's own `sorted`; one that is wrong is a bug. */
struct plant *plant_new(uint32_t gpus, const char *policy_label);
void plant_free(struct plant *); /* NULL is fine */

struct plant_run {
    struct trace *trace;
    struct sink *const *sink;
    uint32_t n_sinks;
    bool paranoid;
};
/* One run to its end, from a new engine; the number of events. A run that does not drain is a bug.
 */
uint64_t plant_go(const struct plant *, struct plant_run);

#endif
