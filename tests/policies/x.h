/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x.h - what the policies of this folder share: each is called x, and its table says what it has.
 */
#ifndef TESTS_POLICIES_X_H
#define TESTS_POLICIES_X_H

#include "sim/policy.h"

#define POLICY_X(...)                                                                              \
    SIM_API extern const struct policy policy;                                                     \
    const struct policy policy = {.abi = POLICY_ABI,                                               \
                                  .size = sizeof(struct policy),                                   \
                                  .name = "x",                                                     \
                                  .about = "for tests",                                            \
                                  __VA_ARGS__}

/* Starts what waits, in order, as long as there is room. */
static inline void start_all(struct cx *cx)
{
    const struct placement *p;
    job_id j;

    while ((j = sim_first(cx, JOB_WAITING)) != NO_JOB && (p = sim_pick(cx, j)) != NULL)
        if (sim_start(cx, j, p, "next") != ACT_OK)
            return;
}

/* Starts the first job that waits on these two GPUs, in even shares, if there are seats. */
static inline void start_on(struct cx *cx, gpu_id a, gpu_id b)
{
    gpu_id gpu[2] = {a, b};
    job_id j = sim_first(cx, JOB_WAITING);

    if (j != NO_JOB && sim_gpu(cx, a).residents < sim_gpu(cx, a).most)
        sim_start(cx, j, sim_even(cx, j, gpu, 2), "beside others");
}

struct turn {
    bool other;
};

/* Sends all jobs in a state to the other two of four GPUs, every half a second. */
static inline void to_and_fro(struct turn *turn, struct cx *cx, enum job_state state)
{
    gpu_id gpu[2] = {0, 1};

    turn->other = !turn->other;
    gpu[0] += turn->other ? 2 : 0;
    gpu[1] += turn->other ? 2 : 0;
    for (job_id j = sim_first(cx, state); j != NO_JOB; j = sim_next(cx, j))
        if (sim_resize(cx, j, sim_even(cx, j, gpu, 2), "to and fro") != ACT_OK)
            return;
    start_on(cx, gpu[0], gpu[1]);
    sim_wake(cx, sim_now(cx) + SIM_SECOND / 2);
}

#endif
