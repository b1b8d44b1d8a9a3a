/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runner.h - runs of one configuration, one for each seed and policy.
 */
#ifndef SIM_RUNNER_H
#define SIM_RUNNER_H

#include "analysis/identity.h"
#include "analysis/result.h"
#include "sim/cli/cli.h"
#include "sim/model/config.h"

struct runner {
    const struct config *config;
    struct arena *arena; /* of the configuration */
    struct diag *diag;
    const char *out; /* folder; NULL: nothing is written */
    bool quiet, paranoid;
    bool silent; /* says nothing of a policy's fault */
    struct identity identity;
    const char *command;
};

/* The -s options; set: room for CLI_MOST. Returns how many. */
uint32_t runner_overrides(const struct args *, struct override *set);
/* The --policy-lib options; false: reported. */
bool runner_plugs(const struct args *, struct diag *, struct plugs *);

/* Hashes the inputs; false: reported. */
bool runner_prepare(struct runner *);
struct outcome {
    struct result result; /* label, predictor, world, seed in any case */
    const char *reason;   /* what the policy did wrong, or "" */
};
/* One run, into a folder or (NULL) into none. An exit code: the result has values if it is
 * EXIT_FINE, and up to a policy's fault if it is EXIT_POLICY. */
int runner_one(struct runner *, const struct chosen_policy *, uint64_t seed, const char *folder,
               struct outcome *);
/* All runs; their results are added to results. The exit code of the first that went wrong. */
int runner_all(struct runner *, struct results *);

#endif
