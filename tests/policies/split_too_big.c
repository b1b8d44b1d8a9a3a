/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves nearly all of a batch to one GPU, beside another job. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    struct share share[] = {{0, 63}, {1, 1}};

    (void)self;
    if (sim_count(cx, JOB_RUNNING) == 2)
        sim_split(cx, j, &(struct placement){2, share}, "one has all");
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
