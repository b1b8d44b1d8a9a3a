/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/tuners/lib/halving.h"

#include "policies/tuners/lib/rank.h"

#define NOBODY UINT32_MAX

void halvings_open(struct halvings *s, struct tx *tx, uint32_t brackets)
{
    s->bracket = tune_keep(tx, brackets * sizeof(*s->bracket));
    s->of = tune_keep(tx, tune_trials(tx) * sizeof(*s->of));
    s->lost = tune_keep(tx, tune_trials(tx) * sizeof(*s->lost));
}

void halvings_begin(struct halvings *s, struct tx *tx, const struct bracket *plan,
                    const uint32_t *trial)
{
    struct halving *b = &s->bracket[s->begun++];

    s->open++;
    b->plan = *plan;
    b->out = plan->trials[0];
    for (uint32_t k = 0; k < plan->trials[0]; k++) {
        s->of[trial[k]] = s->begun;
        tune_submit(tx, trial[k]);
    }
}

static void come(struct halving *b, struct tx *tx, uint32_t trial, double metric)
{
    heap_set(&b->come, trial, rank_of(metric, tune_falls(tx)));
    b->out--;
}

static uint32_t take_best(struct heap *h, int64_t *rank)
{
    uint32_t trial = (uint32_t)heap_first(h);

    *rank = heap_first_key(h);
    heap_drop(h, trial);
    return trial;
}

/* All have come: the best go on to the next rung, the others have lost. The one that reports just
 * now gets its verdict as the answer: whether it goes on. */
static bool next_rung(struct halvings *s, struct tx *tx, struct halving *b, uint32_t reporter)
{
    struct heap all = b->come;
    uint32_t end = b->plan.epoch[b->rung], room = b->plan.trials[++b->rung];
    bool goes_on = false;
    int64_t rank;

    b->come = (struct heap){0};
    for (; all.n > 0 && room > 0; room--) {
        uint32_t trial = take_best(&all, &rank);
        if (tune_epochs(tx, trial) <= end) {
            heap_set(&b->come, trial, rank);
            continue;
        }
        b->out++;
        goes_on |= trial == reporter;
        if (trial != reporter)
            tune_promote(tx, trial);
    }
    while (all.n > 0) {
        uint32_t trial = take_best(&all, &rank);
        s->of[trial] = 0;
        if (trial != reporter)
            s->lost[s->n_lost++] = trial;
    }
    heap_free(&all);
    return goes_on;
}

/* Rungs that nobody has to train for pass at once. */
static bool proceed(struct halvings *s, struct tx *tx, struct halving *b, uint32_t reporter)
{
    bool goes_on = false;

    while (b->out == 0 && b->rung + 1 < b->plan.rungs)
        goes_on = next_rung(s, tx, b, reporter);
    if (b->out == 0) {
        heap_free(&b->come);
        s->open--;
    }
    return goes_on;
}

enum tune_verdict halvings_report(struct halvings *s, struct tx *tx, uint32_t trial, uint32_t epoch,
                                  double metric)
{
    struct halving *b = &s->bracket[s->of[trial] - 1];

    bool last = b->rung + 1 == b->plan.rungs;

    if (epoch < b->plan.epoch[b->rung])
        return TUNE_GO_ON;
    if (last)
        s->of[trial] = 0;
    come(b, tx, trial, metric);
    if (b->out > 0)
        return last ? TUNE_STOP : TUNE_PAUSE;
    return proceed(s, tx, b, trial) ? TUNE_GO_ON : TUNE_STOP;
}

bool halvings_ended(struct halvings *s, struct tx *tx, uint32_t trial)
{
    if (s->of[trial] == 0)
        return false;
    struct halving *b = &s->bracket[s->of[trial] - 1];
    bool done = tune_epoch(tx, trial) == tune_epochs(tx, trial);

    s->of[trial] = 0;
    if (done)
        come(b, tx, trial, tune_metric(tx, trial));
    else
        b->out--;
    proceed(s, tx, b, NOBODY);
    return true;
}

void halvings_stop(struct halvings *s, struct tx *tx)
{
    for (uint32_t k = 0; k < s->n_lost; k++)
        tune_stop(tx, s->lost[k]);
    s->n_lost = 0;
}

void halvings_close(struct halvings *s)
{
    for (uint32_t k = 0; k < s->begun; k++)
        heap_free(&s->bracket[k].come);
}
