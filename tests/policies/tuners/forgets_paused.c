/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pauses two trials and never promotes them. */
#include "t.h"

static enum tune_verdict report(void *self, struct tx *tx, uint32_t trial, uint32_t epoch, double m)
{
    (void)self, (void)tx, (void)epoch, (void)m;
    return trial < 2 ? TUNE_PAUSE : TUNE_GO_ON;
}

TUNER_T(.open = submit_all, .report = report);
