/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap.h - an ordered set of things by (key, id), with each thing at most once.
 *
 * A 4-ary heap of 16-byte items with an index by slot, so that a thing can be moved or taken out:
 * O(log n). Smallest first; made with HEAP_MAX, largest first. Ids are job_ids, or any numbers
 * whose low 32 bits are dense (GPUs, nodes). The engine's event queue is one of these; policies may
 * use them too: zero-initialise, and heap_free in fini().
 */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/types.h"

#ifndef SIM_API
#define SIM_API __attribute__((visibility("default")))
#endif

struct heap_item {
    int64_t key;
    uint64_t id;
};

struct heap {
    uint64_t flip;          /* 0, or HEAP_MAX: items are stored complemented */
    uint32_t n, cap;        /* items, room for items */
    uint32_t slots;         /* room in at */
    struct heap_item *item; /* from HEAP_ROOT on: a family fills one cache line */
    uint32_t *at;           /* by slot: position in item; 0: not in the heap */
};

#define HEAP_MAX  UINT64_MAX
#define HEAP_ROOT 3u

SIM_API void heap_grow(struct heap *, uint32_t slot); /* room for one more item and this slot */
SIM_API void heap_free(struct heap *);

/* By key, then by id: one comparison of 128 bits, without a branch that could be mispredicted. */
static inline bool heap_less(struct heap_item a, struct heap_item b)
{
    return (sim_area)((sim_wide)a.key << 64 | a.id) < (sim_area)((sim_wide)b.key << 64 | b.id);
}

/* Puts x at i. item and at are the heap's: copies in registers, which no store can alias. */
static inline void heap_lay(struct heap_item *item, uint32_t *at, uint64_t flip, uint32_t i,
                            struct heap_item x)
{
    item[i] = x;
    at[sim_slot(x.id ^ flip)] = i;
}

/* Fills the hole at i with x, which belongs there or above, but not above top. */
static inline void heap_rise(struct heap *h, uint32_t i, uint32_t top, struct heap_item x)
{
    struct heap_item *item = h->item;
    uint32_t *at = h->at;
    uint64_t flip = h->flip;

    for (uint32_t p; i > top && heap_less(x, item[p = (i >> 2) + 2]); i = p)
        heap_lay(item, at, flip, i, item[p]);
    heap_lay(item, at, flip, i, x);
}

static inline void heap_up(struct heap *h, uint32_t i, struct heap_item x)
{
    heap_rise(h, i, HEAP_ROOT, x);
}

/* The smallest of a family that begins at c; there is at least one before end. */
static inline const struct heap_item *heap_smallest(const struct heap_item *c,
                                                    const struct heap_item *end)
{
    if (c + 4 <= end) {
        const struct heap_item *a = c + heap_less(c[1], c[0]), *b = c + 2 + heap_less(c[3], c[2]);
        return heap_less(*b, *a) ? b : a;
    }
    const struct heap_item *best = c;
    while (++c < end)
        best = heap_less(*c, *best) ? c : best;
    return best;
}

/* Fills the hole at i with x. What is put here comes from the end or got later: it belongs near the
 * leaves, so the hole sinks to a leaf first and x rises from there. */
static inline void heap_down(struct heap *h, uint32_t i, struct heap_item x)
{
    struct heap_item *item = h->item;
    uint32_t *at = h->at, end = HEAP_ROOT + h->n, top = i;
    uint64_t flip = h->flip;

    for (uint32_t c; (c = 4 * (i - 2)) < end;) {
        const struct heap_item *best = heap_smallest(item + c, item + end);
        heap_lay(item, at, flip, i, *best);
        i = (uint32_t)(best - item);
    }
    heap_rise(h, i, top, x);
}

static inline bool heap_has(const struct heap *h, uint64_t id)
{
    uint32_t s = sim_slot(id);

    return s < h->slots && h->at[s] != 0;
}

/* Puts a thing in, or moves it. */
static inline void heap_set(struct heap *h, uint64_t id, int64_t key)
{
    struct heap_item x = {key ^ (int64_t)h->flip, id ^ h->flip};
    uint32_t s = sim_slot(id);

    if (s >= h->slots || h->n == h->cap)
        heap_grow(h, s);
    uint32_t i = h->at[s];
    if (i == 0)
        heap_up(h, HEAP_ROOT + h->n++, x);
    else if (heap_less(x, h->item[i]))
        heap_up(h, i, x);
    else
        heap_down(h, i, x);
}

/* Takes a thing out, if it is in. */
static inline void heap_drop(struct heap *h, uint64_t id)
{
    if (!heap_has(h, id))
        return;
    uint32_t i = h->at[sim_slot(id)];
    struct heap_item gone = h->item[i], x = h->item[HEAP_ROOT + --h->n];

    h->at[sim_slot(id)] = 0;
    if (i == HEAP_ROOT + h->n)
        return;
    if (heap_less(x, gone))
        heap_up(h, i, x);
    else
        heap_down(h, i, x);
}

/* The first of all, or NO_JOB when the heap is empty. */
static inline uint64_t heap_first(const struct heap *h)
{
    return h->n ? h->item[HEAP_ROOT].id ^ h->flip : NO_JOB;
}

/* The key of the first; the heap must not be empty. */
static inline int64_t heap_first_key(const struct heap *h)
{
    return h->item[HEAP_ROOT].key ^ (int64_t)h->flip;
}

/* The key of a thing that is in. */
static inline int64_t heap_key(const struct heap *h, uint64_t id)
{
    return h->item[h->at[sim_slot(id)]].key ^ (int64_t)h->flip;
}

#endif
