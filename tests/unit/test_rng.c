/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "sim/base/mem.h"
#include "sim/base/rng.h"

/* The first outputs of xoshiro256** from the state 1, 2, 3, 4 and of splitmix64 from 1234567. */
static const uint64_t xoshiro_outputs[] = {
    UINT64_C(11520),
    UINT64_C(0),
    UINT64_C(1509978240),
    UINT64_C(1215971899390074240),
    UINT64_C(1216172134540287360),
    UINT64_C(607988272756665600),
    UINT64_C(16172922978634559625),
    UINT64_C(8476171486693032832),
    UINT64_C(10595114339597558777),
    UINT64_C(2904607092377533576),
};
static const uint64_t splitmix_outputs[] = {
    UINT64_C(6457827717110365317),
    UINT64_C(3203168211198807973),
    UINT64_C(9817491932198370423),
    UINT64_C(4593380528125082431),
};

Test(rng, published_outputs)
{
    static const uint64_t state[] = {1, 2, 3, 4};
    gsl_rng *r = gsl_rng_alloc(rng_xoshiro);

    cr_assert_eq(gsl_rng_size(r), sizeof state);
    gsl_rng_set(r, 1234567);
    cr_expect_eq(memcmp(gsl_rng_state(r), splitmix_outputs, sizeof state), 0);
    memcpy(gsl_rng_state(r), state, sizeof state);
    for (size_t i = 0; i < sizeof xoshiro_outputs / sizeof *xoshiro_outputs; i++)
        cr_expect_eq(gsl_rng_get(r), xoshiro_outputs[i], "%zu", i);
    memcpy(gsl_rng_state(r), state, sizeof state);
    for (size_t i = 0; i < sizeof xoshiro_outputs / sizeof *xoshiro_outputs; i++)
        cr_expect(gsl_rng_uniform(r) == ldexp((double)(xoshiro_outputs[i] >> 11), -53), "%zu", i);
    cr_expect_str_eq(gsl_rng_name(r), "xoshiro256**");
    cr_expect(gsl_rng_min(r) == 0 && gsl_rng_max(r) == UINT64_MAX);
    gsl_rng_free(r);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* No two of 60,000 streams start alike, whatever part of the name differs. */
Test(rng, streams_differ)
{
    static const char *const names[] = {"arrivals", "arrival", "failures", "noise", "", "a"};
    enum { INDICES = 1000, SEEDS = 10, ALL = 6 * INDICES * SEEDS };
    uint64_t *seen = mem_get(ALL * sizeof *seen), *to = seen;
    gsl_rng *r = rng_stream(7, "noise", 3), *again = rng_stream(7, "noise", 3);

    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (size_t name = 0; name < 6; name++)
            for (uint64_t index = 0; index < INDICES; index++)
                *to++ = rng_hash(seed << (seed * 6), names[name], index);
    qsort(seen, ALL, sizeof *seen, by_value);
    for (size_t i = 1; i < ALL; i++)
        cr_assert_neq(seen[i], seen[i - 1]);
    cr_expect_eq(rng_hash(1, "arrivals", 0), UINT64_C(0x3210be587aa44c99), "all runs change");
    for (int i = 0; i < 100; i++)
        cr_expect_eq(gsl_rng_get(r), gsl_rng_get(again));
    rng_rewind(again, 7, "noise", 3);
    rng_rewind(r, 7, "noise", 4);
    cr_expect_neq(gsl_rng_get(r), gsl_rng_get(again));
    cr_expect_neq(rng_mix(rng_mix(0, 1), 2), rng_mix(rng_mix(0, 2), 1));
    gsl_rng_free(r);
    gsl_rng_free(again);
    mem_drop(seen);
}

/* GSL's distributions work on it: moments at a fixed seed, within five standard errors. */
Test(rng, distributions)
{
    enum { DRAWS = 200000, BINS = 64 };
    gsl_rng *r = rng_stream(1, "test", 0);
    double sum = 0, squares = 0, exponential = 0, chi = 0, root = sqrt(DRAWS);
    unsigned bin[BINS] = {0}, low[BINS] = {0};

    for (int i = 0; i < DRAWS; i++) {
        double g = gsl_ran_gaussian_ziggurat(r, 1) + gsl_ran_gaussian(r, 1);

        sum += g;
        squares += g * g;
        exponential += gsl_ran_exponential(r, 3);
        bin[gsl_rng_uniform_int(r, BINS)]++;
        low[gsl_rng_get(r) % BINS]++;
    }
    cr_expect(fabs(sum / DRAWS) < 5 * sqrt(2) / root, "%g", sum / DRAWS);
    cr_expect(fabs(squares / DRAWS - 2) < 5 * sqrt(8) / root, "%g", squares / DRAWS);
    cr_expect(fabs(exponential / DRAWS - 3) < 5 * 3 / root, "%g", exponential / DRAWS);
    for (int i = 0; i < BINS; i++)
        chi += (pow(bin[i] - DRAWS / (double)BINS, 2) + pow(low[i] - DRAWS / (double)BINS, 2)) /
               (DRAWS / (double)BINS);
    cr_expect(chi < gsl_cdf_chisq_Pinv(1 - 1e-6, 2 * (BINS - 1)), "%g", chi);
    gsl_rng_free(r);
}
