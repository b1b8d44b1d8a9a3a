/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/dist.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/mem.h"

#define FINE_BITS 9 /* cells of 1/512 of their power of two */
#define CELLS     ((64 - FINE_BITS + 1) << FINE_BITS)

static unsigned cell_of(sim_time t)
{
    uint64_t v = (uint64_t)t;
    unsigned top = v ? 63 - (unsigned)__builtin_clzll(v) : 0;

    if (top < FINE_BITS)
        return (unsigned)v;
    unsigned shift = top - FINE_BITS;
    return ((shift + 1) << FINE_BITS) + (unsigned)((v >> shift) & ((1u << FINE_BITS) - 1));
}

/* The middle of a cell. */
static sim_time cell_value(unsigned c)
{
    unsigned shift = c >> FINE_BITS;

    if (shift == 0)
        return c;
    uint64_t low = ((UINT64_C(1) << FINE_BITS) | (c & ((1u << FINE_BITS) - 1))) << (shift - 1);
    return (sim_time)(low + ((UINT64_C(1) << (shift - 1)) >> 1));
}

static void count_cells(struct dist *d)
{
    d->cell = mem_get(CELLS * sizeof(*d->cell));
    for (uint64_t i = 0; i < d->n; i++)
        d->cell[cell_of(d->value[i])]++;
    mem_drop(d->value);
    d->value = NULL;
}

void dist_add(struct dist *d, sim_time t)
{
    if (d->n == 0 || t < d->least)
        d->least = t;
    if (t > d->largest)
        d->largest = t;
    d->sum += t;
    d->sorted = false;
    if (d->n == DIST_EXACT)
        count_cells(d);
    if (d->cell) {
        d->cell[cell_of(t)]++;
    } else {
        d->value = mem_room(d->value, d->n, &d->cap, sizeof(*d->value));
        d->value[d->n] = t;
    }
    d->n++;
}

sim_time dist_mean(const struct dist *d)
{
    return d->n ? (sim_time)((d->sum + (sim_area)(d->n / 2)) / (sim_area)d->n) : 0;
}

static int by_value(const void *a, const void *b)
{
    sim_time x = *(const sim_time *)a, y = *(const sim_time *)b;

    return (x > y) - (x < y);
}

static sim_time cell_quantile(const struct dist *d, uint64_t rank)
{
    uint64_t seen = 0;

    for (unsigned c = 0; c < CELLS; c++) {
        seen += d->cell[c];
        if (seen >= rank) {
            sim_time v = cell_value(c);
            return v < d->least ? d->least : v > d->largest ? d->largest : v;
        }
    }
    return d->largest;
}

sim_time dist_quantile(struct dist *d, double p)
{
    uint64_t rank = (uint64_t)ceil(p * (double)d->n);

    if (d->n == 0)
        return 0;
    rank = rank < 1 ? 1 : rank > d->n ? d->n : rank;
    if (d->cell)
        return cell_quantile(d, rank);
    if (!d->sorted)
        qsort(d->value, d->n, sizeof(*d->value), by_value);
    d->sorted = true;
    return d->value[rank - 1];
}

void dist_free(struct dist *d)
{
    mem_drop(d->value);
    mem_drop(d->cell);
    *d = (struct dist){0};
}
