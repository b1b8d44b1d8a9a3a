/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes all GPUs away from a job and calls that a resize. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);

    (void)self;
    if (j != NO_JOB)
        sim_resize(cx, j, &(struct placement){0, NULL}, "to nothing");
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
