/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers are those of SciPy 1.10.1 and NumPy 1.24.2, from these lines:
 *
 * d = y - x; n = len(d); w = sort(add.outer(d, d)[triu_indices(n)] / 2); z = d[d != 0]
 * median(w)                                                                          # shift
 * k = (stats._hypotests._get_wilcoxon_distr(n).cumsum() < 0.025).sum()               # n <= 25
 * k = int(n*(n+1)/4 - stats.norm.ppf(.975) * sqrt(n*(n+1)*(2*n+1)/24))               # n > 25
 * w[k-1], w[len(w)-k]                                                                # k > 0
 * stats.wilcoxon(d, method='exact' or 'approx')
 * stats.permutation_test((y, x), lambda y, x, axis: (y-x).mean(axis), vectorized=True,
 *                        permutation_type='samples', n_resamples=inf).pvalue         # n <= 16
 * stats.ttest_1samp(d, 0).statistic / sqrt(n)                                        # d_z
 * 2 * stats.mannwhitneyu(y, x).statistic / n**2 - 1                                  # Cliff
 * r = stats.rankdata(abs(z)); (r[z > 0].sum() - r[z < 0].sum()) / r.sum()            # biserial
 * log(y.mean() / x.mean())
 *
 * c = array(v[:n//5*5]).reshape(-1, 5).mean(1)                                       # MSER-5
 * argmin([((c[k:] - c[k:].mean())**2).sum() / (len(c)-k)**2 for k in range(len(c)-4)])
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>

#include "analysis/stats.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool near(double got, double want)
{
    return isnan(want) ? isnan(got) : fabs(got - want) <= 1e-10 * fmax(1e-3, fabs(want));
}

static bool is(struct interval x, double mean, double low, double high)
{
    return near(x.mean, mean) && near(x.low, low) && near(x.high, high);
}

/* ---- pairs ---- */

/* clang-format off */
static const struct {
    const char *name;
    uint32_t n;
    double x[40], y[40];
    double shift, low, high, w, wilcoxon, normal, flip, d_z, cliff, biserial, log_ratio;
    bool exact;
    double difference;
} pairs[] = {
    {"one", 1, {3}, {2},
     -1, NAN, NAN, 0, 1, 0.31731050786291415, 1, NAN, -1, -1, -0.40546510810816444, 1, -1},
    {"two", 2, {10, 12}, {9, 11.5},
     -0.75, NAN, NAN, 0, 0.5, 0.17971249487899976, 0.5, -2.1213203435596424, -0.5, -1,
     -0.0706175672139534, 1, -0.75},
    {"five", 5, {5, 4, 7, 6, 9}, {4, 2, 4, 2, 4},
     -3, NAN, NAN, 0, 0.0625, 0.043114446783075355, 0.0625, -1.8973665961010273, -0.88, -1,
     -0.661398482245365, 1, -3},
    {"six", 6, {20.5, 21, 19, 22, 18, 25}, {10, 12.25, 9, 11, 10, 12},
     -10.25, -13, -8, 0, 0.03125, 0.027707849358079864, 0.03125, -5.788227036489093, -1, -1,
     -0.6695240347965093, 1, -10.208333333333334},
    {"seven", 7, {20.5, 21, 19, 22, 18, 25, 40}, {10, 12.25, 9, 11, 10, 12, 30},
     -10.125, -11.75, -8.75, 0, 0.01775592261403605, 0.01775592261403605, 0.015625,
     -6.3146508934179195, -0.7551020408163265, -1, -0.5630203684889975, 0, -10.178571428571429},
    {"shoes", 10, {13.2, 8.2, 10.9, 14.3, 10.7, 6.6, 9.5, 10.8, 8.8, 13.3},
     {14, 8.8, 11.2, 14.2, 11.8, 6.4, 9.8, 11.3, 9.3, 13.6},
     0.40000000000000036, 0.09999999999999964, 0.7000000000000002, 3, 0.01240108578708306,
     0.01240108578708306, 0.013671875, 1.0590077457155551, 0.1499999999999999, 0.8909090909090909,
     0.03784484849509268, 0, 0.41000000000000014},
    {"corn", 15, {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100},
     {106, 108, 114, 116, 123, 124, 128, 129, 141, 52, 149, 156, 160, 33, 175},
     25, 4, 41.5, 24, 0.041259765625, 0.04088813291185591, 0.05267333984375, 0.5546079777065184,
     0.7333333333333334, 0.6, 0.1900692435847805, 1, 20.933333333333334},
    {"ties", 8, {1, 2, 3, 4, 5, 6, 7, 8}, {2, 1, 5, 6, 4, 9, 7, 11},
     1, -0.5, 2.5, 4, 0.0875036957561713, 0.0875036957561713, 0.140625, 0.6851064595573102, 0.1875,
     0.7142857142857143, 0.22314355131420974, 0, 1.125},
    {"zeros", 7, {5, 5, 5, 5, 5, 5, 5}, {5, 5, 5.5, 4.75, 6, 7, 5},
     0.3125, -0.125, 1.25, 1, 0.14412703481601533, 0.14412703481601533, 0.25, 0.5831296952211337,
     0.2857142857142858, 0.8, 0.08879549878313127, 0, 0.4642857142857143},
    {"all zero", 4, {1, 2, 3, 4}, {1, 2, 3, 4},
     0, NAN, NAN, 0, 1, 1, 1, NAN, 0, NAN, 0, 0, 0},
    {"all equal", 3, {1, 2, 3}, {3.5, 4.5, 5.5},
     2.5, NAN, NAN, 0, 0.0832645166635504, 0.0832645166635504, 0.25, NAN, 1, 1, 0.8109302162163288,
     0, 2.5},
    {"negative", 4, {-3, -1, -4, -1.5}, {2, 7, 1, 8},
     6.875, NAN, NAN, 0, 0.06559969214707187, 0.06559969214707187, 0.125, 3.0555555555555554, 1, 1,
     NAN, 0, 6.875},
    {"balanced", 3, {10, 10, 10}, {11, 12, 7},
     0.25, NAN, NAN, 3, 1, 1, 1, 0, 0.33333333333333326, 0, 0, 1, 0},
    {"rounding", 5, {0, 0, 0, 0, 0}, {-0.9, 0.4, -0.8, -1.1, 0.5},
     -0.30000000000000004, NAN, NAN, 3, 0.3125, 0.22491588401596185, 0.375, -0.4959804359498211,
     -0.19999999999999996, -0.6, NAN, 1, -0.38000000000000006},
    {"sixteen", 16, {20.432, 39.641, 37.053, 15.562, 17.305, 15.43, 26.705, 19.53, 29.179, 7.975,
      43.96, 19.14, 28.224, 18.76, 16.617, 25.319},
     {20.933, 29.843, 28.314, 15.293, 10.663, 7.837, 24.052, 12.777, 13.121, 4.998, 30.565, 10.705,
      14.43, 15.174, 17.4, 18.887},
     -6.61725, -9.5175, -3.511000000000001, 5, 0.00030517578125, 0.0011233790034369743,
     0.000213623046875, -1.2983263111979881, -0.421875, -0.9264705882352942, -0.3256163266656975,
     1, -6.615},
    {"twenty-five", 25, {88.846, 105.775, 110.759, 95.5, 108.17, 115.643, 96.896, 87.797, 105.215,
      103.713, 116.482, 80.731, 90.076, 87.427, 73.99, 101.897, 107.917, 88.918, 120.785, 112.329,
      109.411, 106.026, 114.335, 80.02, 109.209},
     {98.713, 95.154, 119.42, 98.021, 120.612, 117.474, 101.577, 95.273, 102.589, 114.286, 121.361,
      89.2, 89.883, 101.574, 83.136, 105.39, 119, 104.702, 142.945, 103.783, 122.83, 115.513,
      119.207, 74.961, 125.984},
     7.009, 3.430500000000002, 10.030000000000008, 44, 0.0008081197738647461,
     0.0014302832356022808, NAN, 0.8364243610526877, 0.23199999999999998, 0.7292307692307692,
     0.0633698856746764, 1, 6.588839999999998},
    {"twenty-six", 26, {81.074, 108.504, 119.528, 76.005, 95.462, 80.362, 103.661, 122.716,
      130.353, 73.328, 91.376, 110.553, 123.691, 106.318, 88.808, 104.457, 99.751, 96.944, 88.983,
      105.809, 104.618, 98.605, 96.675, 80.726, 92.707, 118.097},
     {80.98, 97.717, 133.929, 82.297, 116.344, 82.532, 101.582, 112.142, 144.875, 97.92, 85.815,
      106.94, 131.531, 100.971, 88.149, 103.398, 103.474, 108.736, 90.961, 116.195, 102.931,
      103.527, 79.364, 69.291, 101.724, 115.148},
     1.913499999999999, -2.003999999999998, 6.356999999999999, 139, 0.3539129468750295,
     0.3539129468750295, NAN, 0.2261477085265833, 0.053254437869822535, 0.20797720797720798,
     0.022582434326127422, 0, 2.283153846153845},
    {"forty, rounded", 40, {109, 108, 120, 112, 115, 98, 90, 89, 93, 83, 92, 99, 104, 95, 71, 99,
      103, 116, 109, 90, 89, 130, 111, 127, 132, 88, 106, 107, 108, 108, 103, 103, 77, 98, 89, 102,
      93, 109, 112, 105},
     {114, 111, 118, 113, 113, 103, 92, 96, 83, 93, 87, 94, 104, 92, 75, 96, 95, 111, 123, 92, 80,
      133, 99, 146, 121, 94, 113, 96, 113, 119, 109, 107, 87, 101, 94, 103, 101, 103, 121, 103},
     1.5, -1, 4, 308, 0.25184194089275813, 0.25184194089275813, NAN, 0.19283729670523742,
     0.0475000000000001, 0.21025641025641026, 0.013592442277900836, 0, 1.4},
};
/* clang-format on */

static void check_pair(size_t i)
{
    const struct paired p = {pairs[i].x, pairs[i].y, pairs[i].n};
    struct interval shift = stats_shift(&p);
    struct p_value w = stats_wilcoxon(&p), normal = stats_wilcoxon_normal(&p),
                   flip = stats_sign_flip(&p, 1, 0);
    const struct {
        const char *name;
        double got, want;
    } values[] = {
        {"shift", shift.mean, pairs[i].shift},
        {"low", shift.low, pairs[i].low},
        {"high", shift.high, pairs[i].high},
        {"W", w.statistic, pairs[i].w},
        {"Wilcoxon", w.p, pairs[i].wilcoxon},
        {"W of the normal", normal.statistic, pairs[i].w},
        {"normal", normal.p, pairs[i].normal},
        {"mean of sign flip", flip.statistic, pairs[i].difference},
        {"sign flip", isnan(pairs[i].flip) ? NAN : flip.p, pairs[i].flip},
        {"d_z", stats_d_z(&p), pairs[i].d_z},
        {"Cliff", stats_cliff(&p), pairs[i].cliff},
        {"rank-biserial", stats_rank_biserial(&p), pairs[i].biserial},
        {"log ratio", stats_log_ratio(&p), pairs[i].log_ratio},
        {"difference", stats_difference(&p), pairs[i].difference},
    };

    for (size_t k = 0; k < COUNT(values); k++)
        cr_assert(near(values[k].got, values[k].want), "%s, %s: %.17g, not %.17g", pairs[i].name,
                  values[k].name, values[k].got, values[k].want);
    cr_assert(w.exact == pairs[i].exact && !normal.exact && flip.exact == (p.n <= 16) &&
                  shift.n == p.n,
              "%s", pairs[i].name);
}

/* Walsh averages one by one, of many runs with ties. */
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void check_shift(uint32_t n, gsl_rng *r)
{
    uint32_t m = n * (n + 1) / 2, at = 0;
    double *x = mem_get(2 * n * sizeof *x), *y = x + n, *walsh = mem_get(m * sizeof *walsh);
    const struct paired p = {x, y, n};

    for (uint32_t i = 0; i < n; i++) {
        x[i] = (double)gsl_rng_uniform_int(r, 8) / 8;
        y[i] = n % 2 ? gsl_ran_gaussian(r, 1) : (double)gsl_rng_uniform_int(r, 9) / 8;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i; k < n; k++)
            walsh[at++] = ((y[i] - x[i]) + (y[k] - x[k])) / 2;
    qsort(walsh, m, sizeof *walsh, by_value);
    struct interval s = stats_shift(&p);
    cr_assert(s.mean == (walsh[(m - 1) / 2] + walsh[m / 2]) / 2, "%u: %.17g", n, s.mean);
    cr_assert(s.mean != 0 || !signbit(s.mean));
    if (n > 25) {
        double k = n * (n + 1.) / 4 - 1.959963984540054 * sqrt(n * (n + 1.) * (2. * n + 1) / 24);
        cr_assert(s.low == walsh[(uint32_t)k - 1] && s.high == walsh[m - (uint32_t)k]);
    }
    mem_drop(walsh);
    mem_drop(x);
}

static struct p_value flip_signs(const double *d, uint32_t n, uint64_t index)
{
    static const double zero[100];

    return stats_sign_flip(&(struct paired){zero, d, n}, 1, index);
}

static void check_drawn_share(double p, double want)
{
    double hits = p * 100001 - 1;

    cr_assert(fabs(hits - round(hits)) < 1e-6);
    cr_assert(fabs(p - want) < 4 * sqrt(want * (1 - want) / 1e5), "%g, not %g", p, want);
}

/* Beyond 16 runs flips are drawn; all 2^20 of these differences give the p that is asked for. */
static void check_drawn_flips(void)
{
    static const double d[] = {3.5, -1, 2,   7,    -4, 1.5,  6,     -2.5, 8,    0.5,
                               -3,  9,  4.5, -6.5, 5,  2.25, -0.75, 1.25, 3.25, -1.75};
    double up[70], last[70] = {0}, huge[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
    struct p_value a = flip_signs(d, COUNT(d), 0), b = flip_signs(d, COUNT(d), 1);

    cr_assert(!a.exact && a.p == flip_signs(d, COUNT(d), 0).p && a.p != b.p);
    check_drawn_share(a.p, 0.08492660522460938);
    check_drawn_share(b.p, 0.08492660522460938);
    for (int i = 0; i < 70; i++) {
        up[i] = 1 + i;
        last[i] = i >= 64;
    }
    cr_assert(near(flip_signs(up, 70, 0).p, 1. / 100001)); /* truly 2^-69 */
    check_drawn_share(flip_signs(last, 70, 0).p, 1. / 32);
    cr_assert(isnan(flip_signs(huge, 3, 0).p)); /* their sum is not finite */
}

Test(stats, pairs)
{
    gsl_rng *r = rng_stream(2, "stats", 0);

    for (size_t i = 0; i < COUNT(pairs); i++)
        check_pair(i);
    for (uint32_t n = 1; n < 120; n++)
        check_shift(n, r);
    check_drawn_flips();
    gsl_rng_free(r);
}

/* ---- what has no answer, and what is by hand ---- */

static const struct {
    const char *name;
    uint32_t n;
    double x[8], y[8];
    double mean; /* of the bootstrap of the ratio */
    bool tests;  /* have a p */
} odd[] = {
    {"nothing", 0, {0}, {0}, NAN, false},
    {"one", 1, {2}, {3}, 0.5, true},
    {"nan", 6, {1, 2, 3, NAN, 5, 6}, {1, 2, 3, 4, 5, 6}, NAN, false},
    {"infinite", 6, {1, 2, 3, 4, 5, 6}, {1, 2, INFINITY, 4, 5, 6}, NAN, false},
    {"all equal", 7, {4, 4, 4, 4, 4, 4, 4}, {3, 3, 3, 3, 3, 3, 3}, -0.25, true},
    {"of zero", 7, {0, 0, 0, 0, 0, 0, 0}, {1, 2, 3, 4, 5, 6, 7}, NAN, true},
    {"sometimes of zero", 4, {-1, 1, 1, 3}, {2, 4, 6, 8}, 4, true},
    {"too large", 3, {-DBL_MAX, 1, 1}, {DBL_MAX, 1, 1}, -2, false},
};

static void check_odd(size_t i)
{
    const struct paired p = {odd[i].x, odd[i].y, odd[i].n};
    struct bootstrap b = stats_bootstrap(&p, stats_ratio, 1000, 1, 0);
    double values[] = {stats_sign_flip(&p, 1, 0).p, stats_wilcoxon(&p).p,
                       stats_wilcoxon_normal(&p).p};

    cr_assert(is(b.percentile, odd[i].mean, NAN, NAN) && is(b.bca, odd[i].mean, NAN, NAN) &&
                  is(b.expanded, odd[i].mean, NAN, NAN) && b.bca.n == p.n,
              "%s: %g, %g", odd[i].name, b.percentile.mean, b.percentile.low);
    for (size_t k = 0; k < COUNT(values); k++)
        cr_assert(odd[i].tests ? values[k] > 0 && values[k] <= 1 : isnan(values[k]), "%s: %g",
                  odd[i].name, values[k]);
    cr_assert(odd[i].tests || (isnan(stats_shift(&p).mean) && isnan(stats_d_z(&p)) &&
                               isnan(stats_cliff(&p)) && isnan(stats_rank_biserial(&p))),
              "%s", odd[i].name);
}

/* The policy as the baseline turns all signs and changes no p. */
static void check_swap(size_t i)
{
    const struct paired p = {pairs[i].x, pairs[i].y, pairs[i].n},
                        q = {pairs[i].y, pairs[i].x, pairs[i].n};
    struct interval a = stats_shift(&p), b = stats_shift(&q);

    cr_assert(is(b, -a.mean, -a.high, -a.low) && near(stats_cliff(&q), -stats_cliff(&p)));
    cr_assert(near(stats_d_z(&q), -stats_d_z(&p)) &&
              near(stats_log_ratio(&q), -stats_log_ratio(&p)) &&
              near(stats_rank_biserial(&q), -stats_rank_biserial(&p)));
    cr_assert(stats_wilcoxon(&q).p == stats_wilcoxon(&p).p &&
              stats_sign_flip(&q, 1, 0).p == stats_sign_flip(&p, 1, 0).p);
}

static const struct {
    uint32_t m;
    double p[6], adjusted[6];
} holms[] = {
    {0, {0}, {0}},
    {1, {0.04}, {0.04}},
    {4, {0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
    {3, {0.5, 0.5, 0.02}, {1, 1, 0.06}},
    {3, {0.02, 0.02, 0.02}, {0.06, 0.06, 0.06}},
    {5, {NAN, 0.02, 0.01, NAN, 0.9}, {NAN, 0.04, 0.03, NAN, 0.9}},
    {2, {NAN, NAN}, {NAN, NAN}},
    {6, {0.9, 0, 1, 0.001, 0.011, 0.2}, {1, 0, 1, 0.005, 0.044, 0.6}},
};

static const uint32_t halved[][2] = {{0, 0},    {1, 0},     {2, 3},      {3, 5},
                                     {4, 9},    {5, 13},    {10, 33},    {20, 73},
                                     {30, 113}, {100, 393}, {1000, 3993}};

Test(stats, edges)
{
    for (size_t i = 0; i < COUNT(odd); i++)
        check_odd(i);
    for (size_t i = 0; i < COUNT(pairs); i++)
        check_swap(i);
    for (size_t i = 0; i < COUNT(holms); i++) {
        double p[6];
        memcpy(p, holms[i].p, sizeof p);
        stats_holm(p, p, holms[i].m);
        for (uint32_t k = 0; k < holms[i].m; k++)
            cr_assert(near(p[k], holms[i].adjusted[k]), "Holm %zu, %u: %g", i, k, p[k]);
    }
    for (size_t i = 0; i < COUNT(halved); i++)
        cr_assert_eq(stats_runs_to_halve(halved[i][0]), halved[i][1], "%u", halved[i][0]);
    const struct paired of_zero = {odd[5].x, odd[5].y, 7}, zero = {odd[5].y, odd[5].x, 7};
    cr_assert(isnan(stats_ratio(&of_zero)) && isnan(stats_log_ratio(&of_zero)));
    cr_assert(stats_ratio(&zero) == -1 && isnan(stats_log_ratio(&zero)));
    /* Plain sums lose these. */
    double wide[] = {1, 1e100, 1, -1e100}, long_sum[1001] = {1e16};
    for (int i = 1; i <= 1000; i++)
        long_sum[i] = 1;
    cr_assert(stats_mean(wide, 4) == 0.5 && stats_mean(long_sum, 1001) == (1e16 + 1000) / 1001);
}

/* ---- series ---- */

static const struct {
    uint32_t n, transient, first; /* it falls from 2 * transient to 0 over so many values */
    bool converged;
} series[] = {
    {49, 0, 0, false},    {50, 0, 0, true},       {50, 30, 15, true},       {50, 600, 15, true},
    {99, 60, 55, false},  {103, 0, 60, false},    {103, 600, 75, false},    {250, 0, 0, true},
    {250, 60, 50, true},  {250, 200, 195, false}, {250, 3000, 205, false},  {1000, 0, 20, true},
    {1000, 10, 0, true},  {1000, 30, 15, true},   {1000, 200, 195, true},   {1000, 600, 600, false},
    {5000, 60, 50, true}, {5000, 600, 600, true}, {5000, 3000, 3000, false}};

Test(stats, mser5)
{
    static double v[5000];
    struct truncation t;

    for (size_t i = 0; i < COUNT(series); i++) {
        for (uint32_t k = 0, end = series[i].transient; k < series[i].n; k++)
            v[k] = (k * 7919 + k * k * 13) % 101 + 2. * (k < end ? end - k : 0);
        t = stats_mser5(v, series[i].n);
        cr_assert(t.first == series[i].first && t.converged == series[i].converged,
                  "%u values, %u: %u, %d", series[i].n, series[i].transient, t.first, t.converged);
    }
    for (int k = 0; k < 100; k++)
        v[k] = 0.1; /* constant: the first of equals */
    t = stats_mser5(v, 100);
    cr_assert(t.converged && t.first == 0);
    v[3] = NAN;
    cr_assert(!stats_mser5(v, 100).converged && !stats_mser5(v, 0).converged);
    v[3] = 1e6; /* one outlier in the first batch goes with it */
    t = stats_mser5(v, 100);
    cr_assert(t.converged && t.first == 5);
}
