/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.h - the whole cluster for jobs in an order that their policy finds anew at each decision.
 */
#ifndef POLICIES_POOL_H
#define POLICIES_POOL_H

#include "sim/policy.h"

/* A job that waits or holds GPUs. */
struct wish {
    job_id job;
    bool keeps;      /* what it holds is not taken away now */
    const char *why; /* it stands where it stands in the order */
};

/*
 * Serves jobs in this order. One that waits gets free GPUs, or those of jobs behind it, the last
 * ones first, whose GPUs are of a type that it can use; where that is not enough, nobody is taken
 * off, and the job is passed over. Calls started, unless NULL, after each start. false: an act was
 * refused.
 */
bool pool_serve(struct cx *, const struct wish *, uint32_t n,
                void (*started)(void *self, struct cx *, job_id), void *self);
/* Waiting jobs, and jobs that hold GPUs and are not in their last step, by submission. Good until
 * the callback returns; the reasons and keeps are empty. */
struct wish *pool_wishes(struct cx *, uint32_t *n);

#endif
