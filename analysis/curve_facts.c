/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/curve_facts.h"

#include <math.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/base/mem.h"

const double fact_quantiles[FACT_QUANTILES] = {0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98};
const double fact_times[FACT_TIMES] = {0.1, 0.25, 0.5};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The metric at a share of the planned epochs. */
static double metric_at(const struct curves *c, uint32_t k, double t)
{
    uint32_t epoch = (uint32_t)fmax(1, ceil(t * curve_planned(c, k) - 1e-9));

    return curve_at(c, k, least(epoch, curve_epochs(c, k)));
}

void curve_metrics(const struct curves *c, double t, double *out)
{
    for (uint32_t k = 0; k < c->trials; k++)
        out[k] = metric_at(c, k, t);
}

static double correlation(const struct curves *c, double t, bool whole, double *room)
{
    double *early = room, *last = room + c->trials;
    size_t n = 0;

    for (uint32_t k = 0; k < c->trials; k++) {
        if (whole && curve_epochs(c, k) < curve_planned(c, k))
            continue;
        early[n] = metric_at(c, k, t);
        last[n++] = metric_at(c, k, 1);
    }
    return n < 2 ? NAN : gsl_stats_spearman(early, 1, last, 1, n, room + 2 * (size_t)c->trials);
}

/* Changes of sign of what lies between two trials over the epochs that both have; where they are
 * equal, the sign before stands. */
static uint32_t crossings(const struct curves *c, uint32_t a, uint32_t b)
{
    uint32_t n = 0, epochs = least(curve_epochs(c, a), curve_epochs(c, b));
    int sign = 0;

    for (uint32_t e = 1; e <= epochs; e++) {
        double x = curve_at(c, a, e), y = curve_at(c, b, e);
        int now = (x > y) - (x < y);
        n += now * sign < 0;
        sign = now ? now : sign;
    }
    return n;
}

static void count_crossings(const struct curves *c, struct curve_facts *out)
{
    uint64_t pairs = (uint64_t)c->trials * (c->trials - 1) / 2, sum = 0, seen = 0, never = 0;
    uint64_t every = (pairs + FACT_PAIRS - 1) / FACT_PAIRS, at = 0;

    for (uint32_t a = 0; a < c->trials; a++)
        for (uint32_t b = a + 1; b < c->trials; b++) {
            if (at++ % every)
                continue;
            uint32_t n = crossings(c, a, b);
            sum += n;
            never += n == 0;
            seen++;
        }
    out->crossings = seen ? (double)sum / (double)seen : NAN;
    out->never = seen ? (double)never / (double)seen : NAN;
}

void curve_facts(const struct curves *c, struct curve_facts *out)
{
    double *room = mem_get(4 * (size_t)c->trials * sizeof(*room));

    *out = (struct curve_facts){.trials = c->trials};
    for (uint32_t k = 0; k < c->trials; k++) {
        out->ended_early += curve_epochs(c, k) < curve_planned(c, k);
        out->epochs = curve_planned(c, k) > out->epochs ? curve_planned(c, k) : out->epochs;
        room[k] = metric_at(c, k, 1);
    }
    gsl_sort(room, 1, c->trials);
    for (int i = 0; i < FACT_QUANTILES; i++)
        out->final[i] = gsl_stats_quantile_from_sorted_data(room, 1, c->trials, fact_quantiles[i]);
    for (int i = 0; i < FACT_TIMES; i++) {
        out->rank[i] = correlation(c, fact_times[i], false, room);
        out->rank_whole[i] = correlation(c, fact_times[i], true, room);
    }
    count_crossings(c, out);
    mem_drop(room);
}
