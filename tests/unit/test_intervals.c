/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers are those of SciPy 1.10.1 and NumPy 1.24.2, from these lines:
 *
 * s = sort(f(x[g], y[g], -1)); e = f(x, y, -1)     # g: (m, n) indices as in resamples() below
 * special.ndtri(((s < e).sum() + (s <= e).sum()) / 2 / m)                            # z0
 * a1, a2, a = stats._resampling._bca_interval((arange(n),),
 *     lambda i, axis: f(x[i], y[i], axis), -1, .025, s, None)
 * q = special.ndtr(-sqrt(n/(n-1)) * t)   # SciPy's t.ppf is wrong by up to 4e-9, so three times:
 * t = stats.t.ppf(.975, n-1); t += (stats.t.sf(t, n-1) - .025) / stats.t.pdf(t, n-1)
 * quantile(s, [.025, .975, q, 1-q, a1, a2])
 */
#include <math.h>

#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>

#include "analysis/stats.h"
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

/* ---- Student and Fieller ---- */

static const struct {
    uint32_t n;
    double x[6], mean, low, high;
} means[] = {
    {0, {0}, NAN, NAN, NAN},
    {1, {7}, 7, NAN, NAN},
    {2, {1, 2}, 1.5, -4.853102368087351, 7.853102368087351},
    {4, {1, 2, 3, 4}, 2.5, 0.4457397432394785, 4.5542602567605215},
    {6,
     {10.5, 11.25, 9.75, 10, 12.125, 8.5},
     10.354166666666666,
     9.036047025347166,
     11.672286307986166},
    {4, {-1, 0, 0.125, 5}, 1.03125, -3.254403534902071, 5.316903534902071},
    {3, {5, 5, 5}, 5, 5, 5},
};

static const struct {
    uint32_t n;
    double y[10], x[10], mean, low, high;
} ratios[] = {
    {0, {0}, {0}, NAN, NAN, NAN},
    {1, {3}, {2}, 0.5, NAN, NAN},
    {4,
     {10, 12, 9, 11},
     {20, 21, 19, 22},
     -0.4878048780487805,
     -0.5578090068061354,
     -0.4236394257492575},
    {10,
     {103, 98, 110, 107, 95, 101, 99, 104, 108, 100},
     {100, 97, 105, 103, 96, 99, 101, 100, 104, 98},
     0.02193419740777669,
     0.005607800170717603,
     0.03783488560444459},
    {4, {1, -1, 2, 0.5}, {10, 11, 9, 10}, -0.9375, -1.121023772944759, -0.7003207100731292},
    {5,
     {5.5, 4, 6, 7, 3},
     {2, 9, 4, 6, 5},
     -0.019230769230769384,
     -0.5500298860697546,
     1.9363004505463106},
    {3, {2, 4, 6.5}, {1, 2, 3}, 13. / 12, NAN, NAN}, /* the mean of x may be 0 */
    {2, {3, 6}, {1, 2}, 2, NAN, NAN},
    {3, {30, 33, 36}, {10, 11, 12}, 2, 2, 2}, /* in proportion */
    {3, {1, 2, 3}, {0, 0, 0}, 0, NAN, NAN},
};

/* The bounds are the ratios that a paired t-test just does not reject. */
static void check_bounds(gsl_rng *r)
{
    double x[10], y[10];

    for (int k = 0; k < 10; k++) {
        x[k] = gsl_ran_lognormal(r, 3, 0.5);
        y[k] = x[k] * gsl_ran_lognormal(r, -0.2, 0.3) + gsl_ran_exponential(r, 1);
    }
    struct interval c = ratio_of(y, x, 10);
    double bound[2] = {c.low + 1, c.high + 1};
    cr_assert(c.low < c.mean && c.mean < c.high);
    for (int b = 0; b < 2; b++) {
        double d[10];
        for (int k = 0; k < 10; k++)
            d[k] = y[k] - bound[b] * x[k];
        struct interval t = interval_of(d, 10);
        const struct paired scaled = {x, d, 10}; /* d + x against x */
        for (int k = 0; k < 10; k++)
            d[k] += x[k];
        cr_assert(fabs(stats_t(&scaled).p / 0.05 - 1) < 1e-6);
        cr_assert(fabs(fabs(t.mean) / (t.high - t.mean) - 1) < 1e-6, "%g against %g", t.mean,
                  t.high - t.mean);
    }
}

/* With 1 and 3 degrees of freedom Student's distribution has a closed form. */
static void check_t(void)
{
    static const double x[] = {20, 21, 19, 22}, y[] = {10, 12, 9, 11}, same[] = {21, 22, 20, 23};
    struct p_value t = stats_t(&(struct paired){x, y, 4});
    double s = t.statistic / sqrt(3);

    cr_assert(near(t.statistic, -24.4948974278317788)); /* d = -10, -9, -10, -11 */
    cr_assert(near(t.p, 1 - M_2_PI * (atan(-s) - s / (1 + s * s))));
    t = stats_t(&(struct paired){x, (const double[]){21, 24}, 2});
    cr_assert(near(t.statistic, 2) && near(t.p, 1 - M_2_PI * atan(2)));
    t = stats_t(&(struct paired){x, same, 4});
    cr_assert(t.p == 0 && t.statistic == INFINITY);
    t = stats_t(&(struct paired){x, x, 4});
    cr_assert(t.p == 1 && t.statistic == 0);
    cr_assert(isnan(stats_t(&(struct paired){x, y, 1}).p));
}

Test(intervals, student_and_fieller)
{
    gsl_rng *r = rng_stream(1, "intervals", 0);

    for (size_t i = 0; i < COUNT(means); i++) {
        struct interval x = interval_of(means[i].x, means[i].n);
        cr_assert(x.n == means[i].n && is(x, means[i].mean, means[i].low, means[i].high),
                  "mean %zu: %.17g, %.17g .. %.17g", i, x.mean, x.low, x.high);
    }
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct interval x = ratio_of(ratios[i].y, ratios[i].x, ratios[i].n);
        cr_assert(x.n == ratios[i].n && is(x, ratios[i].mean, ratios[i].low, ratios[i].high),
                  "ratio %zu: %.17g, %.17g .. %.17g", i, x.mean, x.low, x.high);
    }
    for (int i = 0; i < 1000; i++)
        check_bounds(r);
    check_t();
    gsl_rng_free(r);
}

/* ---- from fixed resamples, and drawn ---- */

/* clang-format off */
static const struct {
    double (*statistic)(const struct paired *);
    uint32_t n, m;
    double x[16], y[16], mean, z0, a, percentile[2], expanded[2], bca[2];
} boots[] = {
    {stats_ratio, 7, 200,
     {20.5, 21, 19, 22, 18, 25, 40}, {10, 12.25, 9, 11, 10, 12, 30},
     -0.43051359516616317, 0.05642906916247392, 0.11307486417826608,
     {-0.5069730987055017, -0.3512480924351427}, {-0.5137235727660393, -0.32911814548587187},
     {-0.5033375429913574, -0.3274828483697512}},
    {stats_difference, 7, 200,
     {20.5, 21, 19, 22, 18, 25, 40}, {10, 12.25, 9, 11, 10, 12, 30},
     -10.178571428571429, 0.13198014038704126, -0.02648350525304306,
     {-11.679464285714285, -9.249107142857142}, {-11.93508137109601, -9.100632914618277},
     {-11.549168577336998, -9.194047576172396}},
    {stats_log_ratio, 7, 333,
     {20.5, 21, 19, 22, 18, 25, 40}, {10, 12.25, 9, 11, 10, 12, 30},
     -0.5630203684889975, 0.007527483323829474, 0.11458382600165534,
     {-0.708762555996434, -0.4329355777256862}, {-0.7251555240144153, -0.4099016244113279},
     {-0.6999731456303452, -0.41375075365876585}},
    {stats_ratio, 16, 1000,
     {20.432, 39.641, 37.053, 15.562, 17.305, 15.43, 26.705, 19.53, 29.179, 7.975, 43.96, 19.14,
      28.224, 18.76, 16.617, 25.319},
     {20.933, 29.843, 28.314, 15.293, 10.663, 7.837, 24.052, 12.777, 13.121, 4.998, 30.565, 10.705,
      14.43, 15.174, 17.4, 18.887},
     -0.27791782203176196, -0.03510000177270885, -0.011076880229145311,
     {-0.36287642260625946, -0.19963145180888558}, {-0.371709468199193, -0.19138101234492222},
     {-0.3673105694878085, -0.20349042620056074}},
    {stats_difference, 15, 999,
     {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100},
     {106, 108, 114, 116, 123, 124, 128, 129, 141, 52, 149, 156, 160, 33, 175},
     20.933333333333337, -0.05146002009662893, -0.04269288153767023,
     {2.99, 39.28}, {-0.6489792357396862, 41.78231256907305},
     {-1.591415491472512, 36.850260924328296}},
    {stats_ratio, 2, 50,
     {10, 12}, {9, 11.5},
     -0.06818181818181823, -0.05015358346473367, 0,
     {-0.09999999999999998, -0.04166666666666663}, {-0.09999999999999998, -0.04166666666666663},
     {-0.09999999999999998, -0.04166666666666663}},
    {stats_difference, 4, 100,
     {-3, -1, -4, -1.5}, {2, 7, 1, 8},
     6.875, -0.037608287661255936, 0.017819452752766227,
     {5.35625, 8.571874999999997}, {5, 9.120580983808939},
     {5.327983298848665, 8.556516279485294}},
};
/* clang-format on */

/* Fixed ones, from the generator that the C standard shows. */
static void resamples(size_t b, const struct paired *p, double *out)
{
    double x[16], y[16];
    const struct paired drawn = {x, y, p->n};
    uint32_t u = 1;

    for (uint32_t k = 0; k < boots[b].m; k++) {
        for (uint32_t i = 0; i < p->n; i++) {
            u = (u * 1103515245 + 12345) & 0x7fffffff;
            x[i] = p->x[(u >> 16) % p->n];
            y[i] = p->y[(u >> 16) % p->n];
        }
        out[k] = boots[b].statistic(&drawn);
    }
}

static void check_boot(size_t i)
{
    const struct paired p = {boots[i].x, boots[i].y, boots[i].n};
    double s[1000], left_out[16], x[16], y[16];

    for (uint32_t k = 0; k < p.n; k++) {
        const struct paired rest = {x, y, p.n - 1};
        for (uint32_t at = 0; at < p.n - 1; at++) {
            x[at] = p.x[at + (at >= k)];
            y[at] = p.y[at + (at >= k)];
        }
        left_out[k] = boots[i].statistic(&rest);
    }
    resamples(i, &p, s);
    struct bootstrap b = stats_resampled(boots[i].statistic(&p), s, boots[i].m, left_out, p.n);
    cr_assert(near(b.bias, boots[i].z0) && fabs(b.acceleration - boots[i].a) < 1e-12,
              "%zu: %.17g, %.17g", i, b.bias, b.acceleration);
    cr_assert(is(b.percentile, boots[i].mean, boots[i].percentile[0], boots[i].percentile[1]) &&
                  is(b.expanded, boots[i].mean, boots[i].expanded[0], boots[i].expanded[1]) &&
                  is(b.bca, boots[i].mean, boots[i].bca[0], boots[i].bca[1]),
              "%zu: %.17g .. %.17g, %.17g .. %.17g, %.17g .. %.17g", i, b.percentile.low,
              b.percentile.high, b.expanded.low, b.expanded.high, b.bca.low, b.bca.high);
    struct bootstrap drawn = stats_bootstrap(&p, boots[i].statistic, 1000, 1, 0);
    cr_assert(drawn.percentile.mean == b.percentile.mean && drawn.bca.n == p.n);
    cr_assert(fabs(drawn.acceleration - boots[i].a) < 1e-12);
}

/* Of 5 pairs all 5^5 resamples are known, each as likely. */
static void check_drawing(void)
{
    static const double x[] = {10, 14, 9, 20, 13}, y[] = {8, 13.5, 9.5, 15, 9};
    const struct paired p = {x, y, 5};
    double all[3125], left_out[5] = {0, 1, 2, 3, 4};

    for (uint32_t k = 0; k < 3125; k++) {
        double sum = 0, base = 0;
        for (uint32_t i = 0, rest = k; i < 5; i++, rest /= 5) {
            sum += y[rest % 5];
            base += x[rest % 5];
        }
        all[k] = sum / base - 1;
    }
    struct bootstrap want = stats_resampled(stats_ratio(&p), all, 3125, left_out, 5);
    struct bootstrap a = stats_bootstrap(&p, stats_ratio, STATS_RESAMPLES, 3, 0),
                     b = stats_bootstrap(&p, stats_ratio, STATS_RESAMPLES, 3, 0),
                     c = stats_bootstrap(&p, stats_ratio, STATS_RESAMPLES, 3, 1);
    double width = want.percentile.high - want.percentile.low;
    cr_assert(a.bias == b.bias && a.bca.low == b.bca.low && a.bias != c.bias);
    cr_assert(fabs(a.percentile.low - want.percentile.low) < 0.02 * width &&
              fabs(a.percentile.high - want.percentile.high) < 0.02 * width &&
              fabs(a.bias - want.bias) < 0.05);
}

/* One pair; and an estimate above all but one of very many resamples, where 1 - a z changes sign.
 */
static void check_extremes(void)
{
    static double resample[100000], left_out[1000];
    double few[3] = {1, 2, 3};

    cr_assert(is(stats_resampled(2, few, 3, few, 1).percentile, 2, NAN, NAN));
    for (int i = 0; i < 100000; i++)
        resample[i] = i;
    left_out[7] = -1;
    struct bootstrap b = stats_resampled(99999, resample, 100000, left_out, 1000);
    cr_assert(b.bias > 4 && b.acceleration > 0.166 && b.acceleration < 1. / 6);
    cr_assert(is(b.bca, 99999, NAN, NAN) && is(b.percentile, 99999, 2499.975, 97499.025));
}

Test(intervals, bootstrap)
{
    for (size_t i = 0; i < COUNT(boots); i++)
        check_boot(i);
    check_drawing();
    check_extremes();
}

/* ---- coverage ---- */

enum { FIELLER, PERCENTILE, BCA, EXPANDED, SHIFT, INTERVALS };

static const struct {
    const char *name;
    double spread, sigma, luck; /* normal relative to its mean, or log-normal; of the seed */
    double known[INTERVALS][2]; /* coverage at 10 and 30 pairs as stats.h has it */
} worlds[] = {
    {"normal", 0.15, 0, 0, {{94.9, 95.1}, {90.2, 93.7}, {89.9, 93.6}, {94.5, 94.9}, {95.1, 95.3}}},
    {"skewed", 0, 0.5, 0, {{95.6, 95.2}, {89.7, 93.1}, {88.7, 92.5}, {94.1, 94.6}, {95.1, 95.2}}},
    {"luck", 0.15, 0, 0.4, {{95.6, 95.1}, {89.6, 93.2}, {88.3, 92.6}, {94.3, 94.5}, {95.2, 95.5}}},
    {"heavy", 0, 1, 0, {{96.4, 95.8}, {88.1, 92.0}, {85.9, 89.7}, {93.4, 93.4}, {95.0, 95.0}}},
};

static double draw(gsl_rng *r, size_t w, double luck)
{
    double x = worlds[w].sigma > 0 ? gsl_ran_lognormal(r, 0, worlds[w].sigma)
                                   : 1 + gsl_ran_gaussian(r, worlds[w].spread);
    return x * luck;
}

struct tally {
    uint32_t there, held; /* intervals, and those with the ratio of 0.8 in them */
};

static void one_comparison(gsl_rng *r, size_t w, uint32_t n, uint64_t index, struct tally *tally)
{
    double x[30], y[30], log_x[30], log_y[30];
    const struct paired p = {x, y, n}, logs = {log_x, log_y, n};

    for (uint32_t k = 0; k < n; k++) {
        double luck = gsl_ran_lognormal(r, 0, worlds[w].luck);
        x[k] = draw(r, w, luck);
        y[k] = 0.8 * draw(r, w, luck);
        log_x[k] = log(x[k]);
        log_y[k] = log(y[k]);
    }
    struct bootstrap b = stats_bootstrap(&p, stats_ratio, 1000, 4, index);
    struct interval all[] = {[FIELLER] = ratio_of(y, x, n),
                             [PERCENTILE] = b.percentile,
                             [BCA] = b.bca,
                             [EXPANDED] = b.expanded,
                             [SHIFT] = stats_shift(&logs)};
    cr_assert(near(b.bca.mean, all[FIELLER].mean));
    for (int k = 0; k < INTERVALS; k++) {
        double truth = k == SHIFT ? log(0.8) : -0.2;
        tally[k].there += all[k].low <= all[k].high; /* none: both NAN */
        tally[k].held += all[k].low <= truth && truth <= all[k].high;
    }
}

static void check_world(size_t w, uint32_t n)
{
    gsl_rng *r = rng_stream(5, worlds[w].name, n);
    struct tally tally[INTERVALS] = {{0, 0}};

    for (uint64_t i = 0; i < 2000; i++)
        one_comparison(r, w, n, i, tally);
    for (int k = 0; k < INTERVALS; k++) {
        double got = 100. * tally[k].held / tally[k].there, known = worlds[w].known[k][n == 30];
        bool sure = k == FIELLER || k == SHIFT || (k == EXPANDED && worlds[w].sigma < 1);
        cr_expect(fabs(got - known) < 2 && (!sure || (got >= 93 && got <= 97)),
                  "%s, %u pairs, interval %d: %.2f %%", worlds[w].name, n, k, got);
        cr_expect(tally[k].there == 2000 || (k == FIELLER && worlds[w].sigma == 1));
    }
    gsl_rng_free(r);
}

/* 2,000 repetitions have a standard error of 0.5 to 0.8 %. */
Test(intervals, coverage)
{
    for (size_t w = 0; w < COUNT(worlds); w++) {
        check_world(w, 10);
        check_world(w, 30);
    }
}
