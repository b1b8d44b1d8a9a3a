/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot_jobs.h - what jobs.csv says of each job that is done, for pictures of distributions.
 */
#ifndef ANALYSIS_PLOT_JOBS_H
#define ANALYSIS_PLOT_JOBS_H

#include "analysis/plot_kinds.h"

/*
 * PLOT_FAIRNESS is the job's JCT / its JCT alone on an equal share of the cluster. The share: GPUs
 * of the cluster / n, n the mean number of jobs in the system (submitted and not ended, this one
 * too) while it was there. Alone on it, a job that wants g GPUs would take its time in progress,
 * without what was lost, times max(1, g / share).
 */
enum plot_measure { PLOT_JCT, PLOT_SLOWDOWN, PLOT_FAIRNESS, PLOT_MEASURES };
extern const char *const plot_measure_name[PLOT_MEASURES]; /* as a column */

struct plot_value {
    double x; /* above 0 */
    uint32_t gpus;
};

struct plot_values { /* zero-initialised */
    struct plot_value *value;
    size_t n, cap;
};

/* Of all jobs that are done and took time, over all seeds of a policy, from the least to the
 * largest. false: reported. mem_drop(value) in any case. */
bool plot_measure(const struct plot_set *, uint32_t policy, enum plot_measure,
                  struct plot_values *);

#endif
