/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep_merge.h - all points of a sweep as one table.
 *
 * A row for each point in the order of the plan: point, its axes, policy, oracle, seed, status,
 * reason, predictor, world, ended, digest, and every metric; a metric without a value is empty. The
 * bytes do not depend on who ran the points, or in what order.
 */
#ifndef ANALYSIS_SWEEP_MERGE_H
#define ANALYSIS_SWEEP_MERGE_H

#include "analysis/sweep_plan.h"

struct merge_count {
    uint32_t rows, missing;
};

/* DIR as CSV. Points that are missing or damaged are an error, or, with partial, rows that say so.
 * false: reported. */
bool sweep_merge(struct diag *, const char *dir, struct out *, bool partial, struct merge_count *);

#endif
