/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Experiments and tuners" of docs/model.md. */
#include <math.h>
#include <string.h>

#include "sim/base/rng.h"
#include "tests/property/slow_tune.h"

struct tx {
    struct engine *e;
    uint32_t x;
};

static const struct experiment *spec_of(const struct tx *tx)
{
    return &tx->e->world->experiment[tx->x];
}

static bool lives(const struct engine *e, uint32_t x, uint32_t trial)
{
    const struct job *j = e->study[x].trial[trial].job;

    return j && slow_alive(j);
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
        if (lives(e, x, k))
            slow_depart(e, s->trial[k].job, JOB_KILLED, NULL);
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
        if (lives(e, x, k))
            return false;
    return true;
}

/* Whether every good trial has left. */
static bool no_good_left(const struct engine *e, uint32_t x)
{
    const struct experiment *spec = &e->world->experiment[x];

    for (uint32_t k = 0; k < spec->n_trials; k++)
        if (spec->trial[k].good && (!e->study[x].trial[k].job || lives(e, x, k)))
            return false;
    return true;
}

static uint32_t held_by(const struct engine *e, uint32_t x)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < e->world->experiment[x].n_trials; k++)
        n += lives(e, x, k) ? e->study[x].trial[k].job->held : 0;
    return n;
}

void slow_spend(struct engine *e)
{
    for (uint32_t x = 0; x < e->world->n_experiments; x++) {
        struct study *s = &e->study[x];
        s->spent += (sim_area)(e->now - s->spent_at) * held_by(e, x);
        s->spent_at = e->now;
    }
}

static sim_time deadline(const struct experiment *spec)
{
    return spec->deadline > 0 ? spec->submit + spec->deadline : SIM_NEVER;
}

sim_time slow_overdue_at(const struct engine *e, uint32_t x)
{
    const struct experiment *spec = &e->world->experiment[x];
    const struct study *s = &e->study[x];
    sim_area left = spec->budget - s->spent, held = held_by(e, x);
    sim_time at = deadline(spec), spent = SIM_NEVER;

    if (!s->begun || s->closed)
        return SIM_NEVER;
    if (spec->budget > 0 && left <= 0)
        spent = s->spent_at;
    else if (spec->budget > 0 && held > 0)
        spent = s->spent_at + (sim_time)((left + held - 1) / held);
    return spent < at ? spent : at;
}

void slow_overdue(struct engine *e, uint32_t x)
{
    close_study(e, x, e->now == deadline(&e->world->experiment[x]) ? "deadline" : "budget");
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
                                 .run = spec->deadline > 0 ? deadline(spec) : 0,
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
    const struct tuner *tuner = e->world->experiment[j->spec.experiment].tuner;
    struct tx tx = {e, j->spec.experiment};
    enum job_state was = j->state;

    if (!slow_alive(j))
        return;
    if (v == TUNE_STOP) {
        slow_depart(e, j, JOB_KILLED, NULL);
    } else if (v == TUNE_PAUSE) {
        slow_take_off(e, j, REC_PAUSE, NULL);
        slow_changed(e, j, was);
        if (tuner->paused && slow_alive(j))
            tuner->paused(e->study[tx.x].self, &tx, j->spec.trial);
    }
}

/* The epoch at which its recording breaks off, if it is not the last one planned. */
static bool breaks_at(const struct engine *e, const struct job *j, uint32_t epoch)
{
    const struct experiment *spec = &e->world->experiment[j->spec.experiment];
    uint32_t row = spec->trial[j->spec.trial].curve;

    return curve_epochs(spec->curves, row) == epoch && epoch < j->spec.epochs &&
           !e->study[j->spec.experiment].trial[j->spec.trial].copied;
}

/* By its own curve; after a copy, by another one, which goes on as it ends. */
double slow_metric(const struct engine *e, const struct job *j, uint32_t epoch)
{
    const struct experiment *spec = &e->world->experiment[j->spec.experiment];
    const struct slow_trial *t = &e->study[j->spec.experiment].trial[j->spec.trial];
    uint32_t curve = spec->trial[t->copied ? t->like : j->spec.trial].curve;
    int64_t at = t->copied ? t->at + epoch - t->after : epoch,
            n = curve_epochs(spec->curves, curve);

    for (uint32_t k = 1; k < epoch; k++)
        if (breaks_at(e, j, k))
            return NAN;
    return curve_at(spec->curves, curve, (uint32_t)(at < 1 ? 1 : at > n ? n : at));
}

void slow_reported(struct engine *e, struct job *j)
{
    const struct experiment *spec = &e->world->experiment[j->spec.experiment];
    struct study *s = &e->study[j->spec.experiment];
    struct tx tx = {e, j->spec.experiment};

    j->metric = slow_metric(e, j, j->epoch);
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
    if (breaks_at(e, j, j->epoch))
        apply(e, j, TUNE_STOP);
    else if (spec->tuner->report && j->epoch < j->spec.epochs)
        apply(e, j, spec->tuner->report(s->self, &tx, j->spec.trial, j->epoch, j->metric));
}

void slow_target(struct engine *e, uint32_t experiment, double metric)
{
    const struct experiment *spec = &e->world->experiment[experiment];

    if (spec->end == END_TARGET && !e->over && !curve_better(spec->curves, spec->target, metric))
        close_study(e, experiment, "target");
}

/* ---- what a policy sees ---- */

uint32_t sim_experiments(const struct cx *cx)
{
    return cx->e->world->n_experiments;
}

struct experiment_view sim_experiment(const struct cx *cx, uint32_t x)
{
    struct engine *e = cx->e;

    if (x >= e->world->n_experiments)
        return (struct experiment_view){.deadline = SIM_NEVER, .gpu_left = INFINITY};
    const struct experiment *spec = &e->world->experiment[x];
    uint32_t ended = 0;
    for (uint32_t k = 0; k < spec->n_trials; k++)
        ended += e->study[x].trial[k].job && !lives(e, x, k);
    return (struct experiment_view){
        .name = spec->name,
        .weight = spec->weight,
        .submitted = spec->submit,
        .deadline = deadline(spec),
        .gpu_left = spec->budget > 0 ? (double)(spec->budget - e->study[x].spent) * 1e-9 : INFINITY,
        .target = spec->target,
        .trials = spec->n_trials,
        .ended = ended,
        .closed = e->study[x].closed};
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
    return curve_planned(spec_of(tx)->curves, spec_of(tx)->trial[trial].curve);
}

static struct job *trial_of(const struct tx *tx, uint32_t trial)
{
    return trial < spec_of(tx)->n_trials ? tx->e->study[tx->x].trial[trial].job : NULL;
}

bool tune_submit(struct tx *tx, uint32_t trial)
{
    struct study *s = &tx->e->study[tx->x];

    if (s->closed || trial >= spec_of(tx)->n_trials || s->trial[trial].job)
        return false;
    struct job_spec spec = world_trial(tx->e->world, tx->x, trial, tx->e->now);
    s->trial[trial].job = slow_arrive(tx->e, &spec);
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

uint32_t tune_epoch(const struct tx *tx, uint32_t trial)
{
    const struct job *j = trial_of(tx, trial);

    return j ? j->epoch : 0;
}

double tune_metric(const struct tx *tx, uint32_t trial)
{
    const struct job *j = trial_of(tx, trial);

    return j && j->epoch > 0 ? j->metric : NAN;
}

uint32_t tune_axes(const struct tx *tx)
{
    return spec_of(tx)->curves->axes;
}

double tune_coordinate(const struct tx *tx, uint32_t trial, uint32_t axis)
{
    const struct experiment *x = spec_of(tx);

    return trial < x->n_trials && axis < x->curves->axes
               ? x->curves->point[x->trial[trial].curve * x->curves->axes + axis]
               : NAN;
}

uint64_t tune_random(struct tx *tx)
{
    struct study *s = &tx->e->study[tx->x];

    if (!s->random)
        s->random = rng_stream(tx->e->world->seed, "tuner", tx->x);
    return gsl_rng_get(s->random);
}

void *tune_keep(struct tx *tx, size_t bytes)
{
    return arena_get(tx->e->arena, bytes);
}

/* ---- copies ---- */

/* Where a curve is nearest to a metric. */
static int64_t nearest(const struct curves *c, uint32_t row, double metric)
{
    int64_t best = 1;
    double least = INFINITY;

    for (uint32_t k = 1; k <= curve_epochs(c, row); k++) {
        double off = fabs(curve_at(c, row, k) - metric);
        best = off < least ? k : best;
        least = off < least ? off : least;
    }
    return best;
}

/* When a copy of the donor's last checkpoint lies in storage. */
static sim_time copied_at(const struct engine *e, const struct job *donor)
{
    double bytes = world_state_bytes(e->world, donor->spec.model),
           disk = e->world->overheads.disk_write;
    bool idle = slow_alive(donor) && donor->state != JOB_ENDING && donor->held == 0;
    sim_time at = idle && donor->usable > e->now ? donor->usable : e->now;

    if (!slow_alive(donor) || e->world->keeps == KEEP_CHECKPOINT ||
        (idle && donor->where == IN_STORAGE))
        return at;
    return at + (disk > 0 ? slow_to_time(bytes / disk * 1e9) : 0);
}

bool tune_copy(struct tx *tx, uint32_t trial, uint32_t from, uint32_t like)
{
    struct engine *e = tx->e;
    const struct experiment *x = spec_of(tx);
    struct job *j = trial_of(tx, trial), *donor = trial_of(tx, from);

    if (!j || j->state != JOB_PAUSED || trial == from || like >= x->n_trials || !donor ||
        donor->epoch == 0 || donor->spec.model != j->spec.model ||
        x->trial[like].model != j->spec.model || donor->spec.batch != j->spec.batch ||
        x->trial[like].batch != j->spec.batch)
        return false;
    struct slow_trial *t = &e->study[tx->x].trial[trial], *d = &e->study[tx->x].trial[from];
    struct slow_trial now = {.job = j, .copied = true, .like = like, .after = j->epoch};
    if (like == from && d->copied) {
        now.like = d->like;
        now.at = d->at + donor->epoch - d->after;
    } else {
        now.at =
            like == from ? donor->epoch : nearest(x->curves, x->trial[like].curve, donor->metric);
    }
    *t = now;
    j->usable = copied_at(e, donor);
    j->where = IN_STORAGE;
    struct record r = slow_record(e, REC_COPY, j);
    r.n = from;
    r.epoch = (uint32_t)now.at;
    r.ready = j->usable;
    r.value = donor->metric;
    r.told = like;
    slow_emit(e, r);
    return true;
}
