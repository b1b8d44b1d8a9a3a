/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of a step: the last of its replicas. Residences vary with the phases of the other jobs,
 * and vary together, as a job that spans GPUs comes to all of them at once: the mean of the longest
 * is longer than the longest mean. It is found by Clark's moments of the maximum of two correlated
 * normal variables, one replica after the other.
 */
#include <math.h>
#include <string.h>

#include "sim/model/fluid_state.h"

#define PHASES 8u /* midpoints of a period, for means over a phase that may be any */

/* ---- the mean of the longest ---- */

struct moments {
    uint32_t n;
    double mean[FLUID_JOIN + 1];
    double cov[FLUID_JOIN + 1][FLUID_JOIN + 1];
};

/* The longer of variables 0 and k takes the place of variable 0. */
static void take_longer(struct moments *m, uint32_t k)
{
    double width = sqrt(fmax(m->cov[0][0] + m->cov[k][k] - 2 * m->cov[0][k], 0));
    double a = m->mean[0], b = m->mean[k], p = 0, density = 0;

    if (a - b >= 8 * width)
        return;
    if (b - a < 8 * width) {
        p = 0.5 * erfc((b - a) / width * M_SQRT1_2);
        density = exp(-0.5 * (a - b) * (a - b) / (width * width)) / sqrt(2 * M_PI);
    }
    double mean = a * p + b * (1 - p) + width * density;
    double square =
        (a * a + m->cov[0][0]) * p + (b * b + m->cov[k][k]) * (1 - p) + (a + b) * width * density;
    m->cov[0][0] = fmax(0, square - mean * mean);
    for (uint32_t i = k + 1; i < m->n; i++)
        m->cov[0][i] = m->cov[0][i] * p + m->cov[k][i] * (1 - p);
    m->mean[0] = mean;
}

static double longest(const struct fluid *f, const struct join *j, double floor)
{
    struct moments m = {.n = j->n + 1};

    for (uint32_t a = 0; a < j->n; a++) {
        m.mean[a] = f->replica[j->replica[a]].resid;
        memcpy(m.cov[a], j->cov[a], j->n * sizeof(double));
    }
    m.mean[j->n] = floor; /* a constant: the host takes so long in any case */
    for (uint32_t k = 1; k < m.n; k++)
        take_longer(&m, k);
    return m.mean[0];
}

double join_step(const struct fluid *f, const struct fluid_job *job, uint32_t i)
{
    const struct replica *r = &f->replica[f->of[i]];
    double compute = 0, floor = 0, gap = 0;

    for (uint32_t k = 0; k < job[i].held.n; k++) {
        compute = fmax(compute, r[k].resid);
        floor = fmax(floor, r[k].part.floor);
        gap = fmax(gap, r[k].part.gap);
    }
    if (f->join[i].n > 0)
        compute = fmax(compute, longest(f, &f->join[i], floor));
    compute = fmax(compute, floor);
    if (job[i].spec->model == NO_MODEL)
        return compute;
    return world_step_end(f->world, job[i].spec->model, &job[i].held, compute, gap);
}

/* ---- how residences vary ---- */

/* Another job on some of the GPUs to be joined: its replica on each, or none. */
struct other {
    uint32_t job;
    uint32_t replica[FLUID_JOIN]; /* position + 1; 0: none */
};

static struct other *find_other(struct other *o, uint32_t *n, uint32_t job)
{
    for (uint32_t i = 0; i < *n; i++)
        if (o[i].job == job)
            return &o[i];
    o[*n] = (struct other){.job = job};
    return &o[(*n)++];
}

/* The other jobs there, in the order in which they are solved on each GPU. */
static uint32_t find_others(const struct fluid *f, const struct join *j, struct other *o)
{
    uint32_t n = 0;

    for (uint32_t a = 0; a < j->n; a++) {
        const struct replica *me = &f->replica[j->replica[a]];
        for (uint32_t i = f->first[me->gpu]; i < f->first[me->gpu + 1]; i++) {
            const struct replica *r = &f->replica[f->on[i]];
            if (r->job != me->job)
                find_other(o, &n, r->job)->replica[a] = f->on[i] + 1;
        }
    }
    return n;
}

/* How long [0, a) and [x + k period, x + k period + b) for all k have in common; b <= period. */
static double overlap(double x, double a, double b, double period)
{
    double low = fmin(a, b), sum = 0;

    x -= x > period - b ? period : 0;
    if (a - x > 4 * period) { /* most of them lie within it: those need no look */
        double whole = floor((a - x) / period) - 2;
        sum = fmax(0, fmin(low, b + x)) + whole * b;
        x += (1 + whole) * period;
    }
    while (x < a) {
        sum += fmax(0, fmin(low, fmin(b + x, a - x)));
        x += period;
    }
    return sum;
}

/* By how much another job in this phase delays my replica a. */
static double delay(const struct fluid *f, const struct join *j, const struct other *o, uint32_t a,
                    double phase)
{
    if (!o->replica[a])
        return 0;
    const struct replica *me = &f->replica[j->replica[a]], *it = &f->replica[o->replica[a] - 1];
    double longer = fluid_longer(f, me->gpu, me->at, it->at), period = f->tau[o->job];
    double both = overlap(phase * period, me->resid, fmin(it->resid, period), period);

    return longer / (1 + longer) * both;
}

/* What another job adds, by its phase alone. */
static void add_other(const struct fluid *f, struct join *j, const struct other *o)
{
    double mean[FLUID_JOIN] = {0}, square[FLUID_JOIN][FLUID_JOIN] = {{0}}, d[FLUID_JOIN];

    for (uint32_t u = 0; u < PHASES; u++)
        for (uint32_t a = 0; a < j->n; a++) {
            d[a] = delay(f, j, o, a, (u + 0.5) / PHASES);
            mean[a] += d[a] / PHASES;
            for (uint32_t b = 0; b <= a; b++)
                square[a][b] += d[a] * d[b] / PHASES;
        }
    for (uint32_t a = 0; a < j->n; a++)
        for (uint32_t b = 0; b <= a; b++) {
            j->cov[a][b] += square[a][b] - mean[a] * mean[b];
            j->cov[b][a] = j->cov[a][b];
        }
}

/* The replicas with the longest residences, longest first. */
static void choose(const struct fluid *f, struct join *j, uint32_t first, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        double resid = f->replica[first + k].resid;
        uint32_t a = j->n < FLUID_JOIN ? j->n++ : FLUID_JOIN;
        for (; a > 0 && f->replica[j->replica[a - 1]].resid < resid; a--)
            if (a < FLUID_JOIN)
                j->replica[a] = j->replica[a - 1];
        if (a < FLUID_JOIN)
            j->replica[a] = first + k;
    }
}

void join_vary(struct fluid *f, const struct fluid_job *job, uint32_t n_jobs)
{
    struct other other[FLUID_JOIN * MOST_RESIDENTS];

    for (uint32_t i = 0; i < n_jobs; i++) {
        struct join *j = &f->join[i];
        if (job[i].held.n < 2 || job[i].spec->model == NO_MODEL)
            continue;
        choose(f, j, f->of[i], job[i].held.n);
        uint32_t n = find_others(f, j, other);
        for (uint32_t k = 0; k < n; k++)
            add_other(f, j, &other[k]);
    }
}
