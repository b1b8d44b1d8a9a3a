/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h - where plain jobs come from, in order of submission.
 *
 * A source is pulled one job ahead of the clock, so that a trace of any length needs the memory of
 * one row. Made-up jobs (tests, benchmarks) and files have the same shape.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "sim/model/world.h"

struct trace {
    /* 1: *job is the next, submitted no earlier than the last; 0: no more; -1: reported. */
    int (*next)(struct trace *, struct job_spec *job);
    void (*close)(struct trace *); /* frees it; may be NULL */
};

/*
 * A CSV file with the columns submit_s, gpus and duration_s, or, instead of a duration, model,
 * batch and epochs. Optional: job_id (at most 64 bytes). Rows are in order of submission. NULL:
 * reported.
 */
struct trace *trace_csv(struct diag *, const char *path, const struct world *);

/* Jobs that are made up for each seed: what is drawn, and from what. */
struct draw_range {
    int64_t from, to; /* uniform, both ends included */
};
enum { DRAW_JOB, DRAW_GPU };
struct job_draw {
    struct draw_range jobs, steps;
    uint32_t n_models, n_gpus;
    uint32_t *model, *gpus; /* one of these each */
    double *weight; /* by GPU: how often it is wanted; NULL: jobs do not care which they get */
    uint32_t batch; /* 0: the model's */
    int batch_of;   /* DRAW_JOB: of all GPUs together; DRAW_GPU: of each */
    double gap_s;   /* mean of the exponential gaps between submissions */
};

/* Each job has streams of its own, of the world's seed, for what it is: a range that is changed
 * changes nothing else, and no policy changes anything. */
/* Samples of a step of such a job on so many GPUs. */
uint64_t draw_batch(const struct job_draw *, const struct world *, uint32_t model, uint32_t gpus);
struct trace *trace_drawn(const struct job_draw *, const struct world *);

/* Another source with small random changes, by streams of the world's seed: world.shake of the gaps
 * between submissions and of durations, and, with random_ties, the order of jobs that are submitted
 * in one instant. It closes the inner one. */
struct trace *trace_shaken(struct trace *inner, const struct world *);

/* trace_drawn, or without a draw trace_csv; shaken if the world says so. */
struct trace *trace_open(struct diag *, const char *path, const struct job_draw *,
                         const struct world *);

#endif
