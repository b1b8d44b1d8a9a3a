/* SPDX-License-Identifier: GPL-3.0-or-later */
/* act.h - acts and readings that are not possible. */
#ifndef SIM_ENGINE_ACT_H
#define SIM_ENGINE_ACT_H

#include "sim/engine/state.h"

/* Records it, and ends a strict run. Returns the verdict. */
enum verdict act_refuse(struct engine *, job_id, const char *act, enum verdict);

#endif
