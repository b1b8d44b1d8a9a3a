/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperband - brackets of successive halving that trade many trials against long ones.
 *
 * Li et al. (2018), Algorithm 1. Trials are taken from the experiment in its order, for bracket
 * s_max first; or drawn; or, when a bracket begins, picked by a model of what was reported before:
 * BOHB (Falkner et al. 2018). Where fewer are left than a bracket wants it takes these, and what
 * would begin after that does not.
 */
#include "policies/tuners/lib/budget.h"
#include "policies/tuners/lib/draw.h"
#include "policies/tuners/lib/halving.h"
#include "policies/tuners/lib/sampler.h"

enum { ONE_BY_ONE, AT_ONCE };
static const char *const orders[] = {"sequential", "parallel", NULL};
static const char *const sizes[] = {"ceil", "floor", NULL};
enum { PICK_LIST, PICK_RANDOM, PICK_TPE };
static const char *const picks[] = {"list", "random", "tpe", NULL};

struct hyperband {
    struct budget budget;
    int sizes, brackets, pick;
    int64_t rounds;
    struct sampling sampling;
    struct sampler sampler;
    struct halvings halvings;
    uint32_t most, last;  /* R, s_max */
    uint32_t taken, left; /* trials of the experiment */
    uint32_t *order; /* those taken, and behind them those that will be unless there is a model */
};

static const struct field fields[] = {
    BUDGET_FIELDS(struct hyperband, budget, "3", "Li et al. (2018)"),
    {FIELD_CHOICE, "sizes", offsetof(struct hyperband, sizes), "ceil", 0, 0, sizes,
     "trials of bracket s: ceil((s_max+1)/(s+1)*eta^s) as published, or floor((s_max+1)/(s+1))*"
     "eta^s as BOHB's program does"},
    {FIELD_CHOICE, "brackets", offsetof(struct hyperband, brackets), "sequential", 0, 0, orders,
     "those of a round one after the other as published, or at once"},
    {FIELD_INT, "rounds", offsetof(struct hyperband, rounds), "1", 0, 1e6, NULL,
     "how often all brackets are gone through; 0: until no trial is left"},
    {FIELD_CHOICE, "sampler", offsetof(struct hyperband, pick), "list", 0, 0, picks,
     "which trials a bracket takes: the next ones of the experiment, random ones, or those that a "
     "model picks (tpe: BOHB, by the keys that follow)"},
    SAMPLING_FIELDS(struct hyperband, sampling),
    {.type = FIELD_END},
};

static bool check(const void *params, const struct tune_outline *o, char *why, size_t size)
{
    const struct hyperband *s = params;

    return budget_check(&s->budget, o, why, size) &&
           (s->pick != PICK_TPE || sampling_check(&s->sampling, o, why, size));
}

/* The n-th bracket of all, for at most so many trials. */
static struct bracket nth_bracket(const struct hyperband *s, uint32_t n, uint32_t trials)
{
    struct bracket b = bracket_hyperband(s->last - n % (s->last + 1), s->last, s->most,
                                         (uint32_t)s->budget.eta, (enum bracket_sizes)s->sizes);

    if (b.trials[0] > trials)
        bracket_shrink(&b, trials, (uint32_t)s->budget.eta);
    return b;
}

static bool another(const struct hyperband *s, uint32_t begun, uint32_t left)
{
    return left > 0 && (s->rounds == 0 || begun < s->rounds * (s->last + 1));
}

static uint32_t count_brackets(const struct hyperband *s)
{
    uint32_t n = 0;

    for (uint32_t left = s->left; another(s, n, left); n++)
        left -= nth_bracket(s, n, left).trials[0];
    return n;
}

/* When no bracket is open: the next one, or the next round of them. */
static void begin(struct hyperband *s, struct tx *tx)
{
    uint32_t n = s->brackets == AT_ONCE ? s->last + 1 : 1;

    if (s->halvings.open > 0)
        return;
    for (; n > 0 && another(s, s->halvings.begun, s->left); n--) {
        struct bracket b = nth_bracket(s, s->halvings.begun, s->left);
        uint32_t *trial = s->order + s->taken;
        for (uint32_t k = 0; s->pick == PICK_TPE && k < b.trials[0]; k++)
            trial[k] = sampler_take(&s->sampler, tx);
        s->taken += b.trials[0];
        s->left -= b.trials[0];
        halvings_begin(&s->halvings, tx, &b, trial);
    }
}

static void proceed(struct hyperband *s, struct tx *tx)
{
    begin(s, tx);
    halvings_stop(&s->halvings, tx);
}

/* The longest bracket has the rungs of all others. */
static void open_sampler(struct hyperband *s, struct tx *tx)
{
    struct bracket longest = bracket_hyperband(s->last, s->last, s->most, (uint32_t)s->budget.eta,
                                               (enum bracket_sizes)s->sizes);

    sampler_open(&s->sampler, tx, &s->sampling, &longest);
}

static void open(void *self, struct tx *tx)
{
    struct hyperband *s = self;

    s->most = budget_most(&s->budget, tx);
    s->last = bracket_last(budget_least(&s->budget, s->most), s->most, (uint32_t)s->budget.eta);
    s->left = tune_trials(tx);
    s->order = draw_list(tx, s->left);
    if (s->pick == PICK_RANDOM)
        draw_some(tx, s->order, s->left, s->left);
    if (s->pick == PICK_TPE)
        open_sampler(s, tx);
    halvings_open(&s->halvings, tx, count_brackets(s));
    begin(s, tx);
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    struct hyperband *s = self;

    if (s->pick == PICK_TPE)
        sampler_report(&s->sampler, tx, trial, epoch, metric);
    enum tune_verdict v = halvings_report(&s->halvings, tx, trial, epoch, metric);
    proceed(s, tx);
    return v;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct hyperband *s = self;

    if (s->pick == PICK_TPE && halvings_in(&s->halvings, trial))
        sampler_ended(&s->sampler, tx, trial);
    if (halvings_ended(&s->halvings, tx, trial))
        proceed(s, tx);
}

static void close(void *self)
{
    struct hyperband *s = self;

    halvings_close(&s->halvings);
}

const struct tuner tuner_hyperband = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "hyperband",
    .about = "brackets of successive halving, many short trials to few long ones",
    .state_size = sizeof(struct hyperband),
    .params = fields,
    .check = check,
    .open = open,
    .report = report,
    .ended = ended,
    .close = close,
};
