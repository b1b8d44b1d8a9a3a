/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/seats.h"

static bool fits(struct cx *cx, job_id j, const struct placement *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        struct gpu_view g = sim_gpu(cx, p->share[i].gpu);
        if (g.residents == g.most ||
            sim_step_alone(cx, j, p->share[i].gpu, p->share[i].samples).bytes > g.memory)
            return false;
    }
    return true;
}

const struct placement *seats_pick(struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    gpu_id *gpu = sim_scratch(cx, v->gpus * sizeof(*gpu));
    uint32_t n = 0;

    for (uint64_t left = v->asked; left; left &= left - 1)
        gpu[n++] = (gpu_id)__builtin_ctzll(left);
    if (!n)
        return sim_pick(cx, j);
    const struct placement *p = sim_even(cx, j, gpu, n);
    return fits(cx, j, p) ? p : NULL;
}
