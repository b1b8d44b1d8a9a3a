/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The controller `optimal`: an oracle. It gives the jobs there are the shares with which the
 * largest of their slowdowns (eq. 22) is least, on the true rates.
 *
 * That is the optimum for the jobs there are now, as if nobody came or left until all have ended.
 * Each departure is a new problem; a policy that foresees it, and lets a job end soon, may do
 * better in the end.
 */
#include <math.h>
#include <stdio.h>

#include "policies/lib/best.h"
#include "policies/lib/slowdown.h"

#define TIGHT 1e-3 /* of the bound */

/* What is solved together: the jobs of a group and all that hold GPUs which one of them may use. */
struct all {
    struct watched *x;
    uint32_t n;
    job_id *id;   /* of each, as rates are asked for */
    gpu_id **gpu; /* by job: that it may use */
    uint32_t *gpus;
    struct cx *cx;
};

static bool has(const struct all *a, job_id j)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->x[i].id == j)
            return true;
    return false;
}

static void add(struct slowdown_fair *s, struct all *a, job_id j)
{
    struct placement held = sim_held(a->cx, j);
    struct share *share = sim_scratch(a->cx, held.n * sizeof(*share));

    for (uint32_t i = 0; i < held.n; i++)
        share[i] = held.share[i];
    a->x[a->n] = (struct watched){j, sim_job(a->cx, j), {held.n, share}, 0, NULL};
    a->id[a->n] = j;
    a->gpus[a->n] = slowdown_usable(s, a->cx, &a->x[a->n], &a->gpu[a->n]);
    a->n++;
}

static void find_all(struct slowdown_fair *s, struct all *a, const struct watched *x, uint32_t n)
{
    uint32_t most = sim_count(a->cx, JOB_RUNNING) + sim_count(a->cx, JOB_SETUP);
    job_id j;

    a->x = sim_scratch(a->cx, most * sizeof(*a->x));
    a->id = sim_scratch(a->cx, most * sizeof(*a->id));
    a->gpu = sim_scratch(a->cx, most * sizeof(*a->gpu));
    a->gpus = sim_scratch(a->cx, most * sizeof(*a->gpus));
    for (uint32_t i = 0; i < n; i++)
        add(s, a, x[i].id);
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t g = 0; g < a->gpus[i]; g++)
            for (uint32_t k = 0; (j = sim_resident(a->cx, a->gpu[i][g], k)) != NO_JOB; k++)
                if (!has(a, j))
                    add(s, a, j);
}

/* ---- the problem ---- */

static bool true_rates(void *user, const struct placement *p, double *rate)
{
    const struct all *a = user;

    return sim_true_rates(a->cx, a->id, p, a->n, rate);
}

static uint32_t place_gpu(struct slowdown_fair *s, struct cx *cx, struct best *b, gpu_id g)
{
    uint32_t n = b->n_gpus, at = slowdown_place(s, g, &b->n_gpus);
    struct gpu_view v = sim_gpu(cx, g);

    if (at == n)
        b->gpu[at] =
            (struct best_gpu){.id = g, .bytes = v.memory, .slice = v.slice, .seats = v.most};
    return at;
}

/* What it has there now is free to all of them. */
static void add_held(struct best *b, struct best_replica *r, uint32_t samples)
{
    r->held = true;
    r->samples = samples;
    b->gpu[r->gpu].bytes += best_bytes(r, samples);
}

static void add_replica(struct slowdown_fair *s, struct cx *cx, struct best *b,
                        const struct watched *x, gpu_id g)
{
    struct best_job *j = &b->job[b->n_jobs];
    struct best_replica *r = &b->replica[b->n_replicas];
    struct step_alone none = sim_step_alone(cx, x->id, g, 0);
    struct step_alone all = sim_step_alone(cx, x->id, g, j->batch);
    struct placement one = {1, &(struct share){g, 0}};
    double rate;

    if (!j->fixed && !(all.busy > 0)) /* nothing is known of it there */
        return;
    *r = (struct best_replica){.job = b->n_jobs, .gpu = place_gpu(s, cx, b, g)};
    if (j->batch > 0) {
        r->fixed = none.busy;
        r->each = (all.busy - none.busy) / j->batch;
        r->floor = none.floor;
        r->gap = none.gap;
        r->bytes = none.bytes;
        r->more = (all.bytes - none.bytes) / j->batch;
    } else if (sim_true_rates(cx, &x->id, &one, 1, &rate)) {
        r->fixed = 1 / rate; /* a nominal second */
    }
    const struct share *has = watch_share(&x->held, g);
    if (has)
        add_held(b, r, has->samples);
    if (j->fixed && !r->held)
        return;
    b->gpu[r->gpu].n++;
    j->n++;
    b->n_replicas++;
}

/* Jobs given by their duration count remaining nominal seconds as steps. */
static double remaining(struct cx *cx, const struct watched *x)
{
    double rate;

    if (x->view->model != NO_MODEL)
        return x->view->steps_declared - x->view->steps;
    if (!sim_true_rates(cx, &x->id, &x->held, 1, &rate))
        return 0;
    return 1e-9 * (double)sim_remaining_on(cx, x->id, &x->held) * rate;
}

static void add_job(struct slowdown_fair *s, struct cx *cx, struct best *b, const struct all *a,
                    uint32_t i)
{
    const struct watched *x = &a->x[i];
    double alone = 1e-9 * (double)x->view->alone;

    b->job[b->n_jobs] =
        (struct best_job){.fixed = x->view->batch == 0 || a->gpus[i] > SIM_WORKERS,
                          .base = 1e-9 * (double)(sim_now(cx) - x->view->started) / alone,
                          .slope = remaining(cx, x) / alone,
                          .copy = (double)s->copy / (double)x->view->alone,
                          .jitter = sim_true_jitter(cx, x->id),
                          .batch = x->view->batch,
                          .first = b->n_replicas};
    for (uint32_t g = 0; g < a->gpus[i]; g++)
        add_replica(s, cx, b, x, a->gpu[i][g]);
    b->n_jobs++;
}

static void find_peaks(struct cx *cx, struct best *b)
{
    for (uint32_t g = 0; g < b->n_gpus; g++) {
        double *peak = sim_scratch(cx, (b->gpu[g].n + 1) * sizeof(*peak));
        for (uint32_t k = 0; k <= b->gpu[g].n; k++)
            peak[k] = sim_true_peak(cx, b->gpu[g].id, k, &b->gpu[g].equal);
        b->gpu[g].peak = peak;
    }
}

static void build(struct slowdown_fair *s, struct cx *cx, struct best *b, struct all *a)
{
    uint32_t r = 0;

    for (uint32_t i = 0; i < a->n; i++)
        r += a->gpus[i] > a->x[i].held.n ? a->gpus[i] : a->x[i].held.n;
    uint32_t g = r < sim_gpus(cx) ? r : sim_gpus(cx);
    *b = (struct best){.job = sim_scratch(cx, a->n * sizeof(*b->job)),
                       .replica = sim_scratch(cx, r * sizeof(*b->replica)),
                       .gpu = sim_scratch(cx, g * sizeof(*b->gpu)),
                       .rates = true_rates,
                       .user = a,
                       .placement = sim_scratch(cx, a->n * sizeof(*b->placement)),
                       .rate = sim_scratch(cx, a->n * sizeof(*b->rate)),
                       .slowdown = sim_scratch(cx, a->n * sizeof(*b->slowdown)),
                       .share = sim_scratch(cx, r * sizeof(*b->share)),
                       .kept = sim_scratch(cx, r * sizeof(*b->kept)),
                       .used = sim_scratch(cx, g * sizeof(*b->used)),
                       .seated = sim_scratch(cx, g * sizeof(*b->seated)),
                       .column = sim_scratch(cx, (2 * r + 1) * sizeof(*b->column)),
                       .value = sim_scratch(cx, (2 * r + 1) * sizeof(*b->value))};
    for (uint32_t i = 0; i < a->n; i++)
        add_job(s, cx, b, a, i);
    for (uint32_t i = 0; i < b->n_gpus; i++)
        s->place[b->gpu[i].id] = 0;
    find_peaks(cx, b);
}

/* ---- what follows ---- */

static struct placement shares_of(struct cx *cx, const struct best *b, uint32_t i,
                                  const struct placement *held)
{
    const struct best_job *j = &b->job[i];
    struct share *to = sim_scratch(cx, (j->n + 1) * sizeof(*to));
    uint32_t n = 0;

    for (uint32_t k = j->first; k < j->first + j->n && !j->fixed; k++)
        if (b->replica[k].samples)
            to[n++] = (struct share){b->gpu[b->replica[k].gpu].id, b->replica[k].samples};
    return slowdown_new((struct placement){n, to}, held);
}

static void note(struct slowdown_fair *s, const struct best *b)
{
    double gap = b->largest / b->bound;

    s->solved++;
    s->asked += b->asked;
    s->gaps += gap;
    s->widest = fmax(s->widest, gap);
}

static void change(struct slowdown_fair *s, struct all *a, const struct best *b, double before)
{
    struct placement *to = sim_scratch(a->cx, a->n * sizeof(*to));
    char(*why)[SLOWDOWN_WHY] = sim_scratch(a->cx, a->n * sizeof(*why));

    for (uint32_t i = 0; i < a->n; i++) {
        to[i] = shares_of(a->cx, b, i, &a->x[i].held);
        snprintf(why[i], SLOWDOWN_WHY,
                 "max slowdown %.3f instead of %.3f, no split is below %.3f; its own %.3f",
                 b->largest, before, b->bound, b->slowdown[i]);
    }
    slowdown_act(s, a->cx, a->x, a->n, to, why);
}

/* A job that is alone is left as it is, unless it still has shares from when it was not. */
static bool worth_it(const struct all *a)
{
    return a->n > 1 || watch_moved(a->cx, a->x[0].id);
}

void slowdown_best(struct slowdown_fair *s, struct cx *cx, const struct watched *x, uint32_t n)
{
    struct all a = {.cx = cx};
    struct best b;

    find_all(s, &a, x, n);
    if (!worth_it(&a))
        return;
    build(s, cx, &b, &a);
    double before = best_judge(&b);
    if (!best_solve(&b, TIGHT))
        return;
    note(s, &b);
    if (b.largest < before * (1 - s->gain))
        change(s, &a, &b, before);
}
