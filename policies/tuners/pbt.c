/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pbt - population-based training: the worst go on from checkpoints of the best.
 *
 * Jaderberg et al. (2017) with truncation selection. Every `interval` epochs a member is ready. If
 * it is among the worst, it takes over the checkpoint of one of the best (exploit), and goes on
 * with hyper-parameters near those of that one (explore): each is multiplied, on its axis from 0 to
 * 1, by 1 - perturb or 1 + perturb. What such a training would report was not recorded; a trial
 * outside the population, not yet followed by anybody, stands in: the nearest one.
 *
 * mode sync: all members pause when they are ready, and go on together. mode async, as common
 * libraries do it: a member is compared, when it is ready, with what the others reported when they
 * were ready last, and pauses only to copy.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/tuners/lib/draw.h"
#include "policies/tuners/lib/rank.h"

#define NOBODY UINT32_MAX

enum { SYNC, ASYNC };
static const char *const modes[] = {"sync", "async", NULL};

struct member {
    int64_t rank;  /* of its metric when it was ready last; INT64_MAX: it never was */
    uint32_t like; /* the trial whose hyper-parameters it has */
    uint32_t from; /* async: whose checkpoint it pauses for */
    bool ended, paused;
};

struct placed {
    int64_t rank;
    uint32_t trial;
};

struct pbt {
    int64_t population, interval;
    double quantile, perturb;
    int mode;
    uint32_t n, alive, waiting;
    struct member *member;
    bool *used;           /* by trial: somebody follows or followed its curve */
    double *aim;          /* by axis: where the perturbed hyper-parameters are */
    struct placed *order; /* scratch */
};

static const struct field fields[] = {
    {FIELD_INT, "population", offsetof(struct pbt, population), "0", 0, 1e6, NULL,
     "members: so many trials, the first ones; the others stand in for explored hyper-parameters; "
     "0: all trials are members"},
    {FIELD_INT, "interval", offsetof(struct pbt, interval), "4", 1, 1e6, NULL,
     "epochs after which a member is ready again"},
    {FIELD_REAL, "quantile", offsetof(struct pbt, quantile), "0.25", 0, 0.5, NULL,
     "the share of members that copies, and that is copied from, rounded up; default: Ray Tune's"},
    {FIELD_REAL, "perturb", offsetof(struct pbt, perturb), "0.2", 0, 1, NULL,
     "hyper-parameters are multiplied by 1 - this or 1 + this; default: Jaderberg et al. (2017)"},
    {FIELD_CHOICE, "mode", offsetof(struct pbt, mode), "sync", 0, 0, modes,
     "whether members wait for each other when they are ready"},
    {.type = FIELD_END},
};

static bool check(const void *params, const struct tune_outline *o, char *why, size_t size)
{
    const struct pbt *s = params;
    int64_t n = s->population ? s->population : o->trials;

    if (n > o->trials)
        snprintf(why, size, "population: %lld; the experiment has %u trial%s", (long long)n,
                 o->trials, o->trials == 1 ? "" : "s");
    else if (n < 2)
        snprintf(why, size, "population: 1; a member needs others to copy from");
    else if (s->interval >= o->epochs)
        snprintf(why, size, "interval: %lld; nobody would be ready before the end, at %u epoch%s",
                 (long long)s->interval, o->epochs, o->epochs == 1 ? "" : "s");
    else
        return true;
    return false;
}

/* ---- who copies from whom ---- */

static int by_rank(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

/* Living members that were ready, into order, the best first. Returns how many. */
static uint32_t place(struct pbt *s)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < s->n; k++)
        if (!s->member[k].ended && s->member[k].rank != INT64_MAX)
            s->order[n++] = (struct placed){s->member[k].rank, k};
    qsort(s->order, n, sizeof(*s->order), by_rank);
    return n;
}

/* How many of n are the worst, and how many the best. */
static uint32_t cut(const struct pbt *s, uint32_t n)
{
    uint32_t m = (uint32_t)ceil(s->quantile * n);

    return m < n / 2 ? m : n / 2;
}

/* ---- explore ---- */

static double distance(const struct pbt *s, const struct tx *tx, uint32_t trial)
{
    double sum = 0;

    for (uint32_t axis = 0; axis < tune_axes(tx); axis++) {
        double d = tune_coordinate(tx, trial, axis) - s->aim[axis];
        sum += d * d;
    }
    return sum;
}

/* The trial that stands in for the perturbed hyper-parameters; NOBODY: there is none. */
static uint32_t stand_in(struct pbt *s, struct tx *tx, uint32_t from)
{
    uint32_t nearest = NOBODY;
    double least = INFINITY;

    if (tune_axes(tx) == 0)
        return NOBODY;
    for (uint32_t axis = 0; axis < tune_axes(tx); axis++) {
        double x = tune_coordinate(tx, s->member[from].like, axis);
        s->aim[axis] = fmin(1, x * (draw_below(tx, 2) ? 1 + s->perturb : 1 - s->perturb));
    }
    for (uint32_t k = 0; k < tune_trials(tx); k++) {
        if (!s->used[k] && distance(s, tx, k) < least) {
            nearest = k;
            least = distance(s, tx, k);
        }
    }
    return nearest;
}

/* Without a stand-in of its kind (model and batch size) a member goes on as the other one would. */
static void copy(struct pbt *s, struct tx *tx, uint32_t trial, uint32_t from)
{
    uint32_t like = stand_in(s, tx, from);

    if (like != NOBODY && tune_copy(tx, trial, from, like)) {
        s->used[like] = true;
        s->member[trial].like = like;
    } else if (tune_copy(tx, trial, from, from)) {
        s->member[trial].like = s->member[from].like;
    }
}

/* ---- the two modes ---- */

/* All are ready: the worst copy in order of their ranks, then all go on by trial. */
static void next_generation(struct pbt *s, struct tx *tx)
{
    uint32_t n = place(s), m = cut(s, n);

    s->waiting = 0;
    for (uint32_t i = n - m; i < n; i++)
        copy(s, tx, s->order[i].trial, s->order[draw_below(tx, m)].trial);
    for (uint32_t k = 0; k < s->n; k++) {
        bool waits = s->member[k].paused;
        s->member[k].paused = false;
        if (waits)
            tune_promote(tx, k);
    }
}

/* Whose checkpoint a member should take; NOBODY: it goes on. */
static uint32_t donor_of(struct pbt *s, struct tx *tx, uint32_t trial)
{
    uint32_t n = place(s), m = cut(s, n);

    for (uint32_t i = n - m; i < n; i++)
        if (s->order[i].trial == trial)
            return s->order[draw_below(tx, m)].trial;
    return NOBODY;
}

/* ---- callbacks ---- */

static void open(void *self, struct tx *tx)
{
    struct pbt *s = self;

    s->n = s->population ? (uint32_t)s->population : tune_trials(tx);
    s->alive = s->n;
    s->member = tune_keep(tx, s->n * sizeof(*s->member));
    s->order = tune_keep(tx, s->n * sizeof(*s->order));
    s->used = tune_keep(tx, tune_trials(tx) * sizeof(*s->used));
    s->aim = tune_keep(tx, tune_axes(tx) * sizeof(*s->aim));
    for (uint32_t k = 0; k < s->n; k++) {
        s->used[k] = true;
        s->member[k] = (struct member){.rank = INT64_MAX, .like = k};
        tune_submit(tx, k);
    }
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    struct pbt *s = self;
    struct member *m = &s->member[trial];

    if (epoch % (uint32_t)s->interval != 0)
        return TUNE_GO_ON;
    m->rank = rank_of(metric, tune_falls(tx));
    if (s->mode == SYNC)
        return TUNE_PAUSE;
    m->from = donor_of(s, tx, trial);
    return m->from == NOBODY ? TUNE_GO_ON : TUNE_PAUSE;
}

static void paused(void *self, struct tx *tx, uint32_t trial)
{
    struct pbt *s = self;

    if (s->mode == ASYNC) {
        copy(s, tx, trial, s->member[trial].from);
        tune_promote(tx, trial);
        return;
    }
    s->member[trial].paused = true;
    if (++s->waiting == s->alive)
        next_generation(s, tx);
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct pbt *s = self;

    s->member[trial].ended = true;
    s->alive--;
    if (s->alive > 0 && s->waiting == s->alive)
        next_generation(s, tx);
}

const struct tuner tuner_pbt = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "pbt",
    .about = "population-based training: the worst go on from checkpoints of the best",
    .state_size = sizeof(struct pbt),
    .params = fields,
    .check = check,
    .open = open,
    .report = report,
    .paused = paused,
    .ended = ended,
};
