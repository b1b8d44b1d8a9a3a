/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preempts a job that holds nothing. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);

    (void)self;
    if (j != NO_JOB)
        sim_preempt(cx, j, "before it has begun");
}

POLICY_X(.schedule = schedule, .flags = POLICY_PREEMPTS);
