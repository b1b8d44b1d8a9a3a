/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/slowdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/lib/fair.h"

#define SETTLED 1e-4 /* duties, in the model: a move must gain about so much */

/* ---- eq. 22 ---- */

struct slowdown_line slowdown_line(const struct slowdown_fair *s, const struct cx *cx,
                                   const struct watched *x)
{
    const struct job_view *v = x->view;
    double alone = 1e-9 * (double)v->alone;

    if (s->predictor == ELAPSED)
        return (struct slowdown_line){1e-9 * (double)(sim_now(cx) - v->started) / alone,
                                      (v->steps_declared - v->steps) / alone};
    return (struct slowdown_line){0, v->steps_declared / alone};
}

double slowdown_step(struct slowdown_fair *s, struct cx *cx, const struct watched *x)
{
    struct job_memory *m = sim_job_data(cx, x->id);

    if (s->predictor != EWMA)
        return x->step;
    m->smooth = m->smooth > 0 ? m->smooth + s->weight * (x->step - m->smooth) : x->step;
    if (fabs(m->smooth - x->step) > 0.01 * x->step)
        watch_again(&s->watch, x->id);
    return m->smooth;
}

bool slowdown_movable(const struct watched *x)
{
    return x->view->batch > 0 && x->view->alone > 0;
}

/* ---- eq. 23: the model of a group ---- */

uint32_t slowdown_usable(struct slowdown_fair *s, struct cx *cx, const struct watched *x,
                         gpu_id **gpu)
{
    const struct watch_home *h = watch_home(&s->watch, cx, x->id);
    uint32_t n = 0;

    *gpu = sim_scratch(cx, (s->gpus == ANY ? 64 * x->held.n : h->n) * sizeof(**gpu));
    for (uint32_t i = 0; i < h->n && s->gpus != ANY; i++)
        (*gpu)[n++] = h->gpu[i];
    for (uint32_t i = 0; i < x->held.n && s->gpus == ANY; i++) {
        node_id k = sim_gpu(cx, x->held.share[i].gpu).node;
        struct node_view v = sim_node(cx, k);
        bool again = false;
        for (uint32_t b = 0; b < i; b++)
            again |= sim_gpu(cx, x->held.share[b].gpu).node == k;
        for (gpu_id g = v.first; !again && g < v.first + v.gpus; g++)
            (*gpu)[n++] = g;
    }
    return n;
}

uint32_t slowdown_place(struct slowdown_fair *s, gpu_id g, uint32_t *n)
{
    if (s->place[g] == 0)
        s->place[g] = ++*n;
    return s->place[g] - 1;
}

static uint32_t place_gpu(struct slowdown_fair *s, struct cx *cx, struct fair *f, gpu_id g)
{
    uint32_t n = f->n_gpus, at = slowdown_place(s, g, &f->n_gpus);
    struct gpu_view v = sim_gpu(cx, g);

    if (at == n)
        f->gpu[at] = (struct fair_gpu){.id = g,
                                       .bytes = v.memory,
                                       .slice = v.slice,
                                       .seats = v.most - v.residents,
                                       .others = v.residents};
    return at;
}

static void add_replica(struct slowdown_fair *s, struct cx *cx, struct fair *f,
                        const struct watched *x, gpu_id g)
{
    struct step_alone none = sim_step_alone(cx, x->id, g, 0);
    struct step_alone all = sim_step_alone(cx, x->id, g, x->view->batch);
    struct fair_replica *r = &f->replica[f->n_replicas];
    struct fair_job *j = &f->job[f->n_jobs];

    if (!(all.busy > 0)) /* nothing is known of it there */
        return;
    *r = (struct fair_replica){.job = f->n_jobs,
                               .gpu = place_gpu(s, cx, f, g),
                               .fixed = none.busy,
                               .each = (all.busy - none.busy) / x->view->batch,
                               .floor = none.floor};
    for (uint32_t i = 0; i < x->held.n; i++)
        if (x->held.share[i].gpu == g) {
            r->held = true;
            r->samples = x->held.share[i].samples;
            f->gpu[r->gpu].others--; /* it is not one of those that are unknown */
        }
    j->bytes[0] = none.bytes;
    j->bytes[1] = (all.bytes - none.bytes) / x->view->batch;
    j->gap = fmax(j->gap, none.gap);
    j->n++;
    f->n_replicas++;
}

/* Synchronisation and the like are what the rate that is known for it leaves over. */
static double gap_of(struct cx *cx, const struct fair *f, const struct fair_job *j,
                     const struct watched *x)
{
    double longest = 0, rate = sim_rate(cx, x->id, &x->held);

    for (uint32_t r = j->first; r < j->first + j->n; r++) {
        const struct fair_replica *p = &f->replica[r];
        if (p->samples)
            longest = fmax(longest, fmax(p->floor, p->fixed + p->each * p->samples));
    }
    return rate > 0 ? fmax(j->gap, 1 / rate - longest) : j->gap;
}

static void add_job(struct slowdown_fair *s, struct cx *cx, struct fair *f, const struct watched *x,
                    const gpu_id *gpu, uint32_t n)
{
    struct fair_job *j = &f->job[f->n_jobs];
    struct slowdown_line l = slowdown_line(s, cx, x);
    uint32_t step = x->view->batch / (uint32_t)s->parts;

    *j = (struct fair_job){.base = l.base,
                           .slope = l.slope,
                           .copy = (double)s->copy / (double)x->view->alone,
                           .band = s->gain * watch_band(cx, x->id),
                           .step = step ? step : 1,
                           .stay = s->gpus == ALL,
                           .first = f->n_replicas};
    for (uint32_t i = 0; i < n; i++)
        add_replica(s, cx, f, x, gpu[i]);
    j->gap = gap_of(cx, f, j, x);
    f->n_jobs++;
}

static void make_room(struct cx *cx, struct fair *f, uint32_t jobs, uint32_t replicas)
{
    uint32_t gpus = replicas < sim_gpus(cx) ? replicas : sim_gpus(cx);

    f->job = sim_scratch(cx, jobs * sizeof(*f->job));
    f->some = sim_scratch(cx, jobs * sizeof(*f->some));
    f->chosen = sim_scratch(cx, jobs * sizeof(*f->chosen));
    f->seconds = sim_scratch(cx, jobs * sizeof(*f->seconds));
    f->soft = sim_scratch(cx, jobs * sizeof(*f->soft));
    f->slowdown = sim_scratch(cx, jobs * sizeof(*f->slowdown));
    f->replica = sim_scratch(cx, replicas * sizeof(*f->replica));
    f->on = sim_scratch(cx, replicas * sizeof(*f->on));
    f->hard = sim_scratch(cx, jobs * sizeof(*f->hard));
    f->least = sim_scratch(cx, replicas * sizeof(*f->least));
    f->resid = sim_scratch(cx, replicas * sizeof(*f->resid));
    f->duty = sim_scratch(cx, replicas * sizeof(*f->duty));
    f->gpu = sim_scratch(cx, gpus * sizeof(*f->gpu));
    f->first = sim_scratch(cx, (gpus + 1) * sizeof(*f->first));
    f->touched = sim_scratch(cx, gpus * sizeof(*f->touched));
    f->load = sim_scratch(cx, gpus * sizeof(*f->load));
}

/* Of the jobs whose shares can be moved; which[i] is the i-th of them among those watched. */
static void build(struct slowdown_fair *s, struct cx *cx, struct fair *f, const struct watched *x,
                  uint32_t n, uint32_t *which)
{
    gpu_id **gpu = sim_scratch(cx, n * sizeof(*gpu));
    uint32_t *gpus = sim_scratch(cx, n * sizeof(*gpus)), replicas = 0;

    for (uint32_t i = 0; i < n; i++)
        if (slowdown_movable(&x[i]))
            replicas += gpus[i] = slowdown_usable(s, cx, &x[i], &gpu[i]);
    make_room(cx, f, n, replicas);
    for (uint32_t i = 0; i < n; i++)
        if (slowdown_movable(&x[i])) {
            which[f->n_jobs] = i;
            add_job(s, cx, f, &x[i], gpu[i], gpus[i]);
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < gpus[i]; k++)
            s->place[gpu[i][k]] = 0;
    fair_index(f);
}

/* ---- eq. 23: what follows ---- */

static double worst(const struct fair *f)
{
    double s = 0;

    for (uint32_t i = 0; i < f->n_jobs; i++)
        s = fmax(s, f->job[i].hard);
    return s;
}

struct placement slowdown_new(struct placement to, const struct placement *held)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < to.n; i++) {
        const struct share *has = watch_share(held, to.share[i].gpu);
        same += has && has->samples == to.share[i].samples;
    }
    if (same == to.n && to.n == held->n)
        to.n = 0;
    return to;
}

static struct placement shares_of(struct cx *cx, const struct fair *f, const struct fair_job *j,
                                  const struct watched *x)
{
    struct share *to = sim_scratch(cx, j->n * sizeof(*to));
    uint32_t n = 0;

    for (uint32_t r = j->first; r < j->first + j->n; r++)
        if (f->replica[r].samples)
            to[n++] = (struct share){f->gpu[f->replica[r].gpu].id, f->replica[r].samples};
    return slowdown_new((struct placement){n, to}, &x->held);
}

/* What was measured says how far the model of each job is off. */
static void correct(struct slowdown_fair *s, struct cx *cx, struct fair *f, const struct watched *x,
                    const uint32_t *which)
{
    fair_solve(f);
    for (uint32_t i = 0; i < f->n_jobs; i++)
        f->job[i].slope *= slowdown_step(s, cx, &x[which[i]]) / f->job[i].seconds;
    fair_solve(f);
}

/* Whether it gave up GPUs that it came to. */
static bool is_away(struct slowdown_fair *s, struct cx *cx, const struct watched *x)
{
    const struct watch_home *h = watch_home(&s->watch, cx, x->id);

    for (uint32_t i = 0; i < h->n; i++)
        if (!watch_share(&x->held, h->gpu[i]))
            return true;
    return false;
}

/* Whether nothing is uneven: neither slowdowns, nor the replicas of a job, and nobody gave up GPUs,
 * which may be of use again. Fewer replicas may cost less, but not by making jobs that are alike
 * unlike. */
static bool is_even(struct slowdown_fair *s, struct cx *cx, const struct fair *f,
                    const struct watched *x, const uint32_t *which)
{
    double least = INFINITY, most = 0;

    for (uint32_t i = 0; i < f->n_jobs; i++) {
        const struct watched *job = &x[which[i]];
        double low = INFINITY, high = 0;
        if (is_away(s, cx, job))
            return false;
        for (uint32_t k = 0; k < job->held.n; k++) {
            low = fmin(low, job->resid[k]);
            high = fmax(high, job->resid[k]);
        }
        if (high > low * (1 + s->deadband))
            return false;
        least = fmin(least, f->job[i].hard);
        most = fmax(most, f->job[i].hard);
    }
    return most <= least * (1 + s->deadband);
}

/* ---- a job alone ---- */

/* A GPU that nobody else holds, for the only job of a model. */
struct empty {
    double all; /* seconds of the whole batch there */
    uint32_t replica;
    struct sim_worker worker;
};

static int by_speed(const void *a, const void *b)
{
    const struct empty *x = a, *y = b;

    return x->all != y->all ? (x->all > y->all) - (x->all < y->all)
                            : (x->replica > y->replica) - (x->replica < y->replica);
}

static uint32_t find_empty(struct cx *cx, const struct fair *f, const struct watched *x,
                           struct empty *e)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < f->n_replicas && n < SIM_WORKERS; r++) {
        const struct fair_replica *p = &f->replica[r];
        uint32_t most = watch_samples(cx, x->id, f->gpu[p->gpu].id);
        if (f->gpu[p->gpu].others == 0 && most > 0)
            e[n++] = (struct empty){
                p->fixed + p->each * x->view->batch, r, {p->fixed, p->each, 1, most}};
    }
    qsort(e, n, sizeof(*e), by_speed);
    return n;
}

/* Its own balance on the first n of them. false: they do not suffice. */
static bool spread(struct fair *f, const struct empty *e, uint32_t n, uint32_t batch)
{
    struct sim_worker worker[SIM_WORKERS];
    uint32_t samples[SIM_WORKERS];

    for (uint32_t i = 0; i < n; i++)
        worker[i] = e[i].worker;
    if (!sim_balance(worker, n, batch, samples))
        return false;
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->replica[r].samples = 0;
    for (uint32_t i = 0; i < n; i++)
        f->replica[e[i].replica].samples = samples[i];
    fair_solve(f);
    return true;
}

/* Whole parts of a batch, moved one after the other, are a coarse way to spread a job over GPUs
 * that are empty: the fastest of them, so many that it does best. */
static void search_alone(struct slowdown_fair *s, struct cx *cx, struct fair *f,
                         const struct watched *x)
{
    struct empty *e = sim_scratch(cx, f->n_replicas * sizeof(*e));
    uint32_t n = find_empty(cx, f, x, e);
    double least = f->job->hard * (1 - f->job->band);

    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->least[r] = f->replica[r].samples;
    for (uint32_t k = s->gpus == ALL ? n : 1; k <= n; k++) {
        if (!spread(f, e, k, x->view->batch) || f->job->hard >= least)
            continue;
        least = f->job->hard;
        for (uint32_t r = 0; r < f->n_replicas; r++)
            f->least[r] = f->replica[r].samples;
    }
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->replica[r].samples = f->least[r];
    fair_solve(f);
}

/* ---- what follows ---- */

/* In an order in which they fit the memory; what fits in none waits for the next period. */
void slowdown_act(struct slowdown_fair *s, struct cx *cx, const struct watched *x, uint32_t n,
                  struct placement *to, char (*why)[SLOWDOWN_WHY])
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < n; i++)
            if (to[i].n && watch_act(&s->watch, cx, x[i].id, &to[i], why[i])) {
                to[i].n = 0;
                again = true;
            }
    }
}

void slowdown_full(struct slowdown_fair *s, struct cx *cx, const struct watched *x, uint32_t n)
{
    struct fair f = {.eta = s->eta, .settled = SETTLED, .p = (uint32_t)s->p};
    uint32_t *which = sim_scratch(cx, n * sizeof(*which));
    struct placement *to = sim_scratch(cx, n * sizeof(*to));
    double *before = sim_scratch(cx, n * sizeof(*before));
    char(*why)[SLOWDOWN_WHY] = sim_scratch(cx, n * sizeof(*why));

    build(s, cx, &f, x, n, which);
    if (f.n_jobs == 0)
        return;
    correct(s, cx, &f, x, which);
    if (is_even(s, cx, &f, x, which))
        return;
    double most = worst(&f);
    for (uint32_t i = 0; i < f.n_jobs; i++)
        before[i] = f.job[i].hard;
    fair_search(&f, (uint32_t)s->moves, s->gain);
    if (n == 1)
        search_alone(s, cx, &f, x);
    s->tried += f.tried;
    for (uint32_t i = 0; i < f.n_jobs; i++) {
        to[which[i]] = shares_of(cx, &f, &f.job[i], &x[which[i]]);
        snprintf(why[which[i]], SLOWDOWN_WHY,
                 "slowdown %.3f, predicted %.3f; largest %.3f, predicted %.3f", before[i],
                 f.job[i].hard, most, worst(&f));
    }
    slowdown_act(s, cx, x, n, to, why);
}
