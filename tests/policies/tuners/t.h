/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t.h - what the tuners of this folder share: each is called t, and its table says what it has. */
#ifndef TESTS_TUNERS_T_H
#define TESTS_TUNERS_T_H

#include <math.h>

#include "sim/tuner.h"

#define TUNER_T(...)                                                                               \
    SIM_API extern const struct tuner tuner;                                                       \
    const struct tuner tuner = {.abi = TUNER_ABI,                                                  \
                                .size = sizeof(struct tuner),                                      \
                                .name = "t",                                                       \
                                .about = "for tests",                                              \
                                __VA_ARGS__}

/* All trials at once. */
static inline void submit_all(void *self, struct tx *tx)
{
    (void)self;
    for (uint32_t k = 0; k < tune_trials(tx); k++)
        tune_submit(tx, k);
}

#endif
