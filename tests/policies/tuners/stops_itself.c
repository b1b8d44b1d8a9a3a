/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stops the trial that reports, and then wants it paused. */
#include "t.h"

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch, double m)
{
    (void)self, (void)m;
    if (epoch == 2 && trial % 2)
        tune_stop(tx, trial);
    return epoch == 2 && trial % 2 ? TUNE_PAUSE : TUNE_GO_ON;
}

TUNER_T(.open = submit_all, .report = report);
