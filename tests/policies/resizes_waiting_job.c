/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends a job to other GPUs that has none. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    gpu_id gpu[2] = {2, 3};
    job_id j = sim_first(cx, JOB_WAITING);

    (void)self;
    if (j != NO_JOB)
        sim_resize(cx, j, sim_even(cx, j, gpu, 2), "from nowhere");
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
