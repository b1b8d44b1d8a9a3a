/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_rows.h - comparisons as rows, one for each case, metric and policy: what all outputs
 * show, in their order.
 */
#ifndef ANALYSIS_COMPARE_ROWS_H
#define ANALYSIS_COMPARE_ROWS_H

#include "analysis/compare_cases.h"

/* All that is known of a change; docs/statistics.md says what each is. */
struct change_stats {
    double baseline, policy;     /* means over the pairs */
    struct interval difference;  /* Student */
    struct bootstrap resampled;  /* of the difference */
    struct interval shift;       /* Hodges and Lehmann, of the difference */
    struct bootstrap ratio;      /* resampled, less 1 */
    struct interval ratio_shift; /* Hodges and Lehmann of the logarithms, as ratio less 1 */
    struct p_value sign_flip, wilcoxon;
    double sign_flip_holm, wilcoxon_holm; /* NAN: not asked, or no test */
    double d_z, rank_biserial;
    uint32_t runs_to_halve; /* runs in all; 0: there is no width to halve */
};

extern const struct change_stats no_stats; /* of rows that have none: NAN everywhere */

struct compare_row {
    const struct compared_case *in;
    enum metric_id id;
    uint32_t policy;            /* position; 0: the baseline */
    struct change_stats *stats; /* NULL: not asked, or the baseline */
};

struct compare_rows {
    const struct compared *of;
    struct compare_row *row;
    uint32_t n;
    bool stats;
};

enum holm { HOLM_FROM_THREE, HOLM_ON, HOLM_OFF };

/* The verdicts on so many metrics (NULL: on all) become those of all comparisons of a metric at
 * once, cases included, if holm says so. */
void compare_holm(struct arena *, struct compared *, const enum metric_id *ids, uint32_t n_ids,
                  enum holm);

/* n_ids 0: the metrics worth a block of a table, where a policy has a value that is not 0. Those
 * that were asked for and have no value in any case are a note. With stats: all of it. compare_holm
 * of these metrics and compared_note_makespan are part of it. Good as long as the arena. */
struct compare_rows compare_rows(struct arena *, struct compared *, const enum metric_id *ids,
                                 uint32_t n_ids, enum holm, bool stats);

const struct policy_change *row_policy(const struct compare_row *);
const struct metric_change *row_change(const struct compare_row *);
/* Of a metric for people: "JCT, mean"; its name if it has none. */
const char *metric_title(enum metric_id);

#endif
