/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - lists of trials, and numbers from the experiment's own random stream. */
#ifndef POLICIES_TUNERS_DRAW_H
#define POLICIES_TUNERS_DRAW_H

#include "sim/tuner.h"

/* One of 0 .. n - 1; n is at least 1. */
static inline uint32_t draw_below(struct tx *tx, uint32_t n)
{
    return (uint32_t)((sim_wide)tune_random(tx) * n >> 64);
}

/* In [0, 1). */
static inline double draw_unit(struct tx *tx)
{
    return (double)(tune_random(tx) >> 11) * 0x1p-53;
}

/* 0, 1, ... n - 1; good until the run ends. */
static inline uint32_t *draw_list(struct tx *tx, uint32_t n)
{
    uint32_t *list = tune_keep(tx, n * sizeof(*list));

    for (uint32_t k = 0; k < n; k++)
        list[k] = k;
    return list;
}

/* The first m of a list of n become ones drawn from all of it without repetition. */
static inline void draw_some(struct tx *tx, uint32_t *list, uint32_t n, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++) {
        uint32_t k = i + draw_below(tx, n - i), drawn = list[k];
        list[k] = list[i];
        list[i] = drawn;
    }
}

#endif
