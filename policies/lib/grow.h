/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grow.h - arrays in a policy's memory (sim_keep) that become longer. */
#ifndef POLICIES_GROW_H
#define POLICIES_GROW_H

#include <string.h>

#include "sim/policy.h"

/* Room for item `at` of an array: the array itself, or a copy at least twice as long, *cap items,
 * with zeroes behind the old ones. */
static inline void *grow(struct cx *cx, void *array, uint32_t at, uint32_t *cap, size_t size)
{
    uint32_t more = *cap ? *cap : 8, old = *cap;

    if (at < old)
        return array;
    while (more <= at)
        more *= 2;
    *cap = more;
    void *longer = sim_keep(cx, more * size);
    return old ? memcpy(longer, array, old * size) : longer;
}

#endif
