/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives one GPU to a job that wants two. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);
    struct share share = {0, 64};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, &(struct placement){1, &share}, "half of it");
}

POLICY_X(.schedule = schedule);
