/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an oracle reads: what lies ahead, and what is true. */
#include <math.h>

#include "sim/engine/act.h"
#include "sim/engine/share.h"
#include "sim/model/fluid.h"

/* Only an oracle may look ahead, and only at jobs there are. */
static const struct job *look_ahead(struct engine *e, job_id id)
{
    const struct job *j = job_find(e, id);

    if (j && e->set.policy->flags & POLICY_ORACLE)
        return j;
    act_refuse(e, id, "read the remaining work", j ? ACT_NOT_DECLARED : ACT_NO_JOB);
    return NULL;
}

sim_time sim_remaining(struct cx *cx, job_id id)
{
    const struct job *j = look_ahead(cx->e, id);

    return j ? life_remaining(cx->e, j) : SIM_NEVER;
}

sim_time sim_remaining_on(struct cx *cx, job_id id, const struct placement *p)
{
    const struct job *j = look_ahead(cx->e, id);

    return j && gpus_exist(&cx->e->gpus, p) ? life_remaining_on(cx->e, j, p) : SIM_NEVER;
}

bool sim_true_rates(struct cx *cx, const job_id *id, const struct placement *p, uint32_t n,
                    double *rate)
{
    struct engine *e = cx->e;
    arena_reset(e->asking);
    struct fluid_job *in = arena_get(e->asking, n * sizeof(*in));
    for (uint32_t i = 0; i < n; i++) {
        const struct job *j = look_ahead(e, id[i]);
        if (!j || !gpus_exist(&e->gpus, &p[i]))
            return false;
        in[i] = (struct fluid_job){j->id, &j->spec, p[i], j->jitter, 0};
    }
    if (!fluid_rates(share_fluid(e), e->asking, e->world, in, n))
        return false;
    for (uint32_t i = 0; i < n; i++)
        rate[i] = in[i].rate;
    return true;
}

double sim_true_peak(struct cx *cx, gpu_id g, uint32_t n, bool *equal)
{
    struct engine *e = cx->e;

    bool oracle = e->set.policy->flags & POLICY_ORACLE;

    *equal = e->world->contention && e->world->contention->equal;
    if (oracle && g < e->world->n_gpus)
        return fluid_peak(e->world, g, n);
    act_refuse(e, NO_JOB, "read what a GPU can do", oracle ? ACT_NO_GPU : ACT_NOT_DECLARED);
    return 0;
}

double sim_true_jitter(struct cx *cx, job_id id)
{
    const struct job *j = look_ahead(cx->e, id);

    return j ? j->jitter : 0;
}

double sim_true_metric(struct cx *cx, job_id id, uint32_t epoch)
{
    const struct job *j = look_ahead(cx->e, id);
    bool ahead = j && j->spec.experiment != NO_EXPERIMENT && epoch > j->epoch;

    return ahead && epoch <= j->spec.epochs ? tune_metric_at(cx->e, j, epoch) : NAN;
}
