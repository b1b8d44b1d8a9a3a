/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cost.h - what a step costs: the truth the engine runs on.
 *
 * A cost model is a table of pure functions: same arguments, same answer; no clock, no randomness.
 * Symbols and equations: docs/model.md (eq. 1-5).
 */
#ifndef SIM_COST_H
#define SIM_COST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/text/tree.h"
#include "sim/types.h"

struct gpu_type;
struct model;

/* Synchronisation of k replicas: base + per_gpu * (k - 2) seconds, in a node or across nodes (eq.
 * 3). */
struct sync_cost {
    double node_base_s, node_per_gpu_s;
    double cluster_base_s, cluster_per_gpu_s;
    double overlap; /* exponent, 1: none .. 10: nearly full */
};

/*
 * A step of one replica on a GPU of nominal speed: max(floor, busy) seconds, and the gap once all
 * replicas are done. Only busy time is stretched by other jobs on the GPU (eq. 20).
 */
struct step_parts {
    double busy;  /* exclusive GPU seconds; NAN: unknown */
    double floor; /* the host's part beside it: a replica is never done sooner */
    double gap;   /* host time between steps, in which the GPUs stand still */
};

/* Where a step time is from, the worse the later. */
enum step_basis {
    BASIS_UNSAID,      /* the cost model does not tell */
    BASIS_MEASURED,    /* exactly this (model, GPU type, samples) was measured */
    BASIS_CALIBRATED,  /* predicted from kernels that were measured on this type of GPU */
    BASIS_CARRIED,     /* partly from kernels that were measured on another one */
    BASIS_EXTRAPOLATED /* partly from kernels larger or smaller than any measured */
};
extern const char *const step_basis_names[]; /* by basis; NULL for BASIS_UNSAID */

/* The batch sizes that a (model, GPU type) was measured at; none: both 0. */
struct batch_range {
    double min, max;
};

struct cost_model {
    const char *name;
    const char *about;
    size_t state_size; /* zeroed before load */
    /* What it reads of the map beside `form`, `about` and `models`; ended by NULL. NULL: load
     * checks the keys itself. */
    const char *const *keys;
    /*
     * Reads what it needs from conf, the run's `cost` map, for these models and GPU types;
     * complaints go to diag. self stays good as long as the arena.
     */
    bool (*load)(void *self, struct arena *, struct diag *, struct tree *conf,
                 const struct model *models, uint32_t n_models, const struct gpu_type *types,
                 uint32_t n_types);
    /* A step with so many samples on one GPU of nominal speed (eq. 1). */
    struct step_parts (*step)(const void *self, uint32_t model, type_id, double samples);
    struct sync_cost (*sync)(const void *self, uint32_t model, type_id);
    struct batch_range (*range)(const void *self, uint32_t model, type_id);
    /* What load read beside the configuration's own files; ended by NULL. */
    const char *const *(*files)(const void *self);
    /* The rest may be NULL. Where a step time is from. */
    enum step_basis (*basis)(const void *self, uint32_t model, type_id, double samples);
    /* Bytes on a GPU without samples, and a sample: for models whose configuration says none. */
    void (*memory)(const void *self, uint32_t model, double *fixed, double *per_sample);
};

extern const struct cost_model *const cost_models[]; /* ended by NULL */

/* Seconds of a replica's step but for the gap; NAN stays. */
static inline double step_compute(const struct step_parts *p)
{
    return p->busy >= p->floor ? p->busy : isnan(p->busy) ? NAN : p->floor;
}

#endif
