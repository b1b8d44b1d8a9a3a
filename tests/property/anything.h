/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anything.h - what the parts of the policy `anything` share. */
#ifndef PROPERTY_ANYTHING_H
#define PROPERTY_ANYTHING_H

#include "sim/policy.h"

struct anything {
    int64_t idle, wild, illegal, most; /* percent of rounds; acts a round; percent; acts in a run */
    sim_time span;                     /* of alarms */
    bool meek;                         /* has no flags */
    uint64_t seen;                     /* hash of all that was seen */
    int64_t acts;
    job_id old; /* a job that may have ended */
};

/* anything_see.c: into the hash goes what is seen */
void anything_see(struct anything *, uint64_t);
void anything_see_placement(struct anything *, const struct placement *);
void anything_see_job(struct anything *, struct cx *, job_id);
void anything_see_cluster(struct anything *, struct cx *);
void anything_see_all(struct anything *, struct cx *);

/* anything_place.c: by chance */
uint32_t anything_below(struct cx *, uint32_t n);
bool anything_of(struct cx *, int64_t percent);
/* Some job in a state; NO_JOB: there is none. */
job_id anything_some(struct cx *, enum job_state);
job_id anything_holder(struct cx *);
/* GPUs with room, of the types a job can run on, any of them; NULL: too few. */
const struct placement *anything_anywhere(const struct anything *, struct cx *, job_id);
/* So many different GPUs, some that many jobs hold among them; NULL: there are not so many. */
const struct placement *anything_crowd(struct cx *, job_id, uint32_t n);
/* Some of the GPUs it holds and some others, more or fewer of them; NULL: none. */
const struct placement *anything_other_gpus(struct cx *, job_id);
/* What it holds in another order, with a sample moved from one to another. */
struct placement anything_other_shares(struct cx *, job_id);

#endif
