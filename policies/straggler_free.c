/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * straggler_free - no replica waits for another: each job's shares in proportion to the speeds that
 * were measured, as in DBS and LB-BSP. Each job for itself; fairness is not asked for.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policies/lib/watch.h"

struct straggler_free {
    struct watch watch; /* first */
    double kappa, deadband;
};

static const struct field fields[] = {
    WATCH_FIELDS(struct straggler_free),
    {FIELD_REAL, "kappa", offsetof(struct straggler_free, kappa), "0.5", 0.001, 1, NULL,
     "part of the way to the target; all of it would swing to and fro, as others do the same"},
    {FIELD_REAL, "deadband", offsetof(struct straggler_free, deadband), "0.05", 0, 1, NULL,
     "shares stay while the step would become shorter by a smaller part than this"},
    {.type = FIELD_END},
};

/* A share as a worker: what is known of its step alone, stretched as was measured. */
static struct sim_worker worker_of(const struct cx *cx, const struct watched *x, uint32_t i)
{
    gpu_id g = x->held.share[i].gpu;
    uint32_t batch = x->view->batch, b = x->held.share[i].samples;
    double fixed = sim_step_alone(cx, x->id, g, 0).busy;
    double all = sim_step_alone(cx, x->id, g, batch).busy;
    double now = sim_step_alone(cx, x->id, g, b).busy, stretch = now > 0 ? x->resid[i] / now : 0;
    uint32_t most = watch_samples(cx, x->id, g);

    most = most > b ? most : b;
    if (!(all > fixed)) /* nothing is known */
        return (struct sim_worker){0, x->resid[i] / b, 1, most};
    return (struct sim_worker){stretch * fixed, stretch * (all - fixed) / batch, 1, most};
}

static double longest(const struct sim_worker *w, uint32_t n, const struct share *s)
{
    double t = 0;

    for (uint32_t i = 0; i < n; i++)
        t = fmax(t, w[i].fixed + w[i].each * s[i].samples);
    return t;
}

static void balance(struct straggler_free *s, struct cx *cx, const struct watched *x, double kappa)
{
    uint32_t n = x->held.n, samples[SIM_WORKERS];
    struct sim_worker *w = sim_scratch(cx, n * sizeof(*w));
    struct share *to = sim_scratch(cx, n * sizeof(*to));
    double want[SIM_WORKERS];
    char why[120];

    if (n < 2 || n > SIM_WORKERS || x->view->batch == 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        w[i] = worker_of(cx, x, i);
    if (!sim_balance(w, n, x->view->batch, samples))
        return;
    for (uint32_t i = 0; i < n; i++) {
        double b = x->held.share[i].samples;
        want[i] = b + kappa * (samples[i] - b);
        to[i].gpu = x->held.share[i].gpu;
    }
    watch_round(want, to, n, x->view->batch);
    double gain = longest(w, n, x->held.share) - longest(w, n, to);
    if (!(gain > s->deadband * watch_band(cx, x->id) * x->step))
        return;
    snprintf(why, sizeof(why), "step of %.4g s would take %.4g s", x->step, x->step - gain);
    watch_act(&s->watch, cx, x->id, &(struct placement){n, to}, why);
}

static void look(void *self, struct cx *cx, const struct watched *x, uint32_t n)
{
    struct straggler_free *s = self;

    for (uint32_t i = 0; i < n; i++) /* beside nobody what was measured stays true */
        balance(s, cx, &x[i], n > 1 ? s->kappa : 1);
}

static void schedule(void *self, struct cx *cx)
{
    struct straggler_free *s = self;

    watch_schedule(&s->watch, cx, look);
}

const struct policy policy_straggler_free = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_SHARES | POLICY_RESIZES,
    .name = "straggler_free",
    .about = "several jobs on a GPU, shares in proportion to measured speeds (DBS, LB-BSP)",
    .state_size = sizeof(struct straggler_free),
    .job_size = sizeof(struct watch_job),
    .params = fields,
    .init = watch_init,
    .schedule = schedule,
    .fini = watch_fini,
    .job_changed = watch_changed,
    .dump = watch_dump,
};
