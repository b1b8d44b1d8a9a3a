/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for trials that there are not, for things that are not possible, and is refused: run_all. */
#include "t.h"

static void expect(struct tx *tx, bool right)
{
    if (!right)
        for (uint32_t k = 0; k < tune_trials(tx); k++)
            tune_stop(tx, k);
}

static void meddle(struct tx *tx)
{
    uint32_t n = tune_trials(tx);

    expect(tx, !tune_submit(tx, n) && !tune_submit(tx, UINT32_MAX) && !tune_promote(tx, n));
    expect(tx, !tune_stop(tx, n) && !tune_copy(tx, n, 0, 0) && !tune_copy(tx, 0, n, 0));
    expect(tx, !tune_copy(tx, 0, 0, 0) && !tune_copy(tx, 0, 1, n) && !tune_promote(tx, 0));
    expect(tx, tune_epochs(tx, n) == 0 && tune_epoch(tx, n) == 0 && isnan(tune_metric(tx, n)));
    expect(tx, isnan(tune_coordinate(tx, n, 0)) && isnan(tune_coordinate(tx, 0, tune_axes(tx))));
}

static void open(void *self, struct tx *tx)
{
    expect(tx, isnan(tune_metric(tx, 0)) && tune_epoch(tx, 0) == 0 && !tune_stop(tx, 0));
    submit_all(self, tx);
    expect(tx, !tune_submit(tx, 0));
    meddle(tx);
}

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch, double m)
{
    (void)self;
    meddle(tx);
    expect(tx, tune_epoch(tx, trial) == epoch && tune_metric(tx, trial) == m);
    expect(tx, !tune_copy(tx, trial, (trial + 1) % tune_trials(tx), trial));
    return TUNE_GO_ON;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    (void)self;
    meddle(tx);
    expect(tx, !tune_stop(tx, trial) && !tune_promote(tx, trial) && !tune_submit(tx, trial));
    expect(tx, tune_epoch(tx, trial) == tune_epochs(tx, trial));
}

TUNER_T(.open = open, .report = report, .ended = ended);
