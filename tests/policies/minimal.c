/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least that is a policy: first come, first served. It must do as the built-in one, record for
 * record. */
#include "sim/policy.h"

static void schedule(void *self, struct cx *cx)
{
    const struct placement *p;
    job_id j;

    (void)self;
    while ((j = sim_first(cx, JOB_WAITING)) != NO_JOB && (p = sim_pick(cx, j)) != NULL)
        sim_start(cx, j, p, "head of the queue");
}

SIM_API extern const struct policy policy;
const struct policy policy = {.abi = POLICY_ABI,
                              .size = sizeof(struct policy),
                              .name = "x",
                              .about = "fifo again",
                              .schedule = schedule};
