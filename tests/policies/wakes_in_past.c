/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wants to be woken before now. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
    if (sim_now(cx) > 0)
        sim_wake(cx, sim_now(cx) - 1);
}

POLICY_X(.schedule = schedule);
