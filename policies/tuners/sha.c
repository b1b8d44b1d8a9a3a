/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sha - successive halving: one bracket, each rung a barrier.
 *
 * Jamieson and Talwalkar (2016), with the rungs of Li et al. (2020): r, r * eta, r * eta^2, ... R
 * epochs. Of those that enter a rung 1/eta go on, rounded down, but not below one.
 */
#include "policies/tuners/lib/budget.h"
#include "policies/tuners/lib/draw.h"
#include "policies/tuners/lib/halving.h"

struct sha {
    struct budget budget;
    int64_t trials;
    struct halvings halvings;
};

static const struct field fields[] = {
    BUDGET_FIELDS(struct sha, budget, "3", "Li et al. (2018)"),
    {FIELD_INT, "trials", offsetof(struct sha, trials), "0", 0, 1e6, NULL,
     "how many of the experiment's trials enter, in its order; 0: all"},
    {.type = FIELD_END},
};

static bool check(const void *params, const struct tune_outline *o, char *why, size_t size)
{
    const struct sha *s = params;

    return budget_check(&s->budget, o, why, size);
}

static void open(void *self, struct tx *tx)
{
    struct sha *s = self;
    uint32_t n = tune_trials(tx), most = budget_most(&s->budget, tx);

    if (s->trials > 0 && s->trials < n)
        n = (uint32_t)s->trials;
    struct bracket plan =
        bracket_halving(n, budget_least(&s->budget, most), most, (uint32_t)s->budget.eta);
    halvings_open(&s->halvings, tx, 1);
    halvings_begin(&s->halvings, tx, &plan, draw_list(tx, n));
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    struct sha *s = self;
    enum tune_verdict v = halvings_report(&s->halvings, tx, trial, epoch, metric);

    halvings_stop(&s->halvings, tx);
    return v;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct sha *s = self;

    if (halvings_ended(&s->halvings, tx, trial))
        halvings_stop(&s->halvings, tx);
}

static void close(void *self)
{
    struct sha *s = self;

    halvings_close(&s->halvings);
}

const struct tuner tuner_sha = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "sha",
    .about = "successive halving: one bracket, each rung a barrier",
    .state_size = sizeof(struct sha),
    .params = fields,
    .check = check,
    .open = open,
    .report = report,
    .ended = ended,
    .close = close,
};
