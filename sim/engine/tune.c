/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments: what their tuners hear, and what ends them. */
#include "sim/engine/tune.h"

#include <math.h>
#include <string.h>

void tune_setup(struct engine *e)
{
    e->study = arena_get(e->arena, e->world->n_experiments * sizeof(*e->study));
    for (uint32_t i = 0; i < e->world->n_experiments; i++) {
        const struct experiment *x = &e->world->experiment[i];
        struct study *s = &e->study[i];
        s->tuner_self = arena_get(e->arena, x->tuner->state_size);
        if (x->tuner_params)
            memcpy(s->tuner_self, x->tuner_params, x->tuner->state_size);
        s->track = arena_get(e->arena, x->n_trials * sizeof(*s->track));
        for (uint32_t k = 0; k < x->n_trials; k++) {
            uint32_t row = x->trial[k].curve, recorded = curve_epochs(x->curves, row);
            bool breaks = recorded < curve_planned(x->curves, row);
            s->track[k] = (struct track){.job = NO_JOB,
                                         .metric = NAN,
                                         .curve = row,
                                         .breaks = breaks ? recorded : UINT32_MAX};
            s->good_left += x->trial[k].good;
        }
    }
}

void tune_teardown(struct engine *e)
{
    for (uint32_t i = 0; i < e->world->n_experiments; i++) {
        struct study *s = &e->study[i];
        if (s->open && e->world->experiment[i].tuner->close)
            e->world->experiment[i].tuner->close(s->tuner_self);
        if (s->random)
            gsl_rng_free(s->random);
    }
}

/* ---- ends ---- */

/* The experiment is over: what is still alive is killed, by trial. */
static void close_study(struct engine *e, uint32_t i, const char *why)
{
    const struct experiment *x = &e->world->experiment[i];
    struct study *s = &e->study[i];

    if (s->closed)
        return;
    s->closed = true;
    heap_drop(&e->closing, i);
    engine_emit(e, &(struct record){.kind = REC_CLOSE,
                                    .job = NO_JOB,
                                    .n = x->n_trials,
                                    .experiment = i,
                                    .value = NAN,
                                    .told = NAN,
                                    .why = why});
    for (uint32_t k = 0; k < x->n_trials; k++) {
        struct job *j = job_find(e, s->track[k].job);
        if (j)
            life_leave(e, j, JOB_KILLED);
    }
}

static void close_if_idle(struct engine *e, uint32_t i)
{
    if (e->study[i].alive == 0)
        close_study(e, i, "all_done");
}

static sim_time deadline_of(const struct experiment *x)
{
    return x->deadline > 0 ? later(x->submit, x->deadline) : SIM_NEVER;
}

/* When its budget is spent if it goes on holding so many GPUs. */
static sim_time spent_at(const struct engine *e, uint32_t i)
{
    const struct study *s = &e->study[i];
    sim_area left = e->world->experiment[i].budget - s->spent;

    if (e->world->experiment[i].budget == 0 || (s->held == 0 && left > 0))
        return SIM_NEVER;
    if (left <= 0)
        return s->held_since;
    sim_area wait = (left + s->held - 1) / s->held;
    return wait < SIM_LATEST ? later(s->held_since, (sim_time)wait) : SIM_NEVER;
}

static void aim(struct engine *e, uint32_t i)
{
    sim_time end = deadline_of(&e->world->experiment[i]), spent = spent_at(e, i);

    end = spent < end ? spent : end;
    if (end == SIM_NEVER)
        heap_drop(&e->closing, i);
    else
        heap_set(&e->closing, i, end);
}

void tune_held(struct engine *e, const struct job *j, int64_t more)
{
    uint32_t i = j->spec.experiment;

    if (i == NO_EXPERIMENT)
        return;
    struct study *s = &e->study[i];
    s->spent += (sim_area)(e->now - s->held_since) * s->held;
    s->held_since = e->now;
    s->held = (uint32_t)(s->held + more);
    if (e->world->experiment[i].budget > 0 && !s->closed)
        aim(e, i);
}

void tune_overdue(struct engine *e, uint32_t i)
{
    close_study(e, i, e->now == deadline_of(&e->world->experiment[i]) ? "deadline" : "budget");
}

/* ---- what the tuner hears ---- */

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
                                    .run = x->deadline > 0 ? deadline_of(x) : 0,
                                    .value = x->target,
                                    .told = best_last(x),
                                    .name = x->name});
    aim(e, i);
    x->tuner->open(e->study[i].tuner_self, &tx);
    close_if_idle(e, i);
}

double tune_metric_at(const struct engine *e, const struct job *j, uint32_t epoch)
{
    const struct curves *c = e->world->experiment[j->spec.experiment].curves;
    const struct track *t = &e->study[j->spec.experiment].track[j->spec.trial];

    return epoch > t->breaks ? NAN : curve_from(c, t->curve, t->ahead + epoch);
}

static void pause_trial(struct engine *e, struct job *j)
{
    struct tx tx = {e, j->spec.experiment};
    const struct tuner *tuner = tune_spec(&tx)->tuner;
    uint32_t trial = j->spec.trial;
    enum job_state was = j->state;
    job_id id = j->id;

    move_off(e, j, REC_PAUSE, JOB_PAUSED, NULL);
    life_changed(e, j, was);
    if (tuner->paused && job_find(e, id) == j)
        tuner->paused(e->study[tx.experiment].tuner_self, &tx, trial);
}

void tune_reported(struct engine *e, struct job *j, double metric)
{
    struct tx tx = {e, j->spec.experiment};
    const struct tuner *tuner = tune_spec(&tx)->tuner;
    struct track *t = tune_track(&tx, j->spec.trial);
    enum tune_verdict v = TUNE_GO_ON;
    job_id id = j->id;

    t->epoch = j->epoch;
    t->metric = metric;
    if (t->breaks == j->epoch)
        v = TUNE_STOP;
    else if (tuner->report && j->epoch < j->spec.epochs)
        v = tuner->report(e->study[tx.experiment].tuner_self, &tx, j->spec.trial, j->epoch, metric);
    if (job_find(e, id) != j)
        return;
    if (v == TUNE_PAUSE)
        pause_trial(e, j);
    else if (v == TUNE_STOP)
        life_leave(e, j, JOB_KILLED);
    else if (v != TUNE_GO_ON)
        engine_stop(e, RUN_FAILED, "tuner %s answered %d to the report of trial %u", tuner->name,
                    (int)v, j->spec.trial);
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

    s->track[spec->trial].ended = true;
    s->alive--;
    s->n_ended++;
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
