/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that a view shows. */
#include <string.h>

#include "sim/base/rng.h"
#include "tests/property/anything.h"

void anything_see(struct anything *s, uint64_t x)
{
    s->seen = rng_mix(s->seen, x);
}

static void see_real(struct anything *s, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof(bits));
    anything_see(s, x == x ? bits : 1);
}

void anything_see_placement(struct anything *s, const struct placement *p)
{
    anything_see(s, p ? p->n : 99);
    for (uint32_t i = 0; p && i < p->n; i++)
        anything_see(s, (uint64_t)p->share[i].samples << 32 | p->share[i].gpu);
}

/* What a step takes, as measured now and as known from before. */
static void see_steps(struct anything *s, struct cx *cx, job_id j, const struct placement *held)
{
    double *resid = sim_scratch(cx, (held->n + 1) * sizeof(*resid)),
           step = sim_measured(cx, j, resid);

    see_real(s, step);
    for (uint32_t i = 0; i < held->n; i++) {
        struct step_alone a =
            sim_step_alone(cx, j, held->share[i].gpu, held->share[i].samples + i % 2);
        see_real(s, a.busy);
        see_real(s, a.floor);
        see_real(s, a.gap);
        see_real(s, a.bytes);
        if (step > 0)
            see_real(s, resid[i]);
    }
}

void anything_see_job(struct anything *s, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct placement held = sim_held(cx, j);
    const struct placement *p = v->state == JOB_WAITING ? sim_pick(cx, j) : NULL;
    uint32_t *data = sim_job_data(cx, j);

    anything_see(s, sim_number(j));
    anything_see(s, (uint64_t)v->state << 32 | v->gpus);
    anything_see(s, (uint64_t)v->held << 32 | v->model);
    anything_see(s, (uint64_t)v->batch << 32 | v->experiment);
    anything_see(s, (uint64_t)v->epochs << 32 | v->epoch);
    anything_see(s, v->types);
    see_real(s, v->steps_declared);
    see_real(s, v->metric);
    see_real(s, v->metric_start);
    see_real(s, v->metric_ideal);
    anything_see(s, (uint64_t)v->submitted + v->metric_falls);
    anything_see(s, (uint64_t)v->since);
    anything_see(s, (uint64_t)v->ran);
    see_real(s, v->attained);
    see_real(s, v->steps);
    anything_see(s, v->asked);
    anything_see(s, (uint64_t)v->stepped);
    anything_see(s, (uint64_t)v->started);
    anything_see(s, (uint64_t)v->alone);
    anything_see(s, (uint64_t)v->home << 32 | (*data)++);
    anything_see_placement(s, &held);
    anything_see_placement(s, p);
    if (p)
        see_real(s, sim_rate(cx, j, p));
    if (held.n)
        see_real(s, sim_rate(cx, j, &held));
    see_steps(s, cx, j, &held);
    if (s->meek)
        return;
    anything_see(s, (uint64_t)sim_remaining(cx, j));
    see_real(s, sim_true_metric(cx, j, v->epoch + 1));
}

void anything_see_cluster(struct anything *s, struct cx *cx)
{
    anything_see(s, (uint64_t)sim_now(cx));
    anything_see(s, (uint64_t)sim_free_gpus(cx) << 32 | sim_gpus(cx));
    for (gpu_id g = 0; g < sim_gpus(cx); g++) {
        struct gpu_view v = sim_gpu(cx, g);
        anything_see(s, (uint64_t)v.type << 32 | v.node);
        anything_see(s, (uint64_t)v.residents << 32 | v.most);
        for (uint32_t i = 0; i <= v.residents; i++)
            anything_see(s, sim_number(sim_resident(cx, g, i)));
        see_real(s, v.memory);
        anything_see(s, (uint64_t)v.ready > (uint64_t)sim_now(cx) ? (uint64_t)v.ready : 0);
    }
    for (node_id n = 0; n < sim_nodes(cx); n++) {
        struct node_view v = sim_node(cx, n);
        anything_see(s, (uint64_t)v.type << 32 | v.first);
        anything_see(s, v.free << 8 | v.gpus);
    }
    for (type_id t = 0; t < sim_types(cx); t++) {
        struct type_view v = sim_type(cx, t);
        anything_see(s, (uint64_t)v.gpus << 32 | v.free);
    }
    for (uint32_t i = 0; i < sim_experiments(cx); i++) {
        struct experiment_view v = sim_experiment(cx, i);
        anything_see(s, (uint64_t)v.submitted);
        anything_see(s, (uint64_t)v.deadline);
        anything_see(s, (uint64_t)v.trials << 32 | v.ended << 1 | v.closed);
        see_real(s, v.gpu_left);
        see_real(s, v.target);
        see_real(s, v.weight);
    }
}

void anything_see_all(struct anything *s, struct cx *cx)
{
    anything_see_cluster(s, cx);
    for (int state = JOB_WAITING; state <= JOB_ENDING; state++) {
        anything_see(s, sim_count(cx, (enum job_state)state));
        for (job_id j = sim_first(cx, (enum job_state)state); j != NO_JOB; j = sim_next(cx, j))
            anything_see_job(s, cx, j);
    }
}
