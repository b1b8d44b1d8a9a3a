/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asha - asynchronous successive halving by promotion: no barrier.
 *
 * Li et al. (2020), Algorithm 2. Who has trained until the end of a rung is set aside. Whenever
 * there is room for a trial, the best one that is set aside in the top 1/eta of its rung is
 * promoted, from the highest rung down; else a new one begins. When nobody trains and nobody can be
 * promoted, what is still set aside is stopped: no worker would ever come back to it.
 */
#include "policies/tuners/lib/bracket.h"
#include "policies/tuners/lib/budget.h"
#include "policies/tuners/lib/rank.h"
#include "policies/tuners/lib/split.h"

#define NOBODY UINT32_MAX
#define LEFT   UINT8_MAX /* in place of a rung: it was stopped at its end */

/* Who has come to the end of a rung. */
struct rung {
    struct split all;  /* best: the top 1/eta */
    struct heap aside; /* those that were not promoted, by (rank, trial) */
};

struct asha {
    struct budget budget;
    int64_t at_once;
    struct bracket plan;
    struct rung *rung;
    uint8_t *at;   /* by trial: the rung to whose end it goes, or at whose end it is set aside */
    uint32_t next; /* trials submitted */
    uint32_t busy; /* those that run or wait */
    bool over;
};

static const struct field fields[] = {
    BUDGET_FIELDS(struct asha, budget, "4", "Li et al. (2020)"),
    {FIELD_INT, "at_once", offsetof(struct asha, at_once), "0", 0, 1e6, NULL,
     "trials that train or wait for GPUs at any time, the paper's workers; 0: all are submitted "
     "when the experiment begins"},
    {.type = FIELD_END},
};

static bool check(const void *params, const struct tune_outline *o, char *why, size_t size)
{
    const struct asha *s = params;

    return budget_check(&s->budget, o, why, size);
}

static void come(struct asha *s, const struct tx *tx, uint32_t trial, double metric)
{
    struct rung *r = &s->rung[s->at[trial]];
    int64_t rank = rank_of(metric, tune_falls(tx));
    uint32_t n = r->all.best.n + r->all.rest.n + 1;

    split_add(&r->all, trial, rank, n / (uint32_t)s->budget.eta);
    heap_set(&r->aside, trial, rank);
}

/* If the best that is set aside is not in the top, nobody else is. */
static uint32_t promotable(const struct asha *s)
{
    for (uint32_t k = s->plan.rungs - 1; k-- > 0;) {
        const struct rung *r = &s->rung[k];
        if (r->aside.n > 0 && heap_has(&r->all.best, heap_first(&r->aside)))
            return (uint32_t)heap_first(&r->aside);
    }
    return NOBODY;
}

/* true: it trains on. Who has no epochs left has come to the end of the next rung, too. */
static bool promote(struct asha *s, struct tx *tx, uint32_t trial)
{
    uint32_t k = s->at[trial]++;

    heap_drop(&s->rung[k].aside, trial);
    if (tune_epochs(tx, trial) > s->plan.epoch[k])
        return true;
    if (s->at[trial] + 1u < s->plan.rungs)
        come(s, tx, trial, tune_metric(tx, trial));
    return false;
}

/* Gives work to the workers that are free. Whether the one that reports just now goes on. */
static bool fill(struct asha *s, struct tx *tx, uint32_t reporter)
{
    bool goes_on = false;

    while (s->at_once == 0 || s->busy < s->at_once) {
        uint32_t trial = promotable(s);
        if (trial == NOBODY && s->next == tune_trials(tx))
            break;
        if (trial == NOBODY)
            tune_submit(tx, s->next++);
        else if (!promote(s, tx, trial))
            continue;
        else if (trial == reporter)
            goes_on = true;
        else
            tune_promote(tx, trial);
        s->busy++;
    }
    return goes_on;
}

static void stop_if_idle(struct asha *s, struct tx *tx, uint32_t reporter)
{
    if (s->busy > 0 || s->over)
        return;
    s->over = true;
    for (uint32_t k = 0; k < s->next; k++)
        if (k != reporter)
            tune_stop(tx, k);
}

static void open(void *self, struct tx *tx)
{
    struct asha *s = self;
    uint32_t n = tune_trials(tx), most = budget_most(&s->budget, tx);

    s->plan = bracket_halving(n, budget_least(&s->budget, most), most, (uint32_t)s->budget.eta);
    s->rung = tune_keep(tx, s->plan.rungs * sizeof(*s->rung));
    s->at = tune_keep(tx, n * sizeof(*s->at));
    fill(s, tx, NOBODY);
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    struct asha *s = self;
    bool last = s->at[trial] + 1u == s->plan.rungs;

    if (epoch < s->plan.epoch[s->at[trial]])
        return TUNE_GO_ON;
    s->busy--;
    if (last)
        s->at[trial] = LEFT;
    else
        come(s, tx, trial, metric);
    if (fill(s, tx, trial))
        return TUNE_GO_ON;
    stop_if_idle(s, tx, trial);
    return last || s->over ? TUNE_STOP : TUNE_PAUSE;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct asha *s = self;

    if (s->over || s->at[trial] == LEFT)
        return;
    s->busy--;
    if (tune_epoch(tx, trial) == tune_epochs(tx, trial) && s->at[trial] + 1u < s->plan.rungs)
        come(s, tx, trial, tune_metric(tx, trial));
    fill(s, tx, NOBODY);
    stop_if_idle(s, tx, NOBODY);
}

static void close(void *self)
{
    struct asha *s = self;

    for (uint32_t k = 0; s->rung && k < s->plan.rungs; k++) {
        split_free(&s->rung[k].all);
        heap_free(&s->rung[k].aside);
    }
}

const struct tuner tuner_asha = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "asha",
    .about = "asynchronous successive halving: the best of a rung are promoted (Li et al. 2020)",
    .state_size = sizeof(struct asha),
    .params = fields,
    .check = check,
    .open = open,
    .report = report,
    .ended = ended,
    .close = close,
};
