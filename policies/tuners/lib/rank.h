/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rank.h - metrics as whole numbers: the better one is the smaller, equal ones are equal.
 *
 * With the trial as the id, an ordered set (sim/heap.h) then follows the tie rule of all tuners:
 * better metric, then lower trial.
 */
#ifndef POLICIES_TUNERS_RANK_H
#define POLICIES_TUNERS_RANK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Of a number; falls: better metrics are lower. */
static inline int64_t rank_of(double metric, bool falls)
{
    int64_t up;

    metric += 0.0; /* there is one zero */
    memcpy(&up, &metric, sizeof(up));
    up = up < 0 ? up ^ INT64_MAX : up;
    return falls ? up : ~up;
}

static inline double rank_metric(int64_t rank, bool falls)
{
    int64_t up = falls ? rank : ~rank;
    double metric;

    up = up < 0 ? up ^ INT64_MAX : up;
    memcpy(&metric, &up, sizeof(metric));
    return metric;
}

#endif
