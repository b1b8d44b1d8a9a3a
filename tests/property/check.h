/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - what check_records.c rebuilds and check_sums.c adds up. */
#ifndef PROPERTY_CHECK_H
#define PROPERTY_CHECK_H

#include "tests/property/check_records.h"

enum phase { PHASE_WAITING, PHASE_SETUP, PHASE_RUNNING, PHASE_PAUSED, PHASE_GONE };

/* A stretch of time of one job on one GPU. */
enum use { USE_SETUP, USE_RUN, USE_SAVE, USES };
struct piece {
    gpu_id gpu;
    enum use use;
    const struct share *held; /* of the stretch */
    sim_time from, to;
};

struct seen_job {
    enum phase phase;
    uint32_t gpus, experiment, trial, epoch, epochs;
    bool good, ran;
    const char *ended; /* NULL: alive */
    sim_time submit, end;
    sim_time since;           /* in this phase */
    sim_time begin;           /* announced for its set-up, or when it began to run */
    sim_time landing;         /* until when it goes on, after it was taken off */
    sim_time fell;            /* lost in that stretch */
    const struct share *left; /* what it held there, n_left of them */
    uint32_t n_left;
    sim_time stretch; /* since when it runs, whatever its GPUs */
    bool copying;     /* its set-up is one of further replicas */
    bool lands;       /* it may reach a goal on the way to other GPUs */
    sim_time run, setup, lost;
    sim_time last_preempt;
    sim_time started, alone;
    uint32_t starts, preemptions, relocations, splits, resizes;
    sim_time *free;      /* by GPU: when the saves are over that it met there */
    struct share *share; /* held, n of them */
    uint32_t n;
};

/* A shared GPU. */
struct seen_load {
    uint32_t n;            /* jobs that run on it */
    uint32_t given_up;     /* and have given it up at this instant */
    sim_time since;        /* so many */
    sim_time active, told; /* how long at least one did, as seen and as recorded */
};

struct seen_study {
    bool open, closed, falls;
    sim_time begin, target_at, deadline;
    double target, best, start, goal;
    double gained; /* each part of the way from start to goal, times when it was made */
    double left;   /* of that way */
    uint32_t trials;
};

struct check {
    struct sink sink;
    const struct random_world *r;
    const struct world *w;
    struct coverage *coverage;
    struct arena *arena;
    struct metrics *metrics;
    bool met[COVERS];
    bool failed;
    sim_time now;
    uint64_t n_records, refusals, told;
    bool begun, finished;
    struct seen_job *job;
    size_t n_jobs, cap_jobs;
    struct job_row *row; /* of jobs.csv, by number */
    size_t n_rows, cap_rows;
    struct piece *piece;
    size_t n_pieces, cap_pieces;
    sim_time *ready; /* by GPU */
    struct seen_load *load;
    bool shares;         /* a job has been told what it takes alone */
    double active, work; /* GPU nanoseconds, by load records */
    sim_area in_system, held, lost;
    uint32_t alive, holding;
    double told_sum;
    struct seen_study study[2];
    uint32_t n_studies;
    sim_time last_end, last_report;
    sim_time rejected_at; /* the last record of a job was its rejection; else -1 */
};

/* Notes the first thing that is wrong. */
void check_fail(struct check *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define CHECK(c, cond, ...)                                                                        \
    do {                                                                                           \
        if (!(cond))                                                                               \
            check_fail(c, __VA_ARGS__);                                                            \
    } while (0)

/* Takes one record, as a sink. */
void check_take(struct sink *, const struct record *);

static inline void check_meet(struct check *c, bool cond, int what)
{
    c->met[what] |= cond;
}
static inline bool check_shared(const struct check *c)
{
    return c->w->residents > 1;
}
static inline bool check_steps(const struct check *c)
{
    return check_shared(c) && c->w->fidelity == FIDELITY_STEP;
}

/* check_gpus.c: time lines of GPUs, and who is on them */
void check_pass(struct check *, sim_time until); /* before the clock goes on */
void check_phase(struct check *, struct seen_job *, enum phase);
bool check_holds(const struct seen_job *, gpu_id);
/* All its GPUs or none are named by a record. */
void check_same(struct check *, const struct seen_job *, const struct record *);
/* It takes the GPUs of a record, or has other shares or GPUs. */
void check_hold(struct check *, struct seen_job *, const struct record *);
void check_reshare(struct check *, struct seen_job *, const struct record *);
/* What it did up to now, or will have done, goes into the time lines. */
void check_stop(struct check *, struct seen_job *, sim_time until);
void check_leave(struct check *, struct seen_job *, sim_time until);
void check_save(struct check *, const struct seen_job *, const struct record *);
/* A job that goes before it has landed has not run until then, whatever its GPUs do. */
void check_cut(struct check *, struct seen_job *);
void check_load(struct check *, const struct record *);
void check_loads(struct check *); /* at the end */
double check_alone_rate(const struct check *, const struct seen_job *);

#endif
