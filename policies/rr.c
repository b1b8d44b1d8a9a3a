/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rr - round robin: jobs are spread evenly and take turns of one quantum on their GPUs. */
#include "policies/lib/bound.h"

static const struct field fields[] = {
    BOUND_SPREAD_FIELD("fewest"),
    BOUND_TURN_FIELDS("1", "60"),
    {.type = FIELD_END},
};

static void init(void *self, struct cx *cx)
{
    ((struct bound *)self)->rules.order = ORDER_RR;
    bound_init(self, cx);
}

const struct policy policy_rr = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "rr",
    .about = "equal quanta in turn on every GPU",
    .state_size = sizeof(struct bound),
    .params = fields,
    .init = init,
    .schedule = bound_policy_schedule,
    .fini = bound_policy_fini,
    .job_changed = bound_policy_changed,
    .job_reported = bound_policy_reported,
    .dump = bound_policy_dump,
};
