/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves a sample to and fro every second for as long as there are jobs: odd, but they get on. */
#include "x.h"

static void schedule(void *self, struct cx *cx)
{
    struct turn *turn = self;

    start_on(cx, 0, 1);
    turn->other = !turn->other;
    for (job_id j = sim_first(cx, JOB_RUNNING); j != NO_JOB; j = sim_next(cx, j)) {
        struct share share[2] = {{0, 32}, {1, 32}};
        share[turn->other].samples++;
        share[!turn->other].samples--;
        if (sim_split(cx, j, &(struct placement){2, share}, "to and fro") != ACT_OK)
            return;
    }
    sim_wake(cx, sim_now(cx) + SIM_SECOND);
}

POLICY_X(.schedule = schedule, .state_size = sizeof(struct turn),
         .flags = POLICY_RESIZES | POLICY_SHARES);
