/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * metrics.h - what a run amounts to: a fold over its records and nothing else.
 *
 * The same fold runs beside the engine and over events.csv afterwards; that both give the same
 * summary.json proves the record complete. Memory: one tally for each living job.
 */
#ifndef ANALYSIS_METRICS_H
#define ANALYSIS_METRICS_H

#include "analysis/dist.h"
#include "sim/engine/record.h"

/* The order in which summary.json has them. */
enum metric_id {
    M_JOBS,
    M_DONE,
    M_KILLED,
    M_REJECTED,
    M_UNFINISHED,
    M_JCT_MEAN,
    M_JCT_P50,
    M_JCT_P90,
    M_JCT_P99,
    M_JCT_MAX,
    M_WAIT_MEAN,
    M_WAIT_P50,
    M_WAIT_P99,
    M_WAIT_MAX,
    M_SLOWDOWN_MEAN,
    M_SLOWDOWN_MAX,
    M_MAKESPAN,
    M_END,
    M_GPUS,
    M_GPU_BUSY_SHARE,
    M_GPU_HELD_SHARE,
    M_GPU_USEFUL,
    M_GPU_LOST,
    M_GPU_SETUP,
    M_GPU_SAVE,
    M_GPU_IDLE,
    M_STARTS,
    M_PREEMPTIONS,
    M_RELOCATIONS,
    M_LOST_PER_JOB,
    M_REFUSALS,
    M_TOLD,
    M_TOLD_ERROR_MEAN,
    M_TOLD_ERROR_MAX,
    M_EXPERIMENTS,
    M_TRIALS,
    M_GOOD_TRIALS,
    M_HPO_MEAN_GOOD,
    M_HPO_FIRST_GOOD,
    M_HPO_ALL_GOOD,
    M_HPO_TARGET,
    M_HPO_REGRET,
    M_HPO_REGRET_LEFT,
    M_HPO_BEST,
    M_ALONE_MAX, /* from here on: of shared clusters only */
    M_ALONE_MEAN,
    M_ALONE_STD,
    M_ALONE_JAIN,
    M_GPU_ACTIVE_SHARE,
    M_GPU_WORK_SHARE,
    M_SPLITS,
    M_RESIZES,
    METRICS
};

enum metric_kind { METRIC_COUNT, METRIC_TIME, METRIC_GPU_TIME, METRIC_NUMBER };
enum metric_better { BETTER_NONE, BETTER_LOWER, BETTER_HIGHER };

struct metric_def {
    const char *name; /* with its unit, as in summary.json */
    enum metric_kind kind;
    enum metric_better better;
    const char *about;
};
extern const struct metric_def metric_defs[METRICS];

/* Whether clusters that share their GPUs have it, and no others. */
static inline bool metric_is_shared(int id)
{
    return id >= M_ALONE_MAX;
}

struct metric_value {
    bool defined;  /* false: null, there is no value */
    sim_area time; /* METRIC_TIME, METRIC_GPU_TIME: nanoseconds */
    double number; /* METRIC_COUNT, METRIC_NUMBER */
};

/* Whether a run with these values has the metric at all, though perhaps no value of it. */
bool metric_applies(const struct metric_value *values, int id);

/* One finished (or, at the end, unfinished) job: a row of jobs.csv. */
struct job_row {
    uint32_t number;
    const char *name; /* NULL: the trace gives none */
    uint32_t experiment, trial, gpus;
    bool good;
    sim_time submit, first_start, end; /* first_start SIM_NEVER: it never started */
    const char *ended;                 /* end, kill, reject; "" unfinished */
    sim_time run, setup, wait, lost;   /* jct = run + setup + wait; lost is part of run */
    sim_time alone; /* shared clusters, if it started: what all its work takes alone; else 0 */
    uint32_t starts, preemptions, relocations, epochs, splits, resizes;
    double metric; /* last reported; NAN */
};

/* GPUs and jobs from an instant on. */
struct series_row {
    sim_time t;
    uint32_t gpus_held, gpus_running, waiting, setup, running, paused;
};

struct metrics_hooks { /* may be NULL each; for files beside the summary */
    void (*job)(void *user, const struct job_row *);
    void (*series)(void *user, const struct series_row *);
    void *user;
};

struct metrics;

struct metrics *metrics_new(const struct metrics_hooks *);
struct sink *metrics_sink(struct metrics *); /* good as long as the metrics */
void metrics_take(struct metrics *, const struct record *);
/* After the finish record: fills METRICS values. */
void metrics_values(struct metrics *, struct metric_value *out);
uint64_t metrics_digest(const struct metrics *);
const char *metrics_ended(
    const struct metrics *); /* how the run ended, as its finish record says */
void metrics_free(struct metrics *);

double metrics_slowdown(sim_time jct, sim_time run); /* bounded by 10 s */
/* Eq. 22 at the end, against completion alone; NAN: the job is not done, or was never alone. */
double metrics_alone_slowdown(const struct job_row *);

#endif
