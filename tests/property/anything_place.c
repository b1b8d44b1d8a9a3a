/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs and placements by chance. */
#include "tests/property/anything.h"

uint32_t anything_below(struct cx *cx, uint32_t n)
{
    return (uint32_t)(sim_random(cx) % n);
}
bool anything_of(struct cx *cx, int64_t percent)
{
    return anything_below(cx, 100) < percent;
}

job_id anything_some(struct cx *cx, enum job_state state)
{
    uint32_t n = sim_count(cx, state), k = n ? anything_below(cx, n) : 0;
    job_id j = sim_first(cx, state);

    while (k-- > 0)
        j = sim_next(cx, j);
    return j;
}

job_id anything_holder(struct cx *cx)
{
    job_id a = anything_some(cx, JOB_SETUP), b = anything_some(cx, JOB_RUNNING);

    return a == NO_JOB || (b != NO_JOB && anything_of(cx, 50)) ? b : a;
}

/* The first n of them in random order. */
static void shuffle(struct cx *cx, gpu_id *g, uint32_t n, uint32_t of_all)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i + anything_below(cx, of_all - i);
        gpu_id x = g[i];
        g[i] = g[k];
        g[k] = x;
    }
}

/* Whether there is a seat and memory for so many samples. */
static bool has_room(struct cx *cx, job_id j, gpu_id g, uint32_t samples)
{
    struct gpu_view v = sim_gpu(cx, g);

    return v.residents < v.most && sim_step_alone(cx, j, g, samples).bytes <= v.memory;
}

const struct placement *anything_anywhere(const struct anything *s, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    gpu_id *g = sim_scratch(cx, sim_gpus(cx) * sizeof(*g));
    uint32_t n = 0, most = (v->batch + v->gpus - 1) / v->gpus;

    for (gpu_id i = 0; i < sim_gpus(cx); i++) {
        struct gpu_view gpu = sim_gpu(cx, i);
        if (v->types >> gpu.type & 1 && (gpu.residents == 0 || !s->meek) &&
            has_room(cx, j, i, most))
            g[n++] = i;
    }
    if (n < v->gpus)
        return NULL;
    shuffle(cx, g, v->gpus, n);
    return sim_even(cx, j, g, v->gpus);
}

const struct placement *anything_crowd(struct cx *cx, job_id j, uint32_t n)
{
    gpu_id *g = sim_scratch(cx, sim_gpus(cx) * sizeof(*g));

    for (gpu_id i = 0; i < sim_gpus(cx); i++)
        g[i] = i;
    if (n == 0 || n > sim_gpus(cx))
        return NULL;
    shuffle(cx, g, sim_gpus(cx), sim_gpus(cx));
    for (uint32_t i = 1; i < sim_gpus(cx); i++) {
        gpu_id x = g[i];
        if (anything_of(cx, 70) && sim_gpu(cx, x).residents > sim_gpu(cx, g[0]).residents) {
            g[i] = g[0];
            g[0] = x;
        }
    }
    return sim_even(cx, j, g, n);
}

const struct placement *anything_other_gpus(struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct placement held = sim_held(cx, j);
    gpu_id *g = sim_scratch(cx, sim_gpus(cx) * sizeof(*g));
    uint32_t n = 0, want, most = v->batch ? v->batch : UINT32_MAX;

    for (gpu_id i = 0; i < sim_gpus(cx); i++) {
        bool own = false;
        for (uint32_t k = 0; k < held.n; k++)
            own |= held.share[k].gpu == i;
        if (own ? anything_of(cx, 70) : anything_of(cx, 40) && has_room(cx, j, i, 1))
            g[n++] = i;
    }
    if (n == 0)
        return NULL;
    want = 1 + anything_below(cx, n);
    want = want < most ? want : most;
    shuffle(cx, g, want, n);
    return sim_even(cx, j, g, want);
}

struct placement anything_other_shares(struct cx *cx, job_id j)
{
    struct placement p = sim_held(cx, j);
    struct share *share = sim_scratch(cx, (p.n ? p.n : 1) * sizeof(*share));
    uint32_t turn = p.n ? anything_below(cx, p.n) : 0, from = p.n ? anything_below(cx, p.n) : 0;

    for (uint32_t i = 0; i < p.n; i++)
        share[i] = p.share[(i + turn) % p.n];
    if (p.n > 1 && share[from].samples > 1 && anything_of(cx, 70)) {
        share[from].samples--;
        share[(from + 1) % p.n].samples++;
    }
    p.share = share;
    return p;
}
