/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bits.h - a set of small numbers that finds its smallest member in a few instructions.
 *
 * A bitmap with bitmaps of its non-empty words above it: three levels hold 262,144 numbers, which
 * is more nodes than a cluster may have.
 */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/mem.h"

#define BITS_MAX  (UINT32_C(1) << 18)
#define BITS_NONE UINT32_MAX

struct bits {
    uint64_t top; /* bit i: mid[i] is not 0 */
    uint64_t *mid, *low;
};

static inline struct bits bits_new(struct arena *a, uint32_t size)
{
    size_t words = size / 64 + 1;

    return (struct bits){0, arena_get(a, (words / 64 + 1) * 8), arena_get(a, words * 8)};
}

static inline void bits_add(struct bits *b, uint32_t i)
{
    uint64_t was = b->low[i >> 6];

    b->low[i >> 6] = was | UINT64_C(1) << (i & 63);
    if (was)
        return;
    b->mid[i >> 12] |= UINT64_C(1) << (i >> 6 & 63);
    b->top |= UINT64_C(1) << (i >> 12);
}

static inline void bits_drop(struct bits *b, uint32_t i)
{
    if (b->low[i >> 6] &= ~(UINT64_C(1) << (i & 63)))
        return;
    if (b->mid[i >> 12] &= ~(UINT64_C(1) << (i >> 6 & 63)))
        return;
    b->top &= ~(UINT64_C(1) << (i >> 12));
}

static inline bool bits_empty(const struct bits *b)
{
    return b->top == 0;
}

/* The smallest member; the set must not be empty. */
static inline uint32_t bits_first(const struct bits *b)
{
    uint32_t m = (uint32_t)__builtin_ctzll(b->top);
    uint32_t l = m << 6 | (uint32_t)__builtin_ctzll(b->mid[m]);

    return l << 6 | (uint32_t)__builtin_ctzll(b->low[l]);
}

/* The smallest member above i, or BITS_NONE. */
static inline uint32_t bits_next(const struct bits *b, uint32_t i)
{
    uint32_t l = i >> 6, m = i >> 12;
    uint64_t rest = (b->low[l] >> (i & 63)) >> 1;

    if (rest)
        return i + 1 + (uint32_t)__builtin_ctzll(rest);
    rest = (b->mid[m] >> (l & 63)) >> 1;
    if (rest) {
        l += 1 + (uint32_t)__builtin_ctzll(rest);
        return l << 6 | (uint32_t)__builtin_ctzll(b->low[l]);
    }
    rest = (b->top >> m) >> 1;
    if (!rest)
        return BITS_NONE;
    m += 1 + (uint32_t)__builtin_ctzll(rest);
    l = m << 6 | (uint32_t)__builtin_ctzll(b->mid[m]);
    return l << 6 | (uint32_t)__builtin_ctzll(b->low[l]);
}

#endif
