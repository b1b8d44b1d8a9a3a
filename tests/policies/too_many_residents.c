/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts every job on GPUs 0 and 1, however many are there. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    gpu_id gpu[2] = {0, 1};
    job_id j = sim_first(cx, JOB_WAITING);

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, sim_even(cx, j, gpu, 2), "one more");
}

POLICY_X(.schedule = schedule, .flags = POLICY_SHARES);
