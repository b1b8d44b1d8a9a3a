/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loses a sample of the batch. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);
    struct share share[2] = {{0, 32}, {1, 31}};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, &(struct placement){2, share}, "63 of 64");
}

POLICY_X(.schedule = schedule);
