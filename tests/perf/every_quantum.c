/* SPDX-License-Identifier: GPL-3.0-or-later */
/* every_quantum - rr that looks at the end of each quantum, whether anybody waits for it or not. */
#include "policies/lib/bound.h"
#include "tests/perf/sorted.h"

static const struct field fields[] = {
    BOUND_SPREAD_FIELD("fewest"),
    BOUND_TURN_FIELDS("1", "60"),
    {.type = FIELD_END},
};

static void nothing(struct bound *b, job_id j)
{
    (void)b, (void)j;
}

static void init(void *self, struct cx *cx)
{
    struct bound *b = self;

    b->rules.order = ORDER_RR;
    bound_init(b, cx);
    b->quantum_ended = nothing;
}

const struct policy policy_every_quantum = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "every_quantum",
    .about = "rr, with a look at each quantum",
    .state_size = sizeof(struct bound),
    .params = fields,
    .init = init,
    .schedule = bound_policy_schedule,
    .fini = bound_policy_fini,
    .job_changed = bound_policy_changed,
    .job_reported = bound_policy_reported,
    .dump = bound_policy_dump,
};
