/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/story_watch.h"

static struct watch_gpu *gpu_of(struct watch *w, gpu_id g)
{
    while (w->n_gpus <= g) {
        w->gpu = mem_room(w->gpu, w->n_gpus, &w->cap_gpus, sizeof(*w->gpu));
        w->gpu[w->n_gpus++] = (struct watch_gpu){.last = NOBODY};
    }
    return &w->gpu[g];
}

const struct watch_gpu *watch_gpu(struct watch *w, gpu_id g)
{
    return gpu_of(w, g);
}

static unsigned char *phase_of(struct watch *w, job_id j)
{
    while (w->n_slots <= sim_slot(j)) {
        w->phase = mem_room(w->phase, w->n_slots, &w->cap_slots, sizeof(*w->phase));
        w->phase[w->n_slots++] = WATCH_GONE;
    }
    return &w->phase[sim_slot(j)];
}

enum watch_phase watch_phase(struct watch *w, job_id j)
{
    return (enum watch_phase) * phase_of(w, j);
}

static void enter(struct watch *w, job_id j, enum watch_phase to)
{
    unsigned char *phase = phase_of(w, j);

    w->waiting -= *phase == WATCH_WAITING;
    w->waiting += to == WATCH_WAITING;
    *phase = (unsigned char)to;
}

/* A save that is still going on is not over because the next owner has left too. */
static void leave(struct watch *w, const struct record *r)
{
    bool saves = r->kind == REC_PREEMPT || r->kind == REC_PAUSE;

    for (uint32_t i = 0; r->share && i < r->n; i++) {
        struct watch_gpu *g = gpu_of(w, r->share[i].gpu);
        sim_time ready = saves && r->ready > r->t ? r->ready : r->t;
        *g = (struct watch_gpu){sim_number(r->job), r->kind, r->t,
                                ready > g->ready ? ready : g->ready};
    }
    w->held -= r->share ? r->n : 0;
}

void watch_take(struct watch *w, const struct record *r)
{
    switch (r->kind) {
    case REC_BEGIN:
        w->gpus = r->n;
        break;
    case REC_ARRIVE:
    case REC_PROMOTE:
        enter(w, r->job, WATCH_WAITING);
        break;
    case REC_START:
        w->held += r->n;
        enter(w, r->job, WATCH_HOLDING);
        break;
    case REC_PREEMPT:
        leave(w, r);
        enter(w, r->job, WATCH_WAITING);
        break;
    case REC_PAUSE:
        leave(w, r);
        enter(w, r->job, WATCH_PAUSED);
        break;
    case REC_END:
    case REC_KILL:
    case REC_REJECT:
        leave(w, r);
        enter(w, r->job, WATCH_GONE);
        break;
    default:
        break;
    }
}

void watch_free(struct watch *w)
{
    mem_drop(w->gpu);
    mem_drop(w->phase);
    *w = (struct watch){0};
}
