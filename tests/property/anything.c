/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * anything - a policy that does whatever can be done, and now and then what cannot; meek - the same
 * without any flag; and a tuner like them.
 *
 * Whatever a view shows, and every verdict, goes into a hash that is the reason of the next act:
 * engines that give the same records have shown the same views.
 */
#include <math.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/base/rng.h"
#include "tests/property/worlds.h"

struct anything {
    int64_t idle, wild, illegal, most; /* percent of rounds; acts a round; percent; acts in a run */
    sim_time span;                     /* of alarms */
    bool meek;                         /* has no flags */
    uint64_t seen;                     /* hash of all that was seen */
    int64_t acts;
    job_id old; /* a job that may have ended */
};

#define AT(member) offsetof(struct anything, member)
static const struct field fields[] = {
    {FIELD_INT, "idle", AT(idle), "20", 0, 100, NULL,
     "percent of rounds in which nothing is started by default"},
    {FIELD_INT, "wild", AT(wild), "3", 1, 20, NULL, "acts tried in a round"},
    {FIELD_INT, "illegal", AT(illegal), "2", 0, 100, NULL, "percent of acts that may be refused"},
    {FIELD_INT, "most", AT(most), "150", 0, 10000, NULL, "acts after which it becomes tame"},
    {FIELD_SECONDS, "span_s", AT(span), "0.000001", 0, 1e6, NULL, "of alarms"},
    {.type = FIELD_END},
};

/* ---- seeing ---- */

static void see(struct anything *s, uint64_t x)
{
    s->seen = rng_mix(s->seen, x);
}

static void see_real(struct anything *s, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof(bits));
    see(s, x == x ? bits : 1);
}

static void see_placement(struct anything *s, const struct placement *p)
{
    see(s, p ? p->n : 99);
    for (uint32_t i = 0; p && i < p->n; i++)
        see(s, (uint64_t)p->share[i].samples << 32 | p->share[i].gpu);
}

/* What a step takes, as measured now and as known from before. */
static void see_steps(struct anything *s, struct cx *cx, job_id j, const struct placement *held)
{
    double *resid = sim_scratch(cx, (held->n + 1) * sizeof(*resid)),
           step = sim_measured(cx, j, resid);

    see_real(s, step);
    for (uint32_t i = 0; i < held->n; i++) {
        struct step_alone a =
            sim_step_alone(cx, j, held->share[i].gpu, held->share[i].samples + i % 2);
        see_real(s, a.busy);
        see_real(s, a.floor);
        see_real(s, a.gap);
        see_real(s, a.bytes);
        if (step > 0)
            see_real(s, resid[i]);
    }
}

static void see_job(struct anything *s, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct placement held = sim_held(cx, j);
    const struct placement *p = v->state == JOB_WAITING ? sim_pick(cx, j) : NULL;
    uint32_t *data = sim_job_data(cx, j);

    see(s, sim_number(j));
    see(s, (uint64_t)v->state << 32 | v->gpus);
    see(s, (uint64_t)v->held << 32 | v->model);
    see(s, (uint64_t)v->batch << 32 | v->experiment);
    see(s, (uint64_t)v->epochs << 32 | v->epoch);
    see(s, v->types);
    see_real(s, v->steps_declared);
    see_real(s, v->metric);
    see_real(s, v->metric_start);
    see_real(s, v->metric_ideal);
    see(s, (uint64_t)v->submitted + v->metric_falls);
    see(s, (uint64_t)v->since);
    see(s, (uint64_t)v->ran);
    see_real(s, v->attained);
    see_real(s, v->steps);
    see(s, v->asked);
    see(s, (uint64_t)v->stepped);
    see(s, (uint64_t)v->started);
    see(s, (uint64_t)v->alone);
    see(s, (uint64_t)v->home << 32 | (*data)++);
    see_placement(s, &held);
    see_placement(s, p);
    if (p)
        see_real(s, sim_rate(cx, j, p));
    if (held.n)
        see_real(s, sim_rate(cx, j, &held));
    see_steps(s, cx, j, &held);
    if (!s->meek)
        see(s, (uint64_t)sim_remaining(cx, j));
}

static void see_cluster(struct anything *s, struct cx *cx)
{
    see(s, (uint64_t)sim_now(cx));
    see(s, (uint64_t)sim_free_gpus(cx) << 32 | sim_gpus(cx));
    for (gpu_id g = 0; g < sim_gpus(cx); g++) {
        struct gpu_view v = sim_gpu(cx, g);
        see(s, (uint64_t)v.type << 32 | v.node);
        see(s, (uint64_t)v.residents << 32 | v.most);
        for (uint32_t i = 0; i <= v.residents; i++)
            see(s, sim_number(sim_resident(cx, g, i)));
        see_real(s, v.memory);
        see(s, (uint64_t)v.ready > (uint64_t)sim_now(cx) ? (uint64_t)v.ready : 0);
    }
    for (node_id n = 0; n < sim_nodes(cx); n++) {
        struct node_view v = sim_node(cx, n);
        see(s, (uint64_t)v.type << 32 | v.first);
        see(s, v.free << 8 | v.gpus);
    }
    for (type_id t = 0; t < sim_types(cx); t++) {
        struct type_view v = sim_type(cx, t);
        see(s, (uint64_t)v.gpus << 32 | v.free);
    }
}

static void see_all(struct anything *s, struct cx *cx)
{
    see_cluster(s, cx);
    for (int state = JOB_WAITING; state <= JOB_ENDING; state++) {
        see(s, sim_count(cx, (enum job_state)state));
        for (job_id j = sim_first(cx, (enum job_state)state); j != NO_JOB; j = sim_next(cx, j))
            see_job(s, cx, j);
    }
}

/* ---- choosing ---- */

static uint32_t below(struct cx *cx, uint32_t n)
{
    return (uint32_t)(sim_random(cx) % n);
}
static bool of(struct cx *cx, int64_t percent)
{
    return below(cx, 100) < percent;
}

/* Some job in a state; NO_JOB: there is none. */
static job_id some(struct cx *cx, enum job_state state)
{
    uint32_t n = sim_count(cx, state), k = n ? below(cx, n) : 0;
    job_id j = sim_first(cx, state);

    while (k-- > 0)
        j = sim_next(cx, j);
    return j;
}

static job_id some_holder(struct cx *cx)
{
    job_id a = some(cx, JOB_SETUP), b = some(cx, JOB_RUNNING);

    return a == NO_JOB || (b != NO_JOB && of(cx, 50)) ? b : a;
}

/* The first n of them in random order. */
static void shuffle(struct cx *cx, gpu_id *g, uint32_t n, uint32_t of_all)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i + below(cx, of_all - i);
        gpu_id x = g[i];
        g[i] = g[k];
        g[k] = x;
    }
}

/* Whether there is a seat and memory for so many samples. */
static bool has_room(struct cx *cx, job_id j, gpu_id g, uint32_t samples)
{
    struct gpu_view v = sim_gpu(cx, g);

    return v.residents < v.most && sim_step_alone(cx, j, g, samples).bytes <= v.memory;
}

/* GPUs with room, of the types a job can run on, any of them; NULL: too few. */
static const struct placement *anywhere(const struct anything *s, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    gpu_id *g = sim_scratch(cx, sim_gpus(cx) * sizeof(*g));
    uint32_t n = 0, most = (v->batch + v->gpus - 1) / v->gpus;

    for (gpu_id i = 0; i < sim_gpus(cx); i++) {
        struct gpu_view gpu = sim_gpu(cx, i);
        if (v->types >> gpu.type & 1 && (gpu.residents == 0 || !s->meek) &&
            has_room(cx, j, i, most))
            g[n++] = i;
    }
    if (n < v->gpus)
        return NULL;
    shuffle(cx, g, v->gpus, n);
    return sim_even(cx, j, g, v->gpus);
}

/* Some of the GPUs it holds and some others, more or fewer of them. */
static const struct placement *other_gpus(struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct placement held = sim_held(cx, j);
    gpu_id *g = sim_scratch(cx, sim_gpus(cx) * sizeof(*g));
    uint32_t n = 0, want, most = v->batch ? v->batch : UINT32_MAX;

    for (gpu_id i = 0; i < sim_gpus(cx); i++) {
        bool own = false;
        for (uint32_t k = 0; k < held.n; k++)
            own |= held.share[k].gpu == i;
        if (own ? of(cx, 70) : of(cx, 40) && has_room(cx, j, i, 1))
            g[n++] = i;
    }
    if (n == 0)
        return NULL;
    want = 1 + below(cx, n);
    want = want < most ? want : most;
    shuffle(cx, g, want, n);
    return sim_even(cx, j, g, want);
}

/* What it holds in another order, with a sample moved from one to another. */
static struct placement other_shares(struct cx *cx, job_id j)
{
    struct placement p = sim_held(cx, j);
    struct share *share = sim_scratch(cx, (p.n ? p.n : 1) * sizeof(*share));
    uint32_t turn = p.n ? below(cx, p.n) : 0, from = p.n ? below(cx, p.n) : 0;

    for (uint32_t i = 0; i < p.n; i++)
        share[i] = p.share[(i + turn) % p.n];
    if (p.n > 1 && share[from].samples > 1 && of(cx, 70)) {
        share[from].samples--;
        share[(from + 1) % p.n].samples++;
    }
    p.share = share;
    return p;
}

/* ---- acting ---- */

static void verdict(struct anything *s, enum verdict v)
{
    see(s, (uint64_t)v);
    s->acts++;
}

#define SEEN "%016llx", (unsigned long long)s->seen

static void start(struct anything *s, struct cx *cx, job_id j)
{
    const struct placement *p = of(cx, 50) ? sim_pick(cx, j) : anywhere(s, cx, j);

    if (p)
        verdict(s, sim_start(cx, j, p, SEEN));
}

/* Turning a job away may bring others in; what was handed out before must not suffer. */
static void reject(struct anything *s, struct cx *cx, job_id j)
{
    uint64_t *kept = sim_scratch(cx, 4 * sizeof(*kept));
    const struct placement *p = sim_pick(cx, j);

    see_placement(s, p);
    for (int i = 0; i < 4; i++)
        kept[i] = s->seen;
    p = sim_even(cx, j, sim_scratch(cx, sizeof(gpu_id)), 1);
    verdict(s, sim_reject(cx, j, SEEN));
    for (int i = 0; i < 4; i++)
        see(s, kept[i]);
    see_placement(s, p);
}

/* A start, or a resize, with something wrong about the placement. */
static void bad_place(struct anything *s, struct cx *cx, job_id j, bool resize)
{
    uint32_t n = j == NO_JOB ? 1 : sim_job(cx, j)->gpus;
    struct share *share = sim_scratch(cx, (n + 1) * sizeof(*share));
    uint32_t batch = j == NO_JOB ? 0 : sim_job(cx, j)->batch;

    for (uint32_t i = 0; i <= n; i++)
        share[i] = (struct share){below(cx, sim_gpus(cx) + (of(cx, 20) ? 3 : 0)),
                                  batch / n + (i < batch % n)};
    if (of(cx, 30))
        share[below(cx, n)].samples += below(cx, 3);
    if (of(cx, 20))
        share[below(cx, n)].samples = 0;
    if (n > 1 && of(cx, 30)) {
        share[0].samples++;
        share[1].samples--;
    }
    struct placement p = {of(cx, 20) ? n + 1 : n, share};
    verdict(s, resize ? sim_resize(cx, j, &p, SEEN) : sim_start(cx, j, &p, SEEN));
}

static void bad_split(struct anything *s, struct cx *cx, job_id j)
{
    struct placement p = j == NO_JOB ? (struct placement){0, NULL} : other_shares(cx, j);
    struct share *share = sim_scratch(cx, (p.n + 1) * sizeof(*share));

    if (p.n)
        memcpy(share, p.share, p.n * sizeof(*share));
    if (p.n && of(cx, 50))
        share[below(cx, p.n)].gpu = below(cx, sim_gpus(cx) + 1);
    if (p.n && of(cx, 30))
        share[below(cx, p.n)].samples ^= 1;
    p.share = share;
    verdict(s, sim_split(cx, j, &p, SEEN));
}

/* Something that may be refused. */
static void misbehave(struct anything *s, struct cx *cx)
{
    job_id j = some(cx, (enum job_state)below(cx, JOB_STATES));

    if (j != NO_JOB && of(cx, 20)) {
        s->old = j;
    } else if (of(cx, 15) && s->old != NO_JOB) {
        verdict(s, of(cx, 50) ? sim_preempt(cx, s->old, SEEN) : sim_reject(cx, s->old, SEEN));
        return;
    }
    switch (below(cx, 6)) {
    case 0:
        verdict(s, sim_preempt(cx, j, SEEN));
        break;
    case 1:
        verdict(s, sim_reject(cx, j, SEEN));
        break;
    case 2:
        verdict(s, sim_wake(cx, sim_now(cx) - below(cx, 3)));
        break;
    case 3:
        bad_split(s, cx, j);
        break;
    default:
        bad_place(s, cx, j, of(cx, 40));
    }
}

static void wake(struct anything *s, struct cx *cx)
{
    sim_time at = of(cx, 15) ? sim_now(cx)
                  : of(cx, 5)
                      ? SIM_NEVER
                      : sim_now(cx) + 1 + (sim_time)(sim_random(cx) % (uint64_t)(s->span + 1));

    verdict(s, sim_wake(cx, at));
}

static void act(struct anything *s, struct cx *cx)
{
    uint32_t what = below(cx, 100);
    job_id w = some(cx, JOB_WAITING), h = some_holder(cx);

    if (of(cx, s->illegal)) {
        misbehave(s, cx);
    } else if (what < 40 && w != NO_JOB) {
        start(s, cx, w);
    } else if (what < 55 && h != NO_JOB && !s->meek) {
        verdict(s, sim_preempt(cx, h, SEEN));
    } else if (what < 68 && h != NO_JOB && !s->meek && s->illegal > 0) {
        const struct placement *p = other_gpus(cx, h);
        if (p)
            verdict(s, sim_resize(cx, h, p, SEEN));
    } else if (what < 80 && h != NO_JOB && !s->meek && s->illegal > 0) {
        struct placement p = other_shares(cx, h);
        verdict(s, sim_split(cx, h, &p, SEEN));
    } else if (what < 83 && w != NO_JOB && !s->meek) {
        reject(s, cx, w);
    } else if (what > 85) {
        wake(s, cx);
    }
}

static void start_all(struct anything *s, struct cx *cx)
{
    job_id next;

    for (job_id j = sim_first(cx, JOB_WAITING); j != NO_JOB; j = next) {
        next = sim_next(cx, j);
        const struct placement *p = sim_pick(cx, j);
        if (p)
            see(s, (uint64_t)sim_start(cx, j, p, SEEN));
    }
}

static void schedule(void *self, struct cx *cx)
{
    struct anything *s = self;

    see_all(s, cx);
    if (s->acts >= s->most) {
        start_all(s, cx);
        return;
    }
    for (int64_t i = below(cx, (uint32_t)s->wild + 1); i > 0; i--)
        act(s, cx);
    if (s->illegal > 0 && below(cx, 3000) == 0)
        sim_fail(cx, "no more");
    if (!of(cx, s->idle))
        start_all(s, cx);
    see_all(s, cx);
    wake(s, cx);
}

/* Acts are refused here. */
static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct anything *s = self;

    see(s, (uint64_t)was);
    see(s, sim_count(cx, sim_job(cx, j)->state));
    see_job(s, cx, j);
    if (s->acts < s->most && s->illegal > 1 && of(cx, 1))
        verdict(s, of(cx, 50) ? sim_preempt(cx, j, SEEN) : sim_wake(cx, sim_now(cx)));
    if (s->acts < s->most && s->illegal > 1 && below(cx, 5000) == 0)
        sim_fail(cx, "no more of this");
}

static void job_reported(void *self, struct cx *cx, job_id j)
{
    struct anything *s = self;

    see_cluster(s, cx);
    see_job(s, cx, j);
    if (s->acts < s->most && s->illegal > 1 && of(cx, 1))
        verdict(s, sim_reject(cx, j, SEEN));
}

static void init(void *self, struct cx *cx)
{
    struct anything *s = self;

    s->old = NO_JOB;
    see_cluster(s, cx);
}

const struct policy policy_anything = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS | POLICY_RESIZES | POLICY_SHARES | POLICY_REJECTS | POLICY_ORACLE,
    .name = "anything",
    .about = "whatever can be done",
    .state_size = sizeof(struct anything),
    .job_size = sizeof(uint32_t),
    .params = fields,
    .schedule = schedule,
    .init = init,
    .job_changed = job_changed,
    .job_reported = job_reported,
};

static void init_meek(void *self, struct cx *cx)
{
    ((struct anything *)self)->meek = true;
    init(self, cx);
}

const struct policy policy_meek = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "meek",
    .about = "starts jobs somehow, and has no flags for more",
    .state_size = sizeof(struct anything),
    .job_size = sizeof(uint32_t),
    .params = fields,
    .schedule = schedule,
    .init = init_meek,
    .job_changed = job_changed,
    .job_reported = job_reported,
};
