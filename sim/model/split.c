/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/split.h"

#include <math.h>

/*
 * The time at which all that are free to move finish together holds sum (t - fixed) / each = batch.
 * Whoever would get less than its least or more than its most is held there and taken out; t then
 * moves one way for each kind, so the kind that violates more is held first, and no one returns.
 */
static double even_time(const struct sim_worker *w, uint32_t n, double batch, signed char *at)
{
    for (;;) {
        double left = batch, rate = 0, shift = 0, below = 0, above = 0;
        for (uint32_t i = 0; i < n; i++) {
            left -= at[i] < 0 ? w[i].least : at[i] > 0 ? w[i].most : 0;
            rate += at[i] ? 0 : 1 / w[i].each;
            shift += at[i] ? 0 : w[i].fixed / w[i].each;
        }
        double t = rate > 0 ? (left + shift) / rate : 0;
        for (uint32_t i = 0; i < n; i++) {
            double b = (t - w[i].fixed) / w[i].each;
            below += !at[i] && b < w[i].least ? w[i].least - b : 0;
            above += !at[i] && b > w[i].most ? b - w[i].most : 0;
        }
        if (rate == 0 || (below == 0 && above == 0))
            return t;
        for (uint32_t i = 0; i < n; i++) {
            double b = (t - w[i].fixed) / w[i].each;
            if (!at[i] && below >= above && b < w[i].least)
                at[i] = -1;
            else if (!at[i] && above > below && b > w[i].most)
                at[i] = 1;
        }
    }
}

/* Whole samples: rounded down first, then one by one to who would be done first with one more. */
static void round_off(const struct sim_worker *w, uint32_t n, uint32_t left, uint32_t *samples)
{
    for (; left > 0; left--) {
        uint32_t best = 0;
        double first = INFINITY;
        for (uint32_t i = 0; i < n; i++) {
            double t = w[i].fixed + w[i].each * (samples[i] + 1.0);
            if (samples[i] < w[i].most && t < first) {
                first = t;
                best = i;
            }
        }
        samples[best]++;
    }
}

bool sim_balance(const struct sim_worker *w, uint32_t n, uint32_t batch, uint32_t *samples)
{
    signed char at[SIM_WORKERS] = {0};
    uint64_t least = 0, most = 0, sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        least += w[i].least;
        most += w[i].most;
        if (!(w[i].each > 0) || w[i].least > w[i].most)
            return false;
    }
    if (n == 0 || n > SIM_WORKERS || batch < least || batch > most)
        return false;
    double t = even_time(w, n, batch, at);
    for (uint32_t i = 0; i < n; i++) {
        double b = floor((t - w[i].fixed) / w[i].each * (1 - 1e-12));
        samples[i] = at[i] < 0 || b < w[i].least  ? w[i].least
                     : at[i] > 0 || b > w[i].most ? w[i].most
                                                  : (uint32_t)b;
        sum += samples[i];
    }
    while (sum > batch) /* the sum of what is held need not leave room for what is rounded */
        for (uint32_t i = 0; i < n && sum > batch; i++)
            if (samples[i] > w[i].least) {
                samples[i]--;
                sum--;
            }
    round_off(w, n, (uint32_t)(batch - sum), samples);
    return true;
}

double split_best_rate(const struct world *w, const struct job_spec *s, double jitter,
                       const struct placement *p)
{
    struct sim_worker worker[SIM_WORKERS] = {{0, 0, 0, 0}};
    struct share share[SIM_WORKERS];
    uint32_t samples[SIM_WORKERS];

    if (p->n > SIM_WORKERS)
        return world_rate(w, s, jitter, p);
    for (uint32_t i = 0; i < p->n; i++) {
        gpu_id g = p->share[i].gpu;
        double none = world_step(w, s->model, g, 0).busy,
               all = world_step(w, s->model, g, s->batch).busy;
        type_id t = w->node[w->gpu[g].node].type;
        worker[i] = (struct sim_worker){none, fmax((all - none) / s->batch, 1e-15), 1,
                                        world_most_samples(w, s->model, t, s->batch)};
    }
    if (!sim_balance(worker, p->n, s->batch, samples))
        return 0;
    for (uint32_t i = 0; i < p->n; i++)
        share[i] = (struct share){p->share[i].gpu, samples[i]};
    return world_rate(w, s, jitter, &(struct placement){p->n, share});
}
