/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the trials of a station comes first: eq. 10, eq. 11. */
#include <math.h>

#include "policies/lib/bound.h"

uint32_t bound_need(const struct bound *b, struct cx *cx, job_id j)
{
    return b->rules.scope == SCOPE_NODE ? sim_job(cx, j)->gpus : 1;
}

/* ---- what the next quantum brings: eq. 11 ---- */

/* The true loss after an epoch; NAN: there is no such epoch. */
static double true_loss(struct cx *cx, const struct member *m, uint32_t epoch)
{
    const struct job_view *v = sim_job(cx, m->job);

    if (epoch == 0)
        return 1;
    if (epoch <= m->trail.n)
        return m->trail.loss[epoch - 1];
    return (sim_true_metric(cx, m->job, epoch) - v->metric_ideal) /
           (v->metric_start - v->metric_ideal);
}

/* The loss at an epoch, as the curve that was fitted has it; or truly (an oracle's), between epochs
 * in proportion. */
static double loss_at(const struct bound *b, struct cx *cx, const struct member *m, double epoch)
{
    if (!b->rules.oracle)
        return fit_at(&m->fit, epoch);
    uint32_t below = (uint32_t)epoch;
    double here = true_loss(cx, m, below),
           next = epoch > below ? true_loss(cx, m, below + 1) : here;
    return isnan(next) ? here : here + (next - here) * (epoch - below);
}

/* The epochs that a trial makes in a quantum. */
static double epochs_ahead(const struct bound *b, struct cx *cx, const struct member *m)
{
    const struct job_view *v = sim_job(cx, m->job);
    uint32_t need = bound_need(b, cx, m->job), n = 0;
    gpu_id *gpu = sim_scratch(cx, v->gpus * sizeof(*gpu));

    if (b->rules.quantum == 0)
        return (double)b->rules.quantum_epochs;
    for (uint32_t i = 0; i < m->n; i++)
        for (uint32_t k = 0; k < need; k++)
            gpu[n++] = b->station[m->station[i]].first + k;
    double steps = sim_rate(cx, m->job, sim_even(cx, m->job, gpu, n)) *
                   ((double)b->rules.quantum / (double)SIM_SECOND);
    return steps * v->epochs / v->steps_declared;
}

/* The fall of the loss in the next quantum, over the largest one that it has shown. */
static double reduction(const struct bound *b, struct cx *cx, struct member *m)
{
    const struct job_view *v = sim_job(cx, m->job);
    double now = v->steps * v->epochs / v->steps_declared;
    double then = fmin(now + epochs_ahead(b, cx, m), v->epochs);

    if (m->trail.largest_drop <= 0)
        return 0;
    if (!b->rules.oracle && m->fitted != m->trail.n) {
        m->fit = fit_losses(m->trail.loss, m->trail.n, &b->rules.fit);
        m->fitted = m->trail.n;
    }
    double fall = (loss_at(b, cx, m, now) - loss_at(b, cx, m, then)) / m->trail.largest_drop;
    return isfinite(fall) ? fall : 0; /* losses as large as numbers get */
}

/* ---- order ---- */

/* Whether enough is known of a trial to rank it. */
static bool tried(const struct bound *b, const struct member *m)
{
    bool fitted = b->rules.order == ORDER_REDUCTION && !b->rules.oracle;

    return m->trail.n >= (fitted ? (uint32_t)b->rules.fit.reports : 1);
}

/* Larger is better; of one that was tried. */
static double score(const struct bound *b, struct cx *cx, struct member *m, uint32_t epoch)
{
    uint32_t at =
        b->rules.compare_at == AT_LATEST || epoch == 0 || epoch > m->trail.n ? m->trail.n : epoch;

    return b->rules.order == ORDER_REDUCTION ? reduction(b, cx, m) : trail_score(&m->trail, at);
}

struct waiter bound_waiter(struct bound *b, struct cx *cx, job_id j, uint32_t epoch)
{
    struct member *m = bound_member(b, cx, j);
    struct waiter w = {.job = j, .turn = m->turn, .reports = m->trail.n, .tried = tried(b, m)};

    if (b->rules.order >= ORDER_CONVERGENCE && w.tried)
        w.score = score(b, cx, m, epoch);
    return w;
}

bool bound_waits_before(const struct bound *b, const struct waiter *x, const struct waiter *y)
{
    if (b->rules.order == ORDER_RR && x->turn != y->turn)
        return x->turn < y->turn;
    if (b->rules.order < ORDER_CONVERGENCE || (!x->tried && !y->tried))
        return x->job < y->job;
    if (!x->tried || !y->tried)
        return !x->tried;
    if (x->score != y->score)
        return x->score > y->score;
    return x->reports != y->reports ? x->reports < y->reports : x->job < y->job;
}

bool bound_by_epoch(const struct bound *b)
{
    return b->rules.order == ORDER_CONVERGENCE && b->rules.compare_at == AT_COMMON_EPOCH;
}

bool bound_before(struct bound *b, struct cx *cx, job_id x, job_id y, uint32_t epoch)
{
    struct waiter p = bound_waiter(b, cx, x, epoch), q = bound_waiter(b, cx, y, epoch);

    return bound_waits_before(b, &p, &q);
}

job_id bound_best(struct bound *b, struct cx *cx, uint32_t station)
{
    const struct station *st = &b->station[station];
    uint32_t epoch = bound_epoch(b, cx, station);
    job_id best = bound_waiting(b, cx, station, 0);

    for (uint32_t i = 0; i < st->gpus; i++) {
        job_id j = sim_resident(cx, st->first + i, 0);
        if (j != NO_JOB && (best == NO_JOB || bound_before(b, cx, j, best, epoch)))
            best = j;
    }
    return best;
}

bool bound_yields(struct bound *b, struct cx *cx, job_id i, job_id k, uint32_t epoch)
{
    struct member *p = bound_member(b, cx, i), *q = bound_member(b, cx, k);
    const struct bound_rules *r = &b->rules;

    if (r->order == ORDER_FIFO)
        return false;
    if (r->order == ORDER_RR)
        return p->over;
    if (!tried(b, p)) /* it has not had its first quantum, or not enough of them */
        return false;
    if (!p->over && r->preempt_on != ON_ANY && !(r->preempt_on == ON_ARRIVAL && !tried(b, q)))
        return false;
    return !tried(b, q) || score(b, cx, q, epoch) > score(b, cx, p, epoch) + r->delta;
}

/* ---- reasons ---- */

void bound_displace(struct bound *b, struct cx *cx, job_id i, job_id k, uint32_t epoch)
{
    struct member *p = bound_member(b, cx, i), *q = bound_member(b, cx, k);
    uint32_t by = sim_number(k);

    if (b->rules.order == ORDER_RR)
        sim_preempt(cx, i, "its quantum is over; job %u is next", by);
    else if (!tried(b, q) && q->trail.n == 0)
        sim_preempt(cx, i, "job %u has not been tried yet", by);
    else if (!tried(b, q))
        sim_preempt(cx, i, "job %u has reported too little yet", by);
    else
        sim_preempt(cx, i,
                    b->rules.order == ORDER_REDUCTION
                        ? "job %u gains more in the next quantum: %.4g against %.4g"
                        : "job %u has converged further: %.4g against %.4g",
                    by, score(b, cx, q, epoch), score(b, cx, p, epoch));
    heap_drop(&b->quanta, i);
    bound_competes(b, cx, i);
}

const char *bound_why_start(const struct bound *b, const struct member *m)
{
    switch ((enum order)b->rules.order) {
    case ORDER_FIFO:
        return "first to arrive of this station";
    case ORDER_RR:
        return "next in turn at this station";
    case ORDER_CONVERGENCE:
        return tried(b, m) ? "has converged furthest at this station" : "untried trials come first";
    default:
        return tried(b, m) ? "gains most of this station in the next quantum"
                           : "untried trials come first";
    }
}
