/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accuracy_sharing.h - speeds of jobs that share a GPU, derived from how busy each keeps it alone,
 * against measured ones: beside another job, and on a slice.
 *
 * The busy part of a step is from the calibrations, where this step is a point of the split, or
 * from the utilisation that somebody measured. Files: `sharing` of the split.
 */
#ifndef ANALYSIS_ACCURACY_SHARING_H
#define ANALYSIS_ACCURACY_SHARING_H

#include "analysis/accuracy.h"
#include "analysis/eta_fit.h"

/* Where a busy share is from. */
enum busy_from { BUSY_UNKNOWN, BUSY_MEASURED, BUSY_CALIBRATED };
extern const char *const busy_from_names[];

/* A job alone on a GPU, as tables of measurements name it; precision "": they do not say. */
struct busy_job {
    const char *model, *precision, *gpu, *stack;
    int64_t batch;
};

struct utilisation {
    struct busy_job job;
    double share;
};

struct busy_table {
    const struct accuracy *points;
    struct utilisation *row;
    size_t n, cap;
};

/* Reads the utilisation that the split names. */
bool busy_load(struct arena *, struct diag *, const struct accuracy *, struct busy_table *);
/* A step of it in parts; measured shares: the rest is a gap. */
enum busy_from busy_find(const struct busy_table *, const struct busy_job *, struct step_parts *);

static inline double busy_share(const struct step_parts *p)
{
    return p->busy / (step_compute(p) + p->gap);
}

/* A speed, measured and derived. */
struct shared_speed {
    double measured, derived, flat; /* flat: without busy shares */
    double joint;                   /* busy shares of both jobs together */
    const char *model, *other;
    int64_t batch, other_batch;
};

/* Pairs of a type of GPU and a stack. */
struct pair_group {
    const char *gpu, *stack;
    enum busy_from from;
    struct shared_speed *speed; /* each job beside the other */
    struct eta_pair *pair;
    size_t n, cap, cap_pairs;
    struct eta_fit fit, flat;
};

struct pair_groups {
    struct pair_group *group;
    size_t n, cap;
    uint32_t unknown; /* speeds of jobs whose busy shares are not known */
};

/* Reads and fits. false: reported. */
bool accuracy_pairs(struct arena *, struct diag *, const struct accuracy *,
                    const struct busy_table *, struct pair_groups *out);
void accuracy_print_pairs(struct out *, struct arena *, const struct pair_groups *);
void accuracy_write_pairs(struct out *, const struct pair_groups *); /* CSV */

/* Reads and prints; what a slice makes of a step. false: reported. */
bool accuracy_slices(struct out *, struct arena *, struct diag *, const struct accuracy *,
                     const struct busy_table *);

#endif
