/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The residents of a station that compete for it: those that wait in order of priority, and the
 * epoch at which all are compared. Neither is looked for at a decision: what a waiting trial counts
 * for stands still until it reports or the common epoch moves, so that the order is kept, and made
 * anew only then.
 */
#include <stdlib.h>
#include <string.h>

#include "policies/lib/bound.h"
#include "policies/lib/grow.h"

/* ---- the common epoch ---- */

static void count_in(struct station *st, uint32_t reports)
{
    if (st->stale || reports == 0)
        return;
    if (st->epoch == 0 || reports < st->epoch) {
        st->epoch = reports;
        st->at_epoch = 0;
    }
    st->at_epoch += reports == st->epoch;
}

static void count_out(struct station *st, uint32_t reports)
{
    if (!st->stale && reports > 0 && reports == st->epoch && --st->at_epoch == 0)
        st->stale = true;
}

uint32_t bound_epoch(struct bound *b, struct cx *cx, uint32_t station)
{
    struct station *st = &b->station[station];

    if (!st->stale)
        return st->epoch;
    st->stale = false;
    st->epoch = st->at_epoch = 0;
    for (uint32_t i = 0; i < st->n; i++)
        count_in(st, bound_member(b, cx, st->resident[i])->counted);
    return st->epoch;
}

/* ---- who waits ---- */

static int by_priority(const void *x, const void *y, void *arg)
{
    return bound_waits_before(arg, x, y) ? -1 : 1;
}

/* The order may hang on the common epoch. */
static void sort_again(struct bound *b, struct cx *cx, uint32_t station)
{
    struct station *st = &b->station[station];
    uint32_t epoch = bound_epoch(b, cx, station);

    if (epoch == st->sorted_at || !bound_by_epoch(b))
        return;
    st->sorted_at = epoch;
    for (uint32_t i = 0; i < st->n_waiting; i++)
        st->waiting[i] = bound_waiter(b, cx, st->waiting[i].job, epoch);
    if (st->n_waiting > 1)
        qsort_r(st->waiting, st->n_waiting, sizeof(*st->waiting), by_priority, b);
}

static void wait_at(struct bound *b, struct cx *cx, uint32_t station, job_id j)
{
    struct station *st = &b->station[station];

    sort_again(b, cx, station);
    struct waiter x = bound_waiter(b, cx, j, bound_epoch(b, cx, station));
    uint32_t low = 0, high = st->n_waiting;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (bound_waits_before(b, &x, &st->waiting[mid]))
            high = mid;
        else
            low = mid + 1;
    }
    st->waiting = grow(cx, st->waiting, st->n_waiting, &st->cap_waiting, sizeof(x));
    memmove(&st->waiting[low + 1], &st->waiting[low], (st->n_waiting - low) * sizeof(x));
    st->waiting[low] = x;
    st->n_waiting++;
}

static void wait_no_more(struct station *st, job_id j)
{
    uint32_t i = 0;

    while (st->waiting[i].job != j)
        i++;
    st->n_waiting--;
    memmove(&st->waiting[i], &st->waiting[i + 1], (st->n_waiting - i) * sizeof(*st->waiting));
}

void bound_leaves(struct bound *b, struct cx *cx, job_id j)
{
    struct member *m = bound_member(b, cx, j);

    for (uint32_t i = 0; i < m->n; i++) {
        struct station *st = &b->station[m->station[i]];
        count_out(st, m->counted);
        if (m->waits)
            wait_no_more(st, j);
    }
    m->waits = false;
    m->counted = 0;
}

void bound_competes(struct bound *b, struct cx *cx, job_id j)
{
    struct member *m = bound_member(b, cx, j);
    const struct job_view *v = sim_job(cx, j);
    bool waits = v->state == JOB_WAITING;

    bound_leaves(b, cx, j);
    m->counted = waits || v->held ? m->trail.n : 0;
    for (uint32_t i = 0; i < m->n; i++)
        count_in(&b->station[m->station[i]], m->counted);
    for (uint32_t i = 0; waits && i < m->n; i++)
        wait_at(b, cx, m->station[i], j);
    m->waits = waits && m->n > 0;
}

job_id bound_waiting(struct bound *b, struct cx *cx, uint32_t station, uint32_t rank)
{
    const struct station *st = &b->station[station];

    sort_again(b, cx, station);
    return rank < st->n_waiting ? st->waiting[rank].job : NO_JOB;
}
