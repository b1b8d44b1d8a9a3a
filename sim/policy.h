/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy.h - all a scheduling policy may see and do.
 *
 * The engine drains every event of an instant, then calls schedule() once. Inside it the clock
 * stands still. What a policy does takes effect at once: a started job owns its GPUs from this
 * instant on; the overheads decide when it begins to progress. A refused act changes nothing.
 *
 * Views show the present, the policy's own acts included. What functions hand out is good until the
 * callback returns, unless they say otherwise. A policy keeps only its own state, in the memory the
 * engine gives it: one block for the run, one for each living job.
 */
#ifndef SIM_POLICY_H
#define SIM_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/balance.h"
#include "sim/field.h"
#include "sim/types.h"

#define POLICY_ABI 3

struct cx; /* one decision round */

/* What a policy may do or read beyond starting waiting jobs; anything else is refused. */
enum policy_flag {
    POLICY_PREEMPTS = 1 << 0,
    POLICY_RESIZES = 1 << 1, /* changes the batch shares or the GPUs of a job that holds GPUs */
    POLICY_SHARES = 1 << 2,  /* several jobs on one GPU, where the cluster's `sharing` allows it */
    POLICY_REJECTS = 1 << 3, /* turns waiting jobs away */
    POLICY_ORACLE = 1 << 4   /* reads true remaining work; every label says so */
};

struct policy {
    uint32_t abi;  /* POLICY_ABI */
    uint32_t size; /* sizeof(struct policy) */
    uint32_t flags;
    const char *name;
    const char *about;          /* one line, for `hetune list policies` */
    size_t state_size;          /* the engine allocates, zeroes and frees self */
    size_t job_size;            /* and so much for each living job: sim_job_data() */
    const struct field *params; /* filled into self before init(); may be NULL */

    void (*schedule)(void *self, struct cx *cx); /* required; the rest may be NULL */
    void (*init)(void *self, struct cx *cx);     /* once, before the first event; no acts */
    void (*fini)(void *self);                    /* once, after the last */
    /*
     * A job came into its present state from `was`, not by an act of the policy itself: it arrived,
     * began to run, ended, was paused or promoted. No acts here; schedule() follows in this
     * instant.
     */
    void (*job_changed)(void *self, struct cx *cx, job_id j, enum job_state was);
    /* A trial reported at the end of an epoch: sim_job(cx, j)->metric. No acts here either. */
    void (*job_reported)(void *self, struct cx *cx, job_id j);
    void (*dump)(const void *self, FILE *out); /* when a run stops on an error */
    /* Further flags that these parameters ask for: asked once, before the run. */
    uint32_t (*more_flags)(const void *params);
};

/* ---- reading ---- */

/* What the job's owner declared and what was observed; never what lies ahead. */
struct job_view {
    enum job_state state;
    uint32_t gpus;          /* wanted, all or none */
    uint32_t held;          /* GPUs held now: 0, or gpus until it is resized */
    uint32_t model;         /* index; NO_MODEL for jobs given by their duration */
    uint32_t batch;         /* samples of a step over all GPUs; 0 without a model */
    uint32_t experiment;    /* index; NO_EXPERIMENT for plain jobs */
    uint32_t epochs, epoch; /* declared; reported so far */
    uint64_t types;         /* bit t: GPU type t has a step time for it, and memory */
    uint64_t asked;         /* bit g: its owner wants it on GPU g; 0: anywhere */
    double steps_declared;  /* all its steps; without a model: 0, nobody knows */
    double metric;          /* last reported; NAN before the first report */
    double metric_start;    /* what the metric is before training (chance level) */
    double metric_ideal;    /* the best it can be, as declared */
    bool metric_falls;      /* better is lower */
    sim_time submitted;
    sim_time since;   /* when it came into its present state */
    sim_time ran;     /* time in which it progressed */
    double attained;  /* the same as GPU seconds, on the GPUs wanted */
    double steps;     /* done so far; without a model: nominal ns done */
    sim_time stepped; /* when it had done them: now, or the end of its last whole step */
    sim_time started; /* its first start; SIM_NEVER before */
    sim_time alone; /* on shared clusters, from its first start: what all its work takes alone (eq.
                       22) */
    gpu_id home;    /* the first GPU it holds or held last; NO_GPU before */
};

struct gpu_view {
    type_id type;
    node_id node;
    uint32_t residents; /* jobs that hold it; sim_resident() names them */
    uint32_t most;      /* that may hold it */
    double memory;      /* bytes that are free, for each further job; INFINITY: not known */
    sim_time ready;     /* when the state of its last leaver is saved; may lie ahead */
    double slice;       /* bytes of memory that one job may use at most; INFINITY: not known */
};

struct node_view {
    type_id type;  /* of all its GPUs */
    gpu_id first;  /* its GPUs are first .. first+gpus-1 */
    uint32_t gpus; /* at most 64 */
    uint64_t free; /* bit i: GPU first+i is free */
};

struct type_view {
    const char *name; /* good as long as the run */
    uint32_t gpus, free;
};

SIM_API sim_time sim_now(const struct cx *);
SIM_API uint32_t sim_gpus(const struct cx *); /* how many there are */
SIM_API uint32_t sim_nodes(const struct cx *);
SIM_API uint32_t sim_types(const struct cx *);
SIM_API uint32_t sim_free_gpus(const struct cx *);
SIM_API struct gpu_view sim_gpu(const struct cx *, gpu_id);
SIM_API struct node_view sim_node(const struct cx *, node_id);
SIM_API struct type_view sim_type(const struct cx *, type_id);
/* The i-th job that holds a GPU, in order of submission; NO_JOB: there are not so many. */
SIM_API job_id sim_resident(const struct cx *, gpu_id, uint32_t i);

/* Jobs in a state, by submission: for (j = sim_first(cx, s); j != NO_JOB; j = sim_next(cx, j)).
 * An act takes its job out of the list: ask for the next before. Constant time, except after jobs
 * came back (preempted, promoted): then the first call sorts them in, O(waiting jobs). */
SIM_API uint32_t sim_count(const struct cx *, enum job_state);
SIM_API job_id sim_first(const struct cx *, enum job_state);
SIM_API job_id sim_next(const struct cx *, job_id);

/* Good until the next call for the same job or its next change; an unknown job aborts the run. */
SIM_API const struct job_view *sim_job(const struct cx *, job_id);
SIM_API struct placement sim_held(const struct cx *, job_id); /* n is 0 when it holds none */
SIM_API void *sim_job_data(const struct cx *, job_id); /* job_size bytes, zeroed at arrival */

/* Predicted steps a second (without a model: nominal seconds a second) on this placement. */
SIM_API double sim_rate(struct cx *, job_id, const struct placement *);

/*
 * One replica of a step alone on this GPU, as it was measured before: max(floor, busy) seconds, and
 * gap seconds once all replicas are done. Synchronisation is in sim_rate() only. Without a model,
 * or where nothing is known: all 0.
 */
struct step_alone {
    double busy, floor, gap;
    double bytes; /* of GPU memory; 0: not known */
};
SIM_API struct step_alone sim_step_alone(const struct cx *, job_id, gpu_id, uint32_t samples);

/*
 * The mean seconds of a step as measured since its shares, or jobs beside it, last changed; resid,
 * unless NULL, gets those of each of its shares, in their order, until the replica was done. 0:
 * nothing has been measured yet.
 */
SIM_API double sim_measured(const struct cx *, job_id, double *resid);

/*
 * The default placement: where its state lies if its node has room; else the node with the fewest
 * free GPUs that suffice; else as few nodes of one type as possible. Even shares. NULL: no room
 * now. Good until the next sim_pick().
 */
SIM_API const struct placement *sim_pick(struct cx *, job_id);
/* Even shares on these GPUs, largest remainders first. */
SIM_API const struct placement *sim_even(struct cx *, job_id, const gpu_id *gpus, uint32_t n);

SIM_API uint64_t sim_random(struct cx *);             /* from the policy's own stream */
SIM_API void *sim_keep(struct cx *, size_t bytes);    /* zeroed; gone when the run ends */
SIM_API void *sim_scratch(struct cx *, size_t bytes); /* gone when the callback returns */

/* ---- acting, only inside schedule() ---- */

enum verdict {
    ACT_OK,
    ACT_NO_JOB,       /* no such job, or it has ended */
    ACT_WRONG_STATE,  /* start: not waiting; preempt, split: holds no GPU */
    ACT_WRONG_SIZE,   /* not as many GPUs as the job wants (resize: none), or one named twice */
    ACT_WRONG_SHARES, /* samples do not sum to the batch, or a share is 0 */
    ACT_NO_GPU,       /* no such GPU */
    ACT_GPU_TAKEN,    /* by another job; of a shared GPU: all its seats are taken */
    ACT_NO_MEMORY,    /* model and samples do not fit what is left of the GPU's memory */
    ACT_NO_RATE,      /* the cost model knows no step time for model and GPU type */
    ACT_NOT_DECLARED, /* the policy's flags lack this act or reading */
    ACT_NOT_NOW       /* outside schedule(), or a wake-up in the past */
};

/* why: printf text that is kept with the record, so that a result can be explained. */
SIM_API enum verdict sim_start(struct cx *, job_id, const struct placement *, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
SIM_API enum verdict sim_preempt(struct cx *, job_id, const char *why, ...)
    __attribute__((format(printf, 3, 4)));
SIM_API enum verdict sim_split(struct cx *, job_id, const struct placement *, const char *why, ...)
    __attribute__((format(printf, 4, 5))); /* new shares on the GPUs it holds */
/*
 * Other GPUs, any number of them, with other shares. What it leaves is free at once. If there are
 * GPUs among them that it did not hold, it stands still until its replicas are there (replica_s of
 * the overheads).
 */
SIM_API enum verdict sim_resize(struct cx *, job_id, const struct placement *, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
SIM_API enum verdict sim_reject(struct cx *, job_id, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

/* schedule() again at that time. There is one alarm: a new time moves it, SIM_NEVER clears it; it
 * is cleared when it rings. If nothing else is left to happen it may ring `max_rounds` times. */
SIM_API enum verdict sim_wake(struct cx *, sim_time at);

/* Ends the run with this message: the policy cannot go on. */
SIM_API void sim_fail(struct cx *, const char *why, ...) __attribute__((format(printf, 2, 3)));

#include "sim/experiment.h"
#include "sim/oracle.h"

#endif
