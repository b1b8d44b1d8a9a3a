/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of small numbers against an array of truth values. */
#include <string.h>

#include <criterion/criterion.h>

#include "sim/base/bits.h"
#include "sim/base/rng.h"

static bool member[BITS_MAX];

static void check(const struct bits *b, uint32_t size)
{
    uint32_t i = 0;

    while (i < size && !member[i])
        i++;
    cr_assert_eq(bits_empty(b), i == size);
    if (i == size)
        return;
    cr_assert_eq(bits_first(b), i);
    for (uint32_t from = 0; from < size; from = i) {
        i = from + 1;
        while (i < size && !member[i])
            i++;
        cr_assert_eq(bits_next(b, from), i < size ? i : BITS_NONE, "behind %u of %u", from, size);
    }
}

/* Drops and adds at random; sparse and dense; every boundary between words. */
static void exercise(uint32_t size, uint32_t steps, gsl_rng *r)
{
    struct arena *a = arena_new();
    struct bits b = bits_new(a, size);

    memset(member, 0, sizeof member);
    for (uint32_t n = 0; n < steps; n++) {
        uint32_t i = (uint32_t)gsl_rng_uniform_int(r, size);
        if (n % 3 == 0)
            i = i / 64 * 64 + (n % 2 ? 63 : 0);
        if (i >= size)
            continue;
        member[i] = n < steps / 2 ? gsl_rng_uniform_int(r, 4) > 0 : gsl_rng_uniform_int(r, 4) == 0;
        if (member[i])
            bits_add(&b, i);
        else
            bits_drop(&b, i);
        check(&b, size);
    }
    for (uint32_t i = 0; i < size; i++) {
        bits_drop(&b, i);
        member[i] = false;
    }
    check(&b, size);
    arena_free(a);
}

Test(bits, against_an_array)
{
    static const struct {
        uint32_t size, steps;
    } cases[] = {{1, 20},    {2, 50},     {63, 500},   {64, 500},   {65, 500},    {128, 500},
                 {129, 500}, {4095, 300}, {4096, 300}, {4097, 300}, {12345, 200}, {BITS_MAX, 30}};
    gsl_rng *r = rng_stream(1, "bits", 0);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        exercise(cases[i].size, cases[i].steps, r);
    gsl_rng_free(r);
}

/* The same member twice, and members alone in the last words. */
Test(bits, alone)
{
    static const uint32_t all[] = {0, 1, 63, 64, 4095, 4096, 65535, 65536, 262142, BITS_MAX - 1};
    struct arena *a = arena_new();
    struct bits b = bits_new(a, BITS_MAX);

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bits_add(&b, all[i]);
        bits_add(&b, all[i]);
        cr_assert_eq(bits_first(&b), all[i]);
        cr_assert_eq(bits_next(&b, all[i]), BITS_NONE);
        for (size_t k = 0; k < i; k++)
            cr_assert_eq(bits_next(&b, all[k]), all[i]);
        bits_drop(&b, all[i]);
        bits_drop(&b, all[i]);
        cr_assert(bits_empty(&b));
    }
    arena_free(a);
}
