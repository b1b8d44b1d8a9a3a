/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Never starts the second job. */
#include "x.h"

struct state {
    job_id second;
    uint32_t n;
};

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct state *s = self;

    (void)cx;
    if (was == JOB_FUTURE && ++s->n == 2)
        s->second = j;
}

static void schedule(void *self, struct cx *cx)
{
    struct state *s = self;

    for (job_id j = sim_first(cx, JOB_WAITING), next; j != NO_JOB; j = next) {
        const struct placement *p = j == s->second && s->n > 1 ? NULL : sim_pick(cx, j);
        next = sim_next(cx, j);
        if (p)
            sim_start(cx, j, p, "not the second");
    }
}

POLICY_X(.schedule = schedule, .job_changed = job_changed, .state_size = sizeof(struct state));
