/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The twin of what oracles read about shared GPUs and curves. */
#include <math.h>

#include "sim/model/fluid.h"
#include "tests/property/slow_tune.h"

static const struct job *look_ahead(struct engine *e, job_id id)
{
    const struct job *j = NULL;

    for (size_t i = 0; i < e->n_jobs; i++)
        if (e->job[i]->id == id && !e->job[i]->gone)
            j = e->job[i];
    if (j && e->policy->flags & POLICY_ORACLE)
        return j;
    slow_refuse(e, id, j ? ACT_NOT_DECLARED : ACT_NO_JOB);
    return NULL;
}

bool sim_true_rates(struct cx *cx, const job_id *id, const struct placement *p, uint32_t n,
                    double *rate)
{
    struct engine *e = cx->e;
    struct fluid_job *in = sim_scratch(cx, n * sizeof(*in));

    for (uint32_t i = 0; i < n; i++) {
        const struct job *j = look_ahead(e, id[i]);
        if (!j || p[i].n == 0)
            return false;
        for (uint32_t k = 0; k < p[i].n; k++)
            if (p[i].share[k].gpu >= e->world->n_gpus)
                return false;
        in[i] = (struct fluid_job){j->id, &j->spec, p[i], j->jitter, 0};
    }
    struct fluid *f = fluid_new(e->world);
    bool ok = fluid_rates(f, e->scratch, e->world, in, n);
    for (uint32_t i = 0; ok && i < n; i++)
        rate[i] = in[i].rate;
    fluid_free(f);
    return ok;
}

double sim_true_peak(struct cx *cx, gpu_id g, uint32_t n, bool *equal)
{
    const struct world *w = cx->e->world;

    *equal = w->contention && w->contention->equal;
    if (cx->e->policy->flags & POLICY_ORACLE && g < w->n_gpus)
        return fluid_peak(w, g, n);
    slow_refuse(cx->e, NO_JOB, ACT_NOT_DECLARED);
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

    if (!j || j->spec.experiment == NO_EXPERIMENT || epoch <= j->epoch || epoch > j->spec.epochs)
        return NAN;
    return slow_metric(cx->e, j, epoch);
}
