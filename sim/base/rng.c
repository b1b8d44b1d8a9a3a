/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xoshiro256** 1.0 and splitmix64: D. Blackman and S. Vigna, Scrambled linear pseudorandom number
 * generators, ACM Trans. Math. Softw. 47 (4), 2021; https://prng.di.unimi.it.
 */
#include <limits.h>

#include "sim/base/mem.h"
#include "sim/base/rng.h"

_Static_assert(ULONG_MAX == UINT64_MAX, "GSL carries seeds and draws in unsigned long");

struct xoshiro {
    uint64_t s[4];
};

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = *x += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static uint64_t draw(struct xoshiro *x)
{
    uint64_t *s = x->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

static void set(void *state, unsigned long seed)
{
    struct xoshiro *x = state;
    uint64_t h = seed;

    for (int i = 0; i < 4; i++)
        x->s[i] = splitmix(&h);
}

static unsigned long get(void *state)
{
    return draw(state);
}

/* In [0, 1): the upper 53 bits. */
static double get_double(void *state)
{
    return (double)(draw(state) >> 11) * 0x1p-53;
}

static const gsl_rng_type type = {
    .name = "xoshiro256**",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(struct xoshiro),
    .set = set,
    .get = get,
    .get_double = get_double,
};

const gsl_rng_type *const rng_xoshiro = &type;

/* Each byte of the name and each number is mixed in by a full round, so that all bits spread. */
uint64_t rng_hash(uint64_t seed, const char *name, uint64_t index)
{
    uint64_t h = splitmix(&seed);

    for (; *name; name++) {
        h ^= (unsigned char)*name;
        h = splitmix(&h);
    }
    h ^= index;
    return splitmix(&h);
}

void rng_rewind(gsl_rng *r, uint64_t seed, const char *name, uint64_t index)
{
    gsl_rng_set(r, rng_hash(seed, name, index));
}

gsl_rng *rng_stream(uint64_t seed, const char *name, uint64_t index)
{
    gsl_rng *r = gsl_rng_alloc(rng_xoshiro);

    if (!r)
        mem_exhausted();
    rng_rewind(r, seed, name, index);
    return r;
}
