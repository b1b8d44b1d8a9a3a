/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jobs.h - made-up jobs: Poisson arrivals, durations and gangs by their shape, times in whole
 * milliseconds.
 *
 * Arrivals, durations and sizes have streams of their own, so that the first n jobs of a shape are
 * the same whatever n is.
 */
#ifndef PERF_JOBS_H
#define PERF_JOBS_H

#include <gsl/gsl_rng.h>

#include "sim/model/trace.h"

struct shape {
    uint32_t gpus;    /* of the cluster */
    double load;      /* GPU time asked for / GPU time there is; 0: all at once */
    double mu, sigma; /* ln of seconds; sigma 0: exponential with mean mu */
    bool gangs;       /* 1, 2, 4, 8, 16 GPUs with 70, 10, 10, 8, 2 %; else 1 */
};

struct one_job {
    sim_time submit, work;
    uint32_t gpus;
};

/* Makes jobs one by one. */
struct maker {
    struct shape shape;
    gsl_rng *arrival, *duration, *size;
    double clock, gap; /* seconds */
};
struct maker maker_new(struct shape);
struct one_job maker_next(struct maker *);
void maker_free(struct maker *);

/* Jobs in columns, in order of submission. */
struct jobs {
    uint32_t n;
    sim_time *submit, *work;
    uint16_t *gpus;
};
struct jobs jobs_new(struct shape, uint32_t n);
void jobs_free(struct jobs *);

/* Jobs as the engine takes them: from columns (which stay good), or as they are made. */
struct jobs_trace {
    struct trace trace;
    const struct jobs *jobs; /* NULL: from the maker */
    struct maker *maker;
    uint32_t at, n;
};
struct jobs_trace jobs_trace(const struct jobs *);
struct jobs_trace maker_trace(struct maker *, uint32_t n);

/*
 * The same as CSV with three decimals, about 60 bytes a row:
 * id,user,vc,submit_s,gpus,duration_s,app,status; the first column is called `first`.
 * false: reported.
 */
bool jobs_csv(struct diag *, const char *path, struct shape, uint32_t n, const char *first);

#endif
