/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap against a plain array that is searched for its least item. */
#include <criterion/criterion.h>

#include "sim/base/rng.h"
#include "sim/heap.h"

#define SLOTS 200

/* By slot; generation: the upper half of the id, which changes when a slot is used again. */
struct item {
    bool in;
    int64_t key;
    uint64_t id;
};

static bool comes_before(const struct item *a, const struct item *b, bool max)
{
    if (a->key != b->key)
        return (a->key < b->key) != max;
    return (a->id < b->id) != max;
}

static const struct item *first_of(const struct item *all, bool max)
{
    const struct item *first = NULL;

    for (uint32_t s = 0; s < SLOTS; s++)
        if (all[s].in && (!first || comes_before(&all[s], first, max)))
            first = &all[s];
    return first;
}

/* Few values, so that there are ties, and the extremes. */
static int64_t draw_key(gsl_rng *r)
{
    static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1,       0,
                                       1,         INT64_MAX - 1, INT64_MAX};

    if (gsl_rng_uniform_int(r, 4) == 0)
        return extremes[gsl_rng_uniform_int(r, 7)];
    return (int64_t)gsl_rng_uniform_int(r, 20) - 10;
}

static void step(struct heap *h, struct item *all, gsl_rng *r)
{
    uint32_t slot = (uint32_t)gsl_rng_uniform_int(r, SLOTS);
    struct item *x = &all[slot];

    if (gsl_rng_uniform_int(r, 3) > 0) {
        if (!x->in)
            x->id = (uint64_t)gsl_rng_uniform_int(r, 1000) << 32 | slot;
        x->key = draw_key(r);
        x->in = true;
        heap_set(h, x->id, x->key);
    } else {
        x->in = false;
        heap_drop(h, x->id | slot);
    }
}

static void check(const struct heap *h, const struct item *all, bool max)
{
    const struct item *first = first_of(all, max);
    uint32_t n = 0;

    for (uint32_t s = 0; s < SLOTS; s++) {
        n += all[s].in;
        cr_assert_eq(heap_has(h, all[s].id | s), all[s].in, "slot %u", s);
        cr_assert(!all[s].in || heap_key(h, all[s].id) == all[s].key, "slot %u", s);
    }
    cr_assert_eq(h->n, n);
    cr_assert_eq(heap_first(h), first ? first->id : NO_JOB);
    cr_assert(!first || heap_first_key(h) == first->key);
}

/* Takes some out by their order, so that a fault further down comes up. */
static void drain(struct heap *h, struct item *all, bool max)
{
    for (uint32_t n = h->n / 4 * 3; n > 0; n--) {
        uint64_t id = heap_first(h);
        cr_assert_eq(id, first_of(all, max)->id);
        heap_drop(h, id);
        all[sim_slot(id)].in = false;
    }
}

Test(heap, random_operations)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        bool max = seed % 2;
        struct heap h = {.flip = max ? HEAP_MAX : 0};
        struct item all[SLOTS] = {{.in = false}};
        gsl_rng *r = rng_stream(seed, "heap", 0);
        for (int i = 0; i < 2000; i++) {
            step(&h, all, r);
            check(&h, all, max);
            if (i % 400 == 399)
                drain(&h, all, max);
        }
        heap_free(&h);
        cr_assert_eq(heap_first(&h), NO_JOB);
        cr_assert_eq(h.flip, max ? HEAP_MAX : 0);
        gsl_rng_free(r);
    }
}

/* Everything comes out in order, whatever the size. */
Test(heap, comes_out_sorted)
{
    for (uint32_t n = 0; n < 300; n++) {
        for (int max = 0; max < 2; max++) {
            struct heap h = {.flip = max ? HEAP_MAX : 0};
            struct item last = {.in = false};
            for (uint32_t i = 0; i < n; i++)
                heap_set(&h, i, (int64_t)(i * 7919 % 101) - 50);
            for (uint32_t i = 0; i < n; i++) {
                struct item x = {true, heap_first_key(&h), heap_first(&h)};
                cr_assert(!last.in || comes_before(&last, &x, max), "%u of %u", i, n);
                last = x;
                heap_drop(&h, x.id);
            }
            cr_assert_eq(h.n, 0);
            heap_free(&h);
        }
    }
}

/* Slots far apart; dropping what is not in does nothing. */
Test(heap, slots)
{
    static const uint64_t ids[] = {0, 63, 64, 65, 1000, 100000, UINT64_C(7) << 32 | 99999};
    struct heap h = {.flip = 0};

    heap_drop(&h, 5);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        heap_set(&h, ids[i], -(int64_t)i);
        cr_assert_eq(heap_first(&h), ids[i]);
    }
    heap_drop(&h, 5);
    heap_drop(&h, UINT32_MAX - 1);
    cr_assert_eq(h.n, sizeof ids / sizeof *ids);
    heap_free(&h);
}
