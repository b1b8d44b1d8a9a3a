/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_all - grid or random search without early stopping: every trial runs to its last epoch. */
#include "sim/tuner.h"

struct run_all {
    int64_t at_once;
    uint32_t next;
};

static const struct field fields[] = {
    {FIELD_INT, "at_once", offsetof(struct run_all, at_once), "0", 0, 1e6, NULL,
     "trials alive at any time; 0: all are submitted when the experiment begins"},
    {.type = FIELD_END},
};

static void open(void *self, struct tx *tx)
{
    struct run_all *s = self;
    uint32_t n = tune_trials(tx);

    if (s->at_once > 0 && s->at_once < n)
        n = (uint32_t)s->at_once;
    while (s->next < n)
        tune_submit(tx, s->next++);
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct run_all *s = self;

    (void)trial;
    if (s->next < tune_trials(tx))
        tune_submit(tx, s->next++);
}

const struct tuner tuner_run_all = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "run_all",
    .about = "every trial runs to its last epoch",
    .state_size = sizeof(struct run_all),
    .params = fields,
    .open = open,
    .ended = ended,
};
