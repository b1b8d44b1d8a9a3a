/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/property/draw.h"

#include <math.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/base/rng.h"
#include "sim/text/yaml.h"

#define MODELS 3
#define TYPES  3

/* ---- chance ---- */

uint64_t chance_bits(struct chance *c)
{
    c->state = rng_hash(c->state, "chance", 0);
    return c->state;
}

uint32_t chance_below(struct chance *c, uint32_t n)
{
    return (uint32_t)(chance_bits(c) >> 20) % n;
}
bool chance_of(struct chance *c, uint32_t percent)
{
    return chance_below(c, 100) < percent;
}

uint32_t worlds_between(struct draw *d, uint32_t lo, uint32_t hi)
{
    return lo + chance_below(&d->c, hi - lo + 1);
}

sim_time worlds_duration(struct draw *d)
{
    sim_time s = d->r->scale;

    if (chance_of(&d->c, 70))
        return s * worlds_between(d, 1, 6);
    if (chance_of(&d->c, 10))
        return worlds_between(d, 1, 3);
    return 1 + (sim_time)(chance_bits(&d->c) % (uint64_t)(8 * s));
}

/* ---- costs: a tiny cost model ---- */

struct tiny {
    double alpha[MODELS][TYPES], beta[MODELS][TYPES]; /* NAN alpha: unknown */
    double floor[MODELS][TYPES], gap[MODELS][TYPES];
    struct sync_cost sync[MODELS][TYPES];
};

static struct step_parts tiny_step(const void *self, uint32_t model, type_id t, double samples)
{
    const struct tiny *s = self;

    return (struct step_parts){s->alpha[model][t] + s->beta[model][t] * samples, s->floor[model][t],
                               s->gap[model][t]};
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

static const struct cost_model tiny_model = {.name = "tiny",
                                             .about = "for tests",
                                             .state_size = sizeof(struct tiny),
                                             .step = tiny_step,
                                             .sync = tiny_sync,
                                             .range = tiny_range};

static void draw_costs(struct draw *d)
{
    struct world *w = &d->r->world;
    struct tiny *s = arena_get(d->arena, sizeof(*s));
    double unit = (double)d->r->scale / 1e9 / 8;
    bool synced = chance_of(&d->c, 50);

    for (uint32_t m = 0; m < w->n_models; m++) {
        for (type_id t = 0; t < w->n_types; t++) {
            s->alpha[m][t] = unit * worlds_between(d, 0, 8) + (chance_of(&d->c, 30) ? unit / 7 : 0);
            s->beta[m][t] = unit * worlds_between(d, 1, 4) / worlds_between(d, 1, 3);
            s->floor[m][t] = chance_of(&d->c, 30) ? unit * worlds_between(d, 4, 16) : 0;
            s->gap[m][t] = chance_of(&d->c, 30) ? unit * worlds_between(d, 1, 12) : 0;
            if (w->n_types > 1 && chance_of(&d->c, 10))
                s->alpha[m][t] = NAN;
            if (synced)
                s->sync[m][t] =
                    (struct sync_cost){unit, unit / 3, 2 * unit, unit, worlds_between(d, 1, 4)};
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
        *k = (struct node){.type = n < w->n_types ? n : chance_below(&d->c, w->n_types),
                           .first = w->n_gpus,
                           .gpus = worlds_between(d, 1, 4)};
        for (uint32_t i = 0; i < k->gpus; i++)
            w->gpu[w->n_gpus++] = (struct gpu){n, factors ? speeds[chance_below(&d->c, 6)] : 1};
    }
    world_count(w);
}

static void draw_cluster(struct draw *d)
{
    static const char *const names[TYPES] = {"a100", "v100", "p100"};
    struct world *w = &d->r->world;

    w->n_nodes = worlds_between(d, 1, 5);
    w->n_types =
        chance_of(&d->c, 40) ? 1 : worlds_between(d, 1, w->n_nodes < TYPES ? w->n_nodes : TYPES);
    w->type = arena_get(d->arena, w->n_types * sizeof(*w->type));
    for (type_id t = 0; t < w->n_types; t++)
        w->type[t] = (struct gpu_type){
            .name = names[t], .memory = chance_of(&d->c, 30) ? worlds_between(d, 8, 24) : 0};
    draw_nodes(d);
    if (d->throng)
        throng_cluster(d);
}

static void draw_models(struct draw *d)
{
    static const char *const names[MODELS] = {"resnet", "vgg", "bert"};
    struct world *w = &d->r->world;

    w->n_models = worlds_between(d, 1, MODELS);
    w->model = arena_get(d->arena, w->n_models * sizeof(*w->model));
    for (uint32_t m = 0; m < w->n_models; m++) {
        w->model[m] = (struct model){.name = names[m],
                                     .parameters = worlds_between(d, 1, 9),
                                     .optimizer_slots = worlds_between(d, 0, 2),
                                     .samples_per_epoch = worlds_between(d, 4, 30),
                                     .batch = worlds_between(d, 1, 8)};
        if (!d->throng && chance_of(&d->c, 50)) {
            w->model[m].memory_fixed = worlds_between(d, 1, 10);
            w->model[m].memory_per_sample = worlds_between(d, 0, 3);
        }
    }
}

/* ---- several jobs on a GPU ---- */

/* Speeds beside others, or on slices, as a configuration gives them. */
static const char *draw_table(struct draw *d)
{
    const struct world *w = &d->r->world;
    const char *all = arena_printf(d->arena, "{pair_default: 0.%u, slice_default: 0.%u, pairs: [",
                                   worlds_between(d, 3, 9), worlds_between(d, 2, 8));

    for (uint32_t a = 0; a < w->n_models; a++)
        for (uint32_t b = 0; b < w->n_models; b++)
            if (chance_of(&d->c, 50))
                all = arena_printf(d->arena, "%s{model: %s, other: %s, gpu: %s, speed: %.2f}, ",
                                   all, w->model[a].name, w->model[b].name,
                                   w->type[chance_below(&d->c, w->n_types)].name,
                                   worlds_between(d, 30, 110) / 100.0);
    return arena_printf(d->arena, "%s]}", all);
}

static void load_contention(struct draw *d)
{
    struct world *w = &d->r->world;
    const char *text = draw_table(d);
    struct source *src = arena_get(d->arena, sizeof(*src));
    struct diag *diag = diag_new(stderr);

    *src = (struct source){"table", text, strlen(text), 1};
    w->contention_self = arena_get(d->arena, w->contention->state_size);
    if (w->contention->load)
        BUG_ON(!w->contention->load(w->contention_self, d->arena, diag,
                                    yaml_parse(d->arena, diag, src), w));
    diag_free(diag);
}

/* Steps one by one, and not too many of them. */
static void draw_steps(struct draw *d)
{
    struct world *w = &d->r->world;

    w->fidelity = FIDELITY_STEP;
    w->step_jitter = chance_of(&d->c, 40) ? 0.3 : 0;
    for (uint32_t m = 0; m < w->n_models; m++)
        w->model[m].samples_per_epoch = worlds_between(d, 2, 12);
}

static void draw_sharing(struct draw *d)
{
    static const double etas[] = {0, 0.15, 0.7, 1};
    struct world *w = &d->r->world;
    uint32_t n = 0;

    w->residents = 1;
    if (!chance_of(&d->c, 25) && !d->throng)
        return;
    while (contentions[n])
        n++;
    w->residents = d->throng ? MOST_RESIDENTS - chance_below(&d->c, 3) : worlds_between(d, 2, 5);
    w->alone = (enum alone)chance_of(&d->c, 50);
    w->contention = contentions[chance_of(&d->c, 40) ? 0 : chance_below(&d->c, n)];
    for (type_id t = 0; t < w->n_types; t++) {
        w->type[t].eta = etas[chance_below(&d->c, 4)];
        if (chance_of(&d->c, 30) && !d->throng)
            w->type[t].memory = worlds_between(d, 8, 24);
    }
    load_contention(d);
    if (d->throng || chance_of(&d->c, 50))
        draw_steps(d);
}

/* Not much below the scale: some policies start and stop jobs for nothing but the next set-up to
 * end. */
static sim_time overhead(struct draw *d)
{
    return chance_of(&d->c, 60)
               ? (d->r->scale * worlds_between(d, 1, 6) + 3) / worlds_between(d, 1, 4)
               : 0;
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
    o->replica = overhead(d);
    if (d->throng || chance_of(&d->c, 30))
        return;
    for (int i = 0; i < 4; i++) {
        *fixed[i] = overhead(d);
        sim_time t = overhead(d);
        *bandwidth[i] = t > 0 ? 60 / ((double)t / 1e9) : 0;
    }
    for (node_id n = 0; n < w->n_nodes; n++) {
        w->node[n].host_memory = chance_of(&d->c, 40) ? 4 * worlds_between(d, 1, 30) : 0;
        w->node[n].input_rate = chance_of(&d->c, 15) ? 40 / ((double)worlds_duration(d) / 1e9) : 0;
    }
    for (type_id t = 0; chance_of(&d->c, 30) && t < w->n_types; t++) {
        sim_time s = overhead(d);
        w->type[t].host = s > 0 ? 60 / ((double)s / 1e9) : 0;
        w->type[t].context = overhead(d);
    }
    world_count(w);
}

/* ---- a world ---- */

/* Quanta shorter than a set-up, or than the way to a checkpoint, let no job ever end: those runs
 * need an end. */
static sim_time draw_until(struct draw *d)
{
    uint32_t flags = d->r->policy.policy->flags;

    if (chance_of(&d->c, 12))
        return 10 * worlds_duration(d);
    return flags & POLICY_PREEMPTS && d->r->policy.policy != &policy_anything ? 400 * d->r->scale
                                                                              : SIM_NEVER;
}

struct random_world *world_draw(uint64_t seed)
{
    static const sim_time scales[] = {1, 7, 1000, 1000000, SIM_SECOND, SIM_SECOND, 60 * SIM_SECOND};
    struct arena *a = arena_new();
    struct random_world *r = arena_get(a, sizeof(*r));
    struct draw d = {{rng_hash(seed, "world", 0)}, r, a, false};

    r->seed = seed;
    r->arena = a;
    r->scale = scales[chance_below(&d.c, 7)];
    d.throng = chance_below(&d.c, 1000) == 0;
    r->world.seed = seed;
    r->world.jitter = chance_of(&d.c, 20) ? 0.3 : 0;
    draw_cluster(&d);
    draw_models(&d);
    draw_sharing(&d);
    draw_costs(&d);
    draw_moving(&d);
    worlds_jobs(&d);
    worlds_experiments(&d);
    worlds_policy(&d);
    r->setup =
        (struct engine_setup){.world = &r->world,
                              .trace = worlds_trace(&d),
                              .policy = r->policy.policy,
                              .params = r->policy.params,
                              .belief = worlds_belief(&d),
                              .until = draw_until(&d),
                              .max_rounds = chance_of(&d.c, 5) ? worlds_between(&d, 1, 5) : 1000,
                              .count_refusals = chance_of(&d.c, 75)};
    return r;
}

void world_drop(struct random_world *r)
{
    arena_free(r->arena);
}
