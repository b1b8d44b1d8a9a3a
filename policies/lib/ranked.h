/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ranked.h - preemption by rank: at every moment the jobs with the smallest values hold the GPUs.
 *
 * A job's value does not depend on where it runs, lest two jobs push each other out for ever. It
 * stands still while the job makes no progress and moves at a known slope and pace while it does
 * (remaining time falls, attained service grows). `value - slope * pace * now` of a running job is
 * therefore static, and a few heaps find the best waiting and the worst running one. Free GPUs are
 * given away at once; GPUs are taken away only at multiples of a quantum. Quanta at which nothing
 * can change are skipped: the result is the same as looking at each of them.
 *
 * Paces differ from job to job when GPUs or step times vary. Running jobs are therefore kept by
 * pace rounded down to a sixteenth: there a static key is not the value but a bound on it, which is
 * made exact again when the job comes first. Neither the number of heaps nor the cost of a decision
 * grows with the number of jobs.
 *
 * With by_gpus, values are compared after multiplication by the job's GPUs (for GPU time); ties go
 * to the job submitted first.
 */
#ifndef POLICIES_RANKED_H
#define POLICIES_RANKED_H

#include "sim/heap.h"
#include "sim/policy.h"

/* What jobs that are preempted may finish. A policy is not told, but it can watch them. */
enum finishes { FINISHES_NOTHING, FINISHES_STEP, FINISHES_EPOCH };

struct ranked_rule {
    int slope;    /* of the value of a job that progresses: -1, 0 or 1 a ns */
    bool by_gpus; /* compare values times GPUs */
    /* The value now. */
    int64_t (*value)(void *self, struct cx *, job_id);
    /* How fast the value of a running job falls, as a share of the slope -1; NULL: 1. */
    double (*pace)(void *self, struct cx *, job_id);
    /* When the value of a running job will jump, with slope 0; NULL or SIM_NEVER: not. */
    sim_time (*jumps)(void *self, struct cx *, job_id);
    /* The value of a running job once it has finished that; NULL: that makes no value better. */
    int64_t (*landing)(void *self, struct cx *, job_id, enum finishes);
    const char *start_why, *preempt_why;
};

/* Waiting jobs that want the same GPUs: where one finds no room, the others find none. */
struct ranked_queue {
    uint32_t gpus;
    uint64_t types;
    struct heap waiting;
    bool blocked;
};

/* Jobs that hold GPUs, of about the same pace; with by_gpus, as many GPUs each. Worst first. */
struct ranked_group {
    uint32_t gpus;       /* 1 without by_gpus */
    double pace;         /* the least of theirs, in sixteenths */
    bool exact;          /* it is the pace of all of them */
    struct heap running; /* static parts of values, or bounds on them */
    struct heap still;   /* values: do not progress yet */
};

/* A job in the order of ranks. */
struct rank {
    sim_area value;
    job_id job;
};

/* Where a job waits or waited last, and where it stands if it holds GPUs. */
struct ranked_seat {
    uint32_t queue, group;
};

/* Jobs looked at as victims, worst first. */
struct victims {
    struct rank *rank;
    type_id *type;
    uint32_t n, rank_cap, type_cap;
    uint32_t *gpus; /* by type: free ones and those of the victims */
};

/* Zero-initialised apart from the parameters and the rule, which init() sets. */
struct ranked {
    sim_time quantum;   /* 0: GPUs may be taken away at any time */
    bool skip_ahead;    /* jobs behind one that cannot be served may start */
    bool every_quantum; /* look at each of them: slow, for comparison */
    const struct ranked_rule *rule;
    struct ranked_queue *queue;
    struct ranked_group *group;
    uint32_t queues, groups, queue_cap, group_cap;
    struct heap jumps;        /* running jobs by the time at which their value jumps */
    struct ranked_seat *seat; /* by slot */
    uint32_t slots;
    enum finishes seen;     /* the most that a preempted job was seen to finish */
    struct victims victims; /* of the present exchange */
};

/* The callbacks of a policy, whose state begins with a struct ranked. */
void ranked_changed(void *self, struct cx *, job_id, enum job_state was);
void ranked_schedule(void *self, struct cx *);
void ranked_fini(void *self);

#endif
