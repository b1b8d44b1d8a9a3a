/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h - what a policy sees of experiments, the HPO studies whose trials are among its
 * jobs.
 *
 * Part of policy.h: include that.
 */
#ifndef SIM_EXPERIMENT_H
#define SIM_EXPERIMENT_H

#include "sim/policy.h"

/* An HPO study: what was declared, and how far it is. */
struct experiment_view {
    const char *name;   /* good as long as the run */
    double weight;      /* of its claim on the cluster */
    sim_time submitted; /* when it begins, or began */
    sim_time deadline;  /* its trials are killed then; SIM_NEVER: none */
    double gpu_left;    /* GPU seconds that its trials may still hold; INFINITY: without limit */
    double target;      /* metric; NAN: none */
    uint32_t trials, ended;
    bool closed;
};

SIM_API uint32_t sim_experiments(const struct cx *); /* how many there are */
SIM_API struct experiment_view sim_experiment(const struct cx *, uint32_t);

#endif
