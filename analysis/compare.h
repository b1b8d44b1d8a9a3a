/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.h - policies against a baseline, paired by seed: which is better, by how much, how
 * surely.
 *
 * All runs of a comparison are of one world (same inputs, same configuration but for policy and
 * predictor); the same seed gives the same jobs, curves and noise to each policy. The change of a
 * metric is the ratio of its means over common seeds, less 1, with Fieller's 95 % interval: the
 * ratios r that a paired t-test of policy - r * baseline does not reject. One seed gives no
 * interval.
 */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "analysis/result.h"
#include "analysis/stats.h"
#include "sim/text/out.h"

enum call { CALL_NONE, CALL_BETTER, CALL_WORSE, CALL_UNCLEAR, CALL_SAME };

struct metric_change {
    struct interval value;  /* of the policy, over its seeds; n 0: not defined */
    struct interval change; /* relative to the baseline, over common seeds; n 0: not comparable */
    uint32_t pairs;         /* common seeds with a value */
    double p;               /* stats_t over common seeds; NAN: there is no test */
    double holm;            /* the same for all comparisons of the metric at once; NAN: not asked */
    enum call call;         /* by the interval, and by which direction is better */
    bool held;              /* it would be clear alone, but is not among so many */
};

struct policy_change {
    const char *label;
    bool oracle;
    bool alike;     /* all its runs are the same, whatever the seed: they count as one */
    uint32_t runs;  /* one a seed */
    uint32_t seeds; /* of them shared with the baseline */
    struct metric_change metric[METRICS];
};

struct comparison {
    uint32_t n; /* policies; the baseline first */
    struct policy_change *policy;
};

/* baseline NULL: the label of the first result. false: reported. Good as long as the arena. */
bool compare(struct arena *, struct diag *, const struct results *, const char *baseline,
             struct comparison *);

/* The pairs that a change is of, of the same results: x the baseline. Good as long as the arena. */
struct paired compare_pairs(struct arena *, const struct results *, const struct comparison *,
                            uint32_t policy, enum metric_id);

#endif
