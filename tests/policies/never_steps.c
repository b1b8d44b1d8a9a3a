/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends jobs to and fro between GPUs more often than they can do a step. */
#include "x.h"

struct turn {
    bool other;
};

static void schedule(void *self, struct cx *cx)
{
    struct turn *turn = self;
    gpu_id gpu[2] = {0, 1};

    turn->other = !turn->other;
    gpu[0] += turn->other ? 2 : 0;
    gpu[1] += turn->other ? 2 : 0;
    for (job_id j = sim_first(cx, JOB_RUNNING); j != NO_JOB; j = sim_next(cx, j))
        if (sim_resize(cx, j, sim_even(cx, j, gpu, 2), "to and fro") != ACT_OK)
            return;
    start_on(cx, gpu[0], gpu[1]);
    sim_wake(cx, sim_now(cx) + SIM_SECOND / 2);
}

POLICY_X(.schedule = schedule, .state_size = sizeof(struct turn),
         .flags = POLICY_RESIZES | POLICY_SHARES);
