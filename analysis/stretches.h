/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stretches.h - records as stretches of jobs on GPUs, one call for each when all of it is known.
 *
 * A job that was preempted may make progress until the end of its step, on GPUs that belong to
 * another already; that one's set-up begins there when the first one's state is saved. So on each
 * GPU, or in each seat of a shared one, set-up (free .. begin), progress (begin .. until) and
 * saving (landing .. ready) of all stretches follow each other and never overlap. A job that is
 * given other GPUs begins another stretch. Memory: the living jobs and the GPUs they hold.
 */
#ifndef ANALYSIS_STRETCHES_H
#define ANALYSIS_STRETCHES_H

#include "sim/engine/record.h"

struct stretch_gpu {
    gpu_id gpu;
    sim_time free; /* from when on it serves this job: later than `from` if another's state was
                      being saved */
    uint32_t seat; /* 0 where GPUs are not shared */
};

struct stretch {
    uint32_t job, experiment, trial;
    uint32_t gpus; /* wanted */
    bool good;
    const char *name; /* NULL: the trace gives none */
    sim_time submit;
    uint32_t number; /* of this job's stretches, from 0 */
    struct stretch_gpu *gpu;
    uint32_t n;
    enum origin origin;
    const char *why;         /* of the start; NULL */
    sim_time from, to;       /* owns the GPUs */
    sim_time begin, until;   /* progress, if it ran; else when it was to begin, and `to` */
    sim_time lost;           /* of the progress, at its end */
    sim_time landing, ready; /* the state is saved */
    bool ran;
    bool resized;         /* it began with other GPUs for a job that held some */
    enum record_kind how; /* it ended: preempt, pause, resize, end, kill, finish */
};

/* From when on its state is saved on one of its GPUs: not before another's is. */
static inline sim_time stretch_saves(const struct stretch *s, const struct stretch_gpu *g)
{
    return g->free > s->landing ? g->free : s->landing;
}

struct stretches;

/* visit: stretches in order of their jobs' next start or end; good during the call. */
struct stretches *stretches_new(void (*visit)(void *user, const struct stretch *), void *user);
/* After the finish record there are visits for all living jobs, in order of their numbers. */
void stretches_take(struct stretches *, const struct record *);
void stretches_free(struct stretches *); /* NULL is fine */

#endif
