/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a job that was never submitted. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    struct share share[2] = {{0, 32}, {1, 32}};

    (void)self;
    sim_start(cx, (job_id)77 << 32 | 7, &(struct placement){2, share}, "made up");
}

POLICY_X(.schedule = schedule);
