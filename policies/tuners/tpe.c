/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tpe - search by a model of good and other trials: tree-structured Parzen estimators.
 *
 * Bergstra et al. (2011) with the kernels and the choice of budgets of BOHB (Falkner et al. 2018),
 * but without its early stopping: a trial is looked at when it comes to r, r * eta, r * eta^2 ...
 * and R epochs, to which it trains. One that ended before that counts with its last metric at all
 * later looks: it will not get better.
 */
#include <stdio.h>

#include "policies/tuners/lib/budget.h"
#include "policies/tuners/lib/sampler.h"

struct tpe {
    int64_t at_once, samples;
    struct budget budget;
    struct sampling sampling;
    struct sampler sampler;
    uint32_t taken, n; /* trials, in all */
    uint32_t most;     /* R */
};

static const struct field fields[] = {
    {FIELD_INT, "at_once", offsetof(struct tpe, at_once), "4", 1, 1e6, NULL,
     "trials alive at any time: each that ends is followed by one that the model picks"},
    {FIELD_INT, "samples", offsetof(struct tpe, samples), "0", 0, 1e6, NULL,
     "trials in all; 0: until none is left"},
    {FIELD_INT, "min_epochs", offsetof(struct tpe, budget.least), "1", 1, 1e6, NULL,
     "the first look at a trial (r)"},
    {FIELD_INT, "max_epochs", offsetof(struct tpe, budget.most), "0", 0, 1e6, NULL,
     "epochs of a trial at most (R); 0: those of the longest trial"},
    {FIELD_INT, "eta", offsetof(struct tpe, budget.eta), "3", 2, 1e6, NULL,
     "looks are so many times as late from one to the next; default: BOHB's"},
    SAMPLING_FIELDS(struct tpe, sampling),
    {.type = FIELD_END},
};

static bool check(const void *params, const struct tune_outline *o, char *why, size_t size)
{
    const struct tpe *s = params;

    if (s->samples > o->trials) {
        snprintf(why, size, "samples: %lld; the experiment has %u trial%s", (long long)s->samples,
                 o->trials, o->trials == 1 ? "" : "s");
        return false;
    }
    return budget_check(&s->budget, o, why, size) && sampling_check(&s->sampling, o, why, size);
}

static void submit(struct tpe *s, struct tx *tx)
{
    if (s->taken < s->n) {
        s->taken++;
        tune_submit(tx, sampler_take(&s->sampler, tx));
    }
}

static void open(void *self, struct tx *tx)
{
    struct tpe *s = self;
    uint32_t trials = tune_trials(tx);

    s->n = s->samples ? (uint32_t)s->samples : trials;
    s->most = budget_most(&s->budget, tx);
    struct bracket looks = bracket_halving(trials, budget_least(&s->budget, s->most), s->most,
                                           (uint32_t)s->budget.eta);
    sampler_open(&s->sampler, tx, &s->sampling, &looks);
    for (int64_t k = 0; k < s->at_once; k++)
        submit(s, tx);
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                double metric)
{
    struct tpe *s = self;

    sampler_report(&s->sampler, tx, trial, epoch, metric);
    return epoch < s->most ? TUNE_GO_ON : TUNE_STOP;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct tpe *s = self;

    sampler_ended(&s->sampler, tx, trial);
    submit(s, tx);
}

const struct tuner tuner_tpe = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "tpe",
    .about = "model-based: the trial most likely to be among the best, by Parzen estimators",
    .state_size = sizeof(struct tpe),
    .params = fields,
    .check = check,
    .open = open,
    .report = report,
    .ended = ended,
};
