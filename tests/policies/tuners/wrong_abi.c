/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "t.h"

SIM_API extern const struct tuner tuner;
const struct tuner tuner = {
    .abi = TUNER_ABI + 1, .size = sizeof(struct tuner), .name = "t", .open = submit_all};
