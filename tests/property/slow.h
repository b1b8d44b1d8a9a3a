/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slow.h - the slow twin of the engine, written from docs/model.md: it scans all jobs and all GPUs
 * at every step and keeps nothing that could be looked up.
 */
#ifndef PROPERTY_SLOW_H
#define PROPERTY_SLOW_H

#include <gsl/gsl_rng.h>

#include "sim/base/mem.h"
#include "sim/engine/engine.h"
#include "sim/tuner.h"

/* Where the state of a job lies that holds no GPUs, or sets up. */
enum where { NOWHERE, IN_HOST, IN_STORAGE };

/* Of a step that is simulated: a replica on its GPU. */
__extension__ typedef unsigned __int128 units; /* of work, 2^-32 ns */
struct replica {
    gpu_id gpu;
    uint64_t came; /* the how-manieth replica that arrived at a GPU */
    units left;
    sim_time done; /* SIM_NEVER */
};

struct job {
    job_id id;
    struct job_spec spec;
    enum job_state state;
    sim_time since; /* in this state */
    double jitter;
    uint64_t types; /* on which its even split can run */

    int64_t whole; /* progress: whole + part units at `line`, rate units a ns */
    double part, rate;
    sim_time line;
    int64_t goal;     /* while it runs */
    sim_time event;   /* its run or its goal; SIM_NEVER */
    sim_time landing; /* when it reaches a goal that it finishes after a preemption; SIM_NEVER */
    int64_t landing_goal;

    struct share *share; /* what it holds, held of them */
    uint32_t held;
    gpu_id home, ran_on; /* first GPU held last; first GPU it ran on last; NO_GPU */
    sim_time stretch;    /* when it began to run there */
    sim_time ran;        /* in all stretches before */
    sim_time started;    /* its first start; SIM_NEVER */
    sim_time alone;      /* from then on, where GPUs are shared */
    bool copying;        /* it stands still until further replicas are there */
    double *resid;       /* of its shares, by the last solution of its rates */

    struct replica *replica; /* of its step; n_replicas is 0: it is not in a step */
    struct share *step_share;
    uint32_t n_replicas;
    sim_time began, ends;      /* its step; SIM_NEVER: a replica is not done */
    double factor, floor, gap; /* of its step */
    sim_time stepped;          /* when its last one ended, or when it began to run */
    sim_time step_took;        /* its last one in this stretch; 0: none */
    sim_time kept_at;          /* when this stretch began or last reached the end of an epoch */
    bool reshared;             /* its shares are others than those of its step */
    sim_time measured_from;
    int64_t measured;                  /* steps since then */
    sim_time measured_sum, *resid_sum; /* by GPU */

    enum where where;
    node_id node;    /* IN_HOST */
    sim_time usable; /* when its state is saved */

    type_id seen_type;
    double seen_rate;
    uint32_t epoch;
    double metric;
    void *data;
    struct job_view view;
    bool gone; /* the policy knows that it has ended */
};

/* What the last record of a GPU's load leaves open: what it has been doing since when. */
struct load {
    sim_time since;
    double busy, work;
    uint32_t n; /* jobs that run on it */
};

/* What steps did on a GPU with the same running jobs, with the same samples. */
struct stretch {
    struct job **job;
    uint32_t *samples;
    uint32_t n;
    sim_time since, busy;
    units units;
};

struct study;

struct cx {
    struct engine *e;
    bool acting; /* inside schedule() */
};

struct engine {
    struct engine_setup setup;
    const struct world *world;
    const struct policy *policy;
    struct cx cx;
    struct arena *arena;   /* as long as the run */
    struct arena *scratch; /* as long as the outermost callback */
    int depth;             /* of callbacks in each other */
    void *self;
    gsl_rng *random;
    struct job **job; /* all of them, by number */
    size_t n_jobs, cap_jobs;
    sim_time *ready; /* by GPU */
    struct load *load;
    struct stretch *stretch; /* by GPU */
    sim_time worked;         /* up to when what is left of replicas has been counted */
    uint64_t arrivals;       /* of replicas */
    bool *changed;           /* since the last solution: who runs on it, or with which shares */
    struct study *study;
    struct job_spec next; /* of the trace */
    bool has_next, begun, over, finished, again;
    sim_time now, alarm;
    uint32_t rings; /* alarms while nothing else was left */
    enum run_end end;
    char reason[200];
    uint64_t events, refusals;
};

/* slow_engine.c */
void slow_emit(struct engine *, struct record);
void slow_over(struct engine *, enum run_end, const char *reason);
void slow_changed(struct engine *, struct job *, enum job_state was);
void slow_enter(struct engine *);
void slow_leave(struct engine *);

/* slow_line.c */
bool slow_is_trial(const struct job *);
sim_time slow_to_time(double ns);
/* Progress now, as (whole, part). */
void slow_progress(const struct engine *, const struct job *, int64_t *whole, double *part);
sim_time slow_time_to(int64_t goal, int64_t whole, double part, double rate);
void slow_settle(struct engine *, struct job *);
void slow_aim(struct engine *, struct job *); /* its next goal; it runs */
double slow_true_rate(const struct engine *, const struct job *);
double slow_rate(const struct engine *, const struct job *); /* units a nanosecond */
double slow_believe(struct engine *, struct job *, const struct placement *);
double slow_told(struct engine *, struct job *);
/* The type of the share that sets the pace, and the rate of all. */
void slow_measure(struct engine *, struct job *);

/* slow_life.c */
bool slow_alive(const struct job *);
struct job *slow_find(const struct engine *, job_id); /* NULL: it does not live */
bool slow_holds(const struct job *);
struct record slow_record(const struct engine *, enum record_kind, const struct job *);
struct job *slow_arrive(struct engine *, const struct job_spec *);
void slow_start(struct engine *, struct job *, const struct placement *, const char *why);
void slow_to(struct engine *, struct job *, enum job_state); /* comes into it now */
void slow_hold(struct job *, const struct placement *);
/* Takes a job off its GPUs, if it holds any: preempted or paused. */
void slow_take_off(struct engine *, struct job *, enum record_kind, const char *why);
void slow_depart(struct engine *, struct job *, enum job_state, const char *why);
void slow_event(struct engine *, struct job *); /* landing, run or goal: whatever is next */

/* slow_resize.c */
void slow_split(struct engine *, struct job *, const struct placement *, const char *why);
void slow_resize(struct engine *, struct job *, const struct placement *, const char *why);

/* slow_share.c */
bool slow_shares(const struct engine *);
const struct share *slow_on(const struct placement *, gpu_id); /* NULL: it is not among them */
struct placement slow_held(const struct job *);
sim_time slow_context(const struct engine *, const struct placement *);
/* The i-th job that holds a GPU; NULL: there are not so many. */
struct job *slow_resident(const struct engine *, gpu_id, uint32_t i);
uint32_t slow_residents(const struct engine *, gpu_id);
double slow_free_bytes(const struct engine *, gpu_id, const struct job *but); /* but: or NULL */
void slow_mark(struct engine *, const struct job *); /* its GPUs have changed */
void slow_solve(struct engine *);                    /* new rates and loads, after a round */
void slow_last_loads(struct engine *);
sim_time slow_alone(const struct engine *, const struct job *, const struct placement *);

/* slow_step.c */
bool slow_steps(const struct engine *); /* every step is simulated */
void slow_step_begin(struct engine *, struct job *);
void slow_step_end(struct engine *, struct job *);
sim_time slow_steps_next(const struct engine *); /* that nobody is told of */
void slow_steps_to(struct engine *, sim_time);
void slow_steps_pass(struct engine *); /* counts what was done up to now */
void slow_step_progress(const struct engine *, const struct job *, int64_t *whole, double *part);
/* Its replicas leave; returns when it has finished what it may. lost: of a step that is given up.
 */
sim_time slow_step_leave(struct engine *, struct job *, enum preempt_at, sim_time *lost);
/* Seconds: a sum over the measured steps, as a mean. */
double slow_step_mean(const struct job *, sim_time sum);
void slow_step_anew(const struct engine *, struct job *); /* to be measured */
void slow_step_measure(const struct engine *, struct job *);
void slow_step_loads(struct engine *); /* after a round */
void slow_step_last_loads(struct engine *);

/* slow_act.c */
enum verdict slow_refuse(struct engine *, job_id, enum verdict);

#endif
