/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/bound.h"

#include <string.h>

#include "policies/lib/grow.h"

const char *const bound_orders[] = {"fifo", "rr", "convergence", NULL};
const char *const bound_scopes[] = {"gpu", "node", NULL};
const char *const bound_compares[] = {"common_epoch", "latest", NULL};
const char *const bound_preempts[] = {"quantum", "arrival", "any", NULL};
const char *const bound_spreads[] = {"round_robin", "fewest",     "per_node",
                                     "random",      "least_used", NULL};

/* ---- stations and members ---- */

static void make_stations(struct bound *b, struct cx *cx)
{
    uint32_t n = b->rules.scope == SCOPE_GPU ? sim_gpus(cx) : sim_nodes(cx);

    b->station = sim_keep(cx, n * sizeof(*b->station));
    b->first_of_node = sim_keep(cx, sim_nodes(cx) * sizeof(*b->first_of_node));
    for (node_id k = 0; k < sim_nodes(cx); k++) {
        struct node_view v = sim_node(cx, k);
        b->first_of_node[k] = b->n_stations;
        if (b->rules.scope == SCOPE_NODE) {
            b->station[b->n_stations++] =
                (struct station){.first = v.first, .gpus = v.gpus, .node = k, .type = v.type};
            continue;
        }
        for (uint32_t i = 0; i < v.gpus; i++)
            b->station[b->n_stations++] =
                (struct station){.first = v.first + i, .gpus = 1, .node = k, .type = v.type};
    }
}

void bound_init(struct bound *b, struct cx *cx)
{
    b->n_types = sim_types(cx);
    b->room = sim_keep(cx, b->n_types * sizeof(*b->room));
    b->first_of_type = sim_keep(cx, b->n_types * sizeof(*b->first_of_type));
    make_stations(b, cx);
    memset(b->first_of_type, 0xff, b->n_types * sizeof(*b->first_of_type));
    for (uint32_t s = b->n_stations; s-- > 0;)
        b->first_of_type[b->station[s].type] = s;
    for (uint32_t s = 0; s < b->n_stations; s++)
        heap_set(&b->room[b->station[s].type], s, 0);
}

void bound_free(struct bound *b)
{
    heap_free(&b->dirty);
    heap_free(&b->quanta);
    for (type_id t = 0; t < b->n_types; t++)
        heap_free(&b->room[t]);
}

struct member *bound_member(struct bound *b, struct cx *cx, job_id j)
{
    uint32_t slot = sim_slot(j);

    b->member = grow(cx, b->member, slot, &b->slots, sizeof(*b->member));
    return &b->member[slot];
}

static void count_residents(struct bound *b, uint32_t s)
{
    heap_set(&b->room[b->station[s].type], s, b->station[s].n);
    heap_set(&b->dirty, s, 0);
}

static void enter(struct bound *b, struct cx *cx, uint32_t s, job_id j)
{
    struct station *st = &b->station[s];

    st->resident = grow(cx, st->resident, st->n, &st->cap, sizeof(*st->resident));
    st->resident[st->n++] = j;
    count_residents(b, s);
}

static void leave(struct bound *b, uint32_t s, job_id j)
{
    struct station *st = &b->station[s];
    uint32_t i = 0;

    while (i < st->n && st->resident[i] != j)
        i++;
    if (i == st->n)
        return;
    memmove(&st->resident[i], &st->resident[i + 1], (st->n - i - 1) * sizeof(*st->resident));
    st->n--;
    count_residents(b, s);
}

static void unbind(struct bound *b, struct cx *cx, job_id j)
{
    struct member *m = bound_member(b, cx, j);

    bound_leaves(b, cx, j);
    for (uint32_t i = 0; i < m->n; i++) {
        b->station[m->station[i]].used += sim_job(cx, j)->ran - m->ran_before;
        leave(b, m->station[i], j);
    }
    m->n = 0;
    heap_drop(&b->quanta, j);
}

void bound_to(struct bound *b, struct cx *cx, job_id j, const uint32_t *stations, uint32_t n)
{
    struct member *m = bound_member(b, cx, j);

    if (n > m->cap) {
        m->station = sim_keep(cx, n * sizeof(*m->station));
        m->cap = n;
    }
    m->n = n;
    m->quanta = 0;
    m->ran_before = sim_job(cx, j)->ran;
    for (uint32_t i = 0; i < n; i++) {
        m->station[i] = stations[i];
        enter(b, cx, stations[i], j);
    }
    bound_competes(b, cx, j);
}

void bound_move(struct bound *b, struct cx *cx, job_id j, uint32_t station, const char *why)
{
    unbind(b, cx, j);
    if (sim_job(cx, j)->held)
        sim_preempt(cx, j, "%s", why);
    bound_member(b, cx, j)->over = false;
    bound_to(b, cx, j, &station, 1);
}

void bound_cut(struct bound *b, struct cx *cx, uint32_t station)
{
    const struct station *st = &b->station[station];

    for (uint32_t i = 0; i < st->gpus; i++) {
        job_id j = sim_resident(cx, st->first + i, 0);
        if (j != NO_JOB)
            bound_member(b, cx, j)->over = true;
    }
}

/* ---- one station decides ---- */

/* The GPUs of a station that are free, or that a resident would give up for k. */
static uint32_t available(struct bound *b, struct cx *cx, uint32_t s, job_id k, uint32_t epoch)
{
    const struct station *st = &b->station[s];
    uint32_t n = 0;

    for (uint32_t i = 0; i < st->gpus; i++) {
        job_id owner = sim_resident(cx, st->first + i, 0);
        n += owner == NO_JOB || bound_yields(b, cx, owner, k, epoch);
    }
    return n;
}

/* The resident that gives way first: the last by priority among those that yield. */
static job_id victim(struct bound *b, struct cx *cx, uint32_t s, job_id k, uint32_t epoch)
{
    const struct station *st = &b->station[s];
    job_id last = NO_JOB;

    for (uint32_t i = 0; i < st->gpus; i++) {
        job_id j = sim_resident(cx, st->first + i, 0);
        if (j != NO_JOB && j != last && bound_yields(b, cx, j, k, epoch) &&
            (last == NO_JOB || bound_before(b, cx, last, j, epoch)))
            last = j;
    }
    return last;
}

/* Frees so many GPUs of a station for k and adds them to the list. */
static uint32_t clear(struct bound *b, struct cx *cx, uint32_t s, job_id k, gpu_id *out,
                      uint32_t want)
{
    const struct station *st = &b->station[s];
    uint32_t epoch = bound_epoch(b, cx, s), n = 0, free = 0;
    gpu_id home = sim_job(cx, k)->home;

    for (uint32_t i = 0; i < st->gpus; i++)
        free += sim_gpu(cx, st->first + i).residents == 0;
    while (free < want) {
        job_id i = victim(b, cx, s, k, epoch);
        free += sim_job(cx, i)->held; /* of one station of a node, all of them are here */
        bound_displace(b, cx, i, k, epoch);
    }
    if (want == 1 && home >= st->first && home < st->first + st->gpus &&
        sim_gpu(cx, home).residents == 0) {
        out[0] = home;
        return 1;
    }
    for (uint32_t i = 0; i < st->gpus && n < want; i++)
        if (sim_gpu(cx, st->first + i).residents == 0)
            out[n++] = st->first + i;
    return n;
}

static bool can_run(struct bound *b, struct cx *cx, job_id k)
{
    const struct member *m = bound_member(b, cx, k);

    for (uint32_t i = 0; i < m->n; i++)
        if (available(b, cx, m->station[i], k, bound_epoch(b, cx, m->station[i])) <
            bound_need(b, cx, k))
            return false;
    return true;
}

static void begin_quantum(struct bound *b, struct cx *cx, job_id j)
{
    struct member *m = bound_member(b, cx, j);
    const struct job_view *v = sim_job(cx, j);

    m->over = false;
    m->epochs_before = v->epoch;
    if (b->rules.quantum > 0 && v->state == JOB_RUNNING)
        heap_set(&b->quanta, j, sim_now(cx) + b->rules.quantum);
}

static bool run(struct bound *b, struct cx *cx, job_id k)
{
    struct member *m = bound_member(b, cx, k);
    gpu_id *gpus = sim_scratch(cx, sim_job(cx, k)->gpus * sizeof(*gpus));
    uint32_t n = 0;

    for (uint32_t i = 0; i < m->n; i++)
        n += clear(b, cx, m->station[i], k, gpus + n, bound_need(b, cx, k));
    m->turn = ++b->turns;
    if (sim_start(cx, k, sim_even(cx, k, gpus, n), "%s", bound_why_start(b, m)) != ACT_OK)
        return false;
    bound_competes(b, cx, k);
    begin_quantum(b, cx, k);
    return true;
}

/* Quanta in epochs count from each decision; one in seconds that nobody waits for stays over. */
static void go_on(struct bound *b, struct cx *cx, uint32_t s)
{
    const struct station *st = &b->station[s];
    bool begins = b->rules.quantum == 0 || b->quantum_ended || st->n_waiting > 0;

    for (uint32_t i = 0; begins && i < st->gpus; i++) {
        job_id j = sim_resident(cx, st->first + i, 0);
        if (j != NO_JOB && bound_member(b, cx, j)->over)
            begin_quantum(b, cx, j);
    }
}

static void decide(struct bound *b, struct cx *cx, uint32_t s)
{
    uint32_t rank = 0;
    job_id k = bound_waiting(b, cx, s, 0);

    while (k != NO_JOB) {
        if (can_run(b, cx, k)) {
            if (!run(b, cx, k))
                return;
            rank = 0;
        } else if (b->station[s].gpus == 1 && bound_member(b, cx, k)->n == 1) {
            break; /* nor can anybody behind it */
        } else {
            rank++;
        }
        k = bound_waiting(b, cx, s, rank);
    }
    go_on(b, cx, s);
}

/* ---- callbacks ---- */

static void touch(struct bound *b, struct cx *cx, job_id j)
{
    const struct member *m = bound_member(b, cx, j);

    for (uint32_t i = 0; i < m->n; i++)
        heap_set(&b->dirty, m->station[i], 0);
}

void bound_changed(struct bound *b, struct cx *cx, job_id j, enum job_state was)
{
    struct member *m = bound_member(b, cx, j);
    enum job_state state = sim_job(cx, j)->state;

    if (was == JOB_FUTURE) {
        struct trail kept = m->trail;
        *m = (struct member){.job = j, .station = m->station, .cap = m->cap, .trail = kept};
        trail_begin(&m->trail);
    } else if (state >= JOB_DONE) {
        unbind(b, cx, j);
    } else if (state == JOB_RUNNING) {
        begin_quantum(b, cx, j);
    } else {
        heap_drop(&b->quanta, j);
        bound_competes(b, cx, j);
        touch(b, cx, j);
    }
}

static void end_quantum(struct bound *b, struct cx *cx, job_id j)
{
    struct member *m = bound_member(b, cx, j);

    m->over = true;
    m->quanta++;
    if (b->quantum_ended)
        b->quantum_ended(b, j);
    touch(b, cx, j);
}

void bound_reported(struct bound *b, struct cx *cx, job_id j)
{
    struct member *m = bound_member(b, cx, j);
    const struct job_view *v = sim_job(cx, j);

    trail_add(&m->trail, &b->rules.trail, cx, j);
    bound_competes(b, cx, j);
    if (b->rules.quantum == 0 && v->epoch - m->epochs_before >= b->rules.quantum_epochs)
        end_quantum(b, cx, j);
    else if (b->rules.preempt_on == ON_ANY)
        touch(b, cx, j);
}

void bound_end_quanta(struct bound *b, struct cx *cx)
{
    while (b->quanta.n && heap_first_key(&b->quanta) <= sim_now(cx)) {
        job_id j = heap_first(&b->quanta);
        heap_drop(&b->quanta, j);
        end_quantum(b, cx, j);
    }
}

void bound_schedule(struct bound *b, struct cx *cx)
{
    bound_end_quanta(b, cx);
    while (b->dirty.n) {
        uint32_t s = (uint32_t)heap_first(&b->dirty);
        heap_drop(&b->dirty, s);
        decide(b, cx, s);
    }
    if (b->rules.quantum > 0)
        sim_wake(cx, b->quanta.n ? heap_first_key(&b->quanta) : SIM_NEVER);
}
