/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watch.h - jobs whose step times may have changed, looked at once a period, group by group.
 *
 * Jobs that share GPUs, directly or through others, form a group: what one of them does is felt by
 * all. A group is looked at when one of its jobs began, left or changed its shares since the last
 * period, and once somewhat earlier after one began or left: as soon as something is measured of
 * each of its jobs. Until then nothing is done about it, and without such groups no alarm is set.
 * A job also looks again when somebody leaves a GPU that it has given up.
 *
 * What oscillates is damped: a job that comes back to shares it had a few acts ago, or that has
 * been changed again and again since somebody last joined or left it, has its dead band doubled.
 */
#ifndef POLICIES_WATCH_H
#define POLICIES_WATCH_H

#include "policies/lib/seats.h"

#define WATCH_PAST 8u  /* placements that are remembered */
#define WATCH_ACTS 16u /* after so many changes the dead band is doubled, too */

/* First in the policy's memory of a job. */
struct watch_job {
    uint64_t past[WATCH_PAST];
    uint32_t acts, returns; /* since somebody joined or left it */
    bool copying;           /* replicas on GPUs it was given; it did not leave */
    bool moved;             /* by an act since it last came to GPUs */
};

/* The GPUs to which a job last came. */
struct watch_home {
    gpu_id *gpu;
    uint32_t n, cap;
};

/* A job of a group, as it is now. */
struct watched {
    job_id id;
    const struct job_view *view;
    struct placement held;
    double step;   /* measured seconds; 0: not measured, as of jobs given by their duration */
    double *resid; /* of each share */
};

typedef void watch_look(void *self, struct cx *, const struct watched *, uint32_t n);

/* First in the policy's state; seats.skip_ahead is a parameter. */
struct watch {
    struct seats seats;
    sim_time period, first; /* parameters */
    sim_time due, soon;     /* the next look; a look that is due to somebody who came or went */
    sim_time again;         /* the next wait for somebody who has not been measured yet */
    bool at_once;           /* groups are looked at when somebody came or went, measured or not */
    struct heap stirred;    /* jobs to look at */
    struct heap *given_up;  /* by GPU: jobs that came to it and have moved away */
    uint32_t n_gpus;
    struct watch_home *home; /* by slot */
    uint32_t cap_homes;
    uint64_t *seen; /* by slot: number of the group in which it was found */
    uint32_t cap_seen;
    uint64_t groups; /* found so far */
    job_id *group;   /* the last one */
    uint32_t cap_group;
    uint64_t acts, returns; /* all of them */
};

#define WATCH_FIELDS(type)                                                                         \
    {FIELD_SECONDS,                                                                                \
     "period_s",                                                                                   \
     offsetof(type, watch.period),                                                                 \
     "20",                                                                                         \
     1e-3,                                                                                         \
     1e6,                                                                                          \
     NULL,                                                                                         \
     "shares are adjusted at multiples of it (choice 19)"},                                        \
        {FIELD_SECONDS,                                                                            \
         "first_s",                                                                                \
         offsetof(type, watch.first),                                                              \
         "1",                                                                                      \
         1e-3,                                                                                     \
         1e6,                                                                                      \
         NULL,                                                                                     \
         "so long after a job began or left they are adjusted, too, if no period ends before"},    \
        SEATS_FIELD(type, watch.seats.skip_ahead)

void watch_init(void *self, struct cx *);
void watch_fini(void *self);
void watch_changed(void *self, struct cx *, job_id, enum job_state was);
void watch_dump(const void *self, FILE *);
/* All of schedule(): looks at what is due, starts waiting jobs, sets the alarm. */
void watch_schedule(struct watch *, struct cx *, watch_look *);

/* A job is to be looked at again, although nothing happened. */
void watch_again(struct watch *, job_id);
/* By what factor a job's dead band has grown. */
double watch_band(const struct cx *, job_id);
/* Whole samples of a batch from parts of it, at least 1 each: the largest remainders first. */
void watch_round(const double *want, struct share *to, uint32_t n, uint32_t batch);
/* Other shares, or other GPUs. false: they do not fit now, nothing has happened. */
bool watch_act(struct watch *, struct cx *, job_id, const struct placement *, const char *why);
/* Whether it has acted upon a job; one that is alone and was never moved is best left as it is. */
bool watch_moved(const struct cx *, job_id);
/* Good until the next call. */
const struct watch_home *watch_home(struct watch *, struct cx *, job_id);
/* Bytes that a job may use on a GPU, what it uses there now included. */
double watch_bytes(const struct cx *, job_id, gpu_id);
/* How many samples that is, up to its batch. */
uint32_t watch_samples(const struct cx *, job_id, gpu_id);
/* The share on a GPU, or NULL. */
const struct share *watch_share(const struct placement *, gpu_id);

#endif
