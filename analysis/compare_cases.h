/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_cases.h - comparisons case by case: of the runs of folders, and of sweeps.
 */
#ifndef ANALYSIS_COMPARE_CASES_H
#define ANALYSIS_COMPARE_CASES_H

#include "analysis/compare.h"

struct compared_case {
    const struct result_case *in; /* NULL: of runs that are of no sweep */
    struct results of;
    struct comparison c; /* n 0: there is no run of the baseline */
};

struct compared {
    uint32_t n;
    struct compared_case *of; /* in order of appearance */
    uint32_t n_notes;
    const char **note; /* what a reader must know, a line each, safe to print */
    size_t cap_notes;
};

/* baseline NULL: the first policy of all. false: reported. Good as long as the arena; then
 * compared_free. */
bool compare_cases(struct arena *, struct diag *, const struct results *, const char *baseline,
                   struct compared *);
void compared_free(struct compared *);

/* Takes a text from the arena. */
void compared_note(struct compared *, const char *);

#endif
