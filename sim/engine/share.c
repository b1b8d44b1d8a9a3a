/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GPUs that several jobs hold: the rates that follow from who computes where, and what the GPUs do.
 *
 * An act or event only touches GPUs. Once the instant's acts are done, the jobs that hang together
 * through touched GPUs are solved anew, each such group once: the rates depend on who is there and
 * not on how they came.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/share.h"
#include "sim/engine/step.h"
#include "sim/model/fluid.h"
#include "sim/model/split.h"

/* What a GPU has been doing, since when. */
struct load {
    sim_time since;
    double busy, work;
    uint32_t n;   /* jobs that run on it */
    uint64_t who; /* steps one by one: which, with which samples */
};

struct shares {
    struct fluid *fluid;
    struct load *load; /* by GPU */
    uint8_t *touched;  /* by GPU: it is in `gpu` */
    gpu_id *gpu;       /* touched ones; then all that hang together with them */
    uint32_t n_gpus;
    uint32_t *seen; /* by slot: the group it was found for */
    uint32_t n_seen;
    uint32_t group; /* of the latest solution */
    job_id *job;    /* of the group; later of all groups */
    struct fluid_job *in;
    struct fluid_gpu *out;
    double *rate; /* of all groups, beside job */
    size_t cap_job, cap_in, cap_rate;
};

void share_setup(struct engine *e)
{
    const struct world *w = e->world;

    if (w->residents < 2)
        return;
    struct shares *s = e->shares = arena_get(e->arena, sizeof(*s));
    s->fluid = fluid_new(w);
    s->load = arena_get(e->arena, w->n_gpus * sizeof(*s->load));
    s->touched = arena_get(e->arena, w->n_gpus * sizeof(*s->touched));
    s->gpu = arena_get(e->arena, w->n_gpus * sizeof(*s->gpu));
    s->out = arena_get(e->arena, w->n_gpus * sizeof(*s->out));
}

void share_teardown(struct engine *e)
{
    if (!e->shares)
        return;
    fluid_free(e->shares->fluid);
    mem_drop(e->shares->seen);
    mem_drop(e->shares->job);
    mem_drop(e->shares->in);
    mem_drop(e->shares->rate);
}

/* ---- groups ---- */

void share_touch(struct engine *e, const struct placement *p)
{
    struct shares *s = e->shares;

    for (uint32_t i = 0; i < p->n; i++)
        if (!s->touched[p->share[i].gpu]) {
            s->touched[p->share[i].gpu] = 1;
            s->gpu[s->n_gpus++] = p->share[i].gpu;
        }
}

static int by_id(const void *a, const void *b)
{
    job_id x = *(const job_id *)a, y = *(const job_id *)b;

    return (x > y) - (x < y);
}

static int by_gpu(const void *a, const void *b)
{
    gpu_id x = *(const gpu_id *)a, y = *(const gpu_id *)b;

    return (x > y) - (x < y);
}

static bool seen(struct shares *s, uint32_t slot)
{
    if (s->seen[slot] == s->group)
        return true;
    s->seen[slot] = s->group;
    return false;
}

/* The running jobs on one more GPU, behind the n there are; their GPUs join those to look at. */
static uint32_t find_jobs(struct engine *e, gpu_id g, uint32_t n)
{
    struct shares *s = e->shares;
    const struct resident *on = gpus_residents(&e->gpus, g);

    for (uint32_t i = 0; i < e->gpus.shared[g].n; i++) {
        const struct job *j = job_at(e, sim_slot(on[i].job));
        if (j->state != JOB_RUNNING || seen(s, sim_slot(j->id)))
            continue;
        s->job = mem_room(s->job, n, &s->cap_job, sizeof(*s->job));
        s->job[n++] = j->id;
        struct placement held = job_held(j);
        share_touch(e, &held);
    }
    return n;
}

/* What is measured from now on. */
static void set_resids(struct engine *e, uint32_t n)
{
    const struct fluid_job *in = e->shares->in;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < in[i].held.n; k++)
            gpus_resident(&e->gpus, in[i].held.share[k].gpu, in[i].id)->resid =
                in[i].jitter * fluid_resid(e->shares->fluid, i, k);
}

/*
 * Solves the group of jobs from[0 .. n) on GPUs at[0 .. n_gpus): new rates beside the jobs, loads
 * into out.
 */
static void solve(struct engine *e, uint32_t from, uint32_t n, uint32_t at, uint32_t n_gpus)
{
    struct shares *s = e->shares;

    if (n > 1)
        qsort(s->job + from, n, sizeof(*s->job), by_id);
    for (uint32_t i = 0; i < n; i++) {
        const struct job *j = job_find(e, s->job[from + i]);
        s->in = mem_room(s->in, i, &s->cap_in, sizeof(*s->in));
        s->in[i] = (struct fluid_job){j->id, &j->spec, job_held(j), j->jitter, 0};
    }
    for (uint32_t g = 0; g < n_gpus; g++)
        s->out[at + g] = (struct fluid_gpu){s->gpu[at + g], 0, 0, 0};
    if (n > 0 && !fluid_solve(s->fluid, s->in, n, s->out + at, n_gpus))
        e->n_unsettled++;
    set_resids(e, n);
    for (uint32_t i = 0; i < n; i++) {
        s->rate = mem_room(s->rate, from + i, &s->cap_rate, sizeof(*s->rate));
        s->rate[from + i] = s->in[i].rate;
    }
}

/* All groups with a touched GPU, one after the other; returns the number of jobs in them. GPUs and
 * loads stand beside each other in the order in which they were found. */
static uint32_t solve_groups(struct engine *e)
{
    struct shares *s = e->shares;
    uint32_t first = s->n_gpus, n_jobs = 0, done = 0;
    gpu_id *touched = arena_get(e->scratch, first * sizeof(*touched));

    e->scratch_used = true;
    memcpy(touched, s->gpu, first * sizeof(*touched));
    for (uint32_t i = 0; i < first; i++)
        s->touched[touched[i]] = 0;
    s->n_gpus = 0;
    for (uint32_t i = 0; i < first; i++) {
        uint32_t from = n_jobs, at = done;
        share_touch(e, &(struct placement){1, &(struct share){touched[i], 0}});
        for (; done < s->n_gpus; done++)
            n_jobs = find_jobs(e, s->gpu[done], n_jobs);
        if (done > at)
            solve(e, from, n_jobs - from, at, done - at);
    }
    return n_jobs;
}

/* ---- what follows ---- */

struct new_rate {
    job_id job;
    double rate;
};

static int by_job(const void *a, const void *b)
{
    return by_id(&((const struct new_rate *)a)->job, &((const struct new_rate *)b)->job);
}

static void set_rate(struct engine *e, struct job *j, double rate)
{
    double per_ns = j->spec.model == NO_MODEL ? rate : rate / 1e9;

    if (per_ns == j->line.rate)
        return;
    life_settle(e, j);
    j->line.rate = per_ns;
    struct record r = job_record(j, REC_RATE);
    r.value = rate;
    r.share = NULL;
    engine_emit(e, &r);
    life_aim(e, j);
}

static void set_rates(struct engine *e, uint32_t n)
{
    struct shares *s = e->shares;
    struct new_rate *new = arena_get(e->scratch, n * sizeof(*new));

    for (uint32_t i = 0; i < n; i++)
        new[i] = (struct new_rate){s->job[i], s->rate[i]};
    qsort(new, n, sizeof(*new), by_job);
    for (uint32_t i = 0; i < n; i++)
        set_rate(e, job_find(e, new[i].job), new[i].rate);
}

/* A record of what a GPU did up to now, unless it was nothing. */
static void close_load(struct engine *e, gpu_id g)
{
    struct load *l = &e->shares->load[g];
    struct share share = {g, l->n};

    if ((l->n > 0 || l->busy > 0) && l->since < e->now)
        engine_emit(e, &(struct record){.kind = REC_LOAD,
                                        .job = NO_JOB,
                                        .n = 1,
                                        .experiment = NO_EXPERIMENT,
                                        .share = &share,
                                        .run = l->since,
                                        .value = l->busy,
                                        .told = l->work});
    l->since = e->now;
}

static int by_fluid_gpu(const void *a, const void *b)
{
    return by_gpu(&((const struct fluid_gpu *)a)->gpu, &((const struct fluid_gpu *)b)->gpu);
}

static void set_loads(struct engine *e)
{
    struct shares *s = e->shares;

    qsort(s->out, s->n_gpus, sizeof(*s->out), by_fluid_gpu);
    for (uint32_t i = 0; i < s->n_gpus; i++) {
        const struct fluid_gpu *to = &s->out[i];
        struct load *l = &s->load[to->gpu];
        s->touched[to->gpu] = 0;
        if (l->n == to->n && l->busy == to->busy && l->work == to->work)
            continue;
        close_load(e, to->gpu);
        *l = (struct load){e->now, to->busy, to->work, to->n, 0};
    }
    s->n_gpus = 0;
}

/* ---- steps one by one: what was done is counted, and nothing to be solved ---- */

static void count_load(struct engine *e, gpu_id g)
{
    struct load *l = &e->shares->load[g];
    struct station_account a = step_account(e, g);
    double ns = (double)(e->now - l->since);
    double most = e->world->contention->peak(e->world->contention_self, e->world,
                                             gpus_type(&e->gpus, g), e->world->residents);

    l->busy = ns > 0 ? (double)a.busy / ns : 0;
    l->work = ns > 0 ? (double)a.work / (double)STATION_NS / ns / most : 0;
}

/* The jobs that run on a GPU, as one number. */
static uint64_t who_runs(const struct engine *e, gpu_id g, uint32_t *n)
{
    const struct resident *on = gpus_residents(&e->gpus, g);
    uint64_t who = 0;

    *n = 0;
    for (uint32_t i = 0; i < e->gpus.shared[g].n; i++) {
        const struct job *j = job_at(e, sim_slot(on[i].job));
        struct placement held = job_held(j);
        if (j->state != JOB_RUNNING)
            continue;
        who = rng_mix(rng_mix(who, j->id + 1), job_share_on(&held, g)->samples);
        ++*n;
    }
    return who;
}

static void settle_steps(struct engine *e)
{
    struct shares *s = e->shares;

    qsort(s->gpu, s->n_gpus, sizeof(*s->gpu), by_gpu);
    for (uint32_t i = 0; i < s->n_gpus; i++) {
        gpu_id g = s->gpu[i];
        uint32_t n;
        uint64_t who = who_runs(e, g, &n);
        s->touched[g] = 0;
        if (who == s->load[g].who)
            continue;
        count_load(e, g);
        close_load(e, g);
        s->load[g] = (struct load){e->now, 0, 0, n, who};
        step_changed(e, g);
    }
    s->n_gpus = 0;
}

void share_settle(struct engine *e)
{
    struct shares *s = e->shares;

    if (s->n_gpus == 0 || e->ended)
        return;
    if (e->steps) {
        settle_steps(e);
        return;
    }
    if (s->n_seen < e->n_slots) {
        s->seen = mem_grow(s->seen, e->n_slots * sizeof(*s->seen));
        memset(s->seen + s->n_seen, 0, (e->n_slots - s->n_seen) * sizeof(*s->seen));
        s->n_seen = e->n_slots;
    }
    s->group++;
    set_rates(e, solve_groups(e));
    set_loads(e);
}

double share_measured(struct engine *e, const struct job *j, double *resid)
{
    struct placement held = job_held(j);
    bool known = e->shares && j->state == JOB_RUNNING;

    for (uint32_t i = 0; known && e->steps && i < held.n; i++)
        known = !e->shares->touched[held.share[i].gpu];
    if (e->steps)
        return known ? step_measured(e, j, resid) : 0;
    for (uint32_t i = 0; known && i < held.n; i++) {
        gpu_id g = held.share[i].gpu;
        double s = gpus_resident(&e->gpus, g, j->id)->resid;
        known = s > 0 && !e->shares->touched[g];
        if (known && resid)
            resid[i] = s;
    }
    if (!known)
        return 0;
    return j->spec.model == NO_MODEL ? 1 / j->line.rate : 1e-9 / j->line.rate;
}

sim_time share_alone(const struct engine *e, const struct job *j, const struct placement *p)
{
    double rate = life_rate(e, j, p);
    sim_time setup = later(e->world->overheads.start, world_context(e->world, p));

    if (j->spec.model == NO_MODEL)
        return later(setup, time_of((double)j->spec.work / rate));
    if (e->world->alone == ALONE_BEST_SPLIT)
        rate = fmax(rate, split_best_rate(e->world, &j->spec, j->jitter, p));
    return later(setup, time_of((double)j->spec.work / rate * 1e9));
}

void share_finish(struct engine *e)
{
    for (gpu_id g = 0; g < e->world->n_gpus; g++) {
        if (e->steps)
            count_load(e, g);
        close_load(e, g);
    }
}

struct fluid *share_fluid(struct engine *e)
{
    return e->shares ? e->shares->fluid : NULL;
}
