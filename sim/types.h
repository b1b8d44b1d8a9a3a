/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * types.h - the integers that name things and moments.
 *
 * Part of the public interface for policies and tuners.
 */
#ifndef SIM_TYPES_H
#define SIM_TYPES_H

#include <stdint.h>

/* Simulated time in nanoseconds since the start of the run; 2^62 is the latest moment. */
typedef int64_t sim_time;
#define SIM_SECOND INT64_C(1000000000)
#define SIM_LATEST (INT64_C(1) << 62)
#define SIM_NEVER  INT64_MAX

/* GPU time and sums of times, which 64 bits do not hold for long runs on large clusters. */
__extension__ typedef __int128 sim_area;
__extension__ typedef unsigned __int128 sim_wide;

/*
 * A job as policies and tuners name it. Ids compare by order of submission. The number that people
 * see (0, 1, 2, ... in order of submission) is sim_number(j). The slot is a small number that no
 * other living job has: use it to index arrays; it is recycled when the job has ended.
 */
typedef uint64_t job_id;
#define NO_JOB UINT64_MAX

static inline uint32_t sim_number(job_id j)
{
    return (uint32_t)(j >> 32);
}
static inline uint32_t sim_slot(job_id j)
{
    return (uint32_t)j;
}

typedef uint32_t gpu_id; /* 0 .. GPUs of the cluster - 1, node by node */
typedef uint32_t node_id;
typedef uint32_t type_id; /* a GPU type */
#define NO_GPU        UINT32_MAX
#define NO_MODEL      UINT32_MAX
#define NO_EXPERIMENT UINT32_MAX

/* One GPU of a placement and its part of the mini-batch: samples sum to the job's batch. */
struct share {
    gpu_id gpu;
    uint32_t samples;
};

struct placement {
    uint32_t n;
    const struct share *share;
};

enum job_state {
    JOB_FUTURE,   /* not submitted yet */
    JOB_WAITING,  /* submitted or preempted; holds no GPU */
    JOB_SETUP,    /* holds GPUs; starting, restoring or migrating */
    JOB_RUNNING,  /* holds GPUs and makes progress */
    JOB_PAUSED,   /* set aside by its tuner */
    JOB_ENDING,   /* preempted in its last step: it ends there, without GPUs of its own */
    JOB_DONE,     /* all its work is done */
    JOB_KILLED,   /* ended by its tuner or with its experiment */
    JOB_REJECTED, /* turned away by the policy */
    JOB_STATES
};

#endif
