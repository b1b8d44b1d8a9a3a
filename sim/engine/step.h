/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step.h - fidelity `step`: every step of every replica, one by one (eq. 19, 20).
 *
 * All of it is about jobs that run on GPUs that are shared. What is inside the steps of a job (the
 * ends of its replicas, of steps that are no goal) concerns nobody else: no decision round follows.
 * Progress is in whole steps, so that the line of a job stands still between them; a job without a
 * model does all its work in one step, of which a part may be done.
 */
#ifndef SIM_STEP_H
#define SIM_STEP_H

#include "sim/engine/state.h"
#include "sim/engine/station.h"

void steps_setup(struct engine *); /* nothing happens in other runs */
void steps_teardown(struct engine *);
/* When the next replica, or a step that is no goal, ends; SIM_NEVER: nothing computes. */
sim_time steps_next(const struct engine *);
/* All that end now; whole steps are followed by the next. false: there were none. */
bool steps_drain(struct engine *);

/* ---- a running job; where there are rates, or it does not run, nothing happens ---- */

void step_run(struct engine *, struct job *);  /* it begins to run */
void step_over(struct engine *, struct job *); /* the present step ends now, at a goal */
void step_next(struct engine *, struct job *); /* the goal has been dealt with: the next step */
/* Its shares were changed: the next step has them. If none is under way, it begins. */
void step_reshare(struct engine *, struct job *);
/* Its replicas stop now. */
void step_leave(struct engine *, struct job *);
/* Before its GPUs change. One that only gives GPUs up does so at the end of its step; else its step
 * is let finish or given up, and its replicas stop. Returns the time of one that is given up. */
sim_time step_break(struct engine *, struct job *, bool more);
/* The time of a step that is under way, and given up if preempt_at is `now`; else 0. */
sim_time step_given_up(const struct engine *, const struct job *);

/* ---- what only runs without rates ask of a running job ---- */

/* When the present step ends if it is known, and ends at a goal; else SIM_NEVER. */
sim_time step_goal_at(const struct engine *, const struct job *);
/* Its progress now. */
struct line step_line(const struct engine *, const struct job *);
/* When it may go at the latest: the end of the present step at present speeds; now, if it has just
 * begun or preempt_at is `now`. */
sim_time step_lands(struct engine *, const struct job *);
/* Lets it finish what it may, up to the step or the epoch: sets its progress there, returns when.
 */
sim_time step_land(struct engine *, struct job *, enum preempt_at);
/* Back to so many steps, a checkpoint: the running time up to its landing that was for nothing. */
sim_time step_fall_back(const struct engine *, struct job *, int64_t kept, sim_time landing);
/* Whether a step was done since it began to run. */
bool step_got_on(const struct engine *, const struct job *);
/* Seconds of a step since shares or neighbours last changed, and resid as in sim_measured(). */
double step_measured(const struct engine *, const struct job *, double *resid);
/* The same, or of its last step before; 0: it has done none. */
double step_lately(const struct engine *, const struct job *);

/* ---- GPUs ---- */

/* Who runs there, with which samples, has changed: what its jobs measure begins anew. */
void step_changed(struct engine *, gpu_id);
struct station_account step_account(struct engine *, gpu_id);

#endif
