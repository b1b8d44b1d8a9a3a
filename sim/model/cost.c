/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/cost.h"

extern const struct cost_model cost_affine, cost_operators;

const struct cost_model *const cost_models[] = {&cost_affine, &cost_operators, NULL};

const char *const step_basis_names[] = {NULL, "measured", "calibrated", "carried", "extrapolated"};
