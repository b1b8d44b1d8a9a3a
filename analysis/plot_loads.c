/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot_loads.h"

#include <stdlib.h>

#include "analysis/events.h"

struct change {
    sim_time t;
    double active, work;
};

struct changes {
    struct change *change;
    size_t n, cap;
};

static void add(struct changes *c, sim_time t, double active, double work)
{
    c->change = mem_room(c->change, c->n, &c->cap, sizeof(*c->change));
    c->change[c->n++] = (struct change){t, active, work};
}

static int by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->t != y->t)
        return x->t > y->t ? 1 : -1;
    if (x->active != y->active)
        return x->active > y->active ? 1 : -1;
    return (x->work > y->work) - (x->work < y->work);
}

/* A load is told when it is over: it is added from its begin on and taken away at its end. */
static bool read_loads(struct diag *d, const char *path, struct changes *c)
{
    struct events *e = events_open(d, path);
    struct record r;
    int got = e ? 1 : -1;

    while (e && (got = events_next(e, &r)) > 0) {
        if (r.kind != REC_LOAD)
            continue;
        add(c, r.run, r.value, r.told);
        add(c, r.t, -r.value, -r.told);
    }
    events_close(e);
    return got == 0;
}

bool plot_loads(struct diag *d, const char *path, struct plot_loads *to)
{
    struct changes c = {0};
    bool ok = read_loads(d, path, &c);
    double active = 0, work = 0;

    if (c.n > 0)
        qsort(c.change, c.n, sizeof(*c.change), by_time);
    for (size_t i = 0; ok && i < c.n; i++) {
        active += c.change[i].active;
        work += c.change[i].work;
        if (i + 1 < c.n && c.change[i + 1].t == c.change[i].t)
            continue;
        to->load = mem_room(to->load, to->n, &to->cap, sizeof(*to->load));
        to->load[to->n++] = (struct plot_load){(double)c.change[i].t / 1e9, active > 0 ? active : 0,
                                               work > 0 ? work : 0};
    }
    mem_drop(c.change);
    return ok;
}
