/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GPUs do while nobody makes progress on them, and what several jobs do on one. */
#include <math.h>
#include <string.h>

#include "analysis/metrics_state.h"
#include "sim/base/mem.h"

/* ---- set-up and saves ---- */

sim_area metric_setup_area(const struct metrics *m, const struct tally *t, const struct record *r)
{
    sim_area sum = (sim_area)(r->t - t->since) * r->n;

    if (m->latest_ready <= t->since || !r->share)
        return sum;
    for (uint32_t i = 0; i < r->n; i++) {
        sim_time ready = r->share[i].gpu < m->n_ready ? m->ready[r->share[i].gpu] : 0;
        ready = ready > r->t ? r->t : ready;
        sum -= ready > t->since ? ready - t->since : 0;
    }
    return sum;
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

/* The GPUs of a set-up that may have to wait for saves. */
void metric_keep_held(struct metrics *m, struct tally *t, const struct record *r)
{
    if (t->held)
        mem_drop(t->held);
    t->held = NULL;
    if (t->phase == RUNNING || m->latest_ready <= r->t)
        return;
    t->held = mem_get(r->n * sizeof(*t->held));
    memcpy(t->held, r->share, r->n * sizeof(*t->held));
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
