/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends a job to GPUs on which the cost model knows no step time. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    struct share share[] = {{4, 32}, {5, 32}};

    (void)self;
    if (j != NO_JOB)
        sim_resize(cx, j, &(struct placement){2, share}, "unmeasured");
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
