/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts every job on GPUs 0 and 1, and does not say in its flags that it shares. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_PREEMPTS);
