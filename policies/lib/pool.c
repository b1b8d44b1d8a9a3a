/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/pool.h"

struct wish *pool_wishes(struct cx *cx, uint32_t *n)
{
    static const enum job_state states[] = {JOB_WAITING, JOB_SETUP, JOB_RUNNING};
    uint32_t all = 0;

    *n = 0;
    for (int s = 0; s < 3; s++)
        all += sim_count(cx, states[s]);
    struct wish *w = sim_scratch(cx, (all + 1) * sizeof(*w));
    for (int s = 0; s < 3; s++)
        for (job_id j = sim_first(cx, states[s]); j != NO_JOB; j = sim_next(cx, j))
            w[(*n)++] = (struct wish){j, false, ""};
    return w;
}

/* Takes jobs behind the i-th off their GPUs, until it has room on GPUs of one type; false: it would
 * not have, and nobody was. */
static bool clear(struct cx *cx, const struct wish *w, uint32_t n, uint32_t i)
{
    const struct job_view *v = sim_job(cx, w[i].job);
    uint32_t want = v->gpus, *room = sim_scratch(cx, sim_types(cx) * sizeof(*room)), k = n;
    uint64_t types = v->types;
    type_id enough = NO_GPU;

    for (type_id t = 0; t < sim_types(cx); t++)
        room[t] = sim_type(cx, t).free;
    while (enough == NO_GPU && --k > i) {
        struct placement held = sim_held(cx, w[k].job);
        if (w[k].keeps || held.n == 0)
            continue;
        type_id t = sim_gpu(cx, held.share[0].gpu).type;
        room[t] += held.n;
        if (room[t] >= want && types >> t & 1)
            enough = t;
    }
    for (; enough != NO_GPU && k < n; k++) { /* nobody for nothing: the first ones are spared */
        struct placement held = sim_held(cx, w[k].job);
        if (w[k].keeps || held.n == 0 || sim_gpu(cx, held.share[0].gpu).type != enough)
            continue;
        if (room[enough] - held.n >= want)
            room[enough] -= held.n;
        else if (sim_preempt(cx, w[k].job, "job %u comes first: %s", sim_number(w[i].job),
                             w[i].why) != ACT_OK)
            return false;
    }
    return enough != NO_GPU;
}

/* Two that want the same: where the first one finds no room, the second finds none. */
static bool alike(struct cx *cx, job_id a, job_id b)
{
    uint32_t gpus = sim_job(cx, a)->gpus;
    uint64_t types = sim_job(cx, a)->types;

    return sim_job(cx, b)->gpus == gpus && sim_job(cx, b)->types == types;
}

bool pool_serve(struct cx *cx, const struct wish *w, uint32_t n,
                void (*started)(void *self, struct cx *, job_id), void *self)
{
    job_id failed = NO_JOB;

    for (uint32_t i = 0; i < n; i++) {
        job_id j = w[i].job;
        if (sim_job(cx, j)->state != JOB_WAITING || (failed != NO_JOB && alike(cx, failed, j)))
            continue;
        const struct placement *p = sim_pick(cx, j);
        if (!p && clear(cx, w, n, i))
            p = sim_pick(cx, j);
        if (!p) {
            failed = j;
            continue;
        }
        if (sim_start(cx, j, p, "%s", w[i].why) != ACT_OK)
            return false;
        if (started)
            started(self, cx, j);
    }
    return true;
}
