/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for memory of a job without having declared any. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);

    (void)self;
    if (j != NO_JOB)
        *(char *)sim_job_data(cx, j) = 1;
    start_all(cx);
}

POLICY_X(.schedule = schedule);
