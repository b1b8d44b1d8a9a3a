/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves a sample to and fro, and wants to be asked again at once each time. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    struct turn *turn = self;
    struct share share[2] = {{0, 32}, {1, 32}};
    job_id j;

    start_on(cx, 0, 1);
    if ((j = sim_first(cx, JOB_RUNNING)) == NO_JOB)
        return;
    turn->other = !turn->other;
    share[turn->other].samples++;
    share[!turn->other].samples--;
    sim_split(cx, j, &(struct placement){2, share}, "to and fro");
    sim_wake(cx, sim_now(cx));
}

POLICY_X(.schedule = schedule, .state_size = sizeof(struct turn),
         .flags = POLICY_RESIZES | POLICY_SHARES);
