/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts more samples on a GPU than its memory holds. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    job_id j = sim_first(cx, JOB_WAITING);
    struct share share[2] = {{0, 63}, {1, 1}};

    (void)self;
    if (j != NO_JOB)
        sim_start(cx, j, &(struct placement){2, share}, "as uneven as can be");
}

POLICY_X(.schedule = schedule);
