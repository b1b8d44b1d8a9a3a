/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits over one of the two GPUs that the job holds. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    struct share share[] = {{0, 64}};

    (void)self;
    if (j != NO_JOB)
        sim_split(cx, j, &(struct placement){1, share}, "one of two");
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
