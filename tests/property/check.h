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
    const struct share *left; /* what it held there */
    sim_time run, setup, lost;
    sim_time last_preempt;
    uint32_t starts, preemptions, relocations;
    struct share *share; /* held, n of them */
    uint32_t n;
};

struct seen_study {
    bool open, closed, falls;
    sim_time begin, target_at;
    double target, best;
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
    uint32_t *owner; /* by GPU: 1 + job's number; 0: free */
    sim_time *ready;
    sim_area in_system, held, lost;
    uint32_t alive, holding;
    double told_sum;
    struct seen_study study[2];
    uint32_t n_studies;
    sim_time last_end;
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

#endif
