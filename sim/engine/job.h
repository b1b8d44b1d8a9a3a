/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - a job while it lives in the engine, its slot, and the lists it is in. */
#ifndef SIM_JOB_H
#define SIM_JOB_H

#include <math.h>

#include "sim/engine/record.h"
#include "sim/model/world.h"
#include "sim/policy.h"

#define JOB_CHUNK  256u
#define NO_SLOT    UINT32_MAX
#define SMALL_HELD 2u

/* Where a job's state lies while it holds no GPUs. */
enum saved { SAVED_NEVER, SAVED_LOST, SAVED_HOST, SAVED_DISK };

/* Progress is a line, touched only when its rate changes: whole + part units at `since`. */
struct line {
    int64_t whole;
    double part; /* 0 <= part < 1 */
    double rate; /* units a nanosecond; 0: it stands still */
    sim_time since;
};

/* What an event of a job touches stands first: two lines of the cache. Views are made on demand. */
struct job {
    job_id id;
    struct line line;
    int64_t goal;   /* units at its next event: an epoch's end, or all its work */
    sim_time since; /* when it came into its present state */
    enum job_state state;
    uint32_t n_held; /* GPUs it holds: 0, or all it wants until it is resized */
    union {
        struct share small[SMALL_HELD];
        struct share *block; /* from the pool */
    } held;
    sim_time landing; /* taken off its GPUs, but at a goal only then; else SIM_NEVER */
    gpu_id home;      /* the first GPU it holds or held last; NO_GPU before */
    bool on_host;     /* its state is counted in host_used[host] */
    bool shown;       /* its view holds what does not change */
    bool copying;     /* set-up of further replicas: its state is on the GPUs it had */
    struct job_spec spec;

    uint64_t types; /* on which an even split can run */
    double jitter;
    sim_time ran;     /* finished stretches of progress */
    sim_time begin;   /* set-up: when progress begins */
    sim_time started; /* its first start; SIM_NEVER before */
    sim_time alone;   /* what all its work takes alone; 0: not known yet */
    sim_time lands;   /* before that it goes on there, to the end of a step */
    enum saved saved;
    node_id host;
    sim_time saved_at; /* when its saved state can be used */
    double seen_rate;
    type_id seen_type;
    gpu_id ran_on;  /* the first GPU it ran on last */
    uint32_t epoch; /* reported so far */
    double metric;  /* last reported; NAN */
};

/* By slot: whose it is and its place in a list. Apart from the jobs, so that walking and changing
 * lists stays in the caches however many jobs there are. */
struct link {
    job_id id;           /* NO_JOB: it is free */
    uint32_t prev, next; /* in the list of its state; next: in the list of free slots */
};

struct block { /* of JOB_CHUNK slots */
    struct job *job;
    struct job_view *view; /* what policies read; NULL until one asks */
    unsigned char *data;   /* the policy's memory of those jobs */
};

/* Jobs of one state, linked by slots, by order of submission once sorted is true. */
struct list {
    uint32_t head, tail, n;
    bool sorted;
};

static inline struct placement job_held(const struct job *j)
{
    return (struct placement){j->n_held, j->n_held == 0            ? NULL
                                         : j->n_held <= SMALL_HELD ? j->held.small
                                                                   : j->held.block};
}

/* The share on one GPU; NULL: there is none. */
static inline const struct share *job_share_on(const struct placement *p, gpu_id g)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->share[i].gpu == g)
            return &p->share[i];
    return NULL;
}

/* A record about a job, with the GPUs it holds. */
static inline struct record job_record(const struct job *j, enum record_kind kind)
{
    static const struct record blank = {.value = NAN, .told = NAN};
    struct record r = blank; /* copied: gcc would clear one of this size with a slow `rep stos` */

    r.kind = kind;
    r.job = j->id;
    r.n = j->n_held;
    r.share = job_held(j).share;
    r.experiment = j->spec.experiment;
    r.trial = j->spec.trial;
    return r;
}

#endif
