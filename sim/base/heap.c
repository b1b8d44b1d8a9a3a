/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/heap.h"

#include <string.h>

#include "sim/base/mem.h"

static uint32_t doubled(uint32_t have, uint32_t need)
{
    uint32_t cap = have ? have : 64;

    while (cap < need)
        cap *= 2;
    return cap;
}

void heap_grow(struct heap *h, uint32_t slot)
{
    if (h->n == h->cap) {
        h->cap = doubled(h->cap, h->n + 1);
        h->item = mem_grow(h->item, (h->cap + HEAP_ROOT) * sizeof(*h->item));
    }
    if (slot >= h->slots) {
        uint32_t slots = doubled(h->slots, slot + 1);
        h->at = mem_grow(h->at, slots * sizeof(*h->at));
        memset(h->at + h->slots, 0, (slots - h->slots) * sizeof(*h->at));
        h->slots = slots;
    }
}

void heap_free(struct heap *h)
{
    mem_drop(h->item);
    mem_drop(h->at);
    *h = (struct heap){.flip = h->flip};
}
