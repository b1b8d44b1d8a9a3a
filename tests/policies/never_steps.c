/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends jobs to and fro between GPUs more often than they can do a step. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    to_and_fro(self, cx, JOB_RUNNING);
}

POLICY_X(.schedule = schedule, .state_size = sizeof(struct turn),
         .flags = POLICY_RESIZES | POLICY_SHARES);
