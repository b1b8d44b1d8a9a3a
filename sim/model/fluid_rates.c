/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "sim/model/fluid.h"

static int by_gpu(const void *a, const void *b)
{
    gpu_id x = ((const struct fluid_gpu *)a)->gpu, y = ((const struct fluid_gpu *)b)->gpu;

    return (x > y) - (x < y);
}

/* The GPUs of all jobs, each once, counted in *n. NULL: more jobs on one than may be. */
static struct fluid_gpu *gpus_of(struct arena *a, const struct world *w,
                                 const struct fluid_job *job, uint32_t n_jobs, uint32_t *n)
{
    uint32_t all = 0, at = 0, first = 0;

    for (uint32_t i = 0; i < n_jobs; i++)
        all += job[i].held.n;
    struct fluid_gpu *gpu = arena_get(a, (all + 1) * sizeof(*gpu));
    for (uint32_t i = 0; i < n_jobs; i++)
        for (uint32_t k = 0; k < job[i].held.n; k++)
            gpu[at++].gpu = job[i].held.share[k].gpu;
    qsort(gpu, all, sizeof(*gpu), by_gpu);
    *n = 0;
    for (at = 0; at < all; at++) {
        if (at > 0 && gpu[at].gpu == gpu[at - 1].gpu) {
            if (at - first == w->residents)
                return NULL;
            continue;
        }
        first = at;
        gpu[(*n)++] = gpu[at];
    }
    return gpu;
}

bool fluid_rates(struct fluid *f, struct arena *a, const struct world *w, struct fluid_job *job,
                 uint32_t n_jobs)
{
    uint32_t n_gpus;
    struct fluid_gpu *gpu = gpus_of(a, w, job, n_jobs, &n_gpus);

    if (gpu && w->contention)
        fluid_solve(f, job, n_jobs, gpu, n_gpus);
    else if (gpu)
        for (uint32_t i = 0; i < n_jobs; i++)
            job[i].rate = world_rate(w, job[i].spec, job[i].jitter, &job[i].held);
    return gpu != NULL;
}

double fluid_peak(const struct world *w, gpu_id g, uint32_t n)
{
    const struct contention *c = w->contention;
    type_id t = w->node[w->gpu[g].node].type;

    if (!c || c->sliced || n == 0) /* a slice is a GPU of its own, as step times are counted */
        return n;
    return c->peak(w->contention_self, w, t, c->equal ? n : w->residents);
}
