/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bracket.h - tables of successive halving and Hyperband: how many trials train how long.
 *
 * eta is at least 2 and the smallest budget at least 1 epoch, so that rungs end at ever later
 * epochs.
 */
#ifndef POLICIES_TUNERS_BRACKET_H
#define POLICIES_TUNERS_BRACKET_H

#include <stdint.h>

#define BRACKET_RUNGS 33 /* at most: the budget doubles from 1 to 2^32 */

/* So many trials enter rung k; there they train until an epoch, counted from their beginning. */
struct bracket {
    uint32_t rungs;
    uint32_t trials[BRACKET_RUNGS], epoch[BRACKET_RUNGS];
};

/* How brackets get their sizes. */
enum bracket_sizes {
    BRACKET_CEIL, /* ceil((s_max + 1) / (s + 1) * eta^s): Li et al. (2018), Algorithm 1 */
    BRACKET_FLOOR /* floor((s_max + 1) / (s + 1)) * eta^s: BOHB's program, HpBandSter */
};

/* Rungs at least, least * eta, least * eta^2 ... below most, and the last one at most; least is at
 * most most. 1/eta of those that enter a rung go on, rounded down, but not below one. */
struct bracket bracket_halving(uint32_t trials, uint32_t least, uint32_t most, uint32_t eta);

/* s_max: floor(log_eta(most / least)). Hyperband has brackets s_max, s_max - 1, ... 0. */
uint32_t bracket_last(uint32_t least, uint32_t most, uint32_t eta);

/* Bracket s of Hyperband: s + 1 rungs, which end at most / eta^s ... most / eta, most, each rounded
 * to the nearest epoch. */
struct bracket bracket_hyperband(uint32_t s, uint32_t last, uint32_t most, uint32_t eta,
                                 enum bracket_sizes);

/* The same rungs for fewer trials. */
void bracket_shrink(struct bracket *, uint32_t trials, uint32_t eta);

#endif
