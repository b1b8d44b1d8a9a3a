/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hold4.h - a 4-ary heap of bare 16-byte entries, without an index or a total order.
 *
 * A yardstick: deliberately apart from sim/heap.h, so that it does not move with what it measures.
 */
#ifndef PERF_HOLD4_H
#define PERF_HOLD4_H

#include <stddef.h>
#include <stdint.h>

struct hold_item {
    int64_t key;
    uint64_t id;
};

/* The children of i are 4i-8 .. 4i-5 and the root is 3: a family shares a cache line. */
#define HOLD_ROOT 3

/* Puts x where the root was, in a heap of n > 0 items from item[HOLD_ROOT] on. */
static inline void hold_replace(struct hold_item *item, size_t n, struct hold_item x)
{
    size_t i = HOLD_ROOT, end = HOLD_ROOT + n;

    for (size_t c = 4 * (i - 2); c < end; c = 4 * (i - 2)) {
        size_t least = c;
        if (c + 4 <= end) {
            size_t a = c + (item[c + 1].key < item[c].key);
            size_t b = c + 2 + (item[c + 3].key < item[c + 2].key);
            least = item[b].key < item[a].key ? b : a;
        } else {
            for (size_t k = c + 1; k < end; k++)
                least = item[k].key < item[least].key ? k : least;
        }
        if (item[least].key >= x.key)
            break;
        item[i] = item[least];
        i = least;
    }
    item[i] = x;
}

#endif
