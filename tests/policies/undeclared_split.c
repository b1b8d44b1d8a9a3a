/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes batch shares, and does not say so in its flags. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
    if (sim_first(cx, JOB_RUNNING) != NO_JOB) {
        const struct placement held = sim_held(cx, sim_first(cx, JOB_RUNNING));
        sim_split(cx, sim_first(cx, JOB_RUNNING), &held, "just so");
    }
}

POLICY_X(.schedule = schedule, .flags = POLICY_PREEMPTS | POLICY_REJECTS | POLICY_ORACLE);
