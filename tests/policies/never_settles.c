/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a job's GPUs and gives them back, for ever, in one round. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);

    (void)self;
    while (j != NO_JOB && sim_start(cx, j, sim_pick(cx, j), "to and") == ACT_OK)
        if (sim_preempt(cx, j, "fro") != ACT_OK)
            return;
}

POLICY_X(.schedule = schedule, .flags = POLICY_PREEMPTS);
