/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/tuners/lib/split.h"

static void move_first(struct heap *from, struct heap *to)
{
    uint64_t id = heap_first(from);
    int64_t rank = heap_first_key(from);

    heap_drop(from, id);
    heap_set(to, id, rank);
}

void split_add(struct split *s, uint64_t id, int64_t rank, uint32_t m)
{
    s->best.flip = HEAP_MAX;
    heap_set(&s->best, id, rank);
    move_first(&s->best, &s->rest);
    while (s->best.n < m)
        move_first(&s->rest, &s->best);
}

void split_free(struct split *s)
{
    heap_free(&s->best);
    heap_free(&s->rest);
}
