/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Must not be loaded: built for another version of the interface. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
}

SIM_API extern const struct policy policy;
const struct policy policy = {
    .abi = POLICY_ABI + 1, .size = sizeof(struct policy), .name = "x", .schedule = schedule};
