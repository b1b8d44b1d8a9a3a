/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a GPU that the cluster does not have. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);
    struct share share[2] = {{0, 32}, {sim_gpus(cx), 32}};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, &(struct placement){2, share}, "one beyond the last");
}

POLICY_X(.schedule = schedule);
