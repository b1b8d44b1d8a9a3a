/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes jobs off their GPUs before they have begun, again and again. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_SETUP);

    (void)self;
    if (j != NO_JOB)
        sim_preempt(cx, j, "not yet");
    start_on(cx, 0, 1);
    sim_wake(cx, sim_now(cx) + SIM_SECOND / 2);
}

POLICY_X(.schedule = schedule, .flags = POLICY_PREEMPTS | POLICY_SHARES);
