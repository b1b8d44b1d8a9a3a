/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * best.h - the shares with which the largest slowdown of jobs that share GPUs is least: what is
 * attained, and below what no shares can come.
 *
 * For the jobs there are now, on the rates that they would truly have until they end. Slowdowns are
 * lines in the seconds of a step (eq. 22). Pure arithmetic on what the caller filled in; the same
 * problem has the same answer.
 */
#ifndef POLICIES_BEST_H
#define POLICIES_BEST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/policy.h"

struct best_job {
    bool fixed;               /* stays as it is */
    double base, slope;       /* slowdown = base + slope * seconds of a step */
    double copy;              /* further slowdown if it comes to GPUs that it does not hold */
    double jitter;            /* seconds of a step / those of its replicas, eq. 4 */
    uint32_t batch, first, n; /* its replicas; also those that could be */
};

/* Of one job on one GPU. In order of jobs. */
struct best_replica {
    uint32_t job, gpu, samples;     /* 0: it is not there, but for jobs that are fixed */
    bool held;                      /* there is one now */
    double fixed, each, floor, gap; /* max(floor, fixed + each * samples) + gap seconds alone */
    double bytes, more;             /* of GPU memory: best_bytes() */
};

/* Whole bytes, whose sums are exact: a GPU may be full to the last one. */
static inline double best_bytes(const struct best_replica *r, uint32_t samples)
{
    return ceil(r->bytes + r->more * samples);
}

struct best_gpu {
    gpu_id id;
    double bytes, slice; /* for all these jobs; for one at most */
    uint32_t seats;      /* for these jobs */
    uint32_t n;          /* replicas that could be on it */
    const double *peak;  /* [0 .. n]: exclusive seconds a second at most, of so many jobs */
    bool equal;          /* exactly those, in equal parts */
};

struct best {
    uint32_t n_jobs, n_replicas, n_gpus;
    struct best_job *job;
    struct best_replica *replica;
    struct best_gpu *gpu;
    /* Steps a second of all jobs on these placements. */
    bool (*rates)(void *user, const struct placement *, double *rate);
    void *user;
    /* room: n_jobs, n_replicas or n_gpus of each */
    struct placement *placement;
    double *rate, *slowdown;
    struct share *share;
    uint32_t *kept; /* samples of the best shares so far */
    double *used;
    uint32_t *seated;
    int *column;     /* 2 * n_replicas + 1 */
    double *value;   /* 2 * n_replicas + 1 */
    uint32_t closed; /* for best_solve(): replica + 1 to which nothing moves; 0: none */

    double largest;   /* out: slowdown that the best shares attain */
    double bound;     /* out: no shares come below it */
    uint64_t asked;   /* out: times that rates were asked */
    uint64_t gave_up; /* out: targets that were left undecided, which only lowers the bound */
};

/*
 * From the samples there are to the best that is found; largest and bound follow. tight: the
 * relative gap between them at which no more is tried. false: the rates are not known, or what
 * there is does not fit.
 */
bool best_solve(struct best *, double tight);

/* Slowdowns with the samples there are, and the largest of them; NAN: not known. */
double best_judge(struct best *);

/* For best_solve(): from any samples, if they fit, to a minimum of single moves. false: not known.
 */
bool best_descend(struct best *);
/* Raises the bound to where a split that is allowed might be, up to `largest`. The samples that it
 * believes in then are left, rounded; false: it has none. */
bool best_raise(struct best *, double tight);

#endif
