/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random - random search (Bergstra and Bengio 2012): trials drawn without repetition, each of which
 * runs to its last epoch.
 */
#include <stdio.h>

#include "policies/tuners/lib/draw.h"
#include "policies/tuners/lib/supply.h"

struct search {
    struct supply supply;
    int64_t samples;
};

static const struct field fields[] = {
    {FIELD_INT, "samples", offsetof(struct search, samples), "0", 0, 1e6, NULL,
     "trials drawn; 0: all, in random order"},
    SUPPLY_FIELD(struct search, supply),
    {.type = FIELD_END},
};

static bool check(const void *params, const struct tune_outline *o, char *why, size_t size)
{
    const struct search *s = params;

    if (s->samples <= o->trials)
        return true;
    snprintf(why, size, "samples: %lld; the experiment has %u trial%s", (long long)s->samples,
             o->trials, o->trials == 1 ? "" : "s");
    return false;
}

static void open(void *self, struct tx *tx)
{
    struct search *s = self;
    uint32_t n = tune_trials(tx), m = s->samples ? (uint32_t)s->samples : n;
    uint32_t *order = draw_list(tx, n);

    draw_some(tx, order, n, m);
    supply_these(&s->supply, tx, order, m);
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct search *s = self;

    (void)trial;
    supply_next(&s->supply, tx);
}

const struct tuner tuner_random = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "random",
    .about = "random search: trials drawn without repetition, each to its last epoch",
    .state_size = sizeof(struct search),
    .params = fields,
    .check = check,
    .open = open,
    .ended = ended,
};
