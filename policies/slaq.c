/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slaq - quality-driven scheduling (Zhang et al., SoCC 2017), on trials bound to GPUs: each GPU
 * runs the trial whose loss is predicted to fall most in the next quantum, in units of the largest
 * fall it has shown (eq. 11).
 */
#include "policies/lib/bound.h"

static const struct field fields[] = {
    BOUND_SPREAD_FIELD("fewest"),
    BOUND_TURN_FIELDS("1", "0"),
    BOUND_YIELD_FIELDS("0"),
    FIT_FIELDS(struct bound, rules.fit),
    {FIELD_BOOL, "oracle", BOUND_AT(oracle), "false", 0, 0, NULL,
     "the true curve instead of a fitted one; one report is then enough"},
    {.type = FIELD_END},
};

static void init(void *self, struct cx *cx)
{
    ((struct bound *)self)->rules.order = ORDER_REDUCTION;
    bound_init(self, cx);
}

static uint32_t more_flags(const void *params)
{
    return ((const struct bound *)params)->rules.oracle ? POLICY_ORACLE : 0;
}

const struct policy policy_slaq = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "slaq",
    .about = "equal counts; the trial whose loss is predicted to fall most runs",
    .state_size = sizeof(struct bound),
    .params = fields,
    .init = init,
    .schedule = bound_policy_schedule,
    .fini = bound_policy_fini,
    .job_changed = bound_policy_changed,
    .job_reported = bound_policy_reported,
    .dump = bound_policy_dump,
    .more_flags = more_flags,
};
