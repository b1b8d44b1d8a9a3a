/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/tuners/lib/budget.h"

#include <stdio.h>

bool budget_check(const struct budget *b, const struct tune_outline *o, char *why, size_t size)
{
    if (b->most > 0 && b->least > b->most)
        snprintf(why, size, "min_epochs: %lld is above max_epochs, %lld", (long long)b->least,
                 (long long)b->most);
    else if (b->least > o->epochs)
        snprintf(why, size, "min_epochs: %lld; the longest trial has %u epoch%s",
                 (long long)b->least, o->epochs, o->epochs == 1 ? "" : "s");
    else
        return true;
    return false;
}

uint32_t budget_most(const struct budget *b, const struct tx *tx)
{
    uint32_t longest = 1;

    for (uint32_t k = 0; k < tune_trials(tx); k++)
        longest = tune_epochs(tx, k) > longest ? tune_epochs(tx, k) : longest;
    return b->most > 0 ? (uint32_t)b->most : longest;
}

uint32_t budget_least(const struct budget *b, uint32_t most)
{
    return b->least < most ? (uint32_t)b->least : most;
}
