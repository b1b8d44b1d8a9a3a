/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate_runs.h - what is checked against a baseline: runs, each of a case, a policy and a seed.
 *
 * The case is what was simulated, under a name that stays when its hash changes: of a run folder
 * the name of the configuration file ("demo" of configs/runs/demo.yaml), of a point of a sweep the
 * values of its axes ("cluster=a.yaml, load=0.9"), or what stands before RESULT as NAME=RESULT.
 */
#ifndef ANALYSIS_GATE_RUNS_H
#define ANALYSIS_GATE_RUNS_H

#include "analysis/result.h"

struct gate_run {
    const char *name; /* of its case */
    struct result result;
    const char *fault; /* why it has no values; NULL: it has */
    uint32_t group;
};

struct gate_group { /* the runs of one case, policy and predictor, by seed */
    const char *name, *policy, *predictor, *world;
    const struct gate_run *run;
    uint32_t n;
};

struct gate_runs { /* zero-initialised; its texts live in the arena */
    struct gate_run *run;
    struct gate_group *group; /* in the order in which they were met */
    uint32_t n, n_groups;
    size_t cap, cap_groups;
};

/* Adds what is in [NAME=]RESULT: the folder of a run, of runs or of a sweep. false: reported. */
bool gate_runs_load(struct gate_runs *, struct arena *, struct diag *, const char *result);
/* Then: makes the groups. false: reported; two runs of one seed, or of two worlds under one name.
 */
bool gate_runs_group(struct gate_runs *, struct diag *);
void gate_runs_free(struct gate_runs *);

#endif
