/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share.h - GPUs that several jobs hold: for the files of the engine, as state.h is. */
#ifndef SIM_SHARE_H
#define SIM_SHARE_H

#include "sim/engine/state.h"

/* seat.c: seats and memory of GPUs that are shared */
/* A job comes to GPUs, or leaves them; there is room. */
void seat_join(struct engine *, const struct job *, const struct placement *);
void seat_part(struct engine *, const struct job *, const struct placement *, sim_time ready);
/* Whether a job may hold these GPUs, those it holds now included; e->detail says why not. */
enum verdict seat_admit(struct engine *, const struct job *, const struct placement *);

/* share.c: clusters that share their GPUs, is_shared(); setup and teardown find that out */
void share_setup(struct engine *);
void share_teardown(struct engine *);
/* The jobs on these GPUs go on at other rates, which are found before time passes. */
void share_touch(struct engine *, const struct placement *);
void share_settle(struct engine *);         /* finds them */
void share_finish(struct engine *);         /* the last loads */
struct fluid *share_fluid(struct engine *); /* workspace; NULL: GPUs are not shared */
/* The present step time, and the parts of each share, from the solution; 0: it does not run. */
double share_measured(struct engine *, const struct job *, double *resid);
sim_time share_alone(const struct engine *, const struct job *, const struct placement *);

#endif
