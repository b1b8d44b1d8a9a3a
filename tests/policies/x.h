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

#endif
