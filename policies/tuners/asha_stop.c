/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asha_stop - asynchronous successive halving by stopping: nobody waits, nobody comes back.
 *
 * As in Ray Tune's ASHAScheduler: a trial that comes to the end of a rung is compared with those
 * that came there before it, and stopped if it is worse than their (1 - 1/eta) quantile
 * (interpolated); else it trains on. It counts for those that come after it in either case. With
 * several brackets a trial is in one of them by chance, with weights exp(rungs); bracket s leaves
 * out the first s rungs.
 */
#include <math.h>

#include "policies/tuners/lib/bracket.h"
#include "policies/tuners/lib/budget.h"
#include "policies/tuners/lib/rank.h"
#include "policies/tuners/lib/split.h"
#include "policies/tuners/lib/supply.h"

struct asha_stop {
    struct budget budget;
    int64_t brackets;
    struct supply supply;
    struct bracket plan;
    struct split *rung;    /* of bracket 0, then those of bracket 1, ... */
    uint8_t *bracket, *at; /* by trial: the rung to whose end it goes */
};

static const struct field fields[] = {
    BUDGET_FIELDS(struct asha_stop, budget, "4", "Li et al. (2020)"),
    {FIELD_INT, "brackets", offsetof(struct asha_stop, brackets), "1", 1, BRACKET_RUNGS, NULL,
     "brackets at most; bracket s leaves out the first s rungs"},
    SUPPLY_FIELD(struct asha_stop, supply),
    {.type = FIELD_END},
};

static bool check(const void *params, const struct tune_outline *o, char *why, size_t size)
{
    const struct asha_stop *s = params;

    return budget_check(&s->budget, o, why, size);
}

/* A bracket by chance: bracket s has s rungs less than bracket 0. */
static uint8_t draw(const struct asha_stop *s, struct tx *tx)
{
    double total = 0, left;
    uint8_t k = 0;

    for (int64_t b = 0; b < s->brackets; b++)
        total += exp((double)-b);
    left = (double)(tune_random(tx) >> 11) * 0x1p-53 * total;
    while (k + 1 < s->brackets && (left -= exp(-k)) >= 0)
        k++;
    return k;
}

static void open(void *self, struct tx *tx)
{
    struct asha_stop *s = self;
    uint32_t n = tune_trials(tx), most = budget_most(&s->budget, tx);

    s->plan = bracket_halving(n, budget_least(&s->budget, most), most, (uint32_t)s->budget.eta);
    if (s->brackets > s->plan.rungs)
        s->brackets = s->plan.rungs;
    s->rung = tune_keep(tx, (size_t)s->brackets * s->plan.rungs * sizeof(*s->rung));
    s->bracket = tune_keep(tx, n);
    s->at = tune_keep(tx, n);
    for (uint32_t k = 0; s->brackets > 1 && k < n; k++)
        s->at[k] = s->bracket[k] = draw(s, tx);
    supply_open(&s->supply, tx);
}

/* Of n results the quantile lies between the ones of which ceil((n - 1) / eta) and one more are at
 * least as good. */
static double quantile(const struct asha_stop *s, const struct split *r, bool falls)
{
    uint64_t n = r->best.n + r->rest.n, eta = (uint64_t)s->budget.eta;
    double share = (double)((n - 1) * (eta - 1) % eta) / (double)eta;
    double worse = rank_metric(heap_first_key(&r->rest), falls);

    return share > 0 ? worse + share * (rank_metric(heap_first_key(&r->best), falls) - worse)
                     : worse;
}

/* Whether it may go on. */
static bool come(struct asha_stop *s, const struct tx *tx, uint32_t trial, double metric)
{
    struct split *r = &s->rung[s->bracket[trial] * s->plan.rungs + s->at[trial]++];
    uint32_t n = r->best.n + r->rest.n, eta = (uint32_t)s->budget.eta;
    bool falls = tune_falls(tx), stays = true;

    if (n > 0) {
        double cut = quantile(s, r, falls);
        stays = falls ? metric <= cut : metric >= cut;
    }
    split_add(r, trial, rank_of(metric, falls), (n + eta - 1) / eta);
    return stays;
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    struct asha_stop *s = self;

    if (epoch < s->plan.epoch[s->at[trial]])
        return TUNE_GO_ON;
    if (s->at[trial] + 1u == s->plan.rungs)
        return TUNE_STOP;
    return come(s, tx, trial, metric) ? TUNE_GO_ON : TUNE_STOP;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct asha_stop *s = self;
    uint32_t epochs = tune_epochs(tx, trial);

    if (tune_epoch(tx, trial) == epochs && epochs == s->plan.epoch[s->at[trial]] &&
        s->at[trial] + 1u < s->plan.rungs)
        come(s, tx, trial, tune_metric(tx, trial));
    supply_next(&s->supply, tx);
}

static void close(void *self)
{
    struct asha_stop *s = self;

    for (uint32_t k = 0; s->rung && k < s->brackets * s->plan.rungs; k++)
        split_free(&s->rung[k]);
}

const struct tuner tuner_asha_stop = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "asha_stop",
    .about = "asynchronous successive halving: the worse of a rung are stopped (Ray Tune)",
    .state_size = sizeof(struct asha_stop),
    .params = fields,
    .check = check,
    .open = open,
    .report = report,
    .ended = ended,
    .close = close,
};
