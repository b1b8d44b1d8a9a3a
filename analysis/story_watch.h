/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * story_watch.h - the cluster as records leave it: who waits, who holds what, who held it last.
 */
#ifndef ANALYSIS_STORY_WATCH_H
#define ANALYSIS_STORY_WATCH_H

#include "sim/base/mem.h"
#include "sim/engine/record.h"

#define NOBODY UINT32_MAX

enum watch_phase { WATCH_GONE, WATCH_WAITING, WATCH_HOLDING, WATCH_PAUSED };

struct watch_gpu {
    uint32_t last;        /* number of the job that left it last; NOBODY */
    enum record_kind how; /* it left */
    sim_time at, ready;   /* it left; its state was saved */
    uint32_t holders;     /* jobs that hold it now */
};

struct watch_job {
    unsigned char phase;
    uint32_t number, n; /* GPUs that it holds */
    gpu_id *gpu;
    size_t cap;
};

struct watch { /* zero-initialised */
    struct watch_gpu *gpu;
    uint32_t n_gpus;
    size_t cap_gpus;
    struct watch_job *job; /* by slot */
    uint32_t n_slots;
    size_t cap_slots;
    uint32_t gpus, held, waiting; /* of the cluster; held by some job; jobs without GPUs that want
                                     some */
};

/* After whoever looks at the state before a record has done so. */
void watch_take(struct watch *, const struct record *);
const struct watch_gpu *watch_gpu(struct watch *, gpu_id);
enum watch_phase watch_phase(struct watch *, job_id);
/* GPUs that no other job holds, among those of a job. */
uint32_t watch_own(struct watch *, job_id);
/* Numbers of other jobs that hold one of these GPUs, at most so many, in the order of their slots.
 */
uint32_t watch_beside(struct watch *, job_id, const struct share *, uint32_t n, uint32_t *job,
                      uint32_t most);
void watch_free(struct watch *);

#endif
