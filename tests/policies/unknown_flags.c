/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Must not be loaded: it wants something that a later version may have. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
}

POLICY_X(.schedule = schedule, .flags = 1u << 31);
