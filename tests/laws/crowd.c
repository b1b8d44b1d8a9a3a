/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/laws/crowd.h"

#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "sim/base/rng.h"

/* ---- the policy ---- */

struct self {
    const struct crowd *crowd;
};

struct memory {
    sim_time acted;
};

static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static const struct wish *wish_of(const struct crowd *c, job_id j)
{
    return &c->wish[sim_number(j)];
}

/* Whole shares of a batch, at least one each, as drawn. */
static void draw_shares(struct share *s, uint32_t n, uint32_t batch, uint64_t draw)
{
    uint64_t weight[CROWD_GPUS], sum = 0, left = batch - (batch ? n : 0);

    for (uint32_t i = 0; i < n; i++)
        sum += weight[i] = 1 + mixed(draw + i) % 1000;
    for (uint32_t i = 0; i < n && batch; i++) {
        s[i].samples = 1 + (uint32_t)((batch - n) * weight[i] / sum);
        left -= s[i].samples - 1;
    }
    s[0].samples += (uint32_t)left;
}

static bool has_room(struct cx *cx, job_id j, const struct placement *p)
{
    struct placement held = sim_held(cx, j);

    for (uint32_t i = 0; i < p->n; i++) {
        struct gpu_view g = sim_gpu(cx, p->share[i].gpu);
        bool has = false;
        for (uint32_t k = 0; k < held.n; k++)
            has |= held.share[k].gpu == p->share[i].gpu;
        if (!has && g.residents == g.most)
            return false;
    }
    return true;
}

static void start(const struct crowd *c, struct cx *cx, job_id j)
{
    const struct wish *w = wish_of(c, j);
    const struct placement *p = sim_even(cx, j, w->gpu, w->begin);
    struct share s[CROWD_GPUS];

    for (uint32_t i = 0; i < p->n; i++)
        s[i] = (struct share){w->gpu[i], w->part[0] ? w->part[i] : p->share[i].samples};
    if (has_room(cx, j, p))
        sim_start(cx, j, &(struct placement){p->n, s}, "as it wants");
}

static void split(struct cx *cx, job_id j, uint64_t draw)
{
    struct placement held = sim_held(cx, j);
    struct share s[CROWD_GPUS];

    memcpy(s, held.share, held.n * sizeof(*s));
    draw_shares(s, held.n, sim_job(cx, j)->batch, draw);
    sim_split(cx, j, &(struct placement){held.n, s}, "drawn");
}

static void resize(const struct crowd *c, struct cx *cx, job_id j, uint64_t draw)
{
    const struct wish *w = wish_of(c, j);
    struct share s[CROWD_GPUS] = {{0, 0}};
    struct placement p = {0, s};

    for (uint32_t i = 0; i < w->n; i++)
        if (mixed(draw + 100 + i) % 2)
            s[p.n++].gpu = w->gpu[i];
    if (p.n == 0)
        s[p.n++].gpu = w->gpu[draw % w->n];
    draw_shares(s, p.n, sim_job(cx, j)->batch, draw);
    if (has_room(cx, j, &p))
        sim_resize(cx, j, &p, "drawn");
}

static void act(const struct crowd *c, struct cx *cx, job_id j)
{
    struct memory *m = sim_job_data(cx, j);
    uint64_t draw = mixed(wish_of(c, j)->key + (uint64_t)(sim_now(cx) / c->period));

    if (m->acted == sim_now(cx) || sim_job(cx, j)->started == sim_now(cx))
        return;
    m->acted = sim_now(cx);
    if (draw % 8 < 3)
        split(cx, j, draw);
    else if (draw % 8 < 5)
        resize(c, cx, j, draw);
    else if (draw % 8 == 5)
        sim_preempt(cx, j, "drawn");
}

static uint32_t list(const struct cx *cx, enum job_state state, job_id *out)
{
    uint32_t n = 0;

    for (job_id j = sim_first(cx, state); j != NO_JOB; j = sim_next(cx, j))
        out[n++] = j;
    return n;
}

static void schedule(void *self, struct cx *cx)
{
    const struct crowd *c = ((const struct self *)self)->crowd;
    sim_time now = sim_now(cx);
    job_id job[64];
    uint32_t n = list(cx, JOB_RUNNING, job);

    n += list(cx, JOB_SETUP, job + n);
    for (uint32_t i = 0; i < n && c->period && now % c->period == 0; i++)
        act(c, cx, job[i]);
    n = list(cx, JOB_WAITING, job);
    for (uint32_t i = 0; i < n; i++)
        start(c, cx, job[i]);
    if (c->period)
        sim_wake(cx, (now / c->period + 1) * c->period);
}

static const struct policy policy_crowd = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_SHARES | POLICY_RESIZES | POLICY_PREEMPTS,
    .name = "crowd",
    .about = "for tests",
    .state_size = sizeof(struct self),
    .job_size = sizeof(struct memory),
    .schedule = schedule,
};

struct history *crowd_run(const struct crowd *c)
{
    struct self self = {c};

    return history_with(c->small, &(struct chosen_policy){&policy_crowd, &self, "crowd", "crowd"});
}

sim_time crowd_end(const struct history *s, uint32_t number)
{
    const struct record *r = history_find(s, REC_END, number);

    cr_assert(r, "job %u has not ended", number);
    return r->t;
}

/* ---- by hand ---- */

struct crowd *crowd_new(uint64_t seed, const char *contention, uint32_t residents)
{
    struct small *s = small_new(seed);
    struct crowd *c = arena_get(s->arena, sizeof(*c));

    c->small = s;
    s->world.residents = residents;
    s->world.nominal = false;
    for (int i = 0; contentions[i]; i++)
        if (strcmp(contentions[i]->name, contention) == 0)
            s->world.contention = contentions[i];
    cr_assert(s->world.contention, "%s", contention);
    small_type(s);
    return c;
}

void crowd_free(struct crowd *c)
{
    small_free(c->small);
}

gpu_id crowd_gpu(struct crowd *c, double speed)
{
    struct world *w = &c->small->world;

    small_nodes(c->small, w->n_types - 1, 1, 1);
    w->gpu[w->n_gpus - 1].speed = speed;
    return w->n_gpus - 1;
}

static struct wish *wish_here(struct crowd *c, gpu_id first, uint32_t n)
{
    struct wish *w = &c->wish[c->small->n_jobs - 1];

    w->n = w->begin = n;
    for (uint32_t i = 0; i < n; i++)
        w->gpu[i] = first + i;
    return w;
}

struct wish *crowd_job(struct crowd *c, gpu_id first, uint32_t n, sim_time duration)
{
    small_job(c->small, 0, n, duration);
    return wish_here(c, first, n);
}

struct wish *crowd_steps(struct crowd *c, gpu_id first, uint32_t n, uint32_t model, uint32_t batch,
                         int64_t steps)
{
    struct job_spec *j = small_training(c->small, 0, n, model, batch, 1);

    j->per_epoch = j->work = steps;
    return wish_here(c, first, n);
}

void crowd_even(struct crowd *c)
{
    for (uint32_t i = 0; i < c->small->n_jobs; i++) {
        struct wish *w = &c->wish[i];
        for (uint32_t k = 0; k < w->begin; k++)
            w->part[k] =
                c->small->job[i].batch / w->begin + (k < c->small->job[i].batch % w->begin);
    }
}

/* ---- at random ---- */

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}

/* What both halves have in common. */
static struct crowd *draw_common(uint64_t seed, const struct crowd_shape *shape)
{
    gsl_rng *r = rng_stream(seed, "crowd", 0);
    struct crowd *c = crowd_new(seed, below(r, 4) ? "processor_sharing" : "time_slice",
                                shape->residents ? shape->residents : 2 + below(r, 4));
    struct world *w = &c->small->world;

    c->period = shape->period;
    w->preempt_at = (enum preempt_at)below(r, 3);
    w->jitter = below(r, 2) ? 0.05 : 0;
    c->small->cost->sync = (struct sync_cost){0.002, 0.001, 0.008, 0.002, 1 + below(r, 2)};
    if (shape->costs)
        w->overheads = (struct overheads){.start = below(r, 3) * SIM_SECOND,
                                          .save = below(r, 2) * SIM_SECOND,
                                          .restore = below(r, 2) * SIM_SECOND,
                                          .replica = below(r, 3) * SIM_SECOND};
    gsl_rng_free(r);
    return c;
}

static void draw_world(struct crowd *c, gsl_rng *r)
{
    static const double etas[] = {0, 0.15, 0.7, 2}, speeds[] = {1, 1, 0.6, 0.35};
    struct world *w = &c->small->world;
    uint32_t nodes = 1 + below(r, 3);

    small_type(c->small);
    for (uint32_t k = 0; k < nodes; k++)
        small_nodes(c->small, below(r, 2), 1, 1 + below(r, 3));
    for (gpu_id g = 0; g < w->n_gpus; g++)
        w->gpu[g].speed = speeds[below(r, 4)];
    for (node_id k = 0; k < w->n_nodes; k++)
        w->node[k].input_rate = below(r, 6) ? 0 : 4000;
    world_count(w);
    for (type_id t = 0; t < 2; t++)
        w->type[t].eta = etas[below(r, 4)];
    for (uint32_t m = 0; m < 2; m++) {
        small_model(c->small, 0, 0, 1024);
        c->small->cost->gap[m] = 0.02 * below(r, 8);
        for (type_id t = 0; t < 2; t++) {
            c->small->cost->alpha[m][t] = 0.005 * below(r, 5);
            c->small->cost->beta[m][t] = 0.0001 * (1 + below(r, 8));
        }
    }
}

/* Some GPUs of all, in any order. */
static void draw_wish(struct crowd *c, gsl_rng *r, uint32_t gang)
{
    struct wish *w = &c->wish[c->small->n_jobs - 1];
    uint32_t all = c->small->world.n_gpus, least = c->small->job[c->small->n_jobs - 1].gpus;

    *w = (struct wish){.n = all < CROWD_GPUS ? all : CROWD_GPUS, .begin = least};
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t k = below(r, i + 1);
        w->gpu[i] = w->gpu[k];
        w->gpu[k] = i;
    }
    w->n = least + below(r, (w->n < gang ? w->n : gang) - least + 1);
    w->key = gsl_rng_get(r) * UINT64_C(0x9e3779b97f4a7c15);
}

struct crowd *crowd_random(uint64_t seed, uint32_t half, const struct crowd_shape *shape)
{
    struct crowd *c = draw_common(seed, shape);
    gsl_rng *r = rng_stream(seed, "crowd half", half);
    uint32_t jobs = 1 + below(r, shape->jobs);
    sim_time submit = 0;

    draw_world(c, r);
    uint32_t most = c->small->world.n_gpus < shape->gang ? c->small->world.n_gpus : shape->gang;
    for (uint32_t i = 0; i < jobs; i++) {
        uint32_t gpus = 1 + below(r, most);
        submit += shape->one_instant || below(r, 2) ? 0 : 100000000 * (sim_time)below(r, 100);
        if (below(r, 5)) {
            struct job_spec *j =
                small_training(c->small, submit, gpus, below(r, 2), 24 + below(r, 1000), 1);
            j->work = j->per_epoch = 20 + below(r, 200);
        } else {
            small_job(c->small, submit, gpus, 100000000 * (sim_time)(1 + below(r, 300)));
        }
        draw_wish(c, r, shape->gang);
    }
    gsl_rng_free(r);
    return c;
}
