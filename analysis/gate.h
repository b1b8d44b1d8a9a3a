/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate.h - runs against a baseline: a list of checks, each with its verdict.
 *
 * Per case, policy and predictor: that the baseline's seeds were run, that the digest of each is
 * the same, and each metric: exact (seed by seed) or by its mean over common seeds, within the
 * baseline's tolerance.
 */
#ifndef ANALYSIS_GATE_H
#define ANALYSIS_GATE_H

#include "analysis/baseline.h"
#include "analysis/stats.h"

enum gate_verdict {
    GATE_SAME,    /* equal */
    GATE_WITHIN,  /* a change within the tolerance */
    GATE_UNCLEAR, /* one beyond it that may be chance, where that is asked */
    GATE_BETTER,  /* one for the better, beyond it */
    GATE_NEW,     /* the baseline does not have it */
    GATE_OTHER,   /* another world, where that is allowed */
    GATE_WORSE,   /* a change for the worse, beyond the tolerance */
    GATE_CHANGED, /* one without a direction */
    GATE_MISSING, /* the baseline has it, and it was not run */
    GATE_FAULT,   /* it was run, and failed */
    GATE_VERDICTS
};
extern const char *const gate_verdict_name[];

struct gate_item {
    enum gate_verdict verdict;
    bool fails;
    uint32_t group; /* items of one case and policy follow each other and share a number */
    const char *name, *policy, *predictor;
    const char *title;         /* "CASE, POLICY", and the predictor where that tells two apart */
    const char *what;          /* a metric, "digest", "runs", ... */
    const char *old, *new;     /* as texts; both or none */
    const char *why;           /* tolerance and all else there is to say; NULL: nothing */
    double old_mean, new_mean; /* NAN: it is no mean */
    struct interval change;    /* new - old, paired by seed; n 0: no pair */
    struct mark at;            /* in the baseline */
};

struct gate { /* good as long as the arena, the baseline and the runs; gate_free frees the list */
    const struct gate_runs *runs;
    unsigned flags;
    struct gate_item *item;
    uint32_t n, count[GATE_VERDICTS], failed;
    size_t cap;
};

enum gate_flag {
    GATE_WORLDS = 1,   /* a run of another world than the baseline's is compared; else an error */
    GATE_UNCHECKED = 2 /* what the baseline says not to check is checked, too */
};
/* false: reported. */
bool gate_check(struct arena *, struct diag *, const struct baseline *, const struct gate_runs *,
                unsigned flags, struct gate *);
void gate_free(struct gate *);

/* "OLD -> NEW (WHY)", as far as there is any of it. */
const char *gate_message(struct arena *, const struct gate_item *);
/* A value as a number: seconds of times. */
double gate_number(int metric, const struct metric_value *);

#endif
