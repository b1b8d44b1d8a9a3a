/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks again every second, and never starts anything. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    sim_wake(cx, sim_now(cx) + SIM_SECOND);
}

POLICY_X(.schedule = schedule);
