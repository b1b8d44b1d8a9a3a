/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a running job on other GPUs. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    gpu_id other[2] = {2, 3};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, sim_even(cx, j, other, 2), "and there, too");
    start_all(cx);
}

POLICY_X(.schedule = schedule);
