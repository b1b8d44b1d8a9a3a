/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slowdown_fair - a reconstruction of Kim & Kim: every period the shares of jobs that hang together
 * are moved so that their slowdowns (eq. 22) become similar, by eq. 23 or eq. 24.
 *
 * It sees measured step times and what was measured offline; how GPUs are shared it only believes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policies/lib/slowdown.h"

static const char *const controllers[] = {"full", "local", "optimal", NULL};
static const char *const predictors[] = {"elapsed", "instant", "ewma", NULL};
static const char *const gpu_choices[] = {"all", "started", "any", NULL};

#define AT(member) offsetof(struct slowdown_fair, member)
static const struct field fields[] = {
    WATCH_FIELDS(struct slowdown_fair),
    {FIELD_CHOICE, "controller", AT(controller), "full", 0, 0, controllers,
     "full: greedy on the p-norm of slowdowns (eq. 23); local: own balance, weighted (eq. 24); "
     "optimal: least largest slowdown, also when jobs come or go (oracle: true rates)"},
    {FIELD_CHOICE, "predictor", AT(predictor), "elapsed", 0, 0, predictors,
     "slowdown from time elapsed + remaining at the present rate (eq. 22), from the present rate "
     "alone, or from its moving average (choice 14)"},
    {FIELD_CHOICE, "gpus", AT(gpus), "started", 0, 0, gpu_choices,
     "full: GPUs it uses: all it started on, some of these, or any of its nodes (choice 16)"},
    {FIELD_REAL, "eta", AT(eta), "0.15", 0, 10, NULL,
     "full: what it believes that GPUs gain when they are shared (eq. 19)"},
    {FIELD_INT, "p", AT(p), "8", 1, 64, NULL, "full: exponent of the norms of eq. 23"},
    {FIELD_INT, "parts", AT(parts), "8", 1, 1024, NULL,
     "full: a move is the batch / parts samples, at least 1"},
    {FIELD_INT, "moves", AT(moves), "20", 1, 1000, NULL, "full: most moves of a group at once"},
    {FIELD_REAL, "min_gain", AT(gain), "0.0001", 1e-9, 1, NULL,
     "full: a move must lower the objective by more than this part; optimal: all moves together"},
    {FIELD_SECONDS, "copy_s", AT(copy), "2", 0, 1e6, NULL,
     "full: what it believes that a replica on a further GPU costs"},
    {FIELD_REAL, "weight", AT(weight), "0.3", 1e-3, 1, NULL, "ewma: of the latest step time"},
    {FIELD_REAL, "kappa", AT(kappa), "0.5", 1e-3, 1, NULL, "local: part of the way to the target"},
    {FIELD_REAL, "deadband", AT(deadband), "0.05", 0, 1, NULL,
     "local: shares stay while none would change by more than this part of an even share; full: "
     "while neither slowdowns nor the replicas of a job differ by more"},
    {.type = FIELD_END},
};

/* ---- eq. 24 ---- */

static void steer(struct slowdown_fair *s, struct cx *cx, const struct watched *x, double slowdown,
                  double mean)
{
    uint32_t n = x->held.n, batch = x->view->batch;
    double *want = sim_scratch(cx, n * sizeof(*want)), sum = 0, most = 0;
    double g = fmin(2, fmax(0.5, slowdown / mean));
    struct share *to = sim_scratch(cx, n * sizeof(*to));
    char why[160];

    if (n > batch)
        return;
    for (uint32_t i = 0; i < n; i++)
        sum += x->held.share[i].samples / x->resid[i];
    for (uint32_t i = 0; i < n; i++) {
        double b = x->held.share[i].samples, target = batch * (b / x->resid[i]) / sum;
        want[i] = b + fmin(1, s->kappa * g) * (target - b);
        to[i].gpu = x->held.share[i].gpu;
    }
    watch_round(want, to, n, batch);
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, fabs((double)to[i].samples - x->held.share[i].samples));
    if (!(most > s->deadband * watch_band(cx, x->id) * batch / n))
        return;
    snprintf(why, sizeof(why), "slowdown %.3f of %.3f on average: weight %.2f to its own balance",
             slowdown, mean, g);
    watch_act(&s->watch, cx, x->id, &(struct placement){n, to}, why);
}

static void look_local(struct slowdown_fair *s, struct cx *cx, const struct watched *x, uint32_t n)
{
    double *slowdown = sim_scratch(cx, n * sizeof(*slowdown)), sum = 0;
    uint32_t known = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!slowdown_movable(&x[i]))
            continue;
        struct slowdown_line l = slowdown_line(s, cx, &x[i]);
        slowdown[i] = l.base + l.slope * slowdown_step(s, cx, &x[i]);
        sum += slowdown[i];
        known++;
    }
    for (uint32_t i = 0; i < n; i++)
        if (slowdown_movable(&x[i]) && x[i].held.n > 1)
            steer(s, cx, &x[i], slowdown[i], sum / known);
}

/* ---- the policy ---- */

/* A job that always had its GPUs for itself is left as it is (9, 10). */
static void look(void *self, struct cx *cx, const struct watched *x, uint32_t n)
{
    struct slowdown_fair *s = self;
    bool touched = n > 1 || watch_moved(cx, x[0].id);

    if (s->controller == OPTIMAL)
        slowdown_best(s, cx, x, n);
    else if (touched && s->controller == FULL)
        slowdown_full(s, cx, x, n);
    else if (touched)
        look_local(s, cx, x, n);
}

static void init(void *self, struct cx *cx)
{
    struct slowdown_fair *s = self;

    watch_init(self, cx);
    s->watch.at_once = s->controller == OPTIMAL;
    s->place = sim_keep(cx, sim_gpus(cx) * sizeof(*s->place));
}

static void schedule(void *self, struct cx *cx)
{
    struct slowdown_fair *s = self;

    watch_schedule(&s->watch, cx, look);
}

static void dump(const void *self, FILE *out)
{
    const struct slowdown_fair *s = self;

    watch_dump(self, out);
    fprintf(out, "%llu moves tried in the model\n", (unsigned long long)s->tried);
    if (s->solved)
        fprintf(out,
                "%llu problems solved, with rates asked for %llu times: largest slowdown / bound "
                "%.4f on average, %.4f at most\n",
                (unsigned long long)s->solved, (unsigned long long)s->asked,
                s->gaps / (double)s->solved, s->widest);
}

static uint32_t more_flags(const void *params)
{
    const struct slowdown_fair *s = params;

    return s->controller == OPTIMAL ? POLICY_ORACLE : 0;
}

const struct policy policy_slowdown_fair = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_SHARES | POLICY_RESIZES,
    .name = "slowdown_fair",
    .about =
        "shares are moved until the slowdowns of jobs on the same GPUs are similar (Kim & Kim)",
    .state_size = sizeof(struct slowdown_fair),
    .job_size = sizeof(struct job_memory),
    .params = fields,
    .init = init,
    .schedule = schedule,
    .fini = watch_fini,
    .job_changed = watch_changed,
    .dump = dump,
    .more_flags = more_flags,
};
