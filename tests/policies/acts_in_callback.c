/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a job where it hears of it, not in schedule(). */
#include "x.h"

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    (void)self;
    if (was == JOB_FUTURE)
        sim_start(cx, j, sim_pick(cx, j), "at once");
}

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
}

POLICY_X(.schedule = schedule, .job_changed = job_changed);
