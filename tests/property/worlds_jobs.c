/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs in a world, and who schedules it. */
#include <math.h>
#include <string.h>

#include "tests/property/draw.h"

/* ---- jobs ---- */

static bool can_run(const struct world *w, const struct job_spec *s)
{
    for (type_id t = 0; t < w->n_types; t++)
        if (s->batch >= s->gpus && world_type_rate(w, s, 1, t) > 0 && world_type_fits(w, s, t))
            return true;
    return false;
}

static uint32_t most_gpus(const struct world *w)
{
    uint32_t most = 0;

    for (type_id t = 0; t < w->n_types; t++)
        most = w->type[t].gpus > most ? w->type[t].gpus : most;
    return most;
}

/* Model, batch and GPUs that some type can run; false: none was found. */
static bool draw_kind(struct draw *d, struct job_spec *s, bool gangs)
{
    const struct world *w = &d->r->world;

    for (int tries = 0; tries < 50; tries++) {
        s->gpus = gangs && chance_of(&d->c, 40) ? worlds_between(d, 1, most_gpus(w)) : 1;
        s->model = chance_below(&d->c, w->n_models);
        s->batch = worlds_between(d, s->gpus, s->gpus + 7);
        if (can_run(w, s))
            return true;
    }
    return false;
}

static bool draw_job(struct draw *d, struct job_spec *s, bool gangs)
{
    const struct world *w = &d->r->world;

    s->experiment = NO_EXPERIMENT;
    bool sliced = w->contention && w->contention->sliced; /* a duration says nothing of slices */
    if (w->n_types == 1 && !sliced && chance_of(&d->c, 60)) {
        s->model = NO_MODEL;
        s->gpus = gangs && chance_of(&d->c, 40) ? worlds_between(d, 1, most_gpus(w)) : 1;
        s->work = worlds_duration(d);
        return true;
    }
    if (!draw_kind(d, s, gangs))
        return false;
    s->epochs = worlds_between(d, 1, 4);
    s->per_epoch = (w->model[s->model].samples_per_epoch + s->batch - 1) / s->batch;
    s->work = s->per_epoch * s->epochs;
    if (chance_of(&d->c, 5)) /* a job may have steps and no epochs */
        s->epochs = 0, s->per_epoch = 0;
    return true;
}

/* GPUs that its owner wants it on, as many as it wants. */
static uint64_t draw_asked(struct draw *d, uint32_t gpus)
{
    uint64_t asked = 0;

    while (gpus > 0) {
        uint64_t bit = UINT64_C(1) << chance_below(&d->c, d->r->world.n_gpus);
        gpus -= !(asked & bit);
        asked |= bit;
    }
    return asked;
}

void worlds_jobs(struct draw *d)
{
    static const char *const names[] = {"a", "b,c", NULL, NULL};
    struct random_world *r = d->r;
    uint32_t want = chance_of(&d->c, 20) ? 0 : worlds_between(d, 1, 12);
    bool gangs = chance_of(&d->c, 50), together = chance_of(&d->c, 40);
    sim_time at = 0;

    if (d->throng) {
        throng_jobs(d);
        return;
    }
    r->job = arena_get(d->arena, want * sizeof(*r->job));
    for (uint32_t i = 0; i < want; i++) {
        struct job_spec s = {.trial = r->n_jobs};
        if (!draw_job(d, &s, gangs))
            continue;
        if (!chance_of(&d->c, together ? 70 : 30))
            at += worlds_duration(d);
        s.submit = at;
        if (r->world.residents > 1 && chance_of(&d->c, 60))
            s.asked = draw_asked(d, s.gpus);
        s.name = names[chance_below(&d->c, 4)];
        r->job[r->n_jobs++] = s;
    }
    r->breaks = chance_of(&d->c, 1);
}

/* ---- experiments ---- */

static const struct curves *draw_curves(struct draw *d, uint32_t trials)
{
    struct curves *c = arena_get(d->arena, sizeof(*c));
    uint32_t n = 0;

    *c = (struct curves){
        .name = "accuracy", .file = "none", .falls = chance_of(&d->c, 30), .trials = trials};
    c->start = c->falls ? 3 : 0.1;
    c->ideal = !c->falls;
    c->first = arena_get(d->arena, (trials + 1) * sizeof(*c->first));
    c->value = arena_get(d->arena, trials * 6 * sizeof(*c->value));
    if (chance_of(&d->c, 30))
        c->planned = arena_get(d->arena, trials * sizeof(*c->planned));
    if (chance_of(&d->c, 50))
        c->axes = 1;
    c->point = arena_get(d->arena, trials * sizeof(*c->point));
    bool same = chance_of(&d->c, 50);
    uint32_t epochs = worlds_between(d, 2, 6);
    for (uint32_t k = 0; k < trials; k++) {
        uint32_t len = same ? epochs : worlds_between(d, 2, 6);
        for (uint32_t i = 0; i < len; i++)
            c->value[n++] = (double)worlds_between(d, 0, 20) / 20 + i * 0.1 * (c->falls ? -1 : 1);
        c->first[k + 1] = n;
        c->point[k] = (double)chance_below(&d->c, 5) / 4;
        if (c->planned)
            c->planned[k] = len + chance_below(&d->c, 3);
    }
    return c;
}

static void draw_tuner(struct draw *d, struct experiment *x)
{
    static const char *const labels[] = {
        "run_all",
        "run_all[at_once=1]",
        "run_all[at_once=2]",
        "random[at_once=2]",
        "sha[eta=2]",
        "hyperband[eta=2,sampler=random]",
        "hyperband[eta=2,brackets=parallel,sampler=tpe,min_points=1]",
        "asha[eta=2]",
        "asha_stop[eta=2,at_once=2]",
        "median_stop[min_samples=1]",
        "tpe[at_once=2,min_points=1,random_fraction=0.2]",
        "pbt[interval=1,quantile=0.5]",
        "pbt[interval=1,population=0,mode=async]",
    };
    struct chosen_tuner t;

    if (chance_of(&d->c, 60)) {
        struct anything_tuner *a = arena_get(d->arena, sizeof(*a));
        *a = (struct anything_tuner){.seed = chance_bits(&d->c),
                                     .at_first = chance_below(&d->c, x->n_trials + 1),
                                     .wild = chance_of(&d->c, 50)};
        if (chance_of(&d->c, 90) && a->at_first == 0)
            a->at_first = 1;
        x->tuner = &tuner_anything;
        x->tuner_params = a;
        return;
    }
    const char *label = labels[chance_below(&d->c, sizeof(labels) / sizeof(*labels))];
    struct diag *diag = diag_new(stderr);
    BUG_ON(!plug_tuner(NULL, d->arena, diag,
                       tree_scalar(d->arena, (struct mark){0}, label, strlen(label)), &t));
    diag_free(diag);
    x->tuner = t.tuner;
    x->tuner_params = t.params;
}

static bool draw_experiment(struct draw *d, struct experiment *x)
{
    static const char *const names[] = {"first", "second"};
    struct job_spec s = {0};
    uint32_t good = worlds_between(d, 0, 60);

    *x = (struct experiment){.name = names[d->r->world.n_experiments],
                             .submit = chance_of(&d->c, 50) ? 0 : worlds_duration(d),
                             .n_trials = worlds_between(d, 1, 7),
                             .end = (enum end_rule)chance_below(&d->c, 4)};
    if (!draw_kind(d, &s, chance_of(&d->c, 30)))
        return false;
    x->gpus = s.gpus;
    x->curves = draw_curves(d, x->n_trials);
    x->trial = arena_get(d->arena, x->n_trials * sizeof(*x->trial));
    for (uint32_t k = 0; k < x->n_trials; k++) {
        struct job_spec other = {
            .gpus = s.gpus, .model = chance_below(&d->c, d->r->world.n_models), .batch = s.batch};
        x->trial[k] = (struct trial_spec){k, can_run(&d->r->world, &other) ? other.model : s.model,
                                          s.batch, chance_of(&d->c, good)};
    }
    x->target =
        x->end == END_TARGET || chance_of(&d->c, 20) ? (double)worlds_between(d, 10, 28) / 20 : NAN;
    x->weight = worlds_between(d, 1, 4);
    if (chance_of(&d->c, 20))
        x->deadline = 1 + worlds_duration(d) * worlds_between(d, 1, 4);
    if (chance_of(&d->c, 20))
        x->budget = 1 + (sim_area)worlds_duration(d) * worlds_between(d, 1, 8);
    draw_tuner(d, x);
    return true;
}

void worlds_experiments(struct draw *d)
{
    struct world *w = &d->r->world;
    uint32_t n = d->throng ? 0 : chance_below(&d->c, 3);

    w->experiment = arena_get(d->arena, 2 * sizeof(*w->experiment));
    for (uint32_t i = 0; i < n; i++)
        w->n_experiments += draw_experiment(d, &w->experiment[w->n_experiments]);
}

/* ---- policy and predictor ---- */

/* A quantum, or the like: not much shorter than the rest of the world, or runs would take for ever.
 */
static const char *seconds_text(struct draw *d, const struct field *f)
{
    double s =
        fmax((double)worlds_duration(d) / worlds_between(d, 1, 4), (double)d->r->scale / 8) / 1e9;

    if (f->min <= 0 && chance_of(&d->c, 15))
        return "0";
    return arena_printf(d->arena, "%.9f", fmax(s, fmax(f->min, 1e-9)));
}

/* What is the best possible takes too long to find on many GPUs. */
static const char *draw_choice(const struct draw *d, const char *choice, const char *other)
{
    return strcmp(choice, "optimal") == 0 && d->r->world.n_gpus > 5 ? other : choice;
}

/* A value for a field, as text. */
static const char *value_text(struct draw *d, const struct field *f)
{
    double lo = f->min, hi = f->max;
    uint32_t n = 0;

    switch (f->type) {
    case FIELD_BOOL:
        return chance_of(&d->c, 50) ? "true" : "false";
    case FIELD_CHOICE:
        while (f->choices[n])
            n++;
        return draw_choice(d, f->choices[chance_below(&d->c, n)], f->choices[0]);
    case FIELD_INT:
        return arena_printf(d->arena, "%d", (int)lo + (int)chance_below(&d->c, 4));
    case FIELD_REAL:
        return arena_printf(d->arena, "%.3f",
                            fmin(hi, lo + 0.001 + (double)chance_below(&d->c, 4) / 4));
    case FIELD_SECONDS:
        return seconds_text(d, f);
    default:
        BUG("field %s cannot be drawn", f->name);
    }
}

static const char *draw_label(struct draw *d, const struct policy *p)
{
    const char *label = p->name, *before = "[";

    for (const struct field *f = p->params; f && f->type != FIELD_END; f++) {
        if (chance_of(&d->c, 50))
            continue;
        label = arena_printf(d->arena, "%s%s%s=%s", label, before, f->name, value_text(d, f));
        before = ",";
    }
    return *before == ',' ? arena_printf(d->arena, "%s]", label) : label;
}

/* On shared GPUs every other time one that shares. */
static const struct policy *draw_builtin(struct draw *d)
{
    bool sharer = d->r->world.residents > 1 && chance_of(&d->c, 50);
    uint32_t n = 0;

    while (builtin_policies[n])
        n++;
    for (;;) {
        const struct policy *p = builtin_policies[chance_below(&d->c, n)];
        if (!sharer || p->flags & POLICY_SHARES)
            return p;
    }
}

void worlds_policy(struct draw *d)
{
    struct plugs plugs = {.policy = {&policy_anything, &policy_meek, &policy_throng}};
    struct diag *diag = diag_new(stderr);
    uint32_t meek = d->r->world.residents > 1 ? 20 : 10;
    const struct policy *p = d->throng                ? &policy_throng
                             : chance_of(&d->c, 40)   ? &policy_anything
                             : chance_of(&d->c, meek) ? &policy_meek
                                                      : draw_builtin(d);
    const char *label = d->throng ? throng_label(d) : draw_label(d, p);
    BUG_ON(!plug_policy(&plugs, d->arena, diag,
                        tree_scalar(d->arena, (struct mark){0}, label, strlen(label)),
                        &d->r->policy));
    diag_free(diag);
}

struct belief *worlds_belief(struct draw *d)
{
    static const char *const labels[] = {"exact",
                                         "exact",
                                         "reference_table",
                                         "reference_table[key=model_batch,error=0.2]",
                                         "reference_table[error=0.1]",
                                         "noisy[sigma=0.3]",
                                         "noisy[of=reference_table,sigma=0.2]"};
    struct diag *diag = diag_new(stderr);

    d->r->predictor = labels[chance_below(&d->c, 7)];
    struct belief *b = belief_open(
        d->arena, diag,
        tree_scalar(d->arena, (struct mark){0}, d->r->predictor, strlen(d->r->predictor)),
        &d->r->world);
    BUG_ON(!b);
    diag_free(diag);
    return b;
}

/* ---- a trace in memory ---- */

struct list_trace {
    struct trace trace;
    const struct random_world *r;
    uint32_t at;
};

static int list_next(struct trace *t, struct job_spec *job)
{
    struct list_trace *l = (struct list_trace *)t;

    if (l->at == l->r->n_jobs)
        return l->r->breaks ? -1 : 0;
    *job = l->r->job[l->at++];
    return 1;
}

struct trace *worlds_trace(struct draw *d)
{
    struct list_trace *l = arena_get(d->arena, sizeof(*l));

    *l = (struct list_trace){{list_next, NULL}, d->r, 0};
    return &l->trace;
}
