/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a job over GPUs that it does not hold. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    gpu_id other[2] = {2, 3};

    (void)self;
    if (j != NO_JOB)
        sim_split(cx, j, sim_even(cx, j, other, 2), "elsewhere");
    start_all(cx);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES);
