/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * even_split - the baseline of Kim & Kim: several jobs on a GPU, each job's batch in even shares
 * over its GPUs, static.
 */
#include "policies/lib/seats.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    for (job_id j = sim_first(cx, JOB_WAITING), next; j != NO_JOB; j = next) {
        next = sim_next(cx, j);
        const struct placement *p = seats_pick(cx, j);
        if (p)
            sim_start(cx, j, p, "even shares");
    }
}

const struct policy policy_even_split = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_SHARES,
    .name = "even_split",
    .about = "several jobs on a GPU, each in even shares over its GPUs, static",
    .schedule = schedule,
};
