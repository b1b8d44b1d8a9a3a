/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives a GPU nothing to do. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);
    struct share share[2] = {{0, 64}, {1, 0}};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, &(struct placement){2, share}, "all on one");
}

POLICY_X(.schedule = schedule);
