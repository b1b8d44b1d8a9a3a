/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names one GPU twice. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);
    struct share share[2] = {{1, 32}, {1, 32}};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, &(struct placement){2, share}, "one for two");
}

POLICY_X(.schedule = schedule);
