/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ranked.h - preemption by rank: at every moment the jobs with the smallest values hold the GPUs.
 *
 * A job's value does not depend on where it runs, lest two jobs push each other out for ever. It
 * stands still while the job makes no progress and moves at a known slope and pace while it does
 * (remaining time falls, attained service grows). `value - slope * pace * now` of a running job is
 * therefore static, and two heaps for each kind of job find the best waiting and the worst running
 * one. Free GPUs are given away at once; GPUs are taken away only at multiples of a quantum. Quanta
 * at which nothing can change are skipped: the result is the same as looking at each of them.
 *
 * Values are compared between kinds of jobs after multiplication by `scale` (GPUs, for GPU time);
 * ties go to the job submitted first.
 */
#ifndef POLICIES_RANKED_H
#define POLICIES_RANKED_H

#include "sim/heap.h"
#include "sim/policy.h"

struct ranked_rule {
    int slope;    /* of the value of a job that progresses: -1, 0 or 1 a ns */
    bool by_gpus; /* scale by the job's GPUs */
    /* The value now. */
    int64_t (*value)(void *self, struct cx *, job_id);
    /* How fast the value of a running job moves, as a share of the slope; NULL: 1. */
    double (*pace)(void *self, struct cx *, job_id);
    /* When the value of a running job will jump, with slope 0; NULL or SIM_NEVER: not. */
    sim_time (*jumps)(void *self, struct cx *, job_id);
    const char *start_why, *preempt_why;
};

struct ranked_kind { /* jobs that want the same GPUs and, if they run, move at the same pace */
    double pace;
    uint32_t gpus;
    uint64_t types;
    struct heap waiting;
    struct heap running; /* worst first; static parts of values */
    struct heap still;   /* worst first; hold GPUs, but do not progress yet */
    bool blocked;
};

/* A job in the order of ranks. */
struct rank {
    sim_area value;
    job_id job;
};

/* Jobs looked at as victims, worst first. */
struct victims {
    struct rank *rank;
    type_id *type;
    uint32_t n, cap;
    uint32_t *gpus; /* by type: free ones and those of the victims */
};

/* Zero-initialised apart from the parameters; ranked_free in fini(). */
struct ranked {
    sim_time quantum;   /* 0: GPUs may be taken away at any time */
    bool skip_ahead;    /* jobs behind one that cannot be served may start */
    bool every_quantum; /* look at each of them: slow, for comparison */
    const struct ranked_rule *rule;
    struct ranked_kind *kind;
    uint32_t n, cap;
    struct heap jumps; /* running jobs by the time at which their value jumps */
    uint32_t *kind_of; /* by slot */
    uint32_t slots;
    struct victims victims; /* of the present exchange */
};

void ranked_changed(struct ranked *, void *self, struct cx *, job_id, enum job_state was);
void ranked_schedule(struct ranked *, void *self, struct cx *);
void ranked_free(struct ranked *);

#endif
