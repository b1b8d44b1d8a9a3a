/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stats.h - what a few paired runs tell: intervals, tests, effect sizes; where a series settles.
 *
 * A pair is one seed's run with the baseline and with the policy. All intervals are of 95 % and all
 * tests two-sided. The same input gives the same answer: what is drawn comes from streams of a
 * seed and an index, so that each comparison can have its own.
 *
 * A value that is not finite, among the data or in what follows from them, gives no interval and p
 * = NAN, and so does n = 0.
 */
#ifndef ANALYSIS_STATS_H
#define ANALYSIS_STATS_H

#include <stdbool.h>
#include <stdint.h>

struct interval {
    double mean, low, high; /* mean: the estimate. low = high = NAN: there is no interval */
    uint32_t n;
};

struct paired {
    const double *x, *y; /* baseline and policy */
    uint32_t n;
};

/* ---- statistics of pairs, for stats_bootstrap ---- */

double stats_difference(const struct paired *); /* mean(y) - mean(x) */
double stats_ratio(const struct paired *);      /* mean(y) / mean(x) - 1; NAN for mean(x) = 0 */
/* ln(mean(y) / mean(x)): halving and doubling are alike; NAN unless both are positive (Hedges,
 * Gurevitch and Curtis 1999). */
double stats_log_ratio(const struct paired *);

/* Sums are compensated (Knuth's two-sum): the error is of the order of one rounding. */
double stats_mean(const double *value, uint32_t n);
/* y - x of each pair, or NULL if one is not finite or there is none. mem_drop frees it. */
double *stats_differences(const struct paired *);

/* ---- intervals ---- */

/*
 * Measured coverage in % of the ratio of means (stats_shift: of the ratio, given logarithms),
 * 20,000 repetitions with 2,000 resamples; y has 0.8 times the mean of x. "normal": sd 15 % of the
 * mean; "skewed": log-normal, sigma 0.5; "luck": the normal ones times a log-normal factor of the
 * seed, sigma 0.4; "heavy": log-normal, sigma 1, where 10 % (n = 10) and 0.3 % have no ratio_of.
 *
 *                  normal        skewed        luck          heavy
 *   n              10    30      10    30      10    30      10    30
 *   ratio_of      94.9  95.1    95.6  95.2    95.6  95.1    96.4  95.8
 *   percentile    90.2  93.7    89.7  93.1    89.6  93.2    88.1  92.0
 *   bca           89.9  93.6    88.7  92.5    88.3  92.6    85.9  89.7
 *   expanded      94.5  94.9    94.1  94.6    94.3  94.5    93.4  93.4
 *   stats_shift   95.1  95.3    95.1  95.2    95.2  95.5    95.0  95.0
 *
 * So with few runs take ratio_of, and of the bootstraps the expanded one; at 7 runs it has 93 to
 * 94, at 5 92, at 3 75. Differences of means are alike: expanded 92.5 to 95.0, bca down to 82.8.
 */

/* Mean and Student's interval of so many values: mean +- t sd / sqrt(n). */
struct interval interval_of(const double *value, uint32_t n);
/* mean(y) / mean(x) - 1 and Fieller's interval; x and y are paired. There is no interval if the
 * mean of x is not clearly different from 0. */
struct interval ratio_of(const double *y, const double *x, uint32_t n);

#define STATS_RESAMPLES 10000u

/*
 * From resamples of the pairs, with F their distribution's quantiles (linear between two):
 *   percentile  F(0.025) .. F(0.975); about sqrt((n-1)/n) z / t of the right width
 *   expanded    F(q) .. F(1-q), q = Phi(-sqrt(n/(n-1)) t(0.975, n-1)), which mends just that
 *               (Hesterberg 2015, What teachers should know about the bootstrap)
 *   bca         F(Phi(z0 + (z0+z) / (1 - a (z0+z)))), z = -+1.96 (Efron 1987): right to second
 *               order, which with few skewed pairs is worse than the plain percentile
 * There is no interval for n < 2, nor if all resamples have one value, nor a bca if z0 or a is not
 * finite or 1 - a (z0+z) not positive.
 */
struct bootstrap {
    struct interval percentile, expanded, bca;
    double bias;         /* z0 = Phi^-1(share of resamples below the estimate; half of the equal) */
    double acceleration; /* a = sum(u^3) / (6 sum(u^2)^1.5), u: what leaving one out takes away */
};

/* The statistic of so many resamples of the pairs, from rng_stream(seed, "bootstrap", index). */
struct bootstrap stats_bootstrap(const struct paired *, double statistic(const struct paired *),
                                 uint32_t resamples, uint64_t seed, uint64_t index);
/* The same of resamples made elsewhere, which it sorts; left_out[i]: the statistic without pair i.
 */
struct bootstrap stats_resampled(double estimate, double *resample, uint32_t resamples,
                                 const double *left_out, uint32_t n);

/* Hodges and Lehmann's shift of y against x: the median of the n(n+1)/2 Walsh averages (d_i +
 * d_j)/2, i <= j, of d = y - x; bounds: the k-th from either end, k - 1 the largest for which the
 * signed-rank distribution has P(W <= k - 1) < 0.025, by the normal one for n > 25. No interval
 * for n < 6, where no k is small enough. It is the interval of the mean only if d is symmetric;
 * of skewed times give it the logarithms. (Hollander, Wolfe and Chicken 2014, 3.2 and 3.3.) */
struct interval stats_shift(const struct paired *);

/* The least number of runs with t(n'-1) / sqrt(n') <= t(n-1) / sqrt(n) / 2, that is for half the
 * width of Student's interval if the spread stays; 0 for n < 2, where there is no width. */
uint32_t stats_runs_to_halve(uint32_t n);

/* ---- tests: is there no difference? ---- */

struct p_value {
    double statistic, p;
    bool exact;
};

/* Student's paired test, t = mean(d) / (sd(d) / sqrt(n)): p < 0.05 where ratio_of leaves out 0.
 * Differences that are all one value: p = 0, or 1 if that is 0. n < 2: NAN. */
struct p_value stats_t(const struct paired *);

/* Mean difference under all flips of signs for n <= 16 (Fisher 1935); else under 100,000 random
 * ones from rng_stream(seed, "sign flip", index), p = (b + 1) / (m + 1) with b of m at least as far
 * from 0 (Phipson and Smyth 2010). Sums equal to 1e-12 of sum(|d|) count as equal. */
struct p_value stats_sign_flip(const struct paired *, uint64_t seed, uint64_t index);

/* Wilcoxon's signed-rank test; the statistic is the smaller of both rank sums. Differences of 0
 * are left out ("wilcox"); nothing left: p = 1. Exact for n <= 25 without zeros and ties, else as
 * stats_wilcoxon_normal: z without continuity correction, variance n(n+1)(2n+1)/24 -
 * sum(t^3 - t)/48 over ties of t. */
struct p_value stats_wilcoxon(const struct paired *);
struct p_value stats_wilcoxon_normal(const struct paired *);

/* Holm's (1979) p-values of m tests: the i-th smallest becomes the largest (m - j + 1) p_j, j <= i,
 * at most 1. In the order of p, which may be adjusted itself; NAN stays and does not count. */
void stats_holm(const double *p, double *adjusted, uint32_t m);

/* ---- effect sizes; NAN where there is 0/0 or x/0 ---- */

double stats_d_z(const struct paired *);   /* mean(d) / sd(d) of d = y - x (Cohen 1988) */
double stats_cliff(const struct paired *); /* P(y > x) - P(y < x) over all x and y (Cliff 1993) */
/* (R+ - R-) / (R+ + R-) of Wilcoxon's rank sums (Kerby 2014). */
double stats_rank_biserial(const struct paired *);

/* ---- series ---- */

struct truncation {
    uint32_t first; /* value that is kept */
    bool converged; /* it lies in the first half, and there are 50 values or more */
};

/* MSER-5: of the means of 5 values each, with the first k left out, the k with the least
 * sum((z - mean)^2) / kept^2 (White 1997; White, Cobb and Spratt 2000); the first such k. 5 means
 * are always kept, as the last few may agree by chance. */
struct truncation stats_mser5(const double *value, uint32_t n);

#endif
