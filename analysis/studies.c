/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/studies.h"

#include <math.h>

#include "sim/base/mem.h"

static struct study_tally *study_of(struct studies *s, uint32_t experiment)
{
    return experiment < s->n ? &s->study[experiment] : NULL;
}

void studies_open(struct studies *s, const struct record *r)
{
    while (s->n <= r->experiment) { /* experiments may open in any order */
        s->study = mem_room(s->study, s->n, &s->cap, sizeof(*s->study));
        s->study[s->n++] = (struct study_tally){.best = NAN,
                                                .target = NAN,
                                                .start = NAN,
                                                .goal = NAN,
                                                .target_at = SIM_NEVER,
                                                .good_first = SIM_NEVER};
    }
    struct study_tally *x = &s->study[r->experiment];
    x->begin = x->since = r->t;
    x->falls = r->good;
    x->target = r->value;
    x->goal = r->told;
    x->deadline = r->run;
    x->good_all = r->epoch;
}

void studies_arrive(struct studies *s, const struct record *r)
{
    struct study_tally *x = study_of(s, r->experiment);

    if (!x)
        return;
    x->trials++;
    x->good += r->good;
    x->start = r->value;
}

static bool better(const struct study_tally *x, double a, double b)
{
    return x->falls ? a < b : a > b;
}

/* How far the best metric so far is from the goal, as a part of the way from the start: a worse
 * metric than before training is no loss, one beyond the goal no gain. */
static double regret(const struct study_tally *x)
{
    if (isnan(x->best) || !better(x, x->best, x->start))
        return 1;
    return better(x, x->goal, x->best) ? (x->goal - x->best) / (x->goal - x->start) : 0;
}

static void add_regret(struct study_tally *x, sim_time now)
{
    x->regret += regret(x) * (double)(now - x->since);
    x->since = now;
}

void studies_report(struct studies *s, const struct record *r, uint32_t experiment)
{
    struct study_tally *x = study_of(s, experiment);

    if (!x)
        return;
    if (isnan(x->best) || better(x, r->value, x->best)) {
        add_regret(x, r->t);
        x->best = r->value;
    }
    if (!isnan(x->target) && x->target_at == SIM_NEVER && !better(x, x->target, r->value))
        x->target_at = r->t;
}

void studies_good(struct studies *s, sim_time end, uint32_t experiment)
{
    struct study_tally *x = study_of(s, experiment);

    if (!x)
        return;
    sim_time t = end - x->begin;
    x->good_done++;
    x->good_sum += t;
    x->good_first = t < x->good_first ? t : x->good_first;
    x->good_last = t > x->good_last ? t : x->good_last;
}

void studies_close(struct studies *s, const struct record *r)
{
    struct study_tally *x = study_of(s, r->experiment);

    if (x)
        x->closed = true;
}

/* The regret counts until the deadline, which is the same whatever the policy and the tuner, though
 * the experiment or the run may be over before. */
void studies_finish(struct studies *s, sim_time end)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct study_tally *x = &s->study[i];
        add_regret(x, x->closed && x->deadline > 0 ? x->deadline : end);
    }
}

/* A mean over experiments that is there only if every experiment has its part. */
struct mean {
    sim_area sum;
    uint32_t n;
};

static void add(struct mean *m, bool has, sim_area t)
{
    m->sum += has ? t : 0;
    m->n += has;
}

static void set_mean(struct metric_value *v, const struct mean *m, uint32_t n)
{
    if (n > 0 && m->n == n)
        *v = (struct metric_value){true, m->sum / (sim_area)n, 0};
}

static void set_count(struct metric_value *v, uint32_t n)
{
    *v = (struct metric_value){true, 0, n};
}

/* There is none where nothing is better than before training, where the run was cut before a
 * deadline, or where not all of it was recorded. */
static void set_regret(const struct studies *s, struct metric_value *v)
{
    double area = 0, left = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        const struct study_tally *x = &s->study[i];
        if (!better(x, x->goal, x->start) || (x->deadline > 0 && !x->closed))
            return;
        area += x->regret;
        left += regret(x);
    }
    v[M_HPO_REGRET] = (struct metric_value){true, (sim_area)(area / s->n + 0.5), 0};
    v[M_HPO_REGRET_LEFT] = (struct metric_value){true, 0, left / s->n};
}

void studies_values(const struct studies *s, struct metric_value *v)
{
    struct mean mean = {0}, first = {0}, all = {0}, target = {0};
    uint32_t trials = 0, good = 0;

    set_count(&v[M_EXPERIMENTS], s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct study_tally *x = &s->study[i];
        trials += x->trials;
        good += x->good;
        add(&mean, x->good_done > 0, x->good_done ? x->good_sum / x->good_done : 0);
        add(&first, x->good_done > 0, x->good_first);
        add(&all, x->good_all > 0 && x->good_done == x->good_all, x->good_last);
        add(&target, x->target_at != SIM_NEVER, x->target_at - x->begin);
    }
    if (s->n == 0)
        return;
    set_count(&v[M_TRIALS], trials);
    set_count(&v[M_GOOD_TRIALS], good);
    set_mean(&v[M_HPO_MEAN_GOOD], &mean, s->n);
    set_mean(&v[M_HPO_FIRST_GOOD], &first, s->n);
    set_mean(&v[M_HPO_ALL_GOOD], &all, s->n);
    set_mean(&v[M_HPO_TARGET], &target, s->n);
    set_regret(s, v);
    if (!isnan(s->study[0].best))
        v[M_HPO_BEST] = (struct metric_value){true, 0, s->study[0].best};
}

void studies_free(struct studies *s)
{
    mem_drop(s->study);
}
