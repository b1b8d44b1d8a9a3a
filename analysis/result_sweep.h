/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result_sweep.h - the points of a sweep as results.
 */
#ifndef ANALYSIS_RESULT_SWEEP_H
#define ANALYSIS_RESULT_SWEEP_H

#include "analysis/result.h"

/* Whether the folder is one of a sweep. */
bool result_is_sweep(struct arena *, const char *dir);

/*
 * Adds the points of DIR in the order of its plan: the complete ones as results, each with its
 * case, all others as lost. The path of a result is its folder, if `sweep run` has kept it, else
 * the file of the point. false: reported.
 */
bool results_load_sweep(struct results *, struct arena *, struct diag *, const char *dir);

/* "axis=value, axis=value" on one line without control characters; "" for NULL. */
const char *result_case_text(struct arena *, const struct result_case *);
bool result_same_case(const struct result_case *, const struct result_case *);

#endif
