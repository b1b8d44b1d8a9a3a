/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Experiments and tuners" of docs/model.md. */
#include <math.h>
#include <string.h>

#include "tests/property/slow.h"

struct tx {
    struct engine *e;
    uint32_t x;
};

static const struct experiment *spec_of(const struct tx *tx)
{
    return &tx->e->world->experiment[tx->x];
}

/* ---- closing ---- */

static void close_study(struct engine *e, uint32_t x, const char *why)
{
    struct study *s = &e->study[x];

    if (s->closed)
        return;
    s->closed = true;
    slow_emit(e, (struct record){.kind = REC_CLOSE,
                                 .job = NO_JOB,
                                 .experiment = x,
                                 .n = e->world->experiment[x].n_trials,
                                 .why = why});
    for (uint32_t k = 0; k < e->world->experiment[x].n_trials; k++)
        if (s->trial[k] && slow_alive(s->trial[k]))
            slow_depart(e, s->trial[k], JOB_KILLED, NULL);
}

static uint32_t good_trials(const struct experiment *x)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < x->n_trials; k++)
        n += x->trial[k].good;
    return n;
}

static bool none_alive(const struct engine *e, uint32_t x)
{
    for (uint32_t k = 0; k < e->world->experiment[x].n_trials; k++)
        if (e->study[x].trial[k] && slow_alive(e->study[x].trial[k]))
            return false;
    return true;
}

/* Whether every good trial has left. */
static bool no_good_left(const struct engine *e, uint32_t x)
{
    const struct experiment *spec = &e->world->experiment[x];

    for (uint32_t k = 0; k < spec->n_trials; k++)
        if (spec->trial[k].good && (!e->study[x].trial[k] || slow_alive(e->study[x].trial[k])))
            return false;
    return true;
}

static double best_last(const struct experiment *spec)
{
    double best = spec->curves->falls ? INFINITY : -INFINITY;

    for (uint32_t k = 0; k < spec->n_trials; k++) {
        double last = spec->curves->value[spec->curves->first[spec->trial[k].curve + 1] - 1];
        best = spec->curves->falls ? fmin(best, last) : fmax(best, last);
    }
    return best;
}

/* ---- what the tuner hears ---- */

void slow_open(struct engine *e, uint32_t x)
{
    const struct experiment *spec = &e->world->experiment[x];
    struct study *s = &e->study[x];
    struct tx tx = {e, x};

    s->begun = true;
    s->self = arena_get(e->arena, spec->tuner->state_size);
    if (spec->tuner_params)
        memcpy(s->self, spec->tuner_params, spec->tuner->state_size);
    slow_emit(e, (struct record){.kind = REC_OPEN,
                                 .job = NO_JOB,
                                 .experiment = x,
                                 .n = spec->n_trials,
                                 .epoch = good_trials(spec),
                                 .good = spec->curves->falls,
                                 .value = spec->target,
                                 .told = best_last(spec),
                                 .name = spec->name});
    spec->tuner->open(s->self, &tx);
    if (none_alive(e, x))
        close_study(e, x, "all_done");
}

void slow_ended(struct engine *e, struct job *j)
{
    uint32_t x = j->spec.experiment;
    const struct experiment *spec = &e->world->experiment[x];
    struct tx tx = {e, x};

    if (e->study[x].closed)
        return;
    bool good = spec->trial[j->spec.trial].good;
    if (spec->end == END_FIRST_GOOD && good && j->state == JOB_DONE)
        close_study(e, x, "first_good");
    else if (spec->end == END_ALL_GOOD && good && no_good_left(e, x))
        close_study(e, x, "all_good");
    if (!e->study[x].closed && spec->tuner->ended)
        spec->tuner->ended(e->study[x].self, &tx, j->spec.trial);
    if (none_alive(e, x))
        close_study(e, x, "all_done");
}

static void apply(struct engine *e, struct job *j, enum tune_verdict v)
{
    enum job_state was = j->state;

    if (!slow_alive(j))
        return;
    if (v == TUNE_STOP) {
        slow_depart(e, j, JOB_KILLED, NULL);
    } else if (v == TUNE_PAUSE) {
        slow_take_off(e, j, REC_PAUSE, NULL);
        slow_changed(e, j, was);
    }
}

void slow_reported(struct engine *e, struct job *j)
{
    const struct experiment *spec = &e->world->experiment[j->spec.experiment];
    struct study *s = &e->study[j->spec.experiment];
    struct tx tx = {e, j->spec.experiment};

    j->metric = curve_at(spec->curves, spec->trial[j->spec.trial].curve, j->epoch);
    struct record r = slow_record(e, REC_REPORT, j);
    r.epoch = j->epoch;
    r.share = NULL; /* formats.md: a report does not say where */
    r.value = j->metric;
    slow_emit(e, r);
    if (e->policy->job_reported) {
        slow_enter(e);
        e->policy->job_reported(e->self, &e->cx, j->id);
        slow_leave(e);
    }
    if (e->over)
        return;
    if (spec->tuner->report && j->epoch < j->spec.epochs)
        apply(e, j, spec->tuner->report(s->self, &tx, j->spec.trial, j->epoch, j->metric));
}

void slow_target(struct engine *e, uint32_t experiment, double metric)
{
    const struct experiment *spec = &e->world->experiment[experiment];

    if (spec->end == END_TARGET && !e->over && !curve_better(spec->curves, spec->target, metric))
        close_study(e, experiment, "target");
}

/* ---- what a tuner may do ---- */

sim_time tune_now(const struct tx *tx)
{
    return tx->e->now;
}
uint32_t tune_trials(const struct tx *tx)
{
    return spec_of(tx)->n_trials;
}
bool tune_falls(const struct tx *tx)
{
    return spec_of(tx)->curves->falls;
}

uint32_t tune_epochs(const struct tx *tx, uint32_t trial)
{
    return curve_epochs(spec_of(tx)->curves, spec_of(tx)->trial[trial].curve);
}

static struct job *trial_of(const struct tx *tx, uint32_t trial)
{
    return trial < spec_of(tx)->n_trials ? tx->e->study[tx->x].trial[trial] : NULL;
}

bool tune_submit(struct tx *tx, uint32_t trial)
{
    struct study *s = &tx->e->study[tx->x];

    if (s->closed || trial >= spec_of(tx)->n_trials || s->trial[trial])
        return false;
    struct job_spec spec = world_trial(tx->e->world, tx->x, trial, tx->e->now);
    s->trial[trial] = slow_arrive(tx->e, &spec);
    return true;
}

bool tune_promote(struct tx *tx, uint32_t trial)
{
    struct job *j = trial_of(tx, trial);

    if (!j || j->state != JOB_PAUSED)
        return false;
    j->state = JOB_WAITING;
    j->since = tx->e->now;
    slow_emit(tx->e, slow_record(tx->e, REC_PROMOTE, j));
    slow_changed(tx->e, j, JOB_PAUSED);
    return true;
}

bool tune_stop(struct tx *tx, uint32_t trial)
{
    struct job *j = trial_of(tx, trial);

    if (!j || !slow_alive(j))
        return false;
    slow_depart(tx->e, j, JOB_KILLED, NULL);
    return true;
}
