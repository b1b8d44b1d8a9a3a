/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hermes - convergence-aware preemption for HPO (Son, Yoo et al., Electronics 2021), reconstructed
 * from its abstract (docs/model.md): a global scheduler spreads trials evenly, and each GPU runs
 * the trial that has converged furthest, after every trial has had one quantum.
 */
#include "policies/lib/bound.h"

static const struct field fields[] = {
    BOUND_SPREAD_FIELD("fewest"),
    BOUND_TURN_FIELDS("1", "0"),
    BOUND_CONVERGENCE_FIELDS,
    {.type = FIELD_END},
};

static void init(void *self, struct cx *cx)
{
    ((struct bound *)self)->rules.order = ORDER_CONVERGENCE;
    bound_init(self, cx);
}

const struct policy policy_hermes = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "hermes",
    .about = "equal counts; the trial that has converged furthest runs (reconstructed)",
    .state_size = sizeof(struct bound),
    .params = fields,
    .init = init,
    .schedule = bound_policy_schedule,
    .fini = bound_policy_fini,
    .job_changed = bound_policy_changed,
    .job_reported = bound_policy_reported,
    .dump = bound_policy_dump,
    .more_flags = bound_policy_flags,
};
