/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two jobs on one GPU: their speeds from the part of the time that each keeps it busy alone. That
 * part was measured, or follows from a calibration: the kernels' time of a measured step.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/accuracy.h"
#include "sim/model/rows.h"

#define ROUNDS 100 /* of the duties, which settle within 1e-9 long before */

void accuracy_duties(const double busy[2], double eta, double speed[2])
{
    double stretch = 2 / (1 + eta / 2), duty[2] = {busy[0], busy[1]};

    for (int round = 0; round < ROUNDS; round++) {
        double next[2];
        for (int i = 0; i < 2; i++) {
            double met = busy[i] * (1 + duty[1 - i] * (stretch - 1));
            speed[i] = 1 / (met + 1 - busy[i]);
            next[i] = met * speed[i];
        }
        for (int i = 0; i < 2; i++) /* half a step: whole ones go to and fro */
            duty[i] = (duty[i] + next[i]) / 2;
    }
}

/* ---- reading ---- */

struct job {
    const char *model, *precision;
    int64_t batch;
};
struct pair_row {
    struct job job, other;
    const char *gpu, *stack;
    int64_t use;
    double speed;
};
#define ROW(member) offsetof(struct pair_row, member)
static const struct field pair_row_fields[] = {
    {FIELD_TEXT, "model", ROW(job.model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_INT, "batch", ROW(job.batch), "0", 0, 1e9, NULL, "samples"},
    {FIELD_TEXT, "precision", ROW(job.precision), "fp32", 0, 0, NULL, "fp32, amp"},
    {FIELD_TEXT, "other", ROW(other.model), NULL, 0, 0, NULL, "the model beside it"},
    {FIELD_INT, "other_batch", ROW(other.batch), "0", 0, 1e9, NULL, "samples"},
    {FIELD_TEXT, "other_precision", ROW(other.precision), "fp32", 0, 0, NULL, "fp32, amp"},
    {FIELD_TEXT, "gpu", ROW(gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_TEXT, "stack", ROW(stack), "", 0, 0, NULL, "measuring party"},
    {FIELD_REAL, "speed", ROW(speed), NULL, 0, 100, NULL, "of the first, relative to alone"},
    {FIELD_INT, "use", ROW(use), "1", 0, 1, NULL, "0: a rule sets it aside"},
    {.type = FIELD_END},
};

struct busy_row {
    struct job job;
    const char *gpu;
    double share;
};
static const struct field busy_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct busy_row, job.model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_INT, "batch", offsetof(struct busy_row, job.batch), NULL, 1, 1e9, NULL, "samples"},
    {FIELD_TEXT, "precision", offsetof(struct busy_row, job.precision), NULL, 0, 0, NULL, "fp32"},
    {FIELD_TEXT, "gpu", offsetof(struct busy_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_REAL, "busy_share", offsetof(struct busy_row, share), NULL, 0, 1, NULL, "alone"},
    {.type = FIELD_END},
};

struct beside {
    const char *gpu, *stack;
    double busy[2], speed;
};

struct reading {
    struct arena *arena;
    const struct accuracy *acc;
    struct busy_row *share;
    struct beside *pair;
    size_t n_shares, shares_cap, n, cap;
};

static bool take_share(void *user, struct mark at, const void *row)
{
    struct reading *r = user;

    (void)at;
    r->share = arena_room(r->arena, r->share, r->n_shares, &r->shares_cap, sizeof(*r->share));
    memcpy(&r->share[r->n_shares++], row, sizeof(*r->share));
    return true;
}

/* NAN: neither measured nor calibrated. */
static double share_of(const struct reading *r, const struct job *j, const char *gpu,
                       const char *stack)
{
    for (size_t i = 0; i < r->n_shares; i++) {
        const struct busy_row *b = &r->share[i];
        if (b->job.batch == j->batch && strcmp(b->job.model, j->model) == 0 &&
            strcmp(b->job.precision, j->precision) == 0 && strcmp(b->gpu, gpu) == 0)
            return b->share;
    }
    for (uint32_t i = 0; i < r->acc->n_points; i++) {
        const struct accuracy_point *p = &r->acc->point[i];
        if (p->samples == (double)j->batch && !p->inference && strcmp(p->model, j->model) == 0 &&
            strcmp(p->gpu, gpu) == 0 && strcmp(p->stack, stack) == 0 &&
            p->precision == precision_named(j->precision))
            return fmin(1, p->answer.kernels / p->measured);
    }
    return NAN;
}

static bool take_pair(void *user, struct mark at, const void *row)
{
    struct reading *r = user;
    const struct pair_row *p = row;
    struct beside b = {
        p->gpu,
        p->stack,
        {share_of(r, &p->job, p->gpu, p->stack), share_of(r, &p->other, p->gpu, p->stack)},
        p->speed};

    (void)at;
    if (!p->use || isnan(b.busy[0]) || isnan(b.busy[1]))
        return true;
    r->pair = arena_room(r->arena, r->pair, r->n, &r->cap, sizeof(*r->pair));
    r->pair[r->n++] = b;
    return true;
}

/* ---- fits ---- */

/* Mean |predicted - measured| speed over the pairs of one GPU and party; shares known, or all busy
 * all the time. */
static double misfit(const struct reading *r, const struct beside *like, bool known, double eta,
                     uint32_t *n)
{
    static const double all_busy[2] = {1, 1};
    double sum = 0, speed[2];

    *n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct beside *b = &r->pair[i];
        if (strcmp(b->gpu, like->gpu) != 0 || strcmp(b->stack, like->stack) != 0)
            continue;
        accuracy_duties(known ? b->busy : all_busy, eta, speed);
        sum += fabs(speed[0] - b->speed);
        ++*n;
    }
    return sum / *n;
}

/* The eta from 0 to 2 with the least misfit, which is returned. */
static double best_eta(const struct reading *r, const struct beside *like, bool known, double *eta,
                       uint32_t *n)
{
    double least = INFINITY;

    for (int i = 0; i <= 100; i++) {
        double off = misfit(r, like, known, 0.02 * i, n);
        if (off < least)
            least = off, *eta = 0.02 * i;
    }
    return least;
}

static bool is_first(const struct reading *r, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(r->pair[k].gpu, r->pair[i].gpu) == 0 &&
            strcmp(r->pair[k].stack, r->pair[i].stack) == 0)
            return false;
    return true;
}

bool accuracy_beside(struct out *o, struct arena *a, struct diag *d, const struct accuracy *x)
{
    struct reading r = {.arena = a, .acc = x};
    struct busy_row busy = {0};
    struct pair_row row = {0};

    if (!x->pairs)
        return true;
    if (!rows_take(a, d, x->busy, busy_fields, "busy", take_share, &r, &busy) ||
        !rows_take(a, d, x->pairs, pair_row_fields, "pairs", take_pair, &r, &row))
        return false;
    out_printf(
        o,
        "\nspeed beside another job, with known busy shares and as if both were always busy\n"
        "  %-24s %5s %8s %9s %10s %9s\n",
        "", "n", "eta", "mean |e|", "flat eta", "mean |e|");
    for (size_t i = 0; i < r.n; i++) {
        double eta = 0, flat = 0;
        uint32_t n;
        if (!is_first(&r, i))
            continue;
        double off = best_eta(&r, &r.pair[i], true, &eta, &n);
        double flat_off = best_eta(&r, &r.pair[i], false, &flat, &n);
        out_printf(o, "  %-24s %5u %8.2f %9.3f %10.2f %9.3f\n",
                   arena_printf(a, "%s %s", r.pair[i].gpu, r.pair[i].stack), n, eta, off, flat,
                   flat_off);
    }
    return true;
}
