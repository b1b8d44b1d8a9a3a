/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seats and memory of GPUs that several jobs hold: who may come, who comes and goes. */
#include <math.h>

#include "sim/engine/share.h"

static double bytes_of(const struct engine *e, const struct job *j, const struct share *s)
{
    return world_replica_bytes(e->world, j->spec.model, s->samples);
}

void seat_join(struct engine *e, const struct job *j, const struct placement *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        gpus_join(&e->gpus, p->share[i].gpu, j->id, bytes_of(e, j, &p->share[i]));
}

void seat_part(struct engine *e, const struct job *j, const struct placement *p, sim_time ready)
{
    for (uint32_t i = 0; i < p->n; i++)
        gpus_part(&e->gpus, p->share[i].gpu, j->id, bytes_of(e, j, &p->share[i]), ready);
}

/* One GPU: a seat and memory, given what the job holds there now. */
static enum verdict admit(struct engine *e, const struct job *j, const struct share *s)
{
    const struct gpu_shared *g = &e->gpus.shared[s->gpu];
    struct placement held = job_held(j);
    const struct share *has = job_share_on(&held, s->gpu);
    type_id t = gpus_type(&e->gpus, s->gpu);
    double need = bytes_of(e, j, s), used = g->used - (has ? bytes_of(e, j, has) : 0);
    double most = fmin(world_resident_bytes(e->world, t), world_gpu_bytes(e->world, t) - used);

    if (!has && g->n > 0 && !(e->set.policy->flags & POLICY_SHARES))
        return ACT_NOT_DECLARED;
    if (!has && g->n == e->gpus.most) {
        snprintf(e->detail, sizeof(e->detail), "GPU %u has %u residents already, the most allowed",
                 s->gpu, g->n);
        return ACT_GPU_TAKEN;
    }
    if (need <= most)
        return ACT_OK;
    snprintf(e->detail, sizeof(e->detail),
             "%u samples of %s need %.2f GiB, and GPU %u (%s, %u resident%s) has %.2f of %.2f GiB "
             "left for it",
             s->samples, e->world->model[j->spec.model].name, need / GIB, s->gpu,
             e->world->type[t].name, g->n, g->n == 1 ? "" : "s", fmax(0, most) / GIB,
             world_gpu_bytes(e->world, t) / GIB);
    return ACT_NO_MEMORY;
}

enum verdict seat_admit(struct engine *e, const struct job *j, const struct placement *p)
{
    enum verdict v = ACT_OK;

    for (uint32_t i = 0; i < p->n && v == ACT_OK; i++) {
        struct placement before = {i, p->share};
        v = job_share_on(&before, p->share[i].gpu) ? ACT_WRONG_SIZE : admit(e, j, &p->share[i]);
    }
    return v;
}
