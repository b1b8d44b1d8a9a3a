/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a GPU without samples. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_RUNNING);
    struct share share[] = {{0, 32}, {1, 32}, {2, 0}};

    (void)self;
    if (j != NO_JOB)
        sim_resize(cx, j, &(struct placement){3, share}, "64 and none");
    start_on(cx, 0, 1);
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
