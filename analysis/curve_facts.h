/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve_facts.h - what tells sets of learning curves apart, recorded or drawn.
 */
#ifndef ANALYSIS_CURVE_FACTS_H
#define ANALYSIS_CURVE_FACTS_H

#include "sim/model/curve.h"

#define FACT_QUANTILES 7
#define FACT_TIMES     3
extern const double fact_quantiles[FACT_QUANTILES]; /* of the last metric */
extern const double fact_times[FACT_TIMES];         /* shares of the planned epochs */

struct curve_facts {
    uint32_t trials, ended_early; /* before their planned end */
    uint32_t epochs;              /* the most that are planned */
    double final[FACT_QUANTILES];
    /* How often the better of two trials changes, the mean over pairs, and the share of pairs in
     * which it never does; of more than FACT_PAIRS pairs, evenly spread ones. */
    double crossings, never;
    /* Spearman, of the metric at a share of the planned epochs (or the last one, if the trial ended
     * before) with the last one: over all trials, and over those that did not end early. */
    double rank[FACT_TIMES], rank_whole[FACT_TIMES];
};

#define FACT_PAIRS 200000u

/* The metric of each trial at a share of the planned epochs, or at its end before that. */
void curve_metrics(const struct curves *, double t, double *out);

void curve_facts(const struct curves *, struct curve_facts *);

#endif
