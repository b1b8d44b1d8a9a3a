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

static struct watch_job *job_of(struct watch *w, job_id j)
{
    while (w->n_slots <= sim_slot(j)) {
        w->job = mem_room(w->job, w->n_slots, &w->cap_slots, sizeof(*w->job));
        w->job[w->n_slots++] = (struct watch_job){.phase = WATCH_GONE};
    }
    return &w->job[sim_slot(j)];
}

enum watch_phase watch_phase(struct watch *w, job_id j)
{
    return (enum watch_phase)job_of(w, j)->phase;
}

static bool holds(const struct watch_job *j, gpu_id g)
{
    for (uint32_t i = 0; i < j->n; i++)
        if (j->gpu[i] == g)
            return true;
    return false;
}

uint32_t watch_own(struct watch *w, job_id id)
{
    const struct watch_job *j = job_of(w, id);
    uint32_t own = 0;

    for (uint32_t i = 0; i < j->n; i++)
        own += w->gpu[j->gpu[i]].holders == 1;
    return own;
}

uint32_t watch_beside(struct watch *w, job_id id, const struct share *s, uint32_t n, uint32_t *job,
                      uint32_t most)
{
    uint32_t found = 0, holders = 0;

    for (uint32_t i = 0; i < n; i++)
        holders += gpu_of(w, s[i].gpu)->holders;
    for (uint32_t slot = 0; holders > 0 && slot < w->n_slots && found < most; slot++) {
        bool beside = false;
        for (uint32_t i = 0; slot != sim_slot(id) && i < n && !beside; i++)
            beside = holds(&w->job[slot], s[i].gpu);
        if (beside)
            job[found++] = w->job[slot].number;
    }
    return found;
}

static void enter(struct watch *w, job_id j, enum watch_phase to)
{
    struct watch_job *x = job_of(w, j);

    w->waiting -= x->phase == WATCH_WAITING;
    w->waiting += to == WATCH_WAITING;
    x->phase = (unsigned char)to;
    x->number = sim_number(j);
}

static void take_gpus(struct watch *w, const struct record *r)
{
    struct watch_job *j = job_of(w, r->job);

    for (j->n = 0; r->share && j->n < r->n; j->n++) {
        j->gpu = mem_room(j->gpu, j->n, &j->cap, sizeof(*j->gpu));
        j->gpu[j->n] = r->share[j->n].gpu;
        w->held += gpu_of(w, j->gpu[j->n])->holders++ == 0;
    }
}

static bool keeps(const struct record *r, gpu_id g)
{
    for (uint32_t i = 0; r->kind == REC_RESIZE && i < r->n; i++)
        if (r->share[i].gpu == g)
            return true;
    return false;
}

/* A save that is still going on is not over because the next owner has left too. */
static void leave(struct watch *w, const struct record *r)
{
    bool saves = r->kind == REC_PREEMPT || r->kind == REC_PAUSE;
    struct watch_job *j = job_of(w, r->job);

    for (uint32_t i = 0; i < j->n; i++) {
        struct watch_gpu *g = gpu_of(w, j->gpu[i]);
        sim_time ready = saves && r->ready > r->t ? r->ready : r->t;
        w->held -= --g->holders == 0;
        if (keeps(r, j->gpu[i]))
            continue;
        g->last = sim_number(r->job);
        g->how = r->kind;
        g->at = r->t;
        g->ready = ready > g->ready ? ready : g->ready;
    }
    j->n = 0;
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
        take_gpus(w, r);
        enter(w, r->job, WATCH_HOLDING);
        break;
    case REC_RESIZE:
        leave(w, r);
        take_gpus(w, r);
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
    for (uint32_t i = 0; i < w->n_slots; i++)
        mem_drop(w->job[i].gpu);
    mem_drop(w->gpu);
    mem_drop(w->job);
    *w = (struct watch){0};
}
