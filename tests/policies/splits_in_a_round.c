/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves a sample to and fro for ever, in one round. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    struct share to[2] = {{0, 33}, {1, 31}}, fro[2] = {{0, 31}, {1, 33}};
    job_id j;

    (void)self;
    start_on(cx, 0, 1);
    if ((j = sim_first(cx, JOB_RUNNING)) == NO_JOB)
        return;
    while (sim_split(cx, j, &(struct placement){2, to}, "to") == ACT_OK &&
           sim_split(cx, j, &(struct placement){2, fro}, "and fro") == ACT_OK)
        ;
}

POLICY_X(.schedule = schedule, .flags = POLICY_RESIZES | POLICY_SHARES);
