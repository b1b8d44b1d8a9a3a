/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/fluid.h"

#include <math.h>

#include "sim/base/bug.h"

/* A job's part on one GPU. */
struct replica {
    uint32_t job, gpu; /* positions among those that are solved */
    struct step_parts part;
    double resid, duty;
};

struct fluid {
    const struct world *world;
    uint32_t *place; /* by GPU of the cluster: position + 1 while solving; else 0 */
    struct replica *replica;
    size_t cap_replicas;
    uint32_t *on; /* replicas by GPU, in order of jobs: on[first[g]] .. on[first[g + 1] - 1] */
    uint32_t *first;
    size_t cap_on, cap_first;
    double *tau;
    uint32_t *of; /* by job: its first replica */
    size_t cap_tau, cap_of;
    uint32_t n_replicas;
};

struct fluid *fluid_new(const struct world *w)
{
    struct fluid *f = mem_get(sizeof(*f));

    f->world = w;
    f->place = mem_get(w->n_gpus * sizeof(*f->place));
    return f;
}

void fluid_free(struct fluid *f)
{
    if (!f)
        return;
    mem_drop(f->place);
    mem_drop(f->replica);
    mem_drop(f->on);
    mem_drop(f->first);
    mem_drop(f->tau);
    mem_drop(f->of);
    mem_drop(f);
}

/* ---- one job alone ---- */

static struct step_parts part_of(const struct world *w, const struct job_spec *s,
                                 const struct share *share)
{
    if (s->model == NO_MODEL) /* a nominal second, always busy */
        return (struct step_parts){1 / w->gpu[share->gpu].speed, 0, 0};
    return world_step(w, s->model, share->gpu, share->samples);
}

/* Seconds of a step whose replicas take resid seconds each. */
static double step_of(const struct world *w, const struct fluid_job *j, const struct replica *r)
{
    double compute = 0, gap = 0;

    for (uint32_t i = 0; i < j->held.n; i++) {
        compute = fmax(compute, fmax(r[i].resid, r[i].part.floor));
        gap = fmax(gap, r[i].part.gap);
    }
    return j->spec->model == NO_MODEL
               ? compute
               : world_step_end(w, j->spec->model, &j->held, compute, gap);
}

/* ---- setting up ---- */

static void lay_out(struct fluid *f, struct fluid_job *job, uint32_t n_jobs, struct fluid_gpu *gpu,
                    uint32_t n_gpus)
{
    uint32_t n = 0;

    for (uint32_t g = 0; g < n_gpus; g++) {
        f->place[gpu[g].gpu] = g + 1;
        gpu[g].n = 0;
    }
    for (uint32_t i = 0; i < n_jobs; i++) {
        f->of = mem_room(f->of, i, &f->cap_of, sizeof(*f->of));
        f->of[i] = n;
        for (uint32_t k = 0; k < job[i].held.n; k++, n++) {
            const struct share *s = &job[i].held.share[k];
            f->replica = mem_room(f->replica, n, &f->cap_replicas, sizeof(*f->replica));
            BUG_ON(f->place[s->gpu] == 0);
            f->replica[n] = (struct replica){.job = i,
                                             .gpu = f->place[s->gpu] - 1,
                                             .part = part_of(f->world, job[i].spec, s)};
            gpu[f->replica[n].gpu].n++;
        }
    }
    f->n_replicas = n;
    for (uint32_t g = 0; g < n_gpus; g++)
        f->place[gpu[g].gpu] = 0;
}

/* The replicas of each GPU, in order of jobs. */
static void index_gpus(struct fluid *f, struct fluid_gpu *gpu, uint32_t n_gpus)
{
    uint32_t at = 0;

    for (uint32_t g = 0; g <= n_gpus; g++) {
        f->first = mem_room(f->first, g, &f->cap_first, sizeof(*f->first));
        f->first[g] = at;
        at += g < n_gpus ? gpu[g].n : 0;
        if (g < n_gpus)
            gpu[g].n = 0;
    }
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->on = mem_room(f->on, r, &f->cap_on, sizeof(*f->on));
    for (uint32_t r = 0; r < f->n_replicas; r++) {
        uint32_t g = f->replica[r].gpu;
        f->on[f->first[g] + gpu[g].n++] = r;
    }
}

/* ---- the fixed point ---- */

/* How a GPU stretches its r-th replica, with the others' present duties. */
static double stretch(const struct fluid *f, const struct fluid_job *job,
                      const struct fluid_gpu *gpu, uint32_t r)
{
    const struct world *w = f->world;
    uint32_t g = f->replica[r].gpu, other[MOST_RESIDENTS], n = 0;
    double p[MOST_RESIDENTS];

    for (uint32_t i = f->first[g]; i < f->first[g + 1]; i++) {
        const struct replica *o = &f->replica[f->on[i]];
        if (f->on[i] == r)
            continue;
        other[n] = job[o->job].spec->model;
        p[n++] = o->duty;
    }
    return w->contention->stretch(w->contention_self, w, w->node[w->gpu[gpu[g].gpu].node].type,
                                  job[f->replica[r].job].spec->model, other, p, n);
}

/* Base stretch of a slice is in the exclusive time already. */
static double resid_of(const struct fluid *f, const struct fluid_job *job,
                       const struct fluid_gpu *gpu, uint32_t r)
{
    double busy = f->replica[r].part.busy;

    return f->world->contention->sliced ? busy : busy * stretch(f, job, gpu, r);
}

/* One round; returns the greatest relative change of a step time. */
static double improve(struct fluid *f, struct fluid_job *job, uint32_t n_jobs,
                      const struct fluid_gpu *gpu, double weight)
{
    double change = 0;

    for (uint32_t r = 0; r < f->n_replicas; r++) {
        double to = resid_of(f, job, gpu, r);
        f->replica[r].resid += weight * (to - f->replica[r].resid);
    }
    for (uint32_t i = 0, r = 0; i < n_jobs; r += job[i++].held.n) {
        double tau = step_of(f->world, &job[i], &f->replica[r]);
        change = fmax(change, fabs(tau - f->tau[i]) / tau);
        f->tau[i] = tau;
        for (uint32_t k = 0; k < job[i].held.n; k++)
            f->replica[r + k].duty = fmin(1, f->replica[r + k].resid / tau);
    }
    return change;
}

static bool settle(struct fluid *f, struct fluid_job *job, uint32_t n_jobs,
                   const struct fluid_gpu *gpu)
{
    for (uint32_t i = 0, r = 0; i < n_jobs; r += job[i++].held.n) {
        for (uint32_t k = 0; k < job[i].held.n; k++)
            f->replica[r + k].resid = f->replica[r + k].part.busy;
        f->tau = mem_room(f->tau, i, &f->cap_tau, sizeof(*f->tau));
        f->tau[i] = step_of(f->world, &job[i], &f->replica[r]);
        for (uint32_t k = 0; k < job[i].held.n; k++)
            f->replica[r + k].duty = fmin(1, f->replica[r + k].resid / f->tau[i]);
    }
    for (uint32_t round = 0; n_jobs > 1 && round < FLUID_ROUNDS; round++)
        if (improve(f, job, n_jobs, gpu, 0.5) <= FLUID_RESIDUAL)
            return true;
    return n_jobs == 1;
}

/* ---- what comes out ---- */

static void load_of(const struct fluid *f, struct fluid_gpu *gpu, uint32_t g)
{
    const struct world *w = f->world;
    type_id t = w->node[w->gpu[gpu->gpu].node].type;
    double idle = 1, work = 0;

    for (uint32_t i = f->first[g]; i < f->first[g + 1]; i++) {
        const struct replica *r = &f->replica[f->on[i]];
        idle *= 1 - r->duty;
        work += r->part.busy / f->tau[r->job];
    }
    gpu->busy = 1 - idle;
    gpu->work = work / w->contention->peak(w->contention_self, w, t, w->residents);
}

double fluid_resid(const struct fluid *f, uint32_t i, uint32_t k)
{
    return f->replica[f->of[i] + k].resid;
}

bool fluid_solve(struct fluid *f, struct fluid_job *job, uint32_t n_jobs, struct fluid_gpu *gpu,
                 uint32_t n_gpus)
{
    const struct world *w = f->world;

    lay_out(f, job, n_jobs, gpu, n_gpus);
    index_gpus(f, gpu, n_gpus);
    bool ok = settle(f, job, n_jobs, gpu);
    for (uint32_t i = 0; i < n_jobs; i++) {
        job[i].rate = n_jobs == 1 ? world_rate(w, job[i].spec, job[i].jitter, &job[i].held)
                                  : 1 / (f->tau[i] * job[i].jitter);
    }
    for (uint32_t g = 0; g < n_gpus; g++)
        load_of(f, &gpu[g], g);
    return ok;
}
