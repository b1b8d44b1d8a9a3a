/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wants to be asked again at once, for ever. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
    sim_wake(cx, sim_now(cx));
}

POLICY_X(.schedule = schedule);
