/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h - the fixed order of measurements, of which a time budget measures the beginning.
 *
 * Within a benchmark the first and the last case come first, then the others in golden-section
 * steps through the grid, so that every beginning is spread over the whole grid. The benchmarks
 * take turns of MB_TURN cases each: short grids are complete early, long ones fill what time is
 * left.
 */
#ifndef MICROBENCH_ORDER_H
#define MICROBENCH_ORDER_H

#include <stddef.h>
#include <stdint.h>

enum { MB_TURN = 8 };

/* A permutation of 0 ... n-1: which case comes i-th. */
size_t mb_order_case(size_t i, size_t n);

struct mb_step {
    size_t bench, at; /* the index of a benchmark, and of a case in its grid */
};

/* All cases of benchmarks with cases[b] each; steps has room for their sum, which is returned. With
 * turns > 0 only so many turns. */
size_t mb_order(const size_t *cases, size_t benches, size_t turns, struct mb_step *steps);

#endif
