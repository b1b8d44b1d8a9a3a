/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks about no placement, which has no rate, and starts a job on it. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);

    (void)self;
    if (j != NO_JOB && sim_rate(cx, j, NULL) == 0)
        sim_start(cx, j, NULL, "anywhere");
}

POLICY_X(.schedule = schedule);
