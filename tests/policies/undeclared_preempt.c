/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preempts, and does not say so in its flags. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
    if (sim_first(cx, JOB_RUNNING) != NO_JOB)
        sim_preempt(cx, sim_first(cx, JOB_RUNNING), "just so");
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_REJECTS | POLICY_ORACLE);
