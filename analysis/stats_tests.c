/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sign-flip test, and what many tests at once cost. */
#include <math.h>

#include <gsl/gsl_sort.h>

#include "analysis/stats.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"

#define EXACT_RUNS 16u
#define FLIPS      100000u

/* ---- sign flips ---- */

/* Both f and its opposite are equally far from 0: one half of all flips stands for the whole. */
static double exact_share(const double *d, uint32_t n, double far)
{
    uint32_t flips = 1u << n >> 1, hits = 0;

    for (uint32_t f = 0; f < flips; f++) {
        double sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += f >> i & 1 ? -d[i] : d[i];
        hits += fabs(sum) >= far;
    }
    return (double)hits / flips;
}

static double drawn_share(const double *d, uint32_t n, double far, gsl_rng *r)
{
    uint32_t hits = 0;

    for (uint32_t f = 0; f < FLIPS; f++) {
        unsigned long bits = 0;
        double sum = 0;
        for (uint32_t i = 0; i < n; i++, bits >>= 1) {
            if (i % 64 == 0)
                bits = gsl_rng_get(r);
            sum += bits & 1 ? -d[i] : d[i];
        }
        hits += fabs(sum) >= far;
    }
    return (hits + 1.) / (FLIPS + 1.);
}

struct p_value stats_sign_flip(const struct paired *p, uint64_t seed, uint64_t index)
{
    struct p_value t = {NAN, NAN, false};
    double *d = stats_differences(p), sum = 0, size = 0;

    for (uint32_t i = 0; d && i < p->n; i++) {
        sum += d[i];
        size += fabs(d[i]);
    }
    if (!d || !isfinite(size)) {
        mem_drop(d);
        return t;
    }
    double far = fabs(sum) - 1e-12 * size;
    t.statistic = stats_mean(d, p->n);
    t.exact = p->n <= EXACT_RUNS;
    if (t.exact) {
        t.p = exact_share(d, p->n, far);
    } else {
        gsl_rng *r = rng_stream(seed, "sign flip", index);
        t.p = drawn_share(d, p->n, far, r);
        gsl_rng_free(r);
    }
    mem_drop(d);
    return t;
}

/* ---- Holm ---- */

void stats_holm(const double *p, double *adjusted, uint32_t m)
{
    double *key = mem_get((m + 1) * sizeof(*key)), most = 0;
    size_t *order = mem_get((m + 1) * sizeof(*order));
    uint32_t tests = 0;

    for (uint32_t i = 0; i < m; i++) {
        bool test = !isnan(p[i]);
        tests += test;
        key[i] = test ? p[i] : INFINITY; /* behind all others */
        adjusted[i] = p[i];
    }
    gsl_sort_index(order, key, 1, m);
    for (uint32_t i = 0; i < tests; i++) {
        most = fmax(most, fmin(1, (tests - i) * key[order[i]]));
        adjusted[order[i]] = most;
    }
    mem_drop(order);
    mem_drop(key);
}
