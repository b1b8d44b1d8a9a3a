/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the beginning of a series stops to count. */
#include <math.h>

#include "analysis/stats.h"
#include "sim/base/mem.h"

#define BATCH      5u
#define LEAST_KEPT 5u  /* batches at the end that no truncation takes */
#define LEAST      10u /* batches of a series that says anything */

/* Welford's update from the last batch to the first has the spread of each tail in turn. */
struct truncation stats_mser5(const double *value, uint32_t n)
{
    uint32_t batches = n / BATCH, best = batches;
    double mean = 0, squares = 0, least = INFINITY;

    for (uint32_t first = batches; first-- > 0;) {
        double z = stats_mean(&value[first * BATCH], BATCH), kept = batches - first, off = z - mean;
        mean += off / kept;
        squares += off * (z - mean);
        double error = squares / (kept * kept);
        if (kept >= LEAST_KEPT && error <= least) {
            least = error;
            best = first;
        }
    }
    return (struct truncation){best * BATCH,
                               isfinite(squares) && batches >= LEAST && 2 * best <= batches};
}
