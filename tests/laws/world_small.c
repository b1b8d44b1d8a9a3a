/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/laws/world_small.h"

#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "sim/base/rng.h"
#include "sim/model/plug.h"

#define MS INT64_C(1000000)

/* ---- the cost model ---- */

static struct step_parts step(const void *self, uint32_t model, type_id t, double samples)
{
    const struct small_cost *c = self;

    return (struct step_parts){c->alpha[model][t] + c->beta[model][t] * samples, 0, c->gap[model]};
}

static struct sync_cost sync_of(const void *self, uint32_t model, type_id t)
{
    (void)model, (void)t;
    return ((const struct small_cost *)self)->sync;
}

static const struct cost_model cost_small = {.name = "small", .step = step, .sync = sync_of};

/* ---- by hand ---- */

/* Room for so many jobs and nodes: thousands of worlds are made, and most are tiny. */
static struct small *with_room(uint64_t seed, uint32_t jobs, uint32_t nodes)
{
    struct arena *a = arena_new();
    struct small *s = arena_get(a, sizeof *s);

    s->arena = a;
    s->until = SIM_NEVER;
    s->predictor = "exact";
    s->cost = arena_get(a, sizeof *s->cost);
    s->cost->sync.overlap = 1;
    s->job = arena_get(a, jobs * sizeof *s->job);
    s->most_jobs = jobs;
    s->most_nodes = nodes;
    s->world = (struct world){
        .type = arena_get(a, SMALL_KINDS * sizeof(struct gpu_type)),
        .node = arena_get(a, nodes * sizeof(struct node)),
        .gpu = arena_get(a, (size_t)nodes * 64 * sizeof(struct gpu)),
        .model = arena_get(a, SMALL_KINDS * sizeof(struct model)),
        .experiment = arena_get(a, SMALL_KINDS * sizeof(struct experiment)),
        .cost = &cost_small,
        .cost_self = s->cost,
        .nominal = true,
        .seed = seed,
    };
    return s;
}

struct small *small_new(uint64_t seed)
{
    return with_room(seed, SMALL_JOBS, SMALL_NODES);
}

void small_free(struct small *s)
{
    arena_free(s->arena);
}

type_id small_type(struct small *s)
{
    static const char *const names[] = {"k80", "p100", "v100", "a100"};
    type_id t = s->world.n_types++;

    s->world.type[t].name = names[t];
    return t;
}

void small_nodes(struct small *s, type_id t, uint32_t count, uint32_t gpus)
{
    struct world *w = &s->world;

    cr_assert_leq(w->n_nodes + count, s->most_nodes);
    for (uint32_t i = 0; i < count; i++) {
        w->node[w->n_nodes] = (struct node){.type = t, .first = w->n_gpus, .gpus = gpus};
        for (uint32_t g = 0; g < gpus; g++)
            w->gpu[w->n_gpus++] = (struct gpu){w->n_nodes, 1};
        w->n_nodes++;
    }
    world_count(w);
}

uint32_t small_model(struct small *s, double alpha, double beta, int64_t samples)
{
    static const char *const names[] = {"resnet18", "vgg16", "lstm", "bert"};
    uint32_t m = s->world.n_models++;

    s->world.model[m] = (struct model){.name = names[m],
                                       .parameters = 250000,
                                       .optimizer_slots = 1,
                                       .samples_per_epoch = samples,
                                       .batch = 64};
    for (type_id t = 0; t < SMALL_KINDS; t++) {
        s->cost->alpha[m][t] = alpha / 1e9;
        s->cost->beta[m][t] = beta / 1e9;
    }
    return m;
}

struct job_spec *small_job(struct small *s, sim_time submit, uint32_t gpus, sim_time duration)
{
    struct job_spec *j = &s->job[s->n_jobs];

    cr_assert_lt(s->n_jobs, s->most_jobs);
    *j = (struct job_spec){.submit = submit,
                           .work = duration,
                           .gpus = gpus,
                           .model = NO_MODEL,
                           .experiment = NO_EXPERIMENT,
                           .trial = s->n_jobs++};
    return j;
}

struct job_spec *small_training(struct small *s, sim_time submit, uint32_t gpus, uint32_t model,
                                uint32_t batch, uint32_t epochs)
{
    struct job_spec *j = small_job(s, submit, gpus, 0);

    j->model = model;
    j->batch = batch;
    j->epochs = epochs;
    j->per_epoch = (s->world.model[model].samples_per_epoch + batch - 1) / batch;
    j->work = j->per_epoch * epochs;
    return j;
}

static struct curves *make_curves(struct arena *a, uint32_t trials, uint32_t epochs)
{
    struct curves *c = arena_get(a, sizeof *c);

    *c = (struct curves){.name = "accuracy",
                         .ideal = 1,
                         .trials = trials,
                         .first = arena_get(a, (trials + 1) * sizeof *c->first),
                         .value = arena_get(a, (size_t)trials * epochs * sizeof *c->value)};
    for (uint32_t k = 0; k <= trials; k++)
        c->first[k] = k * epochs;
    for (uint32_t i = 0; i < trials * epochs; i++)
        c->value[i] = 0.5 * (i % epochs + 1) / epochs;
    return c;
}

struct experiment *small_study(struct small *s, sim_time submit, uint32_t trials, uint32_t epochs,
                               uint32_t batch)
{
    struct experiment *x = &s->world.experiment[s->world.n_experiments++];

    *x = (struct experiment){.name = "study",
                             .weight = 1,
                             .submit = submit,
                             .gpus = 1,
                             .curves = make_curves(s->arena, trials, epochs),
                             .n_trials = trials,
                             .trial = arena_get(s->arena, trials * sizeof *x->trial),
                             .target = NAN,
                             .tuner = builtin_tuners[0],
                             .tuner_params = arena_get(s->arena, builtin_tuners[0]->state_size)};
    for (uint32_t k = 0; k < trials; k++)
        x->trial[k] = (struct trial_spec){.curve = k, .batch = batch};
    return x;
}

double *small_metric(struct experiment *x, uint32_t trial, uint32_t epoch)
{
    return &x->curves->value[x->curves->first[x->trial[trial].curve] + epoch - 1];
}

void small_tuner(struct small *s, struct experiment *x, const char *label)
{
    struct diag *d = diag_new(stderr);
    struct chosen_tuner t = {0};

    cr_assert(plug_tuner(NULL, s->arena, d,
                         tree_scalar(s->arena, (struct mark){0}, label, strlen(label)), &t),
              "%s", label);
    diag_free(d);
    x->tuner = t.tuner;
    x->tuner_params = t.params;
}

/* ---- at random ---- */

static uint32_t below(gsl_rng *r, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(r, n);
}
static bool one_in(gsl_rng *r, uint32_t n)
{
    return below(r, n) == 0;
}

static void draw_cluster(struct small *s, gsl_rng *r, const struct small_shape *shape)
{
    static const double speeds[] = {0.5, 1, 2};
    struct world *w = &s->world;
    uint32_t types = 1 + below(r, shape->types);
    uint32_t nodes = types > shape->nodes ? types : types + below(r, shape->nodes - types + 1);

    for (uint32_t t = 0; t < types; t++)
        small_type(s);
    for (uint32_t k = 0; k < nodes; k++)
        small_nodes(s, k < types ? k : below(r, types), 1, 1 + below(r, shape->node_gpus));
    for (node_id k = 0; k < w->n_nodes; k++) {
        w->node[k].input_rate = one_in(r, 4) ? 500 : 0;
        w->node[k].host_memory = one_in(r, 3) ? 1e6 * (2 + below(r, 8)) : 0;
    }
    world_count(w);
    w->nominal = !shape->speeds || one_in(r, 2);
    for (gpu_id g = 0; !w->nominal && g < w->n_gpus; g++)
        w->gpu[g].speed = speeds[below(r, 3)];
}

static type_id largest_type(const struct world *w)
{
    type_id most = 0;

    for (type_id t = 1; t < w->n_types; t++)
        most = w->type[t].gpus > w->type[most].gpus ? t : most;
    return most;
}

/* Every model runs on the type that has most GPUs, and on most of the others. */
static void draw_models(struct small *s, gsl_rng *r)
{
    uint32_t models = 1 + below(r, 3);

    for (uint32_t i = 0; i < models; i++) {
        uint32_t m = small_model(s, 0, 0, 128 * (1 + below(r, 8)));
        struct model *model = &s->world.model[m];
        model->parameters = 250000.0 * (1 + below(r, 4));
        model->optimizer_slots = below(r, 3);
        for (type_id t = 0; t < s->world.n_types; t++) {
            bool known = t == largest_type(&s->world) || !one_in(r, 8);
            s->cost->alpha[m][t] = known ? 0.04 * (1 + below(r, 12)) : NAN;
            s->cost->beta[m][t] = 0.0008 * below(r, 6);
        }
    }
    s->cost->sync = (struct sync_cost){0.016, 0.008, 0.064, 0.016, 1};
}

static void draw_jobs(struct small *s, gsl_rng *r, const struct small_shape *shape)
{
    uint32_t most = s->world.type[largest_type(&s->world)].gpus,
             n = shape->jobs ? 1 + below(r, shape->jobs) : 0;
    sim_time submit = 0;

    most = most < shape->gang ? most : shape->gang;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t gpus = one_in(r, 2) ? 1 : 1 + below(r, most);
        submit += one_in(r, 3) ? 0 : 200 * MS * below(r, 20);
        if (shape->models)
            small_training(s, submit, gpus, below(r, s->world.n_models), 32u << below(r, 3),
                           1 + below(r, 4));
        else
            small_job(s, submit, gpus, 40 * MS * (1 + below(r, 200)));
    }
}

static void draw_curves(struct small *s, gsl_rng *r, struct experiment *x)
{
    struct curves *c = arena_get(s->arena, sizeof *c);
    uint32_t n = 0;

    *c = *x->curves;
    for (uint32_t k = 0; k < c->trials; k++) {
        double last = 0.1 + 0.9 * gsl_rng_uniform(r);
        uint32_t epochs = 1 + below(r, 5);
        c->first[k] = n;
        for (uint32_t e = 1; e <= epochs; e++)
            c->value[n++] = last * e / (e + 1) + 0.05 * gsl_rng_uniform(r);
    }
    c->first[c->trials] = n;
    c->falls = one_in(r, 4);
    c->start = c->falls ? 1 : 0.1;
    c->ideal = !c->falls;
    for (uint32_t i = 0; c->falls && i < n; i++)
        c->value[i] = 1.1 - c->value[i];
    x->curves = c;
}

static void draw_study(struct small *s, gsl_rng *r, const struct small_shape *shape)
{
    uint32_t trials = 1 + below(r, shape->trials),
             most = s->world.type[largest_type(&s->world)].gpus;
    struct experiment *x = small_study(s, 100 * MS * below(r, 60), trials, 5, 64);

    draw_curves(s, r, x);
    x->gpus = one_in(r, 3) ? 1 + below(r, most < shape->gang ? most : shape->gang) : 1;
    for (uint32_t k = 0; k < trials; k++)
        x->trial[k] =
            (struct trial_spec){k, below(r, s->world.n_models), 32u << below(r, 3), one_in(r, 4)};
    x->target = one_in(r, 2)       ? x->curves->value[below(r, x->curves->first[trials])]
                : x->curves->falls ? 0.6
                                   : 0.5;
    x->end = (enum end_rule)below(r, 4);
    if (one_in(r, 3)) {
        x->tuner = &small_halving;
        x->tuner_params = NULL;
    }
}

static void draw_overheads(struct small *s, gsl_rng *r, const struct small_shape *shape)
{
    static const char *const predictors[] = {"exact", "reference_table", "noisy[sigma=0.3]",
                                             "noisy[of=reference_table,sigma=0.1]"};
    struct world *w = &s->world;

    w->preempt_at = (enum preempt_at)below(r, 3);
    w->keeps = one_in(r, 3) ? KEEP_CHECKPOINT : KEEP_STATE;
    if (w->keeps == KEEP_CHECKPOINT && (w->preempt_at != PREEMPT_EPOCH || !shape->models))
        s->until = 60 * SIM_SECOND; /* quanta shorter than an epoch get nowhere */
    w->suspend_to = one_in(r, 3) ? SUSPEND_STORAGE : SUSPEND_HOST;
    w->jitter = shape->jitter && one_in(r, 2) ? 0.05 : 0;
    s->predictor = predictors[below(r, 4)];
    if (shape->costs && !one_in(r, 4))
        w->overheads = (struct overheads){.start = 400 * MS * below(r, 4),
                                          .save = 80 * MS * below(r, 4),
                                          .restore = 80 * MS * below(r, 4),
                                          .image = 200 * MS * below(r, 4),
                                          .host = 16e6 * below(r, 2),
                                          .network = 4e6 * below(r, 2),
                                          .disk_write = 8e6 * below(r, 2),
                                          .disk_read = 8e6 * below(r, 2)};
}

struct small *small_random(uint64_t seed, const struct small_shape *shape)
{
    gsl_rng *r = rng_stream(seed, "small", 0);
    /* The most that is drawn, and one of each that a test adds. */
    uint32_t nodes = shape->nodes > shape->types ? shape->nodes : shape->types;
    struct small *s = with_room(seed, shape->jobs + 1, nodes + 1);
    uint32_t studies = shape->trials ? 1 + below(r, 2) : 0;

    draw_cluster(s, r, shape);
    draw_models(s, r);
    draw_jobs(s, r, shape);
    for (uint32_t i = 0; i < studies; i++)
        draw_study(s, r, shape);
    draw_overheads(s, r, shape);
    gsl_rng_free(r);
    return s;
}

/* ---- successive halving with one rung ---- */

#define MOST_TRIALS 64

struct halving {
    double metric[MOST_TRIALS];
    bool paused[MOST_TRIALS];
    uint32_t waiting, ended;
    bool decided;
};

static void open_all(void *self, struct tx *tx)
{
    (void)self;
    for (uint32_t k = 0; k < tune_trials(tx); k++)
        tune_submit(tx, k);
}

/* Whether a trial is in the better half of those that have reported. */
static bool survives(const struct halving *s, const struct tx *tx, uint32_t trial)
{
    uint32_t better = 0;

    for (uint32_t k = 0; k < tune_trials(tx); k++)
        if (s->paused[k] &&
            (tune_falls(tx) ? s->metric[k] < s->metric[trial] : s->metric[k] > s->metric[trial]))
            better++;
    return 2 * better < s->waiting;
}

static bool all_in(const struct halving *s, const struct tx *tx)
{
    return !s->decided && s->waiting + s->ended == tune_trials(tx);
}

/* All but the trial that reports just now, which gets its verdict as the answer. */
static void cut(struct halving *s, struct tx *tx, uint32_t but)
{
    bool lives[MOST_TRIALS] = {false};

    s->decided = true;
    for (uint32_t k = 0; k < tune_trials(tx); k++)
        lives[k] = s->paused[k] && survives(s, tx, k);
    for (uint32_t k = 0; k < tune_trials(tx); k++) {
        if (!s->paused[k] || k == but)
            continue;
        if (lives[k])
            tune_promote(tx, k);
        else
            tune_stop(tx, k);
    }
}

static enum tune_verdict reported(void *self, struct tx *tx, uint32_t trial, uint32_t epoch,
                                  double metric)
{
    struct halving *s = self;

    if (epoch > 1 || s->decided)
        return TUNE_GO_ON;
    s->metric[trial] = metric;
    s->paused[trial] = true;
    s->waiting++;
    if (!all_in(s, tx))
        return TUNE_PAUSE;
    bool lives = survives(s, tx, trial);
    cut(s, tx, trial);
    return lives ? TUNE_GO_ON : TUNE_STOP;
}

static void ended(void *self, struct tx *tx, uint32_t trial)
{
    struct halving *s = self;

    (void)trial;
    s->ended++;
    if (all_in(s, tx) && s->waiting > 0)
        cut(s, tx, UINT32_MAX);
}

const struct tuner small_halving = {
    .abi = TUNER_ABI,
    .size = sizeof(struct tuner),
    .name = "halving",
    .about = "one rung of successive halving",
    .state_size = sizeof(struct halving),
    .open = open_all,
    .report = reported,
    .ended = ended,
};
