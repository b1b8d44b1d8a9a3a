/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is attained: moves of samples of one job from one GPU to another that lower the p-norm of
 * the slowdowns, smaller and smaller, then with a larger p; then jobs change places. The plain
 * maximum alone would stall on ties: a job on two equal GPUs needs both relieved before its
 * slowdown falls.
 */
#include "policies/lib/best.h"

#include <math.h>
#include <string.h>

#define GAIN      1e-7  /* part by which a move must lower the norm */
#define WORTH     1e-4  /* and exchanges the largest slowdown, to be tried again */
#define EXCHANGED 16u   /* least part of a batch that is exchanged */
#define HOPPING   4000u /* rates asked for to get out of a minimum, about */
#define EXPONENTS 3u

static const double exponents[EXPONENTS] = {8, 64, 512};

/* ---- shares, seats, memory ---- */

static bool is_there(const struct best *b, const struct best_replica *r)
{
    return r->samples > 0 || b->job[r->job].fixed;
}

static void count(struct best *b)
{
    for (uint32_t g = 0; g < b->n_gpus; g++) {
        b->used[g] = 0;
        b->seated[g] = 0;
    }
    for (uint32_t k = 0; k < b->n_replicas; k++) {
        const struct best_replica *r = &b->replica[k];
        if (is_there(b, r)) {
            b->used[r->gpu] += best_bytes(r, r->samples);
            b->seated[r->gpu]++;
        }
    }
}

static void give(struct best *b, struct best_replica *r, uint32_t samples)
{
    b->used[r->gpu] +=
        (samples ? best_bytes(r, samples) : 0) - (r->samples ? best_bytes(r, r->samples) : 0);
    b->seated[r->gpu] += (uint32_t)(samples > 0) - (uint32_t)(r->samples > 0);
    r->samples = samples;
}

static bool fits_slice(const struct best *b, const struct best_replica *r)
{
    return r->samples == 0 || best_bytes(r, r->samples) <= b->gpu[r->gpu].slice;
}

/* Its GPU is not overfull. */
static bool within(const struct best *b, const struct best_replica *r)
{
    const struct best_gpu *g = &b->gpu[r->gpu];

    return b->used[r->gpu] <= g->bytes && b->seated[r->gpu] <= g->seats && fits_slice(b, r);
}

/* ---- slowdowns ---- */

static bool comes_to_new(const struct best *b, const struct best_job *j)
{
    for (uint32_t k = j->first; k < j->first + j->n; k++)
        if (b->replica[k].samples > 0 && !b->replica[k].held)
            return true;
    return false;
}

double best_judge(struct best *b)
{
    double largest = 0;
    uint32_t at = 0;

    for (uint32_t i = 0; i < b->n_jobs; i++) {
        const struct best_job *j = &b->job[i];
        b->placement[i] = (struct placement){0, b->share + at};
        for (uint32_t k = j->first; k < j->first + j->n; k++)
            if (is_there(b, &b->replica[k])) {
                b->share[at++] =
                    (struct share){b->gpu[b->replica[k].gpu].id, b->replica[k].samples};
                b->placement[i].n++;
            }
    }
    b->asked++;
    if (!b->rates(b->user, b->placement, b->rate))
        return NAN;
    for (uint32_t i = 0; i < b->n_jobs; i++) {
        const struct best_job *j = &b->job[i];
        b->slowdown[i] = j->base + j->slope / b->rate[i] + (comes_to_new(b, j) ? j->copy : 0);
        largest = fmax(largest, b->slowdown[i]);
    }
    return largest;
}

static void keep(struct best *b, double largest)
{
    if (!(largest < b->largest))
        return;
    b->largest = largest;
    for (uint32_t k = 0; k < b->n_replicas; k++)
        b->kept[k] = b->replica[k].samples;
}

static double norm(struct best *b, double p)
{
    double largest = best_judge(b), sum = 0;

    if (!(largest > 0 && largest < INFINITY))
        return largest;
    for (uint32_t i = 0; i < b->n_jobs; i++)
        sum += pow(b->slowdown[i] / largest, p);
    keep(b, largest);
    return largest * pow(sum, 1 / p);
}

/* ---- moves ---- */

static void shift(struct best *b, uint32_t from, uint32_t to, uint32_t d)
{
    give(b, &b->replica[from], b->replica[from].samples - d);
    give(b, &b->replica[to], b->replica[to].samples + d);
}

/* d samples from one replica of a job to another. false: no gain, and nothing has changed. */
static bool move(struct best *b, uint32_t from, uint32_t to, uint32_t d, double p, double *now)
{
    shift(b, from, to, d);
    if (within(b, &b->replica[from]) && within(b, &b->replica[to])) {
        double then = norm(b, p);
        if (then < *now * (1 - GAIN)) {
            *now = then;
            return true;
        }
    }
    shift(b, to, from, d);
    return false;
}

/* The part-th part of a job's batch, of what a replica has. */
static uint32_t part_of(const struct best *b, const struct best_replica *r, uint32_t parts)
{
    uint32_t d = b->job[r->job].batch / parts;

    d = d ? d : 1;
    return d < r->samples ? d : r->samples;
}

/* All moves of one job, each repeated as long as it helps. */
static bool move_job(struct best *b, uint32_t i, uint32_t parts, double p, double *now)
{
    const struct best_job *j = &b->job[i];
    bool moved = false;

    for (uint32_t from = j->first; from < j->first + j->n; from++)
        for (uint32_t to = j->first; to < j->first + j->n; to++)
            for (bool more = from != to && to + 1 != b->closed; more;) {
                uint32_t d = part_of(b, &b->replica[from], parts);
                more = d > 0 && move(b, from, to, d, p, now);
                moved |= more;
            }
    return moved;
}

/* From whole batches down to single samples, until none helps. */
static void descend(struct best *b, double p)
{
    double now = norm(b, p);
    uint32_t largest = 1;

    for (uint32_t i = 0; i < b->n_jobs; i++)
        largest = !b->job[i].fixed && b->job[i].batch > largest ? b->job[i].batch : largest;
    for (uint32_t parts = 1; parts < 2 * largest; parts *= 2)
        for (bool moved = true; moved;) {
            moved = false;
            for (uint32_t i = 0; i < b->n_jobs; i++)
                moved |= !b->job[i].fixed && move_job(b, i, parts, p, &now);
        }
}

/* A job goes from one GPU to another, and some other job comes back from there. */
static bool exchange(struct best *b, uint32_t from, uint32_t to, uint32_t parts, double p,
                     double *now)
{
    uint32_t here = b->replica[from].gpu, there = b->replica[to].gpu;
    uint32_t d = part_of(b, &b->replica[from], parts);
    bool moved = false;

    shift(b, from, to, d);
    bool may = d > 0 && fits_slice(b, &b->replica[to]);
    for (uint32_t k = 0; may && k < b->n_replicas && !moved; k++) {
        const struct best_replica *r = &b->replica[k];
        const struct best_job *j = &b->job[r->job];
        uint32_t e = part_of(b, r, parts);
        if (r->gpu != there || r->job == b->replica[from].job || j->fixed || e == 0)
            continue;
        for (uint32_t h = j->first; h < j->first + j->n && !moved; h++)
            moved = b->replica[h].gpu == here && move(b, k, h, e, p, now);
    }
    if (!moved)
        shift(b, to, from, d);
    return moved;
}

static bool exchange_any(struct best *b, double p)
{
    double now = norm(b, p);
    bool moved = false;

    for (uint32_t parts = 1; parts <= EXCHANGED; parts *= 4)
        for (uint32_t i = 0; i < b->n_jobs; i++) {
            const struct best_job *j = &b->job[i];
            for (uint32_t from = j->first; !j->fixed && from < j->first + j->n; from++)
                for (uint32_t to = j->first; to < j->first + j->n; to++)
                    moved |= from != to && exchange(b, from, to, parts, p, &now);
        }
    return moved;
}

static bool fits(struct best *b)
{
    count(b);
    for (uint32_t k = 0; k < b->n_replicas; k++)
        if (!within(b, &b->replica[k]))
            return false;
    return true;
}

bool best_descend(struct best *b)
{
    double before = INFINITY;

    if (!fits(b))
        return true;
    for (uint32_t k = 0; k < EXPONENTS; k++) {
        if (isnan(norm(b, exponents[k])))
            return false;
        descend(b, exponents[k]);
    }
    while (b->largest < before * (1 - WORTH) && exchange_any(b, exponents[1])) {
        before = b->largest;
        for (uint32_t k = 1; k < EXPONENTS; k++)
            descend(b, exponents[k]);
    }
    return true;
}

static void restore(struct best *b)
{
    for (uint32_t k = 0; k < b->n_replicas; k++)
        b->replica[k].samples = b->kept[k];
    count(b);
}

/* Out of the minimum there is: all that a job has on one GPU goes to another, then down, at first
 * without a way back. */
static void hop(struct best *b, uint32_t from, uint32_t to)
{
    restore(b);
    shift(b, from, to, b->replica[from].samples);
    if (!within(b, &b->replica[to]))
        return;
    b->closed = from + 1;
    descend(b, exponents[1]);
    b->closed = 0;
    for (uint32_t k = 1; k < EXPONENTS; k++)
        descend(b, exponents[k]);
}

static void hop_all(struct best *b, double tight)
{
    uint64_t most = b->asked + HOPPING;

    for (uint32_t i = 0; i < b->n_jobs; i++) {
        const struct best_job *j = &b->job[i];
        for (uint32_t from = j->first; !j->fixed && from < j->first + j->n; from++)
            for (uint32_t to = j->first; to < j->first + j->n; to++)
                if (b->kept[from] > 0 && from != to && b->asked < most &&
                    b->largest > b->bound * (1 + tight))
                    hop(b, from, to);
    }
}

bool best_solve(struct best *b, double tight)
{
    b->largest = INFINITY;
    b->bound = 0;
    bool ok = best_descend(b) && b->largest < INFINITY;
    if (ok && best_raise(b, tight) && b->largest > b->bound * (1 + tight))
        best_descend(b);
    if (ok)
        hop_all(b, tight);
    restore(b);
    return ok && !isnan(best_judge(b));
}
