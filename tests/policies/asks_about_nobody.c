/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks about a job that never was. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    if (sim_job(cx, (job_id)77 << 32 | 7)->state == JOB_WAITING)
        start_all(cx);
}

POLICY_X(.schedule = schedule);
