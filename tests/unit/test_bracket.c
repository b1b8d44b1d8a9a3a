/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of brackets: the published ones, odd budgets, too few trials; parts of results. */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "policies/tuners/lib/bracket.h"
#include "policies/tuners/lib/rank.h"
#include "policies/tuners/lib/split.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"

/* As "trials x epoch" of one rung after the other. */
static const char *table(struct arena *a, const struct bracket *b)
{
    const char *text = "";

    for (uint32_t k = 0; k < b->rungs; k++)
        text = arena_printf(a, "%s%s%ux%u", text, k ? " " : "", b->trials[k], b->epoch[k]);
    return text;
}

/* ---- Hyperband ---- */

static const struct {
    uint32_t least, most, eta;
    enum bracket_sizes sizes;
    const char *bracket[6]; /* from s_max down */
} searches[] = {
    /* Li et al. (2018): n = ceil((s_max + 1) / (s + 1) * eta^s), R = 81, eta = 3 */
    {1,
     81,
     3,
     BRACKET_CEIL,
     {"81x1 27x3 9x9 3x27 1x81", "34x3 11x9 3x27 1x81", "15x9 5x27 1x81", "8x27 2x81", "5x81"}},
    /* the same in BOHB's program, and in the first version of the paper */
    {1,
     81,
     3,
     BRACKET_FLOOR,
     {"81x1 27x3 9x9 3x27 1x81", "27x3 9x9 3x27 1x81", "9x9 3x27 1x81", "6x27 2x81", "5x81"}},
    {1, 9, 3, BRACKET_FLOOR, {"9x1 3x3 1x9", "3x3 1x9", "3x9"}},
    {1, 9, 3, BRACKET_CEIL, {"9x1 3x3 1x9", "5x3 1x9", "3x9"}},
    {1, 16, 4, BRACKET_CEIL, {"16x1 4x4 1x16", "6x4 1x16", "3x16"}},
    {1,
     16,
     2,
     BRACKET_CEIL,
     {"16x1 8x2 4x4 2x8 1x16", "10x2 5x4 2x8 1x16", "7x4 3x8 1x16", "5x8 2x16", "5x16"}},
    /* R is no power: each rung to the nearest epoch, no bracket that begins below r */
    {1, 50, 3, BRACKET_CEIL, {"27x2 9x6 3x17 1x50", "12x6 4x17 1x50", "6x17 2x50", "4x50"}},
    {5, 50, 3, BRACKET_CEIL, {"9x6 3x17 1x50", "5x17 1x50", "3x50"}},
    {17, 50, 3, BRACKET_CEIL, {"1x50"}},
    {1, 1, 3, BRACKET_CEIL, {"1x1"}},
    {1000000, 1000000, 1000000, BRACKET_CEIL, {"1x1000000"}},
    {1, 1000000, 1000000, BRACKET_CEIL, {"1000000x1 1x1000000", "2x1000000"}},
};

Test(bracket, hyperband)
{
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        uint32_t last = bracket_last(searches[i].least, searches[i].most, searches[i].eta);
        for (uint32_t s = last + 1, k = 0; s-- > 0; k++) {
            struct bracket b =
                bracket_hyperband(s, last, searches[i].most, searches[i].eta, searches[i].sizes);
            cr_assert_not_null(searches[i].bracket[k], "search %zu has bracket %u", i, s);
            cr_expect_str_eq(table(a, &b), searches[i].bracket[k], "search %zu, bracket %u: %s", i,
                             s, table(a, &b));
        }
        cr_expect_null(searches[i].bracket[last + 1], "search %zu", i);
    }
    arena_free(a);
}

/* Whatever the budget: at least r, ever later, R at last, and never more trials than before. */
Test(bracket, rungs_grow)
{
    for (uint32_t eta = 2; eta <= 5; eta++) {
        for (uint32_t most = 1; most <= 300; most++) {
            uint32_t last = bracket_last(1, most, eta);
            for (uint32_t s = 0; s <= last; s++) {
                struct bracket b = bracket_hyperband(s, last, most, eta, BRACKET_CEIL);
                cr_assert(b.epoch[0] >= 1 && b.epoch[s] == most && b.trials[s] >= 1);
                for (uint32_t k = 1; k <= s; k++)
                    cr_assert(b.epoch[k] > b.epoch[k - 1] && b.trials[k] == b.trials[k - 1] / eta,
                              "eta %u, R %u, bracket %u", eta, most, s);
            }
        }
    }
}

/* ---- successive halving ---- */

static const struct {
    uint32_t trials, least, most, eta;
    const char *table;
} halvings[] = {
    {27, 1, 9, 3, "27x1 9x3 3x9"},
    {100, 1, 81, 3, "100x1 33x3 11x9 3x27 1x81"},
    {10, 1, 50, 3, "10x1 3x3 1x9 1x27 1x50"}, /* at least one, and R is the end */
    {8, 2, 16, 2, "8x2 4x4 2x8 1x16"},
    {5, 4, 4, 2, "5x4"},
    {1, 1, 3, 2, "1x1 1x2 1x3"},
    {0, 1, 3, 2, "0x1 0x2 0x3"},
};

Test(bracket, halving)
{
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof halvings / sizeof *halvings; i++) {
        struct bracket b = bracket_halving(halvings[i].trials, halvings[i].least, halvings[i].most,
                                           halvings[i].eta);
        cr_expect_str_eq(table(a, &b), halvings[i].table, "%s", table(a, &b));
    }
    arena_free(a);
}

Test(bracket, shrinks)
{
    struct arena *a = arena_new();
    struct bracket b = bracket_hyperband(4, 4, 81, 3, BRACKET_CEIL);

    bracket_shrink(&b, 30, 3);
    cr_assert_str_eq(table(a, &b), "30x1 10x3 3x9 1x27 1x81");
    bracket_shrink(&b, 2, 3);
    cr_assert_str_eq(table(a, &b), "2x1 1x3 1x9 1x27 1x81");
    arena_free(a);
}

/* ---- ranks and splits ---- */

/* Better is smaller, in either direction, and the metric comes back. */
Test(bracket, ranks)
{
    static const double rising[] = {-1e300, -2, -1, -1e-300, 0, 1e-300, 0.5, 1, 1e300};

    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 9; k++) {
            cr_expect_eq(rank_of(rising[i], true) < rank_of(rising[k], true), i < k);
            cr_expect_eq(rank_of(rising[i], false) < rank_of(rising[k], false), i > k);
        }
        cr_expect_eq(rank_metric(rank_of(rising[i], true), true), rising[i]);
        cr_expect_eq(rank_metric(rank_of(rising[i], false), false), rising[i]);
    }
    cr_expect_eq(rank_of(-0.0, true), rank_of(0.0, true));
    cr_expect_eq(rank_of(-0.0, false), rank_of(0.0, false));
}

static int by_rank(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Against sorting, for parts that grow like those of the tuners. */
Test(bracket, splits)
{
    enum { MOST = 300 };
    gsl_rng *r = rng_stream(1, "split", 0);

    for (uint32_t eta = 2; eta <= 5; eta++) {
        struct split s = {0};
        int64_t sorted[MOST];
        for (uint32_t n = 1; n <= MOST; n++) {
            int64_t rank = (int64_t)gsl_rng_uniform_int(r, 50) - 25;
            uint32_t m = eta == 5 ? (n - 1 + eta - 1) / eta : n / eta;
            sorted[n - 1] = rank;
            qsort(sorted, n, sizeof *sorted, by_rank);
            split_add(&s, n, rank, m);
            cr_assert(s.best.n == m && s.rest.n == n - m);
            cr_assert(m == 0 || heap_first_key(&s.best) == sorted[m - 1]);
            cr_assert_eq(heap_first_key(&s.rest), sorted[m]);
            /* of equals the lower id is among the best */
            cr_assert(m == 0 || heap_first_key(&s.best) < heap_first_key(&s.rest) ||
                      heap_first(&s.best) < heap_first(&s.rest));
        }
        split_free(&s);
    }
    gsl_rng_free(r);
}
