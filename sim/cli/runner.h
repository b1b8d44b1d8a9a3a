/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runner.h - runs of one configuration, one for each seed and policy.
 */
#ifndef SIM_RUNNER_H
#define SIM_RUNNER_H

#include "analysis/result.h"
#include "sim/cli/cli.h"
#include "sim/model/config.h"

struct runner {
    const struct config *config;
    struct arena *arena; /* of the configuration */
    struct diag *diag;
    const char *out; /* folder; NULL: nothing is written */
    bool quiet, paranoid;
    const char *inputs_json, *world_hash;
    const char *command;
};

/* Hashes the inputs; false: reported. */
bool runner_prepare(struct runner *);
/* All runs; their results are added to results. The exit code of the first that went wrong. */
int runner_all(struct runner *, struct results *);

#endif
