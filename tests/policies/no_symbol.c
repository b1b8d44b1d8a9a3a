/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Must not be loaded: its table is called otherwise. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    (void)self;
    start_all(cx);
}

SIM_API extern const struct policy x_policy;
const struct policy x_policy = {
    .abi = POLICY_ABI, .size = sizeof(struct policy), .name = "x", .schedule = schedule};
