/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/best_load.h"

#include <math.h>

#define ROUNDS 500u
#define CLOSE  1e-11

/*
 * Jobs are in with some odds, independently but for the weight of each number s of them, prod
 * m/peak(m) over m <= s. The sum over all sets of those but one, or (but = n) of all; more: of
 * sets in which so many others are.
 */
static double weigh(const double *odds, uint32_t n, uint32_t but, const double *weight,
                    uint32_t more)
{
    double at[BEST_JOBS + 1] = {1}, sum = 0;
    uint32_t k = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (i == but)
            continue;
        for (uint32_t s = ++k; s > 0; s--)
            at[s] += at[s - 1] * odds[i];
    }
    for (uint32_t s = 0; s <= k; s++)
        sum += at[s] * weight[s + more];
    return sum;
}

double best_load(const double *part, uint32_t n, const double *peak)
{
    double odds[BEST_JOBS], weight[BEST_JOBS + 1], off = 1, load = 0;

    weight[0] = 1;
    for (uint32_t s = 1; s <= n; s++)
        weight[s] = weight[s - 1] * s / peak[s];
    for (uint32_t i = 0; i < n; i++)
        odds[i] = part[i] / (1 - part[i]);
    for (uint32_t round = 0; off > CLOSE && round < ROUNDS; round++) {
        off = 0;
        for (uint32_t i = 0; i < n; i++) {
            double out = weigh(odds, n, i, weight, 0), in = weigh(odds, n, i, weight, 1);
            double to = part[i] / (1 - part[i]) * out / in;
            off = fmax(off, fabs(to / odds[i] - 1));
            odds[i] = to;
        }
    }
    /* As peak(s) weight[s] = s weight[s - 1]. */
    double all = weigh(odds, n, n, weight, 0);
    for (uint32_t i = 0; i < n; i++)
        load += odds[i] * weigh(odds, n, i, weight, 0) / all;
    return load;
}
