/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Sharing GPUs" of docs/model.md: who is on a GPU, and the rates and loads that follow. */
#include <math.h>

#include "sim/model/fluid.h"
#include "sim/model/split.h"
#include "tests/property/slow.h"

bool slow_shares(const struct engine *e)
{
    return e->world->residents > 1;
}

struct placement slow_held(const struct job *j)
{
    return (struct placement){j->held, j->share};
}

const struct share *slow_on(const struct placement *p, gpu_id g)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->share[i].gpu == g)
            return &p->share[i];
    return NULL;
}

static const struct share *share_on(const struct job *j, gpu_id g)
{
    struct placement p = slow_held(j);

    return slow_alive(j) ? slow_on(&p, g) : NULL;
}

struct job *slow_resident(const struct engine *e, gpu_id g, uint32_t i)
{
    for (size_t k = 0; k < e->n_jobs; k++)
        if (share_on(e->job[k], g) && i-- == 0)
            return e->job[k];
    return NULL;
}

uint32_t slow_residents(const struct engine *e, gpu_id g)
{
    uint32_t n = 0;

    while (slow_resident(e, g, n))
        n++;
    return n;
}

double slow_free_bytes(const struct engine *e, gpu_id g, const struct job *but)
{
    const struct world *w = e->world;
    type_id t = w->node[w->gpu[g].node].type;
    double used = 0;

    for (uint32_t i = 0; i < slow_residents(e, g); i++) {
        const struct job *j = slow_resident(e, g, i);
        if (j != but)
            used += world_replica_bytes(w, j->spec.model, share_on(j, g)->samples);
    }
    return fmin(world_resident_bytes(w, t), world_gpu_bytes(w, t) - used);
}

void slow_mark(struct engine *e, const struct job *j)
{
    for (uint32_t i = 0; i < j->held; i++)
        e->changed[j->share[i].gpu] = true;
}

sim_time slow_alone(const struct engine *e, const struct job *j, const struct placement *p)
{
    double rate = world_rate(e->world, &j->spec, j->jitter, p), work = (double)j->spec.work;

    if (j->spec.model == NO_MODEL)
        return e->world->overheads.start + slow_context(e, p) + slow_to_time(work / rate);
    if (e->world->alone == ALONE_BEST_SPLIT)
        rate = fmax(rate, split_best_rate(e->world, &j->spec, j->jitter, p));
    return e->world->overheads.start + slow_context(e, p) + slow_to_time(work / rate * 1e9);
}

/* ---- the solution ---- */

/* All jobs that run, those of each group by number; GPUs by number. */
struct solution {
    uint32_t
        *group;   /* by job: the first job that it hangs together with; UINT32_MAX: not running */
    double *rate; /* by job */
    struct fluid_gpu *gpu; /* by GPU */
    struct fluid_job *in;  /* of one group */
    struct fluid_gpu *out;
};

static bool runs_on(const struct job *j, gpu_id g)
{
    return j->state == JOB_RUNNING && share_on(j, g);
}

static bool meet(const struct engine *e, const struct job *a, const struct job *b)
{
    for (gpu_id g = 0; g < e->world->n_gpus; g++)
        if (runs_on(a, g) && runs_on(b, g))
            return true;
    return false;
}

static void find_groups(const struct engine *e, struct solution *s)
{
    bool again = true;

    for (uint32_t i = 0; i < e->n_jobs; i++)
        s->group[i] = e->job[i]->state == JOB_RUNNING ? i : UINT32_MAX;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < e->n_jobs; i++)
            for (uint32_t k = 0; k < e->n_jobs; k++)
                if (s->group[k] < s->group[i] && meet(e, e->job[i], e->job[k])) {
                    s->group[i] = s->group[k];
                    again = true;
                }
    }
}

static bool group_on(const struct engine *e, const struct solution *s, uint32_t group, gpu_id g)
{
    for (uint32_t i = 0; i < e->n_jobs; i++)
        if (s->group[i] == group && runs_on(e->job[i], g))
            return true;
    return false;
}

static void solve_group(struct engine *e, struct solution *s, uint32_t group)
{
    struct fluid *f = fluid_new(e->world);
    uint32_t n = 0, gpus = 0;

    for (uint32_t i = 0; i < e->n_jobs; i++)
        if (s->group[i] == group)
            s->in[n++] = (struct fluid_job){e->job[i]->id, &e->job[i]->spec, slow_held(e->job[i]),
                                            e->job[i]->jitter, 0};
    for (gpu_id g = 0; g < e->world->n_gpus; g++)
        if (group_on(e, s, group, g))
            s->out[gpus++] = (struct fluid_gpu){g, 0, 0, 0};
    fluid_solve(f, s->in, n, s->out, gpus);
    for (uint32_t i = 0, k = 0; i < e->n_jobs; i++) {
        struct job *j = e->job[i];
        if (s->group[i] != group)
            continue;
        s->rate[i] = s->in[k].rate;
        for (uint32_t x = 0; x < j->held; x++)
            j->resid[x] = j->jitter * fluid_resid(f, k, x);
        k++;
    }
    for (uint32_t g = 0; g < gpus; g++)
        s->gpu[s->out[g].gpu] = s->out[g];
    fluid_free(f);
}

/* ---- what follows ---- */

static void set_rate(struct engine *e, struct job *j, double rate)
{
    double per_ns = j->spec.model == NO_MODEL ? rate : rate / 1e9;
    struct record r = slow_record(e, REC_RATE, j);

    if (per_ns == j->rate)
        return;
    slow_settle(e, j);
    j->rate = per_ns;
    r.value = rate;
    r.share = NULL;
    slow_emit(e, r);
    slow_aim(e, j);
}

/* What a GPU did up to now, if it did something and time has passed. */
static void close_load(struct engine *e, gpu_id g)
{
    struct load *l = &e->load[g];
    struct share share = {g, l->n};

    if (l->n > 0 && l->since < e->now)
        slow_emit(e, (struct record){.kind = REC_LOAD,
                                     .job = NO_JOB,
                                     .n = 1,
                                     .share = &share,
                                     .run = l->since,
                                     .value = l->busy,
                                     .told = l->work});
}

static void set_load(struct engine *e, gpu_id g, const struct fluid_gpu *to)
{
    struct load *l = &e->load[g];

    if (l->n == to->n && l->busy == to->busy && l->work == to->work)
        return;
    close_load(e, g);
    *l = (struct load){e->now, to->busy, to->work, to->n};
}

static void settle(struct engine *e)
{
    uint32_t gpus = e->world->n_gpus, n = (uint32_t)e->n_jobs;
    struct arena *a = arena_new();
    struct solution s = {.group = arena_get(a, n * sizeof(*s.group)),
                         .rate = arena_get(a, n * sizeof(*s.rate)),
                         .gpu = arena_get(a, gpus * sizeof(*s.gpu)),
                         .in = arena_get(a, n * sizeof(*s.in)),
                         .out = arena_get(a, gpus * sizeof(*s.out))};

    find_groups(e, &s);
    for (uint32_t i = 0; i < n; i++)
        if (s.group[i] == i)
            solve_group(e, &s, i);
    for (uint32_t i = 0; i < n; i++)
        if (s.group[i] != UINT32_MAX)
            set_rate(e, e->job[i], s.rate[i]);
    for (gpu_id g = 0; g < gpus; g++) {
        set_load(e, g, &s.gpu[g]);
        e->changed[g] = false;
    }
    arena_free(a);
}

void slow_solve(struct engine *e)
{
    if (!slow_shares(e) || e->over)
        return;
    if (slow_steps(e))
        slow_step_loads(e);
    else
        settle(e);
}

void slow_last_loads(struct engine *e)
{
    if (slow_steps(e))
        slow_step_last_loads(e);
    for (gpu_id g = 0; g < e->world->n_gpus; g++)
        close_load(e, g);
}
