/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fair_share - experiments, and all plain jobs as one more, get GPU time in proportion to their
 * weights: stride scheduling (Waldspurger and Weihl, 1995) by quanta.
 */
#include <math.h>
#include <stdlib.h>

#include "policies/lib/grow.h"
#include "policies/lib/pool.h"

/* An experiment, or the plain jobs. */
struct group {
    double weight;
    double pass;        /* GPU seconds over weight; never behind those that were here before it */
    uint32_t alive;     /* jobs */
    uint32_t next, end; /* its wishes, at the present decision */
    double stride;      /* pass, with what it was given at this decision */
};

struct fair_share {
    sim_time quantum;
    double plain_weight;
    struct group *group; /* by experiment; then the plain jobs */
    uint32_t groups;
    sim_time *counted; /* by slot: up to when the GPU time of a job that holds GPUs is counted */
    uint32_t slots;
};

#define AT(member) offsetof(struct fair_share, member)
static const struct field fields[] = {
    {FIELD_SECONDS, "quantum_s", AT(quantum), "60", 1e-3, 1e9, NULL,
     "GPUs are taken away only at multiples of it, and from jobs that have progressed so long"},
    {FIELD_REAL, "plain_weight", AT(plain_weight), "1", 1e-3, 1e6, NULL,
     "weight of all jobs without an experiment"},
    {.type = FIELD_END},
};

static struct group *group_of(struct fair_share *s, const struct job_view *v)
{
    return &s->group[v->experiment == NO_EXPERIMENT ? s->groups - 1 : v->experiment];
}

/* ---- accounts ---- */

static sim_time *counted(struct fair_share *s, struct cx *cx, job_id j)
{
    s->counted = grow(cx, s->counted, sim_slot(j), &s->slots, sizeof(*s->counted));
    return &s->counted[sim_slot(j)];
}

/* Counts what a job of so many GPUs has held since it was counted last. */
static void count(struct fair_share *s, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct group *g = group_of(s, v);
    sim_time *since = counted(s, cx, j);

    g->pass += (double)(sim_now(cx) - *since) / 1e9 * v->gpus / g->weight;
    *since = sim_now(cx);
}

static void started(void *self, struct cx *cx, job_id j)
{
    *counted(self, cx, j) = sim_now(cx);
}

static void count_all(struct fair_share *s, struct cx *cx)
{
    static const enum job_state holding[] = {JOB_SETUP, JOB_RUNNING};

    for (int k = 0; k < 2; k++)
        for (job_id j = sim_first(cx, holding[k]); j != NO_JOB; j = sim_next(cx, j))
            count(s, cx, j);
}

/* A group that comes, or comes back, begins where the one that got least is. */
static void arrive(struct fair_share *s, struct cx *cx, struct group *g)
{
    double least = INFINITY;

    if (g->alive++ > 0)
        return;
    count_all(s, cx);
    for (uint32_t i = 0; i < s->groups; i++)
        if (s->group[i].alive > 0 && &s->group[i] != g)
            least = fmin(least, s->group[i].pass);
    if (isfinite(least))
        g->pass = fmax(g->pass, least);
}

/* ---- the order ---- */

/* Of one group: those that hold GPUs first, then by submission. */
struct claim {
    uint32_t group;
    bool holds;
    struct wish wish;
};

static int by_group(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->holds != y->holds)
        return x->holds ? -1 : 1;
    return x->wish.job < y->wish.job ? -1 : 1;
}

/* The group that is furthest behind, with what it was given; ties: whose next job came first. NULL:
 * nobody wishes anything more. */
static struct group *furthest_behind(struct fair_share *s, const struct claim *c)
{
    struct group *best = NULL;

    for (uint32_t i = 0; i < s->groups; i++) {
        struct group *g = &s->group[i];
        if (g->next < g->end &&
            (!best || g->stride < best->stride ||
             (g->stride == best->stride && c[g->next].wish.job < c[best->next].wish.job)))
            best = g;
    }
    return best;
}

/* Wishes in the order in which groups that are served by turns come to them. */
static void merge(struct fair_share *s, struct cx *cx, struct wish *w, uint32_t n, bool take)
{
    struct claim *c = sim_scratch(cx, (n + 1) * sizeof(*c));

    for (uint32_t i = 0; i < s->groups; i++)
        s->group[i].next = s->group[i].end = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct job_view *v = sim_job(cx, w[i].job);
        struct group *g = group_of(s, v);
        c[i] = (struct claim){(uint32_t)(g - s->group), v->held > 0, w[i]};
        c[i].wish.keeps = !take || v->state == JOB_SETUP || sim_now(cx) - v->since < s->quantum;
        c[i].wish.why = "its experiment is furthest behind its share";
    }
    qsort(c, n, sizeof(*c), by_group);
    for (uint32_t i = 0; i < n; i++) {
        struct group *g = &s->group[c[i].group];
        if (g->end == 0) {
            g->next = i;
            g->stride = g->pass;
        }
        g->end = i + 1;
    }
    struct group *g;
    for (uint32_t i = 0; (g = furthest_behind(s, c)) != NULL; i++) {
        w[i] = c[g->next++].wish;
        g->stride += (double)s->quantum / 1e9 * sim_job(cx, w[i].job)->gpus / g->weight;
    }
}

static bool several(const struct fair_share *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->groups; i++)
        n += s->group[i].alive > 0;
    return n > 1;
}

static void schedule(void *self, struct cx *cx)
{
    struct fair_share *s = self;
    bool take = sim_now(cx) % s->quantum == 0 && several(s);
    uint32_t n;

    if (sim_count(cx, JOB_WAITING) > 0 && (take || sim_free_gpus(cx) > 0)) {
        struct wish *w = pool_wishes(cx, &n);
        count_all(s, cx);
        merge(s, cx, w, n, take);
        pool_serve(cx, w, n, started, s);
    }
    if (sim_count(cx, JOB_WAITING) > 0 && several(s))
        sim_wake(cx, (sim_now(cx) / s->quantum + 1) * s->quantum);
    else
        sim_wake(cx, SIM_NEVER);
}

/* ---- callbacks ---- */

static void init(void *self, struct cx *cx)
{
    struct fair_share *s = self;

    s->groups = sim_experiments(cx) + 1;
    s->group = sim_keep(cx, s->groups * sizeof(*s->group));
    for (uint32_t i = 0; i + 1 < s->groups; i++)
        s->group[i].weight = sim_experiment(cx, i).weight;
    s->group[s->groups - 1].weight = s->plain_weight;
}

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct fair_share *s = self;
    enum job_state is = sim_job(cx, j)->state;
    bool held = was == JOB_SETUP || was == JOB_RUNNING;

    if (was == JOB_FUTURE)
        arrive(s, cx, group_of(s, sim_job(cx, j)));
    if (held && is != JOB_SETUP && is != JOB_RUNNING)
        count(s, cx, j);
    if (is >= JOB_DONE)
        group_of(s, sim_job(cx, j))->alive--;
}

const struct policy policy_fair_share = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "fair_share",
    .about = "GPU time in proportion to the weights of experiments",
    .state_size = sizeof(struct fair_share),
    .params = fields,
    .init = init,
    .schedule = schedule,
    .job_changed = job_changed,
};
