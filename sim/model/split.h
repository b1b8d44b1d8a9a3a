/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split.h - batch shares with which all replicas of a step are done together. */
#ifndef SIM_SPLIT_H
#define SIM_SPLIT_H

#include "sim/model/world.h"
#include "sim/policy.h"

/* Steps a second on the GPUs of a placement with the best shares of the job's batch; 0: unknown. */
double split_best_rate(const struct world *, const struct job_spec *, double jitter,
                       const struct placement *);

#endif
