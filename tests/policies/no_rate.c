/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a job on GPUs of which the cost model knows nothing. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);
    gpu_id last[2] = {sim_gpus(cx) - 2, sim_gpus(cx) - 1};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, sim_even(cx, j, last, 2), "on the other type");
}

POLICY_X(.schedule = schedule);
