/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supply.h - trials submitted in a given order, so many alive at any time. */
#ifndef POLICIES_TUNERS_SUPPLY_H
#define POLICIES_TUNERS_SUPPLY_H

#include "sim/tuner.h"

struct supply {
    int64_t at_once; /* parameter; 0: all */
    uint32_t next;
    uint32_t n;            /* trials in all */
    const uint32_t *order; /* n of them; NULL: that of the experiment */
};

#define SUPPLY_FIELD(type, member)                                                                 \
    {                                                                                              \
        FIELD_INT, "at_once", offsetof(type, member.at_once), "0", 0, 1e6, NULL,                   \
            "trials alive at any time; 0: all are submitted when the experiment begins"            \
    }

/* When a trial has ended. */
static inline void supply_next(struct supply *s, struct tx *tx)
{
    if (s->next < s->n) {
        uint32_t k = s->next++;
        tune_submit(tx, s->order ? s->order[k] : k);
    }
}

/* When the experiment begins: so many trials, in this order. */
static inline void supply_these(struct supply *s, struct tx *tx, const uint32_t *order, uint32_t n)
{
    s->order = order;
    s->n = n;
    if (s->at_once > 0 && s->at_once < n)
        n = (uint32_t)s->at_once;
    while (s->next < n)
        supply_next(s, tx);
}

/* The same with all trials as the experiment has them. */
static inline void supply_open(struct supply *s, struct tx *tx)
{
    supply_these(s, tx, NULL, tune_trials(tx));
}

#endif
