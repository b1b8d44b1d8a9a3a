/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wants to be woken when time has ended. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
    sim_wake(cx, SIM_LATEST + 1);
}

POLICY_X(.schedule = schedule);
