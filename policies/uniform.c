/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uniform - equal counts of trials on every GPU, blind to its type: the k-th trial goes to GPU k
 * mod M and stays there. The baseline of Hermes-V2.
 */
#include "policies/lib/bound.h"

static const struct field fields[] = {
    BOUND_SPREAD_FIELD("round_robin"), BOUND_ORDER_FIELD("fifo"), BOUND_TURN_FIELDS("1", "0"),
    BOUND_CONVERGENCE_FIELDS,          {.type = FIELD_END},
};

const struct policy policy_uniform = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "uniform",
    .about = "equal counts on every GPU, blind to types; order as a parameter",
    .state_size = sizeof(struct bound),
    .params = fields,
    .init = bound_policy_init,
    .schedule = bound_policy_schedule,
    .fini = bound_policy_fini,
    .job_changed = bound_policy_changed,
    .job_reported = bound_policy_reported,
    .dump = bound_policy_dump,
    .more_flags = bound_policy_flags,
};
