/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stats.h - what a few paired runs tell: intervals, all of 95 %.
 */
#ifndef ANALYSIS_STATS_H
#define ANALYSIS_STATS_H

#include <stdbool.h>
#include <stdint.h>

struct interval {
    double mean, low, high; /* mean: the estimate. low = high = NAN: there is no interval */
    uint32_t n;
};

/* Mean and Student's interval of so many values: mean +- t sd / sqrt(n). */
struct interval interval_of(const double *value, uint32_t n);
/* mean(y) / mean(x) - 1 and Fieller's interval; x and y are paired. There is no interval if the
 * mean of x is not clearly different from 0. */
struct interval ratio_of(const double *y, const double *x, uint32_t n);

#endif
