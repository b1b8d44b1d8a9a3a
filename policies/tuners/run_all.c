/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_all - grid search, or any list: every trial runs to its last epoch, in the given order. */
#include "policies/tuners/lib/supply.h"

struct run_all {
    struct supply supply;
};

static const struct field fields[] = {
    SUPPLY_FIELD(struct run_all, supply),
    {.type = FIELD_END},
};

static void open(void *self, struct tx *tx)
{
    struct run_all *s = self;

    supply_open(&s->supply, tx);
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct run_all *s = self;

    (void)trial;
    supply_next(&s->supply, tx);
}

const struct tuner tuner_run_all = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "run_all",
    .about = "grid search, or any list: every trial in order, each to its last epoch",
    .state_size = sizeof(struct run_all),
    .params = fields,
    .open = open,
    .ended = ended,
};
