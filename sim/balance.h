/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balance.h - a batch over unequal workers. Part of sim/policy.h. */
#ifndef SIM_BALANCE_H
#define SIM_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

#ifndef SIM_API
#define SIM_API __attribute__((visibility("default")))
#endif

/*
 * Whole samples of a batch for each of n workers, of which one with b samples takes fixed + each *
 * b seconds (each > 0) and may have least .. most: the longest takes as short as possible. Pure
 * arithmetic. false: the batch does not fit the bounds, or more than SIM_WORKERS.
 */
#define SIM_WORKERS 256u
struct sim_worker {
    double fixed, each;
    uint32_t least, most;
};
SIM_API bool sim_balance(const struct sim_worker *, uint32_t n, uint32_t batch, uint32_t *samples);

#endif
