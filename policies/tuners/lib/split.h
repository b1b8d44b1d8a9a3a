/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * split.h - what was recorded so far, parted into the best m and the rest: O(log n) a result.
 *
 * m may grow with each result, and never shrinks. Zero-initialise; split_free when done.
 */
#ifndef POLICIES_TUNERS_SPLIT_H
#define POLICIES_TUNERS_SPLIT_H

#include "sim/heap.h"

struct split {
    struct heap best; /* by (rank, id), the worst first */
    struct heap rest; /* the best first */
};

/* Afterwards the best m of all are in best; m is at most their number. */
void split_add(struct split *, uint64_t id, int64_t rank, uint32_t m);
void split_free(struct split *);

#endif
