/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dist.h - the distribution of times in bounded memory.
 *
 * Exact sum, mean, least and largest whatever the count. Quantiles are exact up to 65,536 values;
 * beyond, they come from counts in cells of 1/512 relative width, so they are off by 0.2 % at most.
 */
#ifndef ANALYSIS_DIST_H
#define ANALYSIS_DIST_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/types.h"

#define DIST_EXACT 65536u

/* Zero-initialised; dist_free at the end. */
struct dist {
    uint64_t n;
    sim_area sum;
    sim_time least, largest;
    bool sorted;     /* value is in order */
    sim_time *value; /* while n <= DIST_EXACT */
    size_t cap;
    uint64_t *cell; /* beyond */
};

void dist_add(struct dist *, sim_time);          /* not negative */
sim_time dist_mean(const struct dist *);         /* to the nearest nanosecond; 0 when empty */
sim_time dist_quantile(struct dist *, double p); /* the value at rank ceil(p n); 0 when empty */
void dist_free(struct dist *);

#endif
