/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supply.h - trials submitted in the experiment's order, so many alive at any time. */
#ifndef POLICIES_TUNERS_SUPPLY_H
#define POLICIES_TUNERS_SUPPLY_H

#include "sim/tuner.h"

struct supply {
    int64_t at_once; /* parameter; 0: all */
    uint32_t next;
};

#define SUPPLY_FIELD(type, member)                                                                 \
    {                                                                                              \
        FIELD_INT, "at_once", offsetof(type, member.at_once), "0", 0, 1e6, NULL,                   \
            "trials alive at any time; 0: all are submitted when the experiment begins"            \
    }

/* When the experiment begins. */
static inline void supply_open(struct supply *s, struct tx *tx)
{
    uint32_t n = tune_trials(tx);

    if (s->at_once > 0 && s->at_once < n)
        n = (uint32_t)s->at_once;
    while (s->next < n)
        tune_submit(tx, s->next++);
}

/* When a trial has ended. */
static inline void supply_next(struct supply *s, struct tx *tx)
{
    if (s->next < tune_trials(tx))
        tune_submit(tx, s->next++);
}

#endif
