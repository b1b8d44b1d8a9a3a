/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rejects, and does not say so in its flags. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    if (sim_first(cx, JOB_WAITING) != NO_JOB)
        sim_reject(cx, sim_first(cx, JOB_WAITING), "just so");
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_PREEMPTS | POLICY_ORACLE);
