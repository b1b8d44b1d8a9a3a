/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * budget.h - the parameters that tuners with rungs share: r, R and eta of the papers, in epochs.
 *
 * As members of the parameters of a tuner: struct budget, and BUDGET_FIELDS in its table of fields.
 */
#ifndef POLICIES_TUNERS_BUDGET_H
#define POLICIES_TUNERS_BUDGET_H

#include "sim/tuner.h"

struct budget {
    int64_t least, most, eta;
};

#define BUDGET_FIELDS(type, member, default_eta, source)                                           \
    {FIELD_INT, "min_epochs", offsetof(type, member.least),     "1", 1,                            \
     1e6,       NULL,         "epochs until the first rung (r)"},                                  \
        {FIELD_INT,                                                                                \
         "max_epochs",                                                                             \
         offsetof(type, member.most),                                                              \
         "0",                                                                                      \
         0,                                                                                        \
         1e6,                                                                                      \
         NULL,                                                                                     \
         "epochs of a trial at most (R); 0: those of the longest trial"},                          \
    {                                                                                              \
        FIELD_INT, "eta", offsetof(type, member.eta), default_eta, 2, 1e6, NULL,                   \
            "one of so many goes on from a rung; default: " source                                 \
    }

/* For struct tuner's check. */
bool budget_check(const struct budget *, const struct tune_outline *, char *why, size_t size);

/* R and r for the trials drawn, the longest of which may be shorter than any that was recorded. */
uint32_t budget_most(const struct budget *, const struct tx *);
uint32_t budget_least(const struct budget *, uint32_t most);

#endif
