/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oracle.h - what only a policy with POLICY_ORACLE may ask: what lies ahead, and what is true.
 *
 * Asked by another it is a refused act. Part of sim/policy.h.
 */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "sim/policy.h"

/* True remaining running time on the fastest GPU type that the job can run on. */
SIM_API sim_time sim_remaining(struct cx *, job_id);
/* The same on a placement; SIM_NEVER: it cannot run there. */
SIM_API sim_time sim_remaining_on(struct cx *, job_id, const struct placement *);

/*
 * How jobs that share GPUs would go on, truly, on these placements and with nobody else beside
 * them: steps a second (without a model: nominal seconds a second); false: refused.
 */
SIM_API bool sim_true_rates(struct cx *, const job_id *, const struct placement *, uint32_t n,
                            double *rate);
/*
 * Exclusive seconds a second that a GPU does at most while n jobs compute on it; *equal: exactly
 * these, and all of them get the same. 0: refused.
 */
SIM_API double sim_true_peak(struct cx *, gpu_id, uint32_t n, bool *equal);
/* By what all step times of a job are longer than sim_step_alone() says (eq. 4); 0: refused. */
SIM_API double sim_true_jitter(struct cx *, job_id);
/* What a trial will report at the end of an epoch that lies ahead, by the curve it follows now;
 * NAN: it does not come so far. */
SIM_API double sim_true_metric(struct cx *, job_id, uint32_t epoch);

#endif
