/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/cost.h"

extern const struct cost_model cost_affine;

const struct cost_model *const cost_models[] = {&cost_affine, NULL};
