/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives the GPUs of a running job to another one. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id running = sim_first(cx, JOB_RUNNING), j = sim_first(cx, JOB_WAITING);

    (void)self;
    if (running != NO_JOB && j != NO_JOB) {
        const struct placement held = sim_held(cx, running);
        sim_start(cx, j, &held, "mine now");
    }
    start_all(cx);
}

POLICY_X(.schedule = schedule);
