/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/property/worlds.h"

#include <math.h>
#include <string.h>

#include "sim/base/rng.h"

#define MODELS 3
#define TYPES  3

/* ---- chance ---- */

uint64_t chance_bits(struct chance *c)
{
    c->state = rng_hash(c->state, "chance", 0);
    return c->state;
}

uint32_t chance_below(struct chance *c, uint32_t n) { return (uint32_t)(chance_bits(c) >> 20) % n; }
bool chance_of(struct chance *c, uint32_t percent) { return chance_below(c, 100) < percent; }
static uint32_t between(struct chance *c, uint32_t lo, uint32_t hi) { return lo + chance_below(c, hi - lo + 1); }

struct draw {
    struct chance c;
    struct random_world *r;
    struct arena *arena;
};

/* A duration around the world's scale, mostly a small multiple of it. */
static sim_time duration(struct draw *d)
{
    sim_time s = d->r->scale;

    if (chance_of(&d->c, 70))
        return s * between(&d->c, 1, 6);
    if (chance_of(&d->c, 10))
        return between(&d->c, 1, 3);
    return 1 + (sim_time)(chance_bits(&d->c) % (uint64_t)(8 * s));
}

/* ---- costs: a tiny cost model ---- */

struct tiny {
    double alpha[MODELS][TYPES], beta[MODELS][TYPES], floor[MODELS][TYPES];     /* NAN alpha: unknown */
    struct sync_cost sync[MODELS][TYPES];
};

static double tiny_step_s(const void *self, uint32_t model, type_id t, double samples)
{
    const struct tiny *s = self;

    return isnan(s->alpha[model][t]) ? NAN : fmax(s->floor[model][t], s->alpha[model][t] + s->beta[model][t] * samples);
}

static struct sync_cost tiny_sync(const void *self, uint32_t model, type_id t)
{
    return ((const struct tiny *)self)->sync[model][t];
}

static struct batch_range tiny_range(const void *self, uint32_t model, type_id t)
{
    (void)self, (void)model, (void)t;
    return (struct batch_range){0, 0};
}

static const struct cost_model tiny_model = {
    .name = "tiny", .about = "for tests", .state_size = sizeof(struct tiny),
    .step_s = tiny_step_s, .sync = tiny_sync, .range = tiny_range};

static void draw_costs(struct draw *d)
{
    struct world *w = &d->r->world;
    struct tiny *s = arena_get(d->arena, sizeof(*s));
    double unit = (double)d->r->scale / 1e9 / 8;
    bool synced = chance_of(&d->c, 50);

    for (uint32_t m = 0; m < w->n_models; m++) {
        for (type_id t = 0; t < w->n_types; t++) {
            s->alpha[m][t] = unit * between(&d->c, 0, 8) + (chance_of(&d->c, 30) ? unit / 7 : 0);
            s->beta[m][t] = unit * between(&d->c, 1, 4) / between(&d->c, 1, 3);
            s->floor[m][t] = chance_of(&d->c, 30) ? unit * between(&d->c, 4, 16) : 0;
            if (w->n_types > 1 && chance_of(&d->c, 10))
                s->alpha[m][t] = NAN;
            if (synced)
                s->sync[m][t] = (struct sync_cost){unit, unit / 3, 2 * unit, unit, between(&d->c, 1, 4)};
        }
    }
    w->cost = &tiny_model;
    w->cost_self = s;
}

/* ---- cluster ---- */

static void draw_nodes(struct draw *d)
{
    static const double speeds[] = {0.5, 0.8, 1, 1, 1.25, 2};
    struct world *w = &d->r->world;
    bool factors = chance_of(&d->c, 30);

    w->nominal = !factors;
    w->node = arena_get(d->arena, w->n_nodes * sizeof(*w->node));
    w->gpu = arena_get(d->arena, w->n_nodes * 4 * sizeof(*w->gpu));
    for (node_id n = 0; n < w->n_nodes; n++) {
        struct node *k = &w->node[n];
        *k = (struct node){.type = n < w->n_types ? n : chance_below(&d->c, w->n_types), .first = w->n_gpus,
                           .gpus = between(&d->c, 1, 4)};
        for (uint32_t i = 0; i < k->gpus; i++)
            w->gpu[w->n_gpus++] = (struct gpu){n, factors ? speeds[chance_below(&d->c, 6)] : 1};
        w->type[k->type].gpus += k->gpus;
    }
}

static void draw_cluster(struct draw *d)
{
    static const char *const names[TYPES] = {"a100", "v100", "p100"};
    struct world *w = &d->r->world;

    w->n_nodes = between(&d->c, 1, 5);
    w->n_types = chance_of(&d->c, 40) ? 1 : between(&d->c, 1, w->n_nodes < TYPES ? w->n_nodes : TYPES);
    w->type = arena_get(d->arena, w->n_types * sizeof(*w->type));
    for (type_id t = 0; t < w->n_types; t++)
        w->type[t] = (struct gpu_type){.name = names[t], .memory = chance_of(&d->c, 30) ? between(&d->c, 8, 24) : 0};
    draw_nodes(d);
}

static void draw_models(struct draw *d)
{
    static const char *const names[MODELS] = {"resnet", "vgg", "bert"};
    struct world *w = &d->r->world;

    w->n_models = between(&d->c, 1, MODELS);
    w->model = arena_get(d->arena, w->n_models * sizeof(*w->model));
    for (uint32_t m = 0; m < w->n_models; m++) {
        w->model[m] = (struct model){
            .name = names[m], .parameters = between(&d->c, 1, 9), .optimizer_slots = between(&d->c, 0, 2),
            .samples_per_epoch = between(&d->c, 4, 30), .batch = between(&d->c, 1, 8)};
        if (chance_of(&d->c, 50)) {
            w->model[m].memory_fixed = between(&d->c, 1, 10);
            w->model[m].memory_per_sample = between(&d->c, 0, 3);
        }
    }
}

/* Not much below the scale: some policies start and stop jobs for nothing but the next set-up to end. */
static sim_time overhead(struct draw *d)
{
    return chance_of(&d->c, 60) ? (d->r->scale * between(&d->c, 1, 6) + 3) / between(&d->c, 1, 4) : 0;
}

/* Seconds of overheads and the bandwidths that give such seconds. */
static void draw_moving(struct draw *d)
{
    struct world *w = &d->r->world;
    struct overheads *o = &w->overheads;
    sim_time *fixed[] = {&o->start, &o->save, &o->restore, &o->image};
    double *bandwidth[] = {&o->host, &o->network, &o->disk_write, &o->disk_read};

    w->preempt_at = (enum preempt_at)chance_below(&d->c, 3);
    w->keeps = (enum preempt_keeps)chance_of(&d->c, 40);
    w->suspend_to = (enum suspend_to)chance_of(&d->c, 30);
    if (chance_of(&d->c, 30))
        return;
    for (int i = 0; i < 4; i++) {
        *fixed[i] = overhead(d);
        *bandwidth[i] = chance_of(&d->c, 60) ? 60 / ((double)duration(d) / 1e9) : 0;
    }
    for (node_id n = 0; n < w->n_nodes; n++) {
        w->node[n].host_memory = chance_of(&d->c, 40) ? 4 * between(&d->c, 1, 30) : 0;
        w->node[n].input_rate = chance_of(&d->c, 15) ? 40 / ((double)duration(d) / 1e9) : 0;
    }
}

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
        s->gpus = gangs && chance_of(&d->c, 40) ? between(&d->c, 1, most_gpus(w)) : 1;
        s->model = chance_below(&d->c, w->n_models);
        s->batch = between(&d->c, s->gpus, s->gpus + 7);
        if (can_run(w, s))
            return true;
    }
    return false;
}

static bool draw_job(struct draw *d, struct job_spec *s, bool gangs)
{
    const struct world *w = &d->r->world;

    s->experiment = NO_EXPERIMENT;
    if (w->n_types == 1 && chance_of(&d->c, 60)) {
        s->model = NO_MODEL;
        s->gpus = gangs && chance_of(&d->c, 40) ? between(&d->c, 1, most_gpus(w)) : 1;
        s->work = duration(d);
        return true;
    }
    if (!draw_kind(d, s, gangs))
        return false;
    s->epochs = between(&d->c, 1, 4);
    s->per_epoch = (w->model[s->model].samples_per_epoch + s->batch - 1) / s->batch;
    s->work = s->per_epoch * s->epochs;
    if (chance_of(&d->c, 5))            /* a job may have steps and no epochs */
        s->epochs = 0, s->per_epoch = 0;
    return true;
}

static void draw_jobs(struct draw *d)
{
    static const char *const names[] = {"a", "b,c", NULL, NULL};
    struct random_world *r = d->r;
    uint32_t want = chance_of(&d->c, 20) ? 0 : between(&d->c, 1, 12);
    bool gangs = chance_of(&d->c, 50), together = chance_of(&d->c, 40);
    sim_time at = 0;

    r->job = arena_get(d->arena, want * sizeof(*r->job));
    for (uint32_t i = 0; i < want; i++) {
        struct job_spec s = {.trial = r->n_jobs};
        if (!draw_job(d, &s, gangs))
            continue;
        if (!chance_of(&d->c, together ? 70 : 30))
            at += duration(d);
        s.submit = at;
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

    *c = (struct curves){.name = "accuracy", .file = "none", .falls = chance_of(&d->c, 30), .trials = trials};
    c->start = c->falls ? 3 : 0.1;
    c->first = arena_get(d->arena, (trials + 1) * sizeof(*c->first));
    c->value = arena_get(d->arena, trials * 6 * sizeof(*c->value));
    bool same = chance_of(&d->c, 50);
    uint32_t epochs = between(&d->c, 2, 6);
    for (uint32_t k = 0; k < trials; k++) {
        uint32_t len = same ? epochs : between(&d->c, 2, 6);
        for (uint32_t i = 0; i < len; i++)
            c->value[n++] = (double)between(&d->c, 0, 20) / 20 + i * 0.1 * (c->falls ? -1 : 1);
        c->first[k + 1] = n;
    }
    return c;
}

static void draw_tuner(struct draw *d, struct experiment *x)
{
    static const char *const labels[] = {"run_all", "run_all[at_once=1]", "run_all[at_once=2]"};
    struct chosen_tuner t;

    if (chance_of(&d->c, 60)) {
        struct anything_tuner *a = arena_get(d->arena, sizeof(*a));
        *a = (struct anything_tuner){.seed = chance_bits(&d->c), .at_first = chance_below(&d->c, x->n_trials + 1),
                                     .wild = chance_of(&d->c, 50)};
        if (chance_of(&d->c, 90) && a->at_first == 0)
            a->at_first = 1;
        x->tuner = &tuner_anything;
        x->tuner_params = a;
        return;
    }
    const char *label = labels[chance_below(&d->c, 3)];
    struct diag *diag = diag_new(stderr);
    BUG_ON(!plug_tuner(d->arena, diag, tree_scalar(d->arena, (struct mark){0}, label, strlen(label)), &t));
    diag_free(diag);
    x->tuner = t.tuner;
    x->tuner_params = t.params;
}

static bool draw_experiment(struct draw *d, struct experiment *x)
{
    static const char *const names[] = {"first", "second"};
    struct job_spec s = {0};
    uint32_t good = between(&d->c, 0, 60);

    *x = (struct experiment){.name = names[d->r->world.n_experiments], .submit = chance_of(&d->c, 50) ? 0 : duration(d),
                             .n_trials = between(&d->c, 1, 7), .end = (enum end_rule)chance_below(&d->c, 4)};
    if (!draw_kind(d, &s, chance_of(&d->c, 30)))
        return false;
    x->gpus = s.gpus;
    x->curves = draw_curves(d, x->n_trials);
    x->trial = arena_get(d->arena, x->n_trials * sizeof(*x->trial));
    for (uint32_t k = 0; k < x->n_trials; k++) {
        struct job_spec other = {.gpus = s.gpus, .model = chance_below(&d->c, d->r->world.n_models), .batch = s.batch};
        x->trial[k] = (struct trial_spec){k, can_run(&d->r->world, &other) ? other.model : s.model, s.batch,
                                          chance_of(&d->c, good)};
    }
    x->target = x->end == END_TARGET || chance_of(&d->c, 20) ? (double)between(&d->c, 10, 28) / 20 : NAN;
    draw_tuner(d, x);
    return true;
}

static void draw_experiments(struct draw *d)
{
    struct world *w = &d->r->world;
    uint32_t n = chance_below(&d->c, 3);

    w->experiment = arena_get(d->arena, 2 * sizeof(*w->experiment));
    for (uint32_t i = 0; i < n; i++)
        w->n_experiments += draw_experiment(d, &w->experiment[w->n_experiments]);
}

/* ---- policy and predictor ---- */

/* A quantum, or the like: not much shorter than the rest of the world, or runs would take for ever. */
static const char *seconds_text(struct draw *d, const struct field *f)
{
    double s = fmax((double)duration(d) / between(&d->c, 1, 4), (double)d->r->scale / 8) / 1e9;

    if (f->min <= 0 && chance_of(&d->c, 15))
        return "0";
    return arena_printf(d->arena, "%.9f", fmax(s, fmax(f->min, 1e-9)));
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
        return f->choices[chance_below(&d->c, n)];
    case FIELD_INT:
        return arena_printf(d->arena, "%d", (int)lo + (int)chance_below(&d->c, 4));
    case FIELD_REAL:
        return arena_printf(d->arena, "%.3f", fmin(hi, lo + 0.001 + (double)chance_below(&d->c, 4) / 4));
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

static void draw_policy(struct draw *d)
{
    struct plugs plugs = {{&policy_anything, &policy_meek, NULL}};
    struct diag *diag = diag_new(stderr);
    uint32_t n = 0;

    while (builtin_policies[n])
        n++;
    const struct policy *p = chance_of(&d->c, 40)   ? &policy_anything
                             : chance_of(&d->c, 10) ? &policy_meek
                                                    : builtin_policies[chance_below(&d->c, n)];
    const char *label = draw_label(d, p);
    BUG_ON(!plug_policy(&plugs, d->arena, diag, tree_scalar(d->arena, (struct mark){0}, label, strlen(label)),
                        &d->r->policy));
    diag_free(diag);
}

static struct belief *draw_belief(struct draw *d)
{
    static const char *const labels[] = {
        "exact", "exact", "reference_table", "reference_table[key=model_batch,error=0.2]",
        "reference_table[error=0.1]", "noisy[sigma=0.3]", "noisy[of=reference_table,sigma=0.2]"};
    struct diag *diag = diag_new(stderr);

    d->r->predictor = labels[chance_below(&d->c, 7)];
    struct belief *b = belief_open(d->arena, diag, tree_scalar(d->arena, (struct mark){0}, d->r->predictor,
                                                               strlen(d->r->predictor)), &d->r->world);
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

static struct trace *list_open(struct draw *d)
{
    struct list_trace *l = arena_get(d->arena, sizeof(*l));

    *l = (struct list_trace){{list_next, NULL}, d->r, 0};
    return &l->trace;
}

/* ---- a world ---- */

/* Quanta shorter than a set-up, or than the way to a checkpoint, let no job ever end: those runs need an end. */
static sim_time draw_until(struct draw *d)
{
    uint32_t flags = d->r->policy.policy->flags;

    if (chance_of(&d->c, 12))
        return 10 * duration(d);
    return flags & POLICY_PREEMPTS && d->r->policy.policy != &policy_anything ? 400 * d->r->scale : SIM_NEVER;
}

struct random_world *world_draw(uint64_t seed)
{
    static const sim_time scales[] = {1, 7, 1000, 1000000, SIM_SECOND, SIM_SECOND, 60 * SIM_SECOND};
    struct arena *a = arena_new();
    struct random_world *r = arena_get(a, sizeof(*r));
    struct draw d = {{rng_hash(seed, "world", 0)}, r, a};

    r->seed = seed;
    r->arena = a;
    r->scale = scales[chance_below(&d.c, 7)];
    r->world.seed = seed;
    r->world.jitter = chance_of(&d.c, 20) ? 0.3 : 0;
    draw_cluster(&d);
    draw_models(&d);
    draw_costs(&d);
    draw_moving(&d);
    draw_jobs(&d);
    draw_experiments(&d);
    draw_policy(&d);
    r->setup = (struct engine_setup){
        .world = &r->world, .trace = list_open(&d), .policy = r->policy.policy, .params = r->policy.params,
        .belief = draw_belief(&d), .until = draw_until(&d),
        .max_rounds = chance_of(&d.c, 5) ? between(&d.c, 1, 5) : 1000, .count_refusals = chance_of(&d.c, 75)};
    return r;
}

void world_drop(struct random_world *r) { arena_free(r->arena); }
