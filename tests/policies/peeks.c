/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the true remaining work, and is no oracle. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    if (sim_first(cx, JOB_WAITING) != NO_JOB)
        sim_remaining(cx, sim_first(cx, JOB_WAITING));
    start_all(cx);
}

POLICY_X(.schedule = schedule, .flags = POLICY_PREEMPTS | POLICY_RESIZES | POLICY_REJECTS);
