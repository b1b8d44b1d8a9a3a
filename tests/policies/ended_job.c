/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a job that has ended. */
#include "x.h"

struct state {
    job_id first;
};

static void schedule(void *self, struct cx *cx)
{
    struct state *s = self;
    struct share share[2] = {{0, 32}, {1, 32}};

    if (s->first == 0 && sim_first(cx, JOB_WAITING) != NO_JOB)
        s->first = 1 + sim_first(cx, JOB_WAITING);
    if (sim_now(cx) > 100 * SIM_SECOND)
        sim_start(cx, s->first - 1, &(struct placement){2, share}, "again");
    start_all(cx);
}

POLICY_X(.schedule = schedule, .state_size = sizeof(struct state));
