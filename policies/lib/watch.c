/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policies/lib/grow.h"

void watch_init(void *self, struct cx *cx)
{
    struct watch *w = self;

    seats_init(&w->seats, cx);
    w->n_gpus = sim_gpus(cx);
    w->given_up = sim_keep(cx, w->n_gpus * sizeof(*w->given_up));
    w->due = w->soon = SIM_NEVER;
    w->again = w->first;
}

void watch_fini(void *self)
{
    struct watch *w = self;

    seats_free(&w->seats);
    heap_free(&w->stirred);
    for (gpu_id g = 0; g < w->n_gpus; g++)
        heap_free(&w->given_up[g]);
}

void watch_dump(const void *self, FILE *out)
{
    const struct watch *w = self;

    fprintf(out,
            "%llu changes of shares; %llu of them led back to shares of before and doubled a "
            "dead band; %u jobs are to be looked at\n",
            (unsigned long long)w->acts, (unsigned long long)w->returns, w->stirred.n);
}

/* ---- who is to be looked at ---- */

/* As new as if nothing had been done for it yet, if somebody came or went. */
static void stir_one(struct watch *w, struct cx *cx, job_id j, bool fresh)
{
    struct watch_job *m = sim_job_data(cx, j);

    heap_set(&w->stirred, j, 0);
    if (fresh)
        m->acts = m->returns = 0;
}

/* All that hold these GPUs. */
static void stir(struct watch *w, struct cx *cx, const gpu_id *gpu, uint32_t n, bool fresh)
{
    sim_time wait = w->at_once ? 0 : w->first;
    job_id j;

    if (fresh && sim_now(cx) + wait < w->soon)
        w->soon = sim_now(cx) + wait;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; (j = sim_resident(cx, gpu[i], k)) != NO_JOB; k++)
            stir_one(w, cx, j, fresh);
}

/* Somebody left a GPU: those that gave it up may want it again. */
static void stir_absent(struct watch *w, struct cx *cx, gpu_id g, bool fresh)
{
    const struct heap *h = &w->given_up[g];

    for (uint32_t i = 0; i < h->n; i++)
        stir_one(w, cx, h->item[HEAP_ROOT + i].id, fresh);
}

static void stir_mates(struct watch *w, struct cx *cx, job_id j, bool fresh)
{
    const struct seat_job *m = seats_of(&w->seats, j);

    stir(w, cx, m->gpu, m->n, fresh);
}

/* It has left: what it gave up, and that it was moved, is of the past. */
static void forget_home(struct watch *w, struct cx *cx, job_id j)
{
    struct watch_job *m = sim_job_data(cx, j);

    for (uint32_t i = 0; m->moved && i < w->home[sim_slot(j)].n; i++)
        heap_drop(&w->given_up[w->home[sim_slot(j)].gpu[i]], j);
    m->moved = false;
    m->copying = false;
}

static void leave(struct watch *w, struct cx *cx, job_id j)
{
    const struct seat_job *m = seats_of(&w->seats, j);

    forget_home(w, cx, j);
    heap_drop(&w->stirred, j);
    stir_mates(w, cx, j, true);
    for (uint32_t i = 0; i < m->n; i++)
        stir_absent(w, cx, m->gpu[i], true);
}

static void started(void *self, struct cx *cx, job_id j)
{
    if (sim_job(cx, j)->state == JOB_RUNNING)
        stir_mates(self, cx, j, true);
}

void watch_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct watch *w = self;
    enum job_state now = sim_job(cx, j)->state;
    struct watch_job *m = sim_job_data(cx, j);

    seats_changed(&w->seats, cx, j, was);
    if (now != JOB_RUNNING && (was == JOB_RUNNING || was == JOB_SETUP)) {
        leave(w, cx, j);
    } else if (now == JOB_RUNNING) {
        stir_mates(w, cx, j, !m->copying);
        m->copying = false;
    }
}

void watch_again(struct watch *w, job_id j)
{
    heap_set(&w->stirred, j, 0);
}

/* ---- groups ---- */

static bool seen(struct watch *w, struct cx *cx, job_id j)
{
    w->seen = grow(cx, w->seen, sim_slot(j), &w->cap_seen, sizeof(*w->seen));
    if (w->seen[sim_slot(j)] == w->groups)
        return true;
    w->seen[sim_slot(j)] = w->groups;
    return false;
}

/* A job as it is now. false: nothing has been measured yet, but will be. Alone on its GPUs it does
 * what is known. */
static bool measure(struct cx *cx, struct watched *x, job_id j)
{
    struct placement p = sim_held(cx, j);
    struct share *share = sim_scratch(cx, p.n * sizeof(*share));

    memcpy(share, p.share, p.n * sizeof(*share));
    *x = (struct watched){j, sim_job(cx, j), {p.n, share}, 0, NULL};
    x->resid = sim_scratch(cx, p.n * sizeof(*x->resid));
    x->step = sim_measured(cx, j, x->resid);
    if (p.n && sim_gpu(cx, share[0].gpu).most == 1) {
        x->step = 1 / sim_rate(cx, j, &x->held);
        for (uint32_t i = 0; i < p.n; i++)
            x->resid[i] = sim_step_alone(cx, j, share[i].gpu, share[i].samples).busy;
    }
    return x->step > 0 || x->view->batch == 0;
}

static int by_id(const void *a, const void *b)
{
    job_id x = *(const job_id *)a, y = *(const job_id *)b;

    return (x > y) - (x < y);
}

static void add_job(struct watch *w, struct cx *cx, job_id j, uint32_t *n)
{
    w->group = grow(cx, w->group, *n, &w->cap_group, sizeof(*w->group));
    w->group[(*n)++] = j;
}

/* The running jobs that hang together with one, in order of submission; returns how many. */
static uint32_t find_group(struct watch *w, struct cx *cx, job_id first)
{
    uint32_t n = 0;
    job_id j;

    w->groups++;
    seen(w, cx, first);
    add_job(w, cx, first, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct seat_job *m = seats_of(&w->seats, w->group[i]);
        for (uint32_t g = 0; g < m->n; g++)
            for (uint32_t k = 0; (j = sim_resident(cx, m->gpu[g], k)) != NO_JOB; k++)
                if (sim_job(cx, j)->state == JOB_RUNNING && !seen(w, cx, j))
                    add_job(w, cx, j, &n);
    }
    qsort(w->group, n, sizeof(*w->group), by_id);
    return n;
}

/* Looks at the group of a job; not at one in which somebody has not been measured yet. */
static bool look_at(struct watch *w, struct cx *cx, job_id first, watch_look *look)
{
    uint32_t n = find_group(w, cx, first);
    struct watched *x = sim_scratch(cx, n * sizeof(*x));
    bool known = true;

    for (uint32_t i = 0; i < n; i++)
        known &= measure(cx, &x[i], w->group[i]) || w->at_once;
    for (uint32_t i = 0; i < n && known; i++)
        heap_drop(&w->stirred, x[i].id);
    if (known)
        look(w, cx, x, n);
    return known;
}

/* false: some groups are to be looked at later. */
static bool look_at_all(struct watch *w, struct cx *cx, watch_look *look)
{
    uint32_t n = w->stirred.n;
    job_id *job = sim_scratch(cx, n * sizeof(*job));
    uint64_t before = w->groups;
    bool all = true;

    for (uint32_t i = 0; i < n; i++)
        job[i] = w->stirred.item[HEAP_ROOT + i].id;
    qsort(job, n, sizeof(*job), by_id);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slot = sim_slot(job[i]);
        if (sim_job(cx, job[i])->state != JOB_RUNNING)
            heap_drop(&w->stirred, job[i]); /* it is stirred again when it runs */
        else if (slot >= w->cap_seen || w->seen[slot] <= before)
            all &= look_at(w, cx, job[i], look);
    }
    return all;
}

static void look_if_due(struct watch *w, struct cx *cx, watch_look *look)
{
    sim_time now = sim_now(cx);

    if (now < w->due && now < w->soon)
        return;
    w->soon = SIM_NEVER;
    if (look_at_all(w, cx, look)) {
        w->again = w->first;
    } else {
        w->again *= w->again < w->period ? 2 : 1;
        w->soon = now + w->again;
    }
}

void watch_schedule(struct watch *w, struct cx *cx, watch_look *look)
{
    sim_time now = sim_now(cx);

    if (!w->at_once)
        look_if_due(w, cx, look);
    seats_start(&w->seats, cx, started, w);
    if (w->at_once)
        look_if_due(w, cx, look);
    if (w->stirred.n == 0)
        w->soon = SIM_NEVER;
    w->due = w->stirred.n ? (now / w->period + 1) * w->period : SIM_NEVER;
    w->due = w->soon < w->due ? w->soon : w->due;
    if (w->due == SIM_NEVER || w->due <= SIM_LATEST)
        sim_wake(cx, w->due);
}

/* ---- acts ---- */

void watch_round(const double *want, struct share *to, uint32_t n, uint32_t batch)
{
    int64_t left = batch;

    for (uint32_t i = 0; i < n; i++) {
        to[i].samples = want[i] < 1 ? 1 : (uint32_t)want[i];
        left -= to[i].samples;
    }
    while (left != 0) {
        uint32_t at = n;
        for (uint32_t i = 0; i < n; i++) {
            double over = want[i] - to[i].samples;
            if ((left > 0 || to[i].samples > 1) &&
                (at == n ||
                 (left > 0 ? over > want[at] - to[at].samples : over < want[at] - to[at].samples)))
                at = i;
        }
        to[at].samples += left > 0 ? 1 : UINT32_MAX; /* or 1 less */
        left -= left > 0 ? 1 : -1;
    }
}

static uint64_t key_of(const struct placement *p)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t x = ((uint64_t)p->share[i].gpu << 32 | p->share[i].samples) + 1;
        x *= UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        sum += x ^ x >> 32; /* in any order */
    }
    return sum;
}

double watch_band(const struct cx *cx, job_id j)
{
    const struct watch_job *m = sim_job_data(cx, j);
    uint32_t times = m->returns + m->acts / WATCH_ACTS;

    return ldexp(1, times < 60 ? (int)times : 60);
}

/* Whether the shares are among those it had. */
static bool returns(struct watch_job *m, const struct placement *from, const struct placement *to)
{
    uint64_t key = key_of(to);
    bool found = false;

    if (m->acts == 0) {
        memset(m->past, 0, sizeof(m->past));
        m->past[WATCH_PAST - 1] = key_of(from);
    }
    for (uint32_t i = 0; i < WATCH_PAST; i++)
        found |= m->past[i] == key;
    m->past[m->acts++ % WATCH_PAST] = key;
    m->returns += found;
    return found;
}

double watch_bytes(const struct cx *cx, job_id j, gpu_id g)
{
    struct placement p = sim_held(cx, j);
    struct gpu_view v = sim_gpu(cx, g);
    double own = 0;

    for (uint32_t i = 0; i < p.n; i++)
        if (p.share[i].gpu == g)
            own = sim_step_alone(cx, j, g, p.share[i].samples).bytes;
    return fmin(v.memory + own, v.slice);
}

uint32_t watch_samples(const struct cx *cx, job_id j, gpu_id g)
{
    uint32_t batch = sim_job(cx, j)->batch;
    double none = sim_step_alone(cx, j, g, 0).bytes;
    double each = (sim_step_alone(cx, j, g, batch).bytes - none) / batch;
    double most = watch_bytes(cx, j, g) - none;

    if (most < 0)
        return 0;
    return each * batch > most ? (uint32_t)(most / each) : batch;
}

const struct share *watch_share(const struct placement *p, gpu_id g)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->share[i].gpu == g)
            return &p->share[i];
    return NULL;
}

/* Whether there are seats and memory now. */
static bool fits(const struct cx *cx, job_id j, const struct placement *held,
                 const struct placement *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const struct share *to = &p->share[i], *has = watch_share(held, to->gpu);
        struct gpu_view v = sim_gpu(cx, to->gpu);
        if (!has && v.residents == v.most)
            return false;
        if (!(has && to->samples <= has->samples) &&
            sim_step_alone(cx, j, to->gpu, to->samples).bytes > watch_bytes(cx, j, to->gpu))
            return false;
    }
    return true;
}

bool watch_moved(const struct cx *cx, job_id j)
{
    return ((const struct watch_job *)sim_job_data(cx, j))->moved;
}

const struct watch_home *watch_home(struct watch *w, struct cx *cx, job_id j)
{
    uint32_t slot = sim_slot(j);

    w->home = grow(cx, w->home, slot, &w->cap_homes, sizeof(*w->home));
    struct watch_home *h = &w->home[slot];
    if (watch_moved(cx, j))
        return h;
    struct placement p = sim_held(cx, j);
    for (h->n = 0; h->n < p.n; h->n++) {
        h->gpu = grow(cx, h->gpu, h->n, &h->cap, sizeof(*h->gpu));
        h->gpu[h->n] = p.share[h->n].gpu;
    }
    return h;
}

/* It is where p says now. */
static void note_home(struct watch *w, job_id j, const struct placement *p)
{
    const struct watch_home *h = &w->home[sim_slot(j)];

    for (uint32_t i = 0; i < h->n; i++)
        if (watch_share(p, h->gpu[i]))
            heap_drop(&w->given_up[h->gpu[i]], j);
        else
            heap_set(&w->given_up[h->gpu[i]], j, 0);
}

bool watch_act(struct watch *w, struct cx *cx, job_id j, const struct placement *p, const char *why)
{
    struct placement held = sim_held(cx, j);
    struct watch_job *m = sim_job_data(cx, j);
    bool same = held.n == p->n, ran = sim_job(cx, j)->state == JOB_RUNNING;

    for (uint32_t i = 0; i < p->n; i++)
        same &= watch_share(&held, p->share[i].gpu) != NULL;
    if (!fits(cx, j, &held, p))
        return false;
    watch_home(w, cx, j);
    stir_mates(w, cx, j, false);
    for (uint32_t i = 0; i < held.n; i++)
        if (!watch_share(p, held.share[i].gpu))
            stir_absent(w, cx, held.share[i].gpu, false);
    bool back = returns(m, &held, p);
    w->acts++;
    w->returns += back;
    const char *more = back ? "; had these shares before: dead band doubled" : "";
    if ((same ? sim_split(cx, j, p, "%s%s", why, more) : sim_resize(cx, j, p, "%s%s", why, more)) !=
        ACT_OK)
        return false;
    m->copying = (m->copying || ran) && sim_job(cx, j)->state == JOB_SETUP;
    m->moved = true;
    note_home(w, j, p);
    seats_note(&w->seats, cx, j);
    stir_mates(w, cx, j, false);
    return true;
}
