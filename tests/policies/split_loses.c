/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loses a sample of the batch in a split. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    struct share share[] = {{0, 32}, {1, 31}};

    (void)self;
    if (j != NO_JOB)
        sim_split(cx, j, &(struct placement){2, share}, "63 of 64");
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
