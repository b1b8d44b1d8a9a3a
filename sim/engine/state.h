/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * state.h - the engine's own state, shared by its files and by nobody else.
 *
 * engine.c has the loop, life.c the life of a job, move.c what taking and leaving GPUs costs, act.c
 * the policy's acts, view.c what it reads, seat.c and share.c GPUs that several jobs hold (by
 * rates, or step.c step by step), tune.h experiments and their tuners.
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include <math.h>

#include "sim/base/bug.h"
#include "sim/base/rng.h"
#include "sim/engine/engine.h"
#include "sim/engine/gpus.h"
#include "sim/engine/job.h"
#include "sim/heap.h"
#include "sim/tuner.h"

#define PAST       16u /* records kept for a report */
#define POOL_SIZES 24

struct cx {
    struct engine *e;
};

struct study; /* an experiment while it runs: tune.h */

struct past {
    sim_time t;
    job_id job;
    enum record_kind kind;
    uint32_t n;
};

struct shares;

struct engine {
    struct engine_setup set;
    const struct world *world;
    struct cx cx;
    struct arena *arena, *scratch;
    struct arena *asking; /* scratch of a question that oracles ask often */
    bool scratch_used, in_schedule, wants_why;
    bool again; /* a callback was made inside schedule(): it follows once more */

    sim_time now, next, last;       /* next: of all sources; last: nothing is done later */
    sim_time arrives, opens, alarm; /* next of these sources; SIM_NEVER: none */
    struct heap events;             /* jobs by the time of their next event */
    struct job_spec arrival;        /* pulled ahead */
    uint32_t *opening;              /* experiments by time of submission */
    uint32_t next_opening;
    struct study *study;
    struct heap closing; /* experiments by the time at which they end, whatever happens */

    struct block *block; /* slot s is block[s / JOB_CHUNK].job[s % JOB_CHUNK] */
    struct link *link;   /* by slot */
    size_t cap_blocks, cap_links;
    uint32_t n_slots, free_slot, n_arrived;
    struct list list[JOB_STATES];
    /* Free blocks of 2^i shares, linked through their first bytes. */
    struct share *pool[POOL_SIZES];

    struct gpus gpus;
    struct shares *shares; /* share.c; NULL: GPUs are not shared */
    struct steps *steps;   /* step.h; NULL: rates are fluid */
    uint32_t held;         /* GPUs held, over all jobs */
    char detail[200];      /* of an act that is refused: the numbers; "" none */
    double *host_used;     /* by node: bytes of suspended states */

    void *policy_self;
    gsl_rng *random;      /* the policy's stream; made on first use */
    struct share *picked; /* of sim_pick: room for every GPU */
    struct placement pick;

    enum run_end end; /* good once `ended` is true */
    bool ended;
    char reason[400];
    uint64_t n_events, n_refusals, n_unsettled, n_acts; /* acts: of this round */
    uint32_t rings; /* alarms since anything else happened or was to happen */
    /* Preemptions that lost progress, jobs stopped, steps given up, since any job got on or ran, or
     * any step was done. */
    uint64_t futile, stopped, given_up;
    uint32_t n_past, unchecked; /* paranoid runs: GPUs and jobs to be checked by now */
    struct past past[PAST];

    /* Exact identities: sum of JCT = integral of jobs in the system; the same for held GPUs, whose
     * sum is of the times they are left minus the times they are taken. */
    uint32_t in_system;
    sim_time in_system_since, held_since;
    sim_area in_system_area, jct_sum, held_area, held_sum;
};

static inline struct job *job_at(const struct engine *e, uint32_t slot)
{
    return &e->block[slot / JOB_CHUNK].job[slot % JOB_CHUNK];
}

/* NULL: no such living job. */
static inline struct job *job_find(const struct engine *e, job_id id)
{
    uint32_t slot = sim_slot(id);

    return slot < e->n_slots && e->link[slot].id == id ? job_at(e, slot) : NULL;
}

static inline bool is_shared(const struct engine *e)
{
    return e->shares != NULL;
}

static inline double life_rate(const struct engine *e, const struct job *j,
                               const struct placement *p)
{
    return world_rate(e->world, &j->spec, j->jitter, p);
}

static inline struct known_job life_known(const struct job *j)
{
    return (struct known_job){&j->spec, j->jitter, j->seen_type, j->seen_rate};
}

/* Nanoseconds as a time, to the nearest; the end of time is where all longer ones end. */
static inline sim_time time_of(double ns)
{
    return ns < (double)SIM_LATEST ? (sim_time)(ns + 0.5) : SIM_LATEST;
}

/* The end of time is an event like others; the loop stops there. */
static inline sim_time later(sim_time t, sim_time dt)
{
    return dt < SIM_LATEST - t ? t + dt : SIM_LATEST;
}

/* engine.c */
void engine_emit(struct engine *, struct record *);
void engine_stop(struct engine *, enum run_end, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Before the number of jobs in the system changes. */
static inline void count_system(struct engine *e)
{
    e->in_system_area += (sim_area)(e->now - e->in_system_since) * e->in_system;
    e->in_system_since = e->now;
}

/* Before the number of held GPUs changes. */
static inline void count_held(struct engine *e)
{
    e->held_area += (sim_area)(e->now - e->held_since) * e->held;
    e->held_since = e->now;
}

/* A record of one that takes these shares, with where its step time is from. */
static inline struct record placed_record(const struct engine *e, const struct job *j,
                                          enum record_kind kind, const struct placement *p)
{
    struct record r = job_record(j, kind);

    r.name = world_basis(e->world, j->spec.model, p);
    return r;
}

/* haul.c */
enum origin haul_origin(const struct engine *, const struct job *); /* on the GPUs it holds now */
sim_time haul_load(const struct engine *, const struct job *, enum origin);
sim_time haul_save(struct engine *, struct job *);   /* decides where to; how long GPUs are kept */
void haul_leave_host(struct engine *, struct job *); /* its state there is not needed any more */
/* The state of a paused job becomes a copy of another one's, which may have ended: NULL. */
void haul_copy(struct engine *, struct job *, const struct job *from);

/* life.c */
void list_sort(struct engine *, struct list *); /* one that is not sorted */
struct job *life_arrive(struct engine *, const struct job_spec *);
void life_event(struct engine *, struct job *); /* its own next event is due */
void life_aim(struct engine *, struct job *);   /* finds its next event */
void life_to(struct engine *, struct job *, enum job_state);
void life_leave(struct engine *, struct job *,
                enum job_state how); /* DONE, KILLED or REJECTED; frees the slot */
void life_settle(struct engine *, struct job *);
void life_changed(struct engine *, struct job *, enum job_state was); /* tells the policy */
double life_steps(const struct engine *, const struct job *);
sim_time life_remaining(const struct engine *, const struct job *); /* truth: sim_remaining */
sim_time life_remaining_on(const struct engine *, const struct job *, const struct placement *);
sim_time life_ran(const struct engine *, const struct job *);

/* move.c */
void move_on(struct engine *, struct job *, const struct placement *, double rate, double told,
             const char *why); /* GPUs are taken already */
void move_shares(struct engine *, struct job *, const struct placement *, double rate);
/* Other GPUs; it stands still until `begin`, if that lies ahead. Returns the time of a step that is
 * given up. */
sim_time move_resize(struct engine *, struct job *, const struct placement *, double rate,
                     sim_time begin);
/* Off its GPUs: preempted (or paused) as the run's settings say. */
void move_off(struct engine *, struct job *, enum record_kind, enum job_state to, const char *why);
void move_drop(struct engine *, struct job *);    /* off its GPUs for good */
void move_runs(struct engine *, struct job *);    /* set-up is over: it progresses from now on */
void move_observe(struct engine *, struct job *); /* its rate has been measured where it runs */

/* tune.c */
void tune_setup(struct engine *);
void tune_teardown(struct engine *);
void tune_open(struct engine *, uint32_t experiment);
void tune_overdue(struct engine *,
                  uint32_t experiment); /* its deadline, or the end of its budget */
void tune_held(struct engine *, const struct job *, int64_t more); /* GPUs it holds from now on */
/* The metric of a trial at the end of its next epoch. */
double tune_metric_at(const struct engine *, const struct job *, uint32_t epoch);
/* A trial's metric was recorded. May end the job. */
void tune_reported(struct engine *, struct job *, double metric);
void tune_target(struct engine *, uint32_t experiment, double metric); /* the end rule `target` */
void tune_ended(struct engine *, const struct job_spec *,
                bool done); /* a trial has left the system */

#endif
