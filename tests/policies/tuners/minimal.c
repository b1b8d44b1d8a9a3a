/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every trial runs to its end: run_all. */
#include "t.h"

TUNER_T(.open = submit_all);
