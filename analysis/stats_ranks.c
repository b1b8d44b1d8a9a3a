/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rests on the ranks of differences: Wilcoxon's test, its shift and its effect size. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "analysis/stats.h"
#include "sim/base/mem.h"

#define EXACT_RUNS 25u
#define EXACT_SUMS (EXACT_RUNS * (EXACT_RUNS + 1) / 2 + 1)

/* P(W <= w) for all w of the sum of the ranks 1..n, each in it or not with probability 1/2. The
 * counts are below 2^25, so that all of this is exact. */
static void signed_rank_cdf(uint32_t n, double cdf[EXACT_SUMS])
{
    uint32_t sums = n * (n + 1) / 2 + 1;

    memset(cdf, 0, EXACT_SUMS * sizeof(*cdf));
    cdf[0] = 1;
    for (uint32_t rank = 1; rank <= n; rank++)
        for (uint32_t w = rank * (rank + 1) / 2; w >= rank; w--)
            cdf[w] += cdf[w - rank];
    for (uint32_t w = 1; w < sums; w++)
        cdf[w] += cdf[w - 1];
    for (uint32_t w = 0; w < sums; w++)
        cdf[w] = ldexp(cdf[w], -(int)n);
}

/* ---- Hodges and Lehmann ---- */

/* Doubles in order as integers in order. */
static uint64_t key_of(double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof(bits));
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
    double v;

    memcpy(&v, &bits, sizeof(v));
    return v + 0.0; /* no negative zero */
}

static uint64_t averages_up_to(const double *d, uint32_t n, double v)
{
    uint64_t count = 0;

    for (uint32_t i = 0, end = n; i < n; i++) {
        while (end > i && (d[i] + d[end - 1]) / 2 > v)
            end--;
        if (end <= i)
            break;
        count += end - i;
    }
    return count;
}

/* The k-th smallest Walsh average, k from 1, of sorted differences: by bisection of all doubles
 * between the outermost, so that thousands of runs need no table of millions of averages. */
static double walsh_average(const double *d, uint32_t n, uint64_t k)
{
    uint64_t low = key_of(d[0]), high = key_of(d[n - 1]);

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (averages_up_to(d, n, value_of(middle)) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    return value_of(low);
}

/* 0: not even the outermost averages make an interval. */
static uint64_t rank_of_bound(uint32_t n)
{
    double cdf[EXACT_SUMS], runs = n;
    uint64_t k = 0;

    if (n > EXACT_RUNS)
        return (uint64_t)(runs * (runs + 1) / 4 -
                          gsl_cdf_ugaussian_Pinv(0.975) *
                              sqrt(runs * (runs + 1) * (2 * runs + 1) / 24));
    signed_rank_cdf(n, cdf);
    while (cdf[k] < 0.025)
        k++;
    return k;
}

struct interval stats_shift(const struct paired *p)
{
    struct interval x = {NAN, NAN, NAN, p->n};
    uint64_t averages = (uint64_t)p->n * (p->n + 1) / 2;
    double *d = stats_differences(p);

    if (!d)
        return x;
    gsl_sort(d, 1, p->n);
    x.mean =
        (walsh_average(d, p->n, (averages + 1) / 2) + walsh_average(d, p->n, averages / 2 + 1)) / 2;
    uint64_t k = rank_of_bound(p->n);
    if (k > 0) {
        x.low = walsh_average(d, p->n, k);
        x.high = walsh_average(d, p->n, averages + 1 - k);
    }
    mem_drop(d);
    return x;
}

/* ---- Wilcoxon ---- */

struct rank_sums {
    double plus, minus;
    double ties; /* sum(t^3 - t) */
    uint32_t n;  /* differences that are not 0 */
    bool whole;  /* all of them */
};

/* Equal sizes share the mean of their ranks. */
static void add_ranks(const double *d, const double *size, const size_t *order, uint32_t n,
                      struct rank_sums *s)
{
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && size[order[end]] == size[order[i]]; end++)
            ;
        double t = end - i, rank = s->n + (t + 1) / 2;
        if (size[order[i]] == 0)
            continue;
        for (uint32_t k = i; k < end; k++)
            *(d[order[k]] > 0 ? &s->plus : &s->minus) += rank;
        s->ties += t * t * t - t;
        s->n += end - i;
    }
    s->whole = s->n == n;
}

/* false: a difference is not finite, or there is none. */
static bool rank_sums(const struct paired *p, struct rank_sums *s)
{
    double *d = stats_differences(p);

    *s = (struct rank_sums){0};
    if (!d)
        return false;
    double *size = mem_get(p->n * sizeof(*size));
    size_t *order = mem_get(p->n * sizeof(*order));
    for (uint32_t i = 0; i < p->n; i++)
        size[i] = fabs(d[i]);
    gsl_sort_index(order, size, 1, p->n);
    add_ranks(d, size, order, p->n, s);
    mem_drop(order);
    mem_drop(size);
    mem_drop(d);
    return true;
}

static struct p_value normal(const struct rank_sums *s)
{
    double n = s->n, w = fmin(s->plus, s->minus);
    double sd = sqrt(n * (n + 1) * (2 * n + 1) / 24 - s->ties / 48);

    if (s->n == 0)
        return (struct p_value){0, 1, false};
    return (struct p_value){w, 2 * gsl_cdf_ugaussian_Q(fabs(w - n * (n + 1) / 4) / sd), false};
}

struct p_value stats_wilcoxon_normal(const struct paired *p)
{
    struct rank_sums s;

    return rank_sums(p, &s) ? normal(&s) : (struct p_value){NAN, NAN, false};
}

struct p_value stats_wilcoxon(const struct paired *p)
{
    double cdf[EXACT_SUMS];
    struct rank_sums s;

    if (!rank_sums(p, &s))
        return (struct p_value){NAN, NAN, false};
    if (s.n > EXACT_RUNS || !s.whole || s.ties > 0)
        return normal(&s);
    double w = fmin(s.plus, s.minus);
    signed_rank_cdf(s.n, cdf);
    return (struct p_value){w, fmin(1, 2 * cdf[(uint32_t)w]), true};
}

double stats_rank_biserial(const struct paired *p)
{
    struct rank_sums s;

    return rank_sums(p, &s) && s.n > 0 ? (s.plus - s.minus) / (s.plus + s.minus) : NAN;
}
