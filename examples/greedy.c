/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * greedy - an example policy of one's own: of the jobs that fit now, the one that wants most GPUs
 * starts first. Build and run it without touching hetune:
 *
 *   gcc -shared -fPIC $(pkg-config --cflags hetune) -o greedy.so greedy.c
 *   hetune run FILE.yaml --policy-lib ./greedy.so -s policy=greedy
 */
#include "sim/policy.h"

static job_id largest(struct cx *cx)
{
    job_id best = NO_JOB;
    uint32_t most = 0;

    for (job_id j = sim_first(cx, JOB_WAITING); j != NO_JOB; j = sim_next(cx, j)) {
        uint32_t gpus = sim_job(cx, j)->gpus;
        if (gpus > most && sim_pick(cx, j)) {
            most = gpus;
            best = j;
        }
    }
    return best;
}

static void schedule(void *self, struct cx *cx)
{
    job_id j;

    (void)self;
    while ((j = largest(cx)) != NO_JOB)
        if (sim_start(cx, j, sim_pick(cx, j), "largest of those that fit") != ACT_OK)
            return;
}

SIM_API const struct policy policy = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "greedy",
    .about = "of the jobs that fit, the one that wants most GPUs",
    .schedule = schedule,
};
