/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_warmup.h - runs without their beginning, where the cluster is still filling.
 *
 * In each run MSER-5 looks at the JCTs of the jobs done, in the order of their ends; what it leaves
 * out ends at some time. Of the runs of one seed the latest such time counts, and JCT, wait and
 * slowdown become those of the jobs submitted from then on: the same jobs for every policy.
 */
#ifndef ANALYSIS_COMPARE_WARMUP_H
#define ANALYSIS_COMPARE_WARMUP_H

#include "analysis/result.h"

/*
 * The runs of one case, from jobs.csv in their folders; all runs or none: where one has no file,
 * does not settle, or has no job left, nothing is changed. *note: what was done, a line safe to
 * print. false: a file cannot be read, reported.
 */
bool warmup_remove(struct arena *, struct diag *, struct results *, const char **note);

#endif
