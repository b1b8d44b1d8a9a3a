/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a job that it has just started. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);

    (void)self;
    if (j == NO_JOB)
        return;
    sim_start(cx, j, sim_pick(cx, j), "once");
    const struct placement held = sim_held(cx, j);
    sim_start(cx, j, &held, "twice");
}

POLICY_X(.schedule = schedule);
