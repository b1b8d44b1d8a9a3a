/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eq. 21 takes the others' duties as they are with the job itself there, which prolongs them: its
 * rates come out some per cent too low. What a job meets on arrival is the GPU without it (arrival
 * theorem); for equal parts that steady state is known in closed form (product form), and depends
 * on mean times only. docs/model.md has the equations, docs/reproduction.md the errors.
 *
 * Two stages: first with the longest of the means, to see how residences vary; then with the mean
 * of the longest (fluid_join.c), that variation kept.
 */
#include "sim/model/fluid.h"

#include <math.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/model/fluid_state.h"

#define FIRST_STAGE 1e-4

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
    mem_drop(f->join);
    mem_drop(f->square);
    mem_drop(f->longer);
    mem_drop(f->present);
    mem_drop(f->next);
    mem_drop(f);
}

/* ---- who is where ---- */

static struct step_parts part_of(const struct world *w, const struct job_spec *s,
                                 const struct share *share)
{
    if (s->model == NO_MODEL) /* a nominal second, always busy */
        return (struct step_parts){1 / w->gpu[share->gpu].speed, 0, 0};
    return world_step(w, s->model, share->gpu, share->samples);
}

static void lay_out(struct fluid *f, const struct fluid_job *job, uint32_t n_jobs,
                    struct fluid_gpu *gpu, uint32_t n_gpus)
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
            uint32_t g = f->place[s->gpu];
            BUG_ON(g == 0);
            f->replica = mem_room(f->replica, n, &f->cap_replicas, sizeof(*f->replica));
            f->replica[n] =
                (struct replica){i, g - 1, part_of(f->world, job[i].spec, s), 0, gpu[g - 1].n++};
        }
    }
    f->n_replicas = n;
    for (uint32_t g = 0; g < n_gpus; g++)
        f->place[gpu[g].gpu] = 0;
}

/* The replicas of each GPU, in order of jobs; where its pairs of residents begin. */
static void index_gpus(struct fluid *f, const struct fluid_gpu *gpu, uint32_t n_gpus)
{
    uint32_t at = 0;
    size_t pairs = 0;

    for (uint32_t g = 0; g <= n_gpus; g++) {
        f->first = mem_room(f->first, g, &f->cap_first, sizeof(*f->first));
        f->square = mem_room(f->square, g, &f->cap_square, sizeof(*f->square));
        f->first[g] = at;
        f->square[g] = pairs;
        at += g < n_gpus ? gpu[g].n : 0;
        pairs += g < n_gpus ? (size_t)gpu[g].n * gpu[g].n : 0;
    }
    while (f->cap_on < at)
        f->on = mem_room(f->on, f->cap_on, &f->cap_on, sizeof(*f->on));
    while (f->cap_longer < pairs)
        f->longer = mem_room(f->longer, f->cap_longer, &f->cap_longer, sizeof(double));
    while (f->cap_present < pairs)
        f->present = mem_room(f->present, f->cap_present, &f->cap_present, sizeof(double));
    while (f->cap_next < pairs)
        f->next = mem_room(f->next, f->cap_next, &f->cap_next, sizeof(double));
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->on[f->first[f->replica[r].gpu] + f->replica[r].at] = r;
}

/* ---- one GPU ---- */

struct residents {
    type_id type;
    uint32_t n;
    const uint32_t *on; /* replicas */
    uint32_t model[MOST_RESIDENTS];
};

static struct residents residents_of(const struct fluid *f, const struct fluid_job *job,
                                     const struct fluid_gpu *gpu, uint32_t g)
{
    const struct world *w = f->world;
    struct residents s = {.type = w->node[w->gpu[gpu[g].gpu].node].type,
                          .n = f->first[g + 1] - f->first[g],
                          .on = &f->on[f->first[g]]};

    for (uint32_t a = 0; a < s.n; a++)
        s.model[a] = job[f->replica[s.on[a]].job].spec->model;
    return s;
}

/* Seconds per exclusive second of resident a, with the others there with p[]; p[a] is not read. */
static double stretch(const struct fluid *f, const struct residents *s, uint32_t a, const double *p)
{
    const struct world *w = f->world;
    uint32_t other[MOST_RESIDENTS], n = 0;
    double there[MOST_RESIDENTS];

    for (uint32_t b = 0; b < s->n; b++)
        if (b != a) {
            other[n] = s->model[b];
            there[n++] = p[b];
        }
    return w->contention->stretch(w->contention_self, w, s->type, s->model[a], other, there, n);
}

static double away(const struct fluid *f, uint32_t r)
{
    return fmax(0, f->tau[f->replica[r].job] - f->replica[r].resid);
}

/*
 * Equal parts: jobs are in with odds busy : away, independently but for the weight of each number s
 * of them, prod m/phi(m) over m <= s. Of all but a: the mean of (s + 1)/phi(s + 1), and *none, how
 * likely it is that nobody is in. With a = n, of all.
 */
static double product_form(const struct fluid *f, const struct residents *s, const double *in,
                           uint32_t a, double *none)
{
    const struct world *w = f->world;
    double at[MOST_RESIDENTS + 1] = {1}, weight = 1, sum = 0, all = 0;
    uint32_t n = 0;

    for (uint32_t b = 0; b < s->n; b++) {
        if (b == a)
            continue;
        for (uint32_t k = ++n; k > 0; k--)
            at[k] = at[k] * (1 - in[b]) + at[k - 1] * in[b];
        at[0] *= 1 - in[b];
    }
    for (uint32_t k = 0; k <= n; k++) {
        all += at[k] * weight;
        weight *= (k + 1) / w->contention->peak(w->contention_self, w, s->type, k + 1);
        sum += at[k] * weight;
    }
    *none = at[0] / all;
    return sum / all;
}

static void find_odds(const struct fluid *f, const struct residents *s, double *in)
{
    for (uint32_t a = 0; a < s->n; a++) {
        double busy = f->replica[s->on[a]].part.busy;
        in[a] = busy / (busy + away(f, s->on[a]));
    }
}

static void equal_parts(struct fluid *f, const struct residents *s, double *resid)
{
    double in[MOST_RESIDENTS], none;

    find_odds(f, s, in);
    for (uint32_t a = 0; a < s->n; a++)
        resid[a] = f->replica[s->on[a]].part.busy * product_form(f, s, in, a, &none);
}

/*
 * Any table: the presence of each where another is not, from its residence less what that other
 * adds, directly and through those that it prolongs. Where a slows b more than b slows a, b meets a
 * less often than that, as it is there the longer for it: by the ratio of what they do to each
 * other this is exact for two, if the steps of one are much shorter than those of the other.
 */
static void any_parts(struct fluid *f, const struct residents *s, uint32_t g, double *resid)
{
    const double *longer = &f->longer[f->square[g]];
    double *present = &f->present[f->square[g]], *next = &f->next[f->square[g]];
    uint32_t n = s->n;

    for (uint32_t a = 0; a < n; a++) {
        double p[MOST_RESIDENTS], busy = f->replica[s->on[a]].part.busy;
        for (uint32_t b = 0; b < n; b++)
            p[b] = present[b * n + a];
        resid[a] = busy * stretch(f, s, a, p);
        for (uint32_t b = 0; b < n; b++) {
            double without = resid[a];
            for (uint32_t c = 0; b != a && c < n; c++)
                if (c == b)
                    without -= busy * longer[a * n + b] * present[b * n + a];
                else if (c != a)
                    without -= busy * longer[a * n + c] * present[c * n + a] *
                               (1 - present[c * n + b] / present[c * n + c]);
            without = fmax(without, busy / 2); /* no stretch is shorter */
            if (b != a)
                without *= (1 + longer[a * n + b]) / (1 + longer[b * n + a]);
            next[a * n + b] = without / (without + away(f, s->on[a]));
        }
    }
    memcpy(present, next, (size_t)n * n * sizeof(*next));
}

/* The plain fixed point: the others' duties as they are with a there, which prolongs them. */
static void duty_parts(const struct fluid *f, const struct residents *s, double *resid)
{
    double p[MOST_RESIDENTS];

    for (uint32_t a = 0; a < s->n; a++) {
        const struct replica *r = &f->replica[s->on[a]];
        p[a] = fmin(1, r->resid / f->tau[r->job]);
    }
    for (uint32_t a = 0; a < s->n; a++)
        resid[a] = f->replica[s->on[a]].part.busy * stretch(f, s, a, p);
}

/* What each resident adds to each other alone, and a first guess of who is there. */
static void open_gpu(struct fluid *f, const struct residents *s, uint32_t g)
{
    const struct contention *c = f->world->contention;
    double equal = c->equal ? 2 / c->peak(f->world->contention_self, f->world, s->type, 2) - 1 : 0;

    for (uint32_t a = 0; a < s->n; a++) {
        const struct replica *r = &f->replica[s->on[a]];
        for (uint32_t b = 0; b < s->n; b++) {
            double one[MOST_RESIDENTS] = {0};
            size_t at = f->square[g] + a * s->n + b;
            one[b] = 1;
            f->longer[at] = a == b ? 0 : c->equal ? equal : stretch(f, s, a, one) - 1;
            f->present[at] = r->part.busy / f->tau[r->job];
        }
    }
}

/* ---- rounds ---- */

/* One round; returns the greatest relative change of a residence or a step time. */
static double improve(struct fluid *f, const struct fluid_job *job, uint32_t n_jobs,
                      const struct fluid_gpu *gpu, uint32_t n_gpus, double weight)
{
    double change = 0, resid[MOST_RESIDENTS];

    for (uint32_t g = 0; g < n_gpus; g++) {
        struct residents s = residents_of(f, job, gpu, g);
        if (f->world->by_duty)
            duty_parts(f, &s, resid);
        else if (f->world->contention->equal)
            equal_parts(f, &s, resid);
        else
            any_parts(f, &s, g, resid);
        for (uint32_t a = 0; a < s.n; a++) {
            struct replica *r = &f->replica[s.on[a]];
            /* A replica whose host does all the work has no time on the GPU. */
            if (r->resid > 0)
                change = fmax(change, fabs(resid[a] - r->resid) / r->resid);
            r->resid = resid[a];
        }
    }
    for (uint32_t i = 0; i < n_jobs; i++) {
        double tau = join_step(f, job, i);
        change = fmax(change, fabs(tau - f->tau[i]) / f->tau[i]);
        f->tau[i] += weight * (tau - f->tau[i]);
    }
    return change;
}

static bool settle(struct fluid *f, const struct fluid_job *job, uint32_t n_jobs,
                   const struct fluid_gpu *gpu, uint32_t n_gpus, double residual)
{
    uint32_t most = f->world->rounds ? f->world->rounds : FLUID_ROUNDS;

    for (uint32_t round = 0; round < most; round++, f->rounds++) {
        double weight = round < most / 4 ? 0.75 : round < most / 2 ? 0.5 : 0.25;
        if (improve(f, job, n_jobs, gpu, n_gpus, weight) <= residual)
            return true;
    }
    return false;
}

static void open_all(struct fluid *f, const struct fluid_job *job, uint32_t n_jobs,
                     const struct fluid_gpu *gpu, uint32_t n_gpus)
{
    f->rounds = 0;
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->replica[r].resid = f->replica[r].part.busy;
    for (uint32_t i = 0; i < n_jobs; i++) {
        f->tau = mem_room(f->tau, i, &f->cap_tau, sizeof(*f->tau));
        f->join = mem_room(f->join, i, &f->cap_join, sizeof(*f->join));
        f->join[i] = (struct join){.n = 0};
        f->tau[i] = join_step(f, job, i);
    }
    for (uint32_t g = 0; g < n_gpus && n_jobs > 1; g++) {
        struct residents s = residents_of(f, job, gpu, g);
        open_gpu(f, &s, g);
    }
}

static bool solve(struct fluid *f, const struct fluid_job *job, uint32_t n_jobs,
                  const struct fluid_gpu *gpu, uint32_t n_gpus)
{
    open_all(f, job, n_jobs, gpu, n_gpus);
    if (n_jobs == 1 || f->world->contention->sliced) /* a slice is stretched in `busy` already */
        return true;
    if (f->world->by_duty)
        return settle(f, job, n_jobs, gpu, n_gpus, FLUID_RESIDUAL);
    bool ok = settle(f, job, n_jobs, gpu, n_gpus, FIRST_STAGE);
    join_vary(f, job, n_jobs);
    return settle(f, job, n_jobs, gpu, n_gpus, FLUID_RESIDUAL) && ok;
}

/* ---- what comes out ---- */

/* How likely it is that no job computes on a GPU. */
static double idle_part(const struct fluid *f, const struct residents *s)
{
    double in[MOST_RESIDENTS], idle = 1;

    if (f->world->contention->equal && !f->world->by_duty) {
        find_odds(f, s, in);
        product_form(f, s, in, s->n, &idle);
        return idle;
    }
    for (uint32_t a = 0; a < s->n; a++) {
        const struct replica *r = &f->replica[s->on[a]];
        idle *= 1 - fmin(1, r->resid / f->tau[r->job]);
    }
    return idle;
}

static void load_of(const struct fluid *f, const struct fluid_job *job, struct fluid_gpu *gpu,
                    uint32_t g)
{
    const struct world *w = f->world;
    struct residents s = residents_of(f, job, gpu, g);
    double work = 0;

    for (uint32_t a = 0; a < s.n; a++) {
        const struct replica *r = &f->replica[s.on[a]];
        work += r->part.busy / f->tau[r->job];
    }
    gpu[g].busy = 1 - idle_part(f, &s);
    gpu[g].work = work / w->contention->peak(w->contention_self, w, s.type, w->residents);
}

double fluid_resid(const struct fluid *f, uint32_t i, uint32_t k)
{
    return f->replica[f->of[i] + k].resid;
}

uint32_t fluid_rounds(const struct fluid *f)
{
    return f->rounds;
}

bool fluid_solve(struct fluid *f, struct fluid_job *job, uint32_t n_jobs, struct fluid_gpu *gpu,
                 uint32_t n_gpus)
{
    const struct world *w = f->world;

    lay_out(f, job, n_jobs, gpu, n_gpus);
    index_gpus(f, gpu, n_gpus);
    bool ok = solve(f, job, n_jobs, gpu, n_gpus);
    for (uint32_t i = 0; i < n_jobs; i++)
        job[i].rate = n_jobs == 1 ? world_rate(w, job[i].spec, job[i].jitter, &job[i].held)
                                  : 1 / (f->tau[i] * job[i].jitter);
    for (uint32_t g = 0; g < n_gpus; g++)
        load_of(f, job, gpu, g);
    return ok;
}
