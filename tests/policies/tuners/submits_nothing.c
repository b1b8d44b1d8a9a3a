/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Submits nothing: its experiment closes at once. */
#include "t.h"

static void open(void *self, struct tx *tx)
{
    (void)self, (void)tx;
}

TUNER_T(.open = open);
