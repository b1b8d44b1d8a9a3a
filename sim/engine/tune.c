/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments: their tuners, their end rules. */
#include <math.h>
#include <string.h>

#include "sim/engine/state.h"

void tune_setup(struct engine *e)
{
    e->study = arena_get(e->arena, e->world->n_experiments * sizeof(*e->study));
    for (uint32_t i = 0; i < e->world->n_experiments; i++) {
        const struct experiment *x = &e->world->experiment[i];
        struct study *s = &e->study[i];
        s->tuner_self = arena_get(e->arena, x->tuner->state_size);
        if (x->tuner_params)
            memcpy(s->tuner_self, x->tuner_params, x->tuner->state_size);
        s->job = arena_get(e->arena, x->n_trials * sizeof(*s->job));
        s->ended = arena_get(e->arena, x->n_trials * sizeof(*s->ended));
        for (uint32_t k = 0; k < x->n_trials; k++) {
            s->job[k] = NO_JOB;
            s->good_left += x->trial[k].good;
        }
    }
}

void tune_teardown(struct engine *e)
{
    for (uint32_t i = 0; i < e->world->n_experiments; i++)
        if (e->study[i].open && e->world->experiment[i].tuner->close)
            e->world->experiment[i].tuner->close(e->study[i].tuner_self);
}

/* ---- end rules ---- */

/* The experiment is over: what is still alive is killed, by trial. */
static void close_study(struct engine *e, uint32_t i, const char *why)
{
    const struct experiment *x = &e->world->experiment[i];
    struct study *s = &e->study[i];

    if (s->closed)
        return;
    s->closed = true;
    engine_emit(e, &(struct record){.kind = REC_CLOSE,
                                    .job = NO_JOB,
                                    .n = x->n_trials,
                                    .experiment = i,
                                    .value = NAN,
                                    .told = NAN,
                                    .why = why});
    for (uint32_t k = 0; k < x->n_trials; k++) {
        struct job *j = job_find(e, s->job[k]);
        if (j)
            life_leave(e, j, JOB_KILLED);
    }
}

static void close_if_idle(struct engine *e, uint32_t i)
{
    if (e->study[i].alive == 0)
        close_study(e, i, "all_done");
}

/* ---- the engine's side ---- */

static struct job *living(struct tx *tx, uint32_t trial)
{
    if (trial >= tune_trials(tx))
        return NULL;
    return job_find(tx->e, tx->e->study[tx->experiment].job[trial]);
}

/* The best last metric in the recordings of its trials, submitted or not. */
static double best_last(const struct experiment *x)
{
    double best = NAN;

    for (uint32_t k = 0; k < x->n_trials; k++) {
        uint32_t row = x->trial[k].curve;
        double last = curve_at(x->curves, row, curve_epochs(x->curves, row));
        if (k == 0 || curve_better(x->curves, last, best))
            best = last;
    }
    return best;
}

void tune_open(struct engine *e, uint32_t i)
{
    const struct experiment *x = &e->world->experiment[i];
    struct tx tx = {e, i};

    e->study[i].open = true;
    engine_emit(e, &(struct record){.kind = REC_OPEN,
                                    .job = NO_JOB,
                                    .n = x->n_trials,
                                    .experiment = i,
                                    .epoch = e->study[i].good_left,
                                    .good = x->curves->falls,
                                    .value = x->target,
                                    .told = best_last(x),
                                    .name = x->name});
    x->tuner->open(e->study[i].tuner_self, &tx);
    close_if_idle(e, i);
}

static void pause_trial(struct engine *e, struct job *j)
{
    enum job_state was = j->state;

    move_off(e, j, REC_PAUSE, JOB_PAUSED, NULL);
    life_changed(e, j, was);
}

void tune_reported(struct engine *e, struct job *j, double metric)
{
    uint32_t i = j->spec.experiment;
    const struct experiment *x = &e->world->experiment[i];
    job_id id = j->id;
    struct tx tx = {e, i};
    enum tune_verdict v = TUNE_GO_ON;

    if (x->tuner->report && j->epoch < j->spec.epochs)
        v = x->tuner->report(e->study[i].tuner_self, &tx, j->spec.trial, j->epoch, metric);
    if (job_find(e, id) == j) {
        if (v == TUNE_PAUSE)
            pause_trial(e, j);
        else if (v == TUNE_STOP)
            life_leave(e, j, JOB_KILLED);
    }
}

void tune_target(struct engine *e, uint32_t i, double metric)
{
    const struct experiment *x = &e->world->experiment[i];

    if (x->end == END_TARGET && !e->ended && !curve_better(x->curves, x->target, metric))
        close_study(e, i, "target");
}

void tune_ended(struct engine *e, const struct job_spec *spec, bool done)
{
    uint32_t i = spec->experiment;
    const struct experiment *x = &e->world->experiment[i];
    struct study *s = &e->study[i];
    struct tx tx = {e, i};
    bool good = x->trial[spec->trial].good;

    s->ended[spec->trial] = true;
    s->alive--;
    s->good_left -= good;
    if (s->closed)
        return;
    if (done && good && x->end == END_FIRST_GOOD)
        close_study(e, i, "first_good");
    else if (good && s->good_left == 0 && x->end == END_ALL_GOOD)
        close_study(e, i, "all_good");
    if (!s->closed && x->tuner->ended)
        x->tuner->ended(s->tuner_self, &tx, spec->trial);
    if (!s->closed)
        close_if_idle(e, i);
}

/* ---- the tuner's side ---- */

sim_time tune_now(const struct tx *tx)
{
    return tx->e->now;
}

uint32_t tune_trials(const struct tx *tx)
{
    return tx->e->world->experiment[tx->experiment].n_trials;
}

bool tune_falls(const struct tx *tx)
{
    return tx->e->world->experiment[tx->experiment].curves->falls;
}

uint32_t tune_epochs(const struct tx *tx, uint32_t trial)
{
    const struct experiment *x = &tx->e->world->experiment[tx->experiment];

    return trial < x->n_trials ? curve_epochs(x->curves, x->trial[trial].curve) : 0;
}

bool tune_submit(struct tx *tx, uint32_t trial)
{
    struct engine *e = tx->e;
    struct study *s = &e->study[tx->experiment];

    if (trial >= tune_trials(tx) || s->closed || s->job[trial] != NO_JOB)
        return false;
    struct job_spec spec = world_trial(e->world, tx->experiment, trial, e->now);
    s->alive++;
    s->job[trial] = life_arrive(e, &spec)->id;
    return true;
}

bool tune_promote(struct tx *tx, uint32_t trial)
{
    struct job *j = living(tx, trial);

    if (!j || j->state != JOB_PAUSED)
        return false;
    life_to(tx->e, j, JOB_WAITING);
    struct record r = job_record(j, REC_PROMOTE);
    engine_emit(tx->e, &r);
    life_changed(tx->e, j, JOB_PAUSED);
    return true;
}

bool tune_stop(struct tx *tx, uint32_t trial)
{
    struct job *j = living(tx, trial);

    if (!j)
        return false;
    life_leave(tx->e, j, JOB_KILLED);
    return true;
}
