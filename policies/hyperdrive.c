/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperdrive - POP (Rasley et al., Middleware 2017), reconstructed: trials that are likely to reach
 * the target have GPUs of their own, the others take turns on the rest, and those that will hardly
 * reach it run last, or are turned away.
 */
#include <math.h>
#include <stdlib.h>

#include "policies/lib/fit.h"
#include "policies/lib/grow.h"
#include "policies/lib/pool.h"
#include "policies/lib/trail.h"
#include "sim/heap.h"

enum poor { POOR_LAST, POOR_REJECT };
static const char *const poors[] = {"last", "reject", NULL};

enum rank { PROMISING, SERVED, OPPORTUNISTIC, POOR };
static const char *const reasons[] = {
    [PROMISING] = "promising: it is likely to reach the target",
    [SERVED] = "its quantum is not over",
    [OPPORTUNISTIC] = "next in turn of those that may reach the target",
    [POOR] = "it will hardly reach the target: what others leave",
};

/* A job, by slot. */
struct candidate {
    job_id job;
    struct trail trail;
    struct fit fit; /* through the first `fitted` reports */
    uint32_t fitted;
    uint32_t epochs_before; /* reported before this quantum */
    int64_t turn;           /* when it was served last, counted; 0: never */
    bool over;              /* its quantum has ended */
    /* At the present decision: */
    bool known;    /* enough was reported to foretell its end */
    double final;  /* loss after the last epoch, as foretold */
    double chance; /* of a loss that is as good as the target's */
    enum rank rank;
    uint32_t gpus;
};

struct hyperdrive {
    struct fit_rules fit;
    double promising, poor;
    int poor_are;
    int64_t quantum;
    struct candidate *by_slot;
    uint32_t slots;
    double *best; /* by experiment: the least loss reported */
    int64_t turns;
    struct heap over; /* jobs whose quantum has ended in this instant */
};

#define AT(member) offsetof(struct hyperdrive, member)
static const struct field fields[] = {
    {FIELD_REAL, "promising", AT(promising), "0", 0, 1, NULL,
     "chance from which a trial has GPUs of its own; 0: the one that gives most GPUs to such "
     "trials, where a chance of p deserves the share p of the cluster"},
    {FIELD_REAL, "poor", AT(poor), "0.05", 0, 1, NULL, "chance below which a trial is poor"},
    {FIELD_CHOICE, "poor_are", AT(poor_are), "last", 0, 0, poors,
     "poor trials run when GPUs are left, or are turned away"},
    {FIELD_INT, "quantum_epochs", AT(quantum), "1", 1, 1e6, NULL,
     "epochs after which a trial without GPUs of its own yields"},
    FIT_FIELDS(struct hyperdrive, fit),
    {.type = FIELD_END},
};

static struct candidate *candidate_of(struct hyperdrive *s, struct cx *cx, job_id j)
{
    uint32_t slot = sim_slot(j);

    s->by_slot = grow(cx, s->by_slot, slot, &s->slots, sizeof(*s->by_slot));
    return &s->by_slot[slot];
}

/* ---- what is foretold ---- */

/* The loss to reach: of the experiment's target; without one, the best that was reported. */
static double target_loss(const struct hyperdrive *s, struct cx *cx, const struct job_view *v)
{
    double target = sim_experiment(cx, v->experiment).target;

    return isnan(target) ? s->best[v->experiment]
                         : (target - v->metric_ideal) / (v->metric_start - v->metric_ideal);
}

static void foretell(struct hyperdrive *s, struct cx *cx, struct candidate *c)
{
    const struct job_view *v = sim_job(cx, c->job);

    c->gpus = v->gpus;
    c->known = c->trail.n >= s->fit.reports;
    c->chance = c->final = 0;
    if (!c->known)
        return;
    if (c->fitted != c->trail.n)
        c->fit = fit_losses(c->trail.loss, c->trail.n, &s->fit);
    c->fitted = c->trail.n;
    c->final = fit_at(&c->fit, v->epochs);
    double room = target_loss(s, cx, v) - c->final, error = fit_error(&c->fit, v->epochs);
    c->chance = error > 0 ? 0.5 * erfc(-room / (error * sqrt(2))) : room >= 0;
}

/* Likely ones first; those of which nothing is foretold last. */
static int by_chance(const void *a, const void *b)
{
    const struct candidate *x = *(const struct candidate *const *)a,
                           *y = *(const struct candidate *const *)b;

    if (x->known != y->known)
        return x->known ? -1 : 1;
    if (x->chance != y->chance)
        return x->chance > y->chance ? -1 : 1;
    if (x->final != y->final)
        return x->final < y->final ? -1 : 1;
    return x->job < y->job ? -1 : 1;
}

/* The most GPUs that promising trials get: at a threshold p as many as all above it want, and no
 * more than the share p of the cluster. */
static double deserved(struct candidate *const *c, uint32_t n, double all)
{
    double want = 0, most = 0;

    for (uint32_t i = 0; i < n && c[i]->known; i++) {
        want += c[i]->gpus;
        most = fmax(most, fmin(want, all * c[i]->chance));
    }
    return most;
}

/* Candidates in the order of by_chance. */
static void classify(const struct hyperdrive *s, struct cx *cx, struct candidate **c, uint32_t n)
{
    double left = s->promising > 0 ? INFINITY : deserved(c, n, sim_gpus(cx));
    double least = s->promising > 0 ? s->promising : s->poor;

    for (uint32_t i = 0; i < n; i++) {
        bool holds = sim_job(cx, c[i]->job)->held > 0;
        c[i]->rank = OPPORTUNISTIC;
        if (c[i]->known && c[i]->chance >= least && left >= c[i]->gpus)
            c[i]->rank = PROMISING;
        else if (c[i]->known && c[i]->chance < s->poor)
            c[i]->rank = POOR;
        left -= c[i]->rank == PROMISING ? c[i]->gpus : 0;
        if (c[i]->rank == OPPORTUNISTIC && holds && !c[i]->over)
            c[i]->rank = SERVED;
    }
}

static int by_rank(const void *a, const void *b)
{
    const struct candidate *x = *(const struct candidate *const *)a,
                           *y = *(const struct candidate *const *)b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->rank == PROMISING)
        return by_chance(a, b);
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    return x->job < y->job ? -1 : 1;
}

/* ---- decisions ---- */

/* Turns a poor one away, if there is one whose turn has ended. Its tuner hears of it, and may end
 * others. */
static bool turn_away(struct hyperdrive *s, struct cx *cx, struct candidate *const *c, uint32_t n)
{
    for (uint32_t i = n; s->poor_are == POOR_REJECT && i-- > 0 && c[i]->rank == POOR;) {
        bool holds = sim_job(cx, c[i]->job)->held > 0;
        if (holds && (!c[i]->over || sim_preempt(cx, c[i]->job, "it is turned away") != ACT_OK))
            continue;
        if (sim_job(cx, c[i]->job)->state != JOB_WAITING)
            continue;
        heap_drop(&s->over, c[i]->job);
        return sim_reject(cx, c[i]->job, "it reaches the target with a chance of %.3g only",
                          c[i]->chance) == ACT_OK;
    }
    return false;
}

static void started(void *self, struct cx *cx, job_id j)
{
    struct hyperdrive *s = self;
    struct candidate *c = candidate_of(s, cx, j);

    c->turn = ++s->turns;
    c->over = false;
    c->epochs_before = sim_job(cx, j)->epoch;
}

/* false: somebody was turned away, and all must be looked at again. */
static bool decide(struct hyperdrive *s, struct cx *cx)
{
    uint32_t n;
    struct wish *w = pool_wishes(cx, &n);
    struct candidate **c = sim_scratch(cx, (n + 1) * sizeof(struct candidate *));

    for (uint32_t i = 0; i < n; i++) {
        c[i] = candidate_of(s, cx, w[i].job);
        foretell(s, cx, c[i]);
    }
    qsort(c, n, sizeof(*c), by_chance);
    classify(s, cx, c, n);
    qsort(c, n, sizeof(*c), by_rank);
    if (turn_away(s, cx, c, n))
        return false;
    for (uint32_t i = 0; i < n; i++)
        w[i] =
            (struct wish){c[i]->job, !c[i]->over || c[i]->rank == PROMISING, reasons[c[i]->rank]};
    pool_serve(cx, w, n, started, s);
    return true;
}

static void schedule(void *self, struct cx *cx)
{
    struct hyperdrive *s = self;

    while (sim_count(cx, JOB_WAITING) > 0 && (sim_free_gpus(cx) > 0 || s->over.n > 0) &&
           !decide(s, cx))
        ;
    for (job_id j; (j = heap_first(&s->over)) != NO_JOB; heap_drop(&s->over, j)) {
        struct candidate *c = candidate_of(s, cx, j);
        if (c->over)
            c->epochs_before = sim_job(cx, j)->epoch;
        c->over = false;
    }
}

/* ---- callbacks ---- */

static void init(void *self, struct cx *cx)
{
    struct hyperdrive *s = self;
    uint32_t n = sim_experiments(cx);

    s->best = sim_keep(cx, (n + 1) * sizeof(*s->best));
    for (uint32_t i = 0; i < n; i++)
        s->best[i] = INFINITY;
}

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct hyperdrive *s = self;
    struct candidate *c = candidate_of(s, cx, j);

    if (was == JOB_FUTURE) {
        struct trail kept = c->trail;
        *c = (struct candidate){.job = j, .trail = kept};
        trail_begin(&c->trail);
    } else if (sim_job(cx, j)->state >= JOB_DONE) {
        heap_drop(&s->over, j);
    }
}

static void job_reported(void *self, struct cx *cx, job_id j)
{
    static const struct trail_rules rules = {MEASURE_METRIC, 1, 1};
    struct hyperdrive *s = self;
    struct candidate *c = candidate_of(s, cx, j);
    const struct job_view *v = sim_job(cx, j);

    trail_add(&c->trail, &rules, cx, j);
    s->best[v->experiment] = fmin(s->best[v->experiment], c->trail.loss[c->trail.n - 1]);
    if (v->epoch - c->epochs_before >= s->quantum) {
        c->over = true;
        heap_set(&s->over, j, 0);
    }
}

static void fini(void *self)
{
    heap_free(&((struct hyperdrive *)self)->over);
}

static uint32_t more_flags(const void *params)
{
    return ((const struct hyperdrive *)params)->poor_are == POOR_REJECT ? POLICY_REJECTS : 0;
}

const struct policy policy_hyperdrive = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS,
    .name = "hyperdrive",
    .about = "GPUs of their own for trials likely to reach the target (reconstructed)",
    .state_size = sizeof(struct hyperdrive),
    .params = fields,
    .init = init,
    .schedule = schedule,
    .fini = fini,
    .job_changed = job_changed,
    .job_reported = job_reported,
    .more_flags = more_flags,
};
