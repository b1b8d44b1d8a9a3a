/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GPUs do while nobody makes progress on them, and what several jobs do on one. */
#include <math.h>
#include <string.h>

#include "analysis/metrics_state.h"
#include "sim/base/mem.h"

/* ---- set-up and saves ---- */

/* The part of a stretch of time on its GPUs in which former owners' states are still saved. */
static sim_area not_free(const struct tally *t, sim_time from, sim_time to)
{
    sim_area sum = 0;

    for (uint32_t i = 0; t->free && i < t->held_gpus; i++) {
        sim_time free = t->free[i] > to ? to : t->free[i];
        sum += free > from ? free - from : 0;
    }
    return sum;
}

sim_area metric_setup_area(const struct tally *t, const struct record *r)
{
    return (sim_area)(r->t - t->since) * r->n - not_free(t, t->since, r->t);
}

sim_area metric_save_area(const struct tally *t, const struct record *r)
{
    return (sim_area)(r->ready - r->run) * r->n - not_free(t, r->run, r->ready);
}

void metric_note_ready(struct metrics *m, const struct record *r)
{
    if (r->ready <= r->t)
        return;
    m->latest_ready = r->ready > m->latest_ready ? r->ready : m->latest_ready;
    for (uint32_t i = 0; i < r->n; i++) {
        gpu_id g = r->share[i].gpu;
        if (g >= m->n_ready) {
            uint32_t n = g + 64;
            m->ready = mem_grow(m->ready, n * sizeof(*m->ready));
            memset(m->ready + m->n_ready, 0, (n - m->n_ready) * sizeof(*m->ready));
            m->n_ready = n;
        }
        m->ready[g] = r->ready > m->ready[g] ? r->ready : m->ready[g];
    }
}

/* Others that leave its GPUs later do not hold it up. */
void metric_keep_free(struct metrics *m, struct tally *t, const struct record *r)
{
    if (t->free)
        mem_drop(t->free);
    t->free = NULL;
    if (t->phase == RUNNING || m->latest_ready <= r->t || !r->share)
        return;
    t->free = mem_get(r->n * sizeof(*t->free));
    for (uint32_t i = 0; i < r->n; i++)
        t->free[i] = r->share[i].gpu < m->n_ready ? m->ready[r->share[i].gpu] : 0;
}

/* ---- shared clusters ---- */

void metric_load(struct metrics *m, const struct record *r)
{
    double ns = (double)(r->t - r->run);

    m->shared = true;
    m->active += r->value * ns;
    m->work += r->told * ns;
}

double metrics_alone_slowdown(const struct job_row *j)
{
    if (j->alone <= 0 || strcmp(j->ended, record_name[REC_END]) != 0)
        return NAN;
    return (double)(j->end - j->first_start) / (double)j->alone;
}

/* Welford's update: no cancellation where all slowdowns are alike. */
void metric_alone(struct metrics *m, const struct job_row *row)
{
    double x = metrics_alone_slowdown(row), off = x - m->alone.mean;

    if (isnan(x))
        return;
    m->alone.n++;
    m->alone.max = fmax(m->alone.max, x);
    m->alone.mean += off / (double)m->alone.n;
    m->alone.squares += off * (x - m->alone.mean);
}
