/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/tuners/lib/bracket.h"

void bracket_shrink(struct bracket *b, uint32_t trials, uint32_t eta)
{
    for (uint32_t k = 0; k < b->rungs; k++) {
        b->trials[k] = trials;
        trials = trials > eta ? trials / eta : trials > 0;
    }
}

struct bracket bracket_halving(uint32_t trials, uint32_t least, uint32_t most, uint32_t eta)
{
    struct bracket b = {0};

    for (uint64_t epoch = least; epoch < most; epoch *= eta)
        b.epoch[b.rungs++] = (uint32_t)epoch;
    b.epoch[b.rungs++] = most;
    bracket_shrink(&b, trials, eta);
    return b;
}

uint32_t bracket_last(uint32_t least, uint32_t most, uint32_t eta)
{
    uint32_t last = 0;

    for (uint64_t epoch = (uint64_t)least * eta; epoch <= most; epoch *= eta)
        last++;
    return last;
}

struct bracket bracket_hyperband(uint32_t s, uint32_t last, uint32_t most, uint32_t eta,
                                 enum bracket_sizes sizes)
{
    struct bracket b = {.rungs = s + 1};
    uint64_t share = 1, parts = (uint64_t)s + 1, n;

    for (uint32_t k = s + 1; k-- > 0; share *= eta)
        b.epoch[k] = (uint32_t)((2 * (uint64_t)most + share) / (2 * share));
    share /= eta;
    n = sizes == BRACKET_CEIL ? ((last + 1) * share + s) / parts : (last + 1) / parts * share;
    bracket_shrink(&b, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX, eta);
    return b;
}
