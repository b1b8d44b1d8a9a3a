/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rng.h - random streams named for what is random.
 *
 * A stream's seed is a hash of (seed, name, index) and of nothing else, so that a draw added in one
 * place moves no draw elsewhere and all policies meet the same world (common random numbers). The
 * generator is xoshiro256** behind the interface of GSL, whose distributions work on it; GSL's own
 * mt19937 keeps only 32 bits of its seed.
 */
#ifndef SIM_RNG_H
#define SIM_RNG_H

#include <stdint.h>

#include <gsl/gsl_rng.h>

extern const gsl_rng_type *const rng_xoshiro;

uint64_t rng_hash(uint64_t seed, const char *name, uint64_t index);

/* A new stream, for gsl_rng_free, and an old one made the same. */
gsl_rng *rng_stream(uint64_t seed, const char *name, uint64_t index);
void rng_rewind(gsl_rng *, uint64_t seed, const char *name, uint64_t index);

/* One step of a 64-bit digest. */
static inline uint64_t rng_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 32);
}

#endif
