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

/* Another source with small random changes, by streams of the world's seed: world.shake of the gaps
 * between submissions and of durations, and, with random_ties, the order of jobs that are submitted
 * in one instant. It closes the inner one. */
struct trace *trace_shaken(struct trace *inner, const struct world *);

/* trace_csv, shaken if the world says so. */
struct trace *trace_open(struct diag *, const char *path, const struct world *);

#endif
