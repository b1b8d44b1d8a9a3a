/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/gains.h"

#include <math.h>
#include <string.h>

double gains_rate(struct cx *cx, const struct bound *b, job_id j, uint32_t station)
{
    return sim_rate(cx, j, sim_even(cx, j, &b->station[station].first, 1));
}

static double rate_on(struct cx *cx, const struct bound *b, job_id j, type_id t)
{
    bool runs = b->room[t].n > 0 && sim_job(cx, j)->types >> t & 1;

    return runs ? gains_rate(cx, b, j, (uint32_t)heap_first(&b->room[t])) : 0;
}

double gains_on(struct cx *cx, const struct bound *b, job_id j, type_id t, bool absolute)
{
    double slowest = INFINITY, here = rate_on(cx, b, j, t);

    if (absolute)
        return here * (sim_job(cx, j)->batch > 0 ? sim_job(cx, j)->batch : 1);
    for (type_id k = 0; k < sim_types(cx); k++) {
        double r = rate_on(cx, b, j, k);
        if (r > 0 && r < slowest)
            slowest = r;
    }
    return here / slowest;
}

double gains_from(struct cx *cx, const struct bound *b, job_id j, uint32_t slow, uint32_t fast)
{
    return gains_rate(cx, b, j, fast) / gains_rate(cx, b, j, slow);
}

/* Seconds less that its remaining steps, or those it makes in the horizon, take on the fast one. */
static double left_s(struct cx *cx, const struct bound *b, const struct gains_rules *r, job_id j,
                     uint32_t slow, uint32_t fast)
{
    const struct job_view *v = sim_job(cx, j);
    double steps = v->steps_declared - v->steps, rate = gains_rate(cx, b, j, slow);

    if (r->horizon > 0)
        steps = fmin(steps, rate * ((double)r->horizon / 1e9));
    return steps / rate - steps / gains_rate(cx, b, j, fast);
}

/* A trial that never ran has no state. */
static double move_s(struct cx *cx, const struct gains_rules *r, job_id j)
{
    const struct job_view *v = sim_job(cx, j);

    return v->held || v->steps > 0 ? (double)r->move / 1e9 : 0;
}

double gains_saving(struct cx *cx, const struct bound *b, const struct gains_rules *r, job_id i,
                    job_id k, uint32_t slow, uint32_t fast)
{
    double x = left_s(cx, b, r, i, slow, fast) - move_s(cx, r, i);

    if (k == NO_JOB)
        return x;
    if (r->victim_loss)
        x -= left_s(cx, b, r, k, slow, fast);
    return x - move_s(cx, r, k);
}

int64_t gains_key(double x)
{
    int64_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static uint32_t short_key(double x)
{
    float f = (float)x;
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits >> 31 ? ~bits : bits ^ UINT32_C(1) << 31;
}

/* By the first, then by the second. */
static int64_t key2(double first, double second)
{
    uint64_t key = (uint64_t)short_key(first) << 32 | short_key(second);

    return (int64_t)(key ^ UINT64_C(1) << 63);
}

/* ---- leavers ---- */

const char *const leavers_rules[] = {"gain", "convergence", NULL};

void leavers_init(struct leavers *l, struct cx *cx)
{
    l->n_types = sim_types(cx);
    l->of = sim_keep(cx, (size_t)l->n_types * l->n_types * sizeof(*l->of));
}

void leavers_free(struct leavers *l)
{
    for (uint32_t k = 0; k < l->n_types * l->n_types; k++)
        heap_free(&l->of[k]);
}

struct heap *leavers_of(const struct leavers *l, type_id fast, type_id slow)
{
    return &l->of[fast * l->n_types + slow];
}

int64_t leavers_key(const struct leavers *l, struct cx *cx, struct bound *b, job_id j,
                    uint32_t slow, uint32_t fast)
{
    const struct trail *t = &bound_member(b, cx, j)->trail;
    double gain = gains_from(cx, b, j, slow, fast), score = t->n ? trail_score(t, t->n) : INFINITY;

    return l->rule == LEAVERS_GAIN ? key2(gain, score) : key2(score, gain);
}

void leavers_note(struct leavers *l, struct cx *cx, struct bound *b, job_id j, uint32_t station)
{
    type_id fast = b->station[station].type;
    uint64_t slow = sim_job(cx, j)->types & ~(UINT64_C(1) << fast);

    for (; slow; slow &= slow - 1) {
        type_id t = (type_id)__builtin_ctzll(slow);
        if (b->first_of_type[t] != UINT32_MAX)
            heap_set(leavers_of(l, fast, t), j,
                     leavers_key(l, cx, b, j, b->first_of_type[t], station));
    }
}

void leavers_drop(struct leavers *l, const struct bound *b, job_id j, uint32_t station)
{
    for (type_id t = 0; t < l->n_types; t++)
        heap_drop(leavers_of(l, b->station[station].type, t), j);
}
