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
};

struct watch { /* zero-initialised */
    struct watch_gpu *gpu;
    uint32_t n_gpus;
    size_t cap_gpus;
    unsigned char *phase; /* by slot */
    uint32_t n_slots;
    size_t cap_slots;
    uint32_t gpus, held, waiting; /* of the cluster; held; jobs without GPUs that want some */
};

/* After whoever looks at the state before a record has done so. */
void watch_take(struct watch *, const struct record *);
const struct watch_gpu *watch_gpu(struct watch *, gpu_id);
enum watch_phase watch_phase(struct watch *, job_id);
void watch_free(struct watch *);

#endif
