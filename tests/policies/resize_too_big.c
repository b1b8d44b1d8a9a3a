/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves a GPU for one that another job is on, and does not fit there. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    struct share share[] = {{0, 64}};

    (void)self;
    if (sim_count(cx, JOB_RUNNING) == 2)
        sim_resize(cx, j, &(struct placement){1, share}, "all on one");
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
