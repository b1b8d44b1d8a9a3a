/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tuner sees and does: the functions of sim/tuner.h. */
#include <math.h>

#include "sim/engine/tune.h"

static struct job *living(struct tx *tx, uint32_t trial)
{
    return trial < tune_trials(tx) ? job_find(tx->e, tune_track(tx, trial)->job) : NULL;
}

/* ---- reading ---- */

sim_time tune_now(const struct tx *tx)
{
    return tx->e->now;
}

uint32_t tune_trials(const struct tx *tx)
{
    return tune_spec(tx)->n_trials;
}

bool tune_falls(const struct tx *tx)
{
    return tune_spec(tx)->curves->falls;
}

uint32_t tune_epochs(const struct tx *tx, uint32_t trial)
{
    const struct experiment *x = tune_spec(tx);

    return trial < x->n_trials ? curve_planned(x->curves, x->trial[trial].curve) : 0;
}

uint32_t tune_epoch(const struct tx *tx, uint32_t trial)
{
    return trial < tune_trials(tx) ? tune_track(tx, trial)->epoch : 0;
}

double tune_metric(const struct tx *tx, uint32_t trial)
{
    return trial < tune_trials(tx) ? tune_track(tx, trial)->metric : NAN;
}

uint32_t tune_axes(const struct tx *tx)
{
    return tune_spec(tx)->curves->axes;
}

double tune_coordinate(const struct tx *tx, uint32_t trial, uint32_t axis)
{
    const struct experiment *x = tune_spec(tx);

    if (trial >= x->n_trials || axis >= x->curves->axes)
        return NAN;
    return x->curves->point[(size_t)x->trial[trial].curve * x->curves->axes + axis];
}

uint64_t tune_random(struct tx *tx)
{
    struct study *s = &tx->e->study[tx->experiment];

    if (!s->random)
        s->random = rng_stream(tx->e->world->seed, "tuner", tx->experiment);
    return (uint64_t)gsl_rng_get(s->random);
}

void *tune_keep(struct tx *tx, size_t bytes)
{
    return arena_get(tx->e->arena, bytes);
}

/* ---- acting ---- */

bool tune_submit(struct tx *tx, uint32_t trial)
{
    struct engine *e = tx->e;
    struct study *s = &e->study[tx->experiment];

    if (trial >= tune_trials(tx) || s->closed || s->track[trial].job != NO_JOB)
        return false;
    struct job_spec spec = world_trial(e->world, tx->experiment, trial, e->now);
    s->alive++;
    s->track[trial].job = life_arrive(e, &spec)->id;
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

/* The epoch at which a curve comes closest to a metric, the first of several. */
static uint32_t closest(const struct curves *c, uint32_t row, double metric)
{
    uint32_t best = 1;

    for (uint32_t k = 2; k <= curve_epochs(c, row); k++)
        if (fabs(curve_at(c, row, k) - metric) < fabs(curve_at(c, row, best) - metric))
            best = k;
    return best;
}

static bool same_kind(const struct experiment *x, uint32_t a, uint32_t b)
{
    return a < x->n_trials && b < x->n_trials && x->trial[a].model == x->trial[b].model &&
           x->trial[a].batch == x->trial[b].batch;
}

bool tune_copy(struct tx *tx, uint32_t trial, uint32_t from, uint32_t like)
{
    const struct experiment *x = tune_spec(tx);
    struct job *j = living(tx, trial);

    if (!same_kind(x, trial, from) || !same_kind(x, trial, like) || !j || j->state != JOB_PAUSED ||
        from == trial || tune_epoch(tx, from) == 0)
        return false;
    const struct track *donor = tune_track(tx, from);
    struct track *t = tune_track(tx, trial);
    int64_t at = like == from ? donor->ahead + donor->epoch
                              : closest(x->curves, x->trial[like].curve, donor->metric);
    t->curve = like == from ? donor->curve : x->trial[like].curve;
    t->ahead = at - j->epoch;
    t->breaks = UINT32_MAX;
    haul_copy(tx->e, j, job_find(tx->e, donor->job));
    struct record r = job_record(j, REC_COPY);
    r.n = from;
    r.epoch = (uint32_t)at;
    r.ready = j->saved_at;
    r.value = donor->metric;
    r.told = like;
    engine_emit(tx->e, &r);
    return true;
}
