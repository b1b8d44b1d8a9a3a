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

/* Runs, those in which jobs arrive for half of the makespan or more, and the least share of it in
 * one of those. */
struct arrivals {
    uint32_t runs, open;
    double least;
};

struct compared {
    uint32_t n;
    struct compared_case *of; /* in order of appearance */
    uint32_t n_notes;
    const char **note; /* what a reader must know, a line each, safe to print */
    size_t cap_notes;
    struct arrivals arrivals;
};

struct compare_asked {
    const char *baseline; /* NULL: the first policy of all */
    bool mser5;           /* without warm-up */
};

/* false: reported. Good as long as the arena; then compared_free. */
bool compare_cases(struct arena *, struct diag *, const struct results *,
                   const struct compare_asked *, struct compared *);
void compared_free(struct compared *);

/* Takes a text from the arena. */
void compared_note(struct compared *, const char *);
/* A note where the makespan is chiefly the time until the last job was submitted. */
void compared_note_makespan(struct arena *, struct compared *);

#endif
