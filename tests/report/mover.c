/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts jobs beside each other, splits them anew, gives them other GPUs and takes them away, all
 * by chance. */
#include "sim/policy.h"

#define MOST 16u

static uint32_t below(struct cx *cx, uint32_t n)
{
    return (uint32_t)(sim_random(cx) % n);
}

/* n GPUs by chance, in even shares, or the first with all but one sample of each other. */
static struct placement draw(struct cx *cx, job_id j, uint32_t n, struct share *share)
{
    uint32_t from = below(cx, sim_gpus(cx)), batch = sim_job(cx, j)->batch;
    bool uneven = below(cx, 2);

    for (uint32_t i = 0; i < n; i++) {
        share[i].gpu = (from + i) % sim_gpus(cx);
        share[i].samples = uneven ? (i ? 1 : batch - n + 1) : batch / n + (i < batch % n);
    }
    return (struct placement){n, share};
}

static void disturb(struct cx *cx, job_id j)
{
    struct placement held = sim_held(cx, j);
    struct share share[MOST];
    uint32_t what = below(cx, 8);

    if (what == 0) {
        sim_preempt(cx, j, "by chance");
    } else if (what < 4) {
        struct placement p = draw(cx, j, held.n, share);
        for (uint32_t i = 0; i < held.n; i++)
            share[i].gpu = held.share[i].gpu;
        sim_split(cx, j, &p, "new shares");
    } else if (what < 6) {
        struct placement p = draw(cx, j, 1 + below(cx, sim_gpus(cx)), share);
        sim_resize(cx, j, &p, "other GPUs");
    }
}

static void schedule(void *self, struct cx *cx)
{
    static const enum job_state on[] = {JOB_RUNNING, JOB_SETUP};
    struct share share[MOST];

    (void)self;
    for (int s = 0; s < 2; s++)
        for (job_id j = sim_first(cx, on[s]), next; j != NO_JOB; j = next) {
            next = sim_next(cx, j);
            disturb(cx, j);
        }
    for (job_id j = sim_first(cx, JOB_WAITING), next; j != NO_JOB; j = next) {
        next = sim_next(cx, j);
        struct placement p = draw(cx, j, sim_job(cx, j)->gpus, share);
        sim_start(cx, j, &p, "where there is room");
    }
    sim_wake(cx, sim_now(cx) + 7 * SIM_SECOND);
}

SIM_API extern const struct policy policy;
const struct policy policy = {.abi = POLICY_ABI,
                              .size = sizeof(struct policy),
                              .name = "mover",
                              .about = "moves jobs about by chance",
                              .flags = POLICY_PREEMPTS | POLICY_RESIZES | POLICY_SHARES,
                              .schedule = schedule};
