/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/fair.h"

#include <math.h>
#include <string.h>

static double power(double x, uint32_t n)
{
    double y = 1;

    for (; n; n >>= 1, x *= x)
        y *= n & 1 ? x : 1;
    return y;
}

void fair_index(struct fair *f)
{
    memset(f->first, 0, (f->n_gpus + 1) * sizeof(*f->first));
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->first[f->replica[r].gpu + 1]++;
    for (uint32_t g = 0; g < f->n_gpus; g++)
        f->first[g + 1] += f->first[g];
    for (uint32_t r = f->n_replicas; r-- > 0;)
        f->on[--f->first[f->replica[r].gpu + 1]] = r;
    for (uint32_t g = 0; g < f->n_gpus; g++) /* the ends were counted down to the beginnings */
        f->first[g] = f->first[g + 1];
    f->first[f->n_gpus] = f->n_replicas;
}

/* ---- the model ---- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double seconds_on(const struct fair_replica *r)
{
    return larger(r->resid, r->floor);
}

/* Of the longest replica. */
static double longest_of(const struct fair *f, const struct fair_job *j)
{
    double longest = 0;

    for (uint32_t r = j->first; r < j->first + j->n; r++)
        if (f->replica[r].samples)
            longest = larger(longest, seconds_on(&f->replica[r]));
    return longest;
}

/* Seconds of a step from its replicas, and the slowdown that follows. */
static void finish(struct fair *f, struct fair_job *j)
{
    double longest = longest_of(f, j), sum = 0;
    bool copies = false;

    for (uint32_t r = j->first; r < j->first + j->n; r++) {
        const struct fair_replica *x = &f->replica[r];
        if (!x->samples)
            continue;
        sum += power(seconds_on(x) / longest, f->p);
        copies |= !x->held;
    }
    j->seconds = longest + j->gap;
    j->soft = longest * pow(sum, 1.0 / f->p) + j->gap;
    j->slowdown = j->base + j->slope * j->soft + (copies ? j->copy : 0);
    j->hard = j->base + j->slope * j->seconds + (copies ? j->copy : 0);
}

/* What a replica takes with the others' duties: busy * n / phi(n) (eq. 19, 21). */
static void stretch(const struct fair *f, struct fair_replica *x)
{
    double n = 1 + f->gpu[x->gpu].load - x->duty;

    x->resid = (x->fixed + x->each * x->samples) * n * n / (n + f->eta * (n - 1));
}

/* One round: each replica with the others' duties of before, then part of the way to the new
 * duties. Returns the greatest change. */
static double improve_some(struct fair *f, const uint32_t *job, uint32_t n)
{
    double change = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t r = f->job[job[i]].first, k = f->job[job[i]].n; k-- > 0; r++)
            if (f->replica[r].samples)
                stretch(f, &f->replica[r]);
    for (uint32_t i = 0; i < n; i++) {
        const struct fair_job *j = &f->job[job[i]];
        double rate = 1 / (longest_of(f, j) + j->gap);
        for (uint32_t r = j->first; r < j->first + j->n; r++) {
            struct fair_replica *x = &f->replica[r];
            double duty = x->resid * rate;
            if (!x->samples)
                continue;
            double by = FAIR_WEIGHT * ((duty < 1 ? duty : 1) - x->duty);
            change = larger(change, fabs(by));
            x->duty += by;
            f->gpu[x->gpu].load += by;
        }
    }
    return change;
}

static void solve_some(struct fair *f, const uint32_t *job, uint32_t n)
{
    for (uint32_t round = 0; round < FAIR_ROUNDS; round++)
        if (improve_some(f, job, n) <= f->settled)
            break;
    for (uint32_t i = 0; i < n; i++)
        finish(f, &f->job[job[i]]);
}

void fair_solve(struct fair *f)
{
    for (uint32_t g = 0; g < f->n_gpus; g++)
        f->gpu[g].load = f->gpu[g].others;
    for (uint32_t r = 0; r < f->n_replicas; r++) {
        f->replica[r].duty = 0;
    }
    for (uint32_t i = 0; i < f->n_jobs; i++) {
        f->some[i] = i;
        f->job[i].stale = true;
    }
    solve_some(f, f->some, f->n_jobs);
}

double fair_objective(const struct fair *f, bool hard)
{
    double sum = 0;

    for (uint32_t i = 0; i < f->n_jobs; i++)
        sum += power(hard ? f->job[i].hard : f->job[i].slowdown, f->p);
    return pow(sum, 1.0 / f->p);
}

/* ---- one move ---- */

static void choose(struct fair *f, uint32_t job, uint32_t *n)
{
    if (f->chosen[job])
        return;
    f->chosen[job] = true;
    f->some[(*n)++] = job;
}

/* The mover and those that compute on the two GPUs. */
static uint32_t choose_jobs(struct fair *f, const struct fair_move *m)
{
    uint32_t n = 0, gpu[2] = {f->replica[m->from].gpu, f->replica[m->to].gpu};

    choose(f, f->replica[m->from].job, &n);
    for (int i = 0; i < 2; i++)
        for (uint32_t k = f->first[gpu[i]]; k < f->first[gpu[i] + 1]; k++)
            if (f->replica[f->on[k]].samples)
                choose(f, f->replica[f->on[k]].job, &n);
    for (uint32_t i = 0; i < n; i++)
        f->chosen[f->some[i]] = false;
    return n;
}

static void move(struct fair *f, const struct fair_move *m, uint32_t n)
{
    f->replica[m->from].samples -= m->samples;
    f->replica[m->to].samples += m->samples;
    if (f->replica[m->from].samples == 0) { /* it is gone at once */
        f->gpu[f->replica[m->from].gpu].load -= f->replica[m->from].duty;
        f->replica[m->from].duty = 0;
    }
    solve_some(f, f->some, n);
}

/* Everything as it was before a move was tried. */
static void keep(struct fair *f, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct fair_job *j = &f->job[f->some[i]];
        for (uint32_t r = j->first; r < j->first + j->n; r++) {
            f->resid[r] = f->replica[r].resid;
            f->duty[r] = f->replica[r].duty;
            f->load[f->replica[r].gpu] = f->gpu[f->replica[r].gpu].load;
        }
        f->seconds[f->some[i]] = j->seconds;
        f->soft[f->some[i]] = j->soft;
        f->slowdown[f->some[i]] = j->slowdown;
        f->hard[f->some[i]] = j->hard;
    }
}

static void undo(struct fair *f, const struct fair_move *m, uint32_t n)
{
    f->replica[m->from].samples += m->samples;
    f->replica[m->to].samples -= m->samples;
    for (uint32_t i = 0; i < n; i++) {
        struct fair_job *j = &f->job[f->some[i]];
        for (uint32_t r = j->first; r < j->first + j->n; r++) {
            struct fair_replica *x = &f->replica[r];
            f->gpu[x->gpu].load = f->load[x->gpu];
            x->resid = f->resid[r];
            x->duty = f->duty[r];
        }
        j->seconds = f->seconds[f->some[i]];
        j->soft = f->soft[f->some[i]];
        j->slowdown = f->slowdown[f->some[i]];
        j->hard = f->hard[f->some[i]];
    }
}

/* By how much a move lowers the sum of slowdowns^p. */
static double gain_of(struct fair *f, const struct fair_move *m)
{
    uint32_t n = choose_jobs(f, m);
    double gain = 0;

    f->tried++;
    keep(f, n);
    move(f, m, n);
    for (uint32_t i = 0; i < n; i++)
        gain += power(f->slowdown[f->some[i]], f->p) - power(f->job[f->some[i]].slowdown, f->p);
    undo(f, m, n);
    return gain;
}

/* Whether it could help, and GPU memory and seats allow it. A GPU that computes no less than the
 * one to be relieved is not looked at, unless the job is done there sooner. */
static bool may_move(const struct fair *f, const struct fair_job *j, const struct fair_move *m)
{
    const struct fair_replica *from = &f->replica[m->from], *to = &f->replica[m->to];
    const struct fair_gpu *g = &f->gpu[to->gpu];
    double more = j->bytes[1] * m->samples + (to->samples ? 0 : j->bytes[0]);

    if (g->load >= f->gpu[from->gpu].load && (!to->samples || seconds_on(to) >= seconds_on(from)))
        return false;
    if (!to->samples && g->seats == 0)
        return false;
    return more <= g->bytes && j->bytes[0] + j->bytes[1] * (to->samples + m->samples) <= g->slice;
}

static void find_best(struct fair *f, struct fair_job *j)
{
    j->best = (struct fair_move){0, 0, 0, 0};
    j->stale = false;
    for (uint32_t a = j->first; a < j->first + j->n; a++)
        for (uint32_t b = j->first; b < j->first + j->n && f->replica[a].samples; b++) {
            uint32_t can = f->replica[a].samples - j->stay;
            struct fair_move m = {0, a, b, can < j->step ? can : j->step};
            if (a == b || can == 0 || !may_move(f, j, &m))
                continue;
            m.gain = gain_of(f, &m);
            if (m.gain > j->best.gain)
                j->best = m;
        }
}

/* ---- all of them ---- */

/* The best moves of jobs that meet somebody on the GPUs of those that changed may be others now. */
static void forget(struct fair *f, uint32_t n)
{
    memset(f->touched, 0, f->n_gpus * sizeof(*f->touched));
    for (uint32_t i = 0; i < n; i++) { /* GPUs on which loads changed */
        const struct fair_job *j = &f->job[f->some[i]];
        for (uint32_t r = j->first; r < j->first + j->n; r++)
            f->touched[f->replica[r].gpu] = true;
    }
    for (uint32_t i = 0; i < f->n_jobs; i++) { /* jobs that compute there */
        const struct fair_job *j = &f->job[i];
        for (uint32_t r = j->first; r < j->first + j->n; r++)
            f->chosen[i] |= f->replica[r].samples && f->touched[f->replica[r].gpu];
    }
    for (uint32_t r = 0; r < f->n_replicas; r++) /* and all their GPUs */
        if (f->chosen[f->replica[r].job])
            f->touched[f->replica[r].gpu] = true;
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->job[f->replica[r].job].stale |= f->touched[f->replica[r].gpu];
    memset(f->chosen, 0, f->n_jobs * sizeof(*f->chosen));
}

static void take(struct fair *f, const struct fair_job *j)
{
    struct fair_move m = j->best;
    struct fair_gpu *a = &f->gpu[f->replica[m.from].gpu], *b = &f->gpu[f->replica[m.to].gpu];
    uint32_t n = choose_jobs(f, &m);
    bool comes = f->replica[m.to].samples == 0, goes = f->replica[m.from].samples == m.samples;

    a->bytes += j->bytes[1] * m.samples + (goes ? j->bytes[0] : 0);
    b->bytes -= j->bytes[1] * m.samples + (comes ? j->bytes[0] : 0);
    a->seats += goes;
    b->seats -= comes;
    move(f, &m, n);
    forget(f, n);
}

/* The part by which a gain lowers the objective. */
static double part_of(const struct fair *f, double gain, double sum)
{
    return gain >= sum ? 1 : 1 - pow(1 - gain / sum, 1.0 / f->p);
}

uint32_t fair_improve(struct fair *f, uint32_t most)
{
    uint32_t made = 0;

    for (; made < most; made++) {
        const struct fair_job *best = NULL;
        double sum = 0;
        for (uint32_t i = 0; i < f->n_jobs; i++)
            sum += power(f->job[i].slowdown, f->p);
        for (uint32_t i = 0; i < f->n_jobs; i++) {
            struct fair_job *j = &f->job[i];
            if (j->stale)
                find_best(f, j);
            if (j->best.gain > (best ? best->best.gain : 0) &&
                part_of(f, j->best.gain, sum) > j->band)
                best = j;
        }
        if (!best)
            break;
        take(f, best);
    }
    return made;
}

static void note_shares(struct fair *f)
{
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->least[r] = f->replica[r].samples;
}

void fair_search(struct fair *f, uint32_t most, double part)
{
    double least = fair_objective(f, true) * (1 - part);

    note_shares(f);
    while (most-- > 0 && fair_improve(f, 1) > 0) {
        double now = fair_objective(f, true);
        if (now >= least)
            continue;
        least = now;
        note_shares(f);
    }
    for (uint32_t r = 0; r < f->n_replicas; r++)
        f->replica[r].samples = f->least[r];
    fair_solve(f);
}
