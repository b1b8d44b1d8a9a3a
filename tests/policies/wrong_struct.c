/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Must not be loaded: its table is larger than ours. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
}

SIM_API extern const struct policy policy;
const struct policy policy = {
    .abi = POLICY_ABI, .size = sizeof(struct policy) + 8, .name = "x", .schedule = schedule};
