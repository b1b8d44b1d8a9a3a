/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seats.h - where a job goes on a cluster that shares its GPUs. */
#ifndef POLICIES_SEATS_H
#define POLICIES_SEATS_H

#include "sim/policy.h"

/* Even shares on the GPUs that its owner asked for, or else on those of one node that have the
 * fewest residents. NULL: no seat or memory there now. Good as scratch memory. */
const struct placement *seats_pick(struct cx *, job_id);

#endif
