/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends jobs to and fro between GPUs, each time before the replicas are there. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    to_and_fro(self, cx, JOB_SETUP);
}

POLICY_X(.schedule = schedule, .state_size = sizeof(struct turn),
         .flags = POLICY_RESIZES | POLICY_SHARES);
