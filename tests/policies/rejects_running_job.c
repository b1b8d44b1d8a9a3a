/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns a running job away. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);

    (void)self;
    if (j != NO_JOB)
        sim_reject(cx, j, "changed my mind");
    start_all(cx);
}

POLICY_X(.schedule = schedule, .flags = POLICY_REJECTS);
