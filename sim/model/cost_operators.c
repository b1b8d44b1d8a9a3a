/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Step time by calibrated kernels: `operators` (docs/calibration.md).
 *
 * Where exactly this (model, GPU type, samples) was measured, the measured step counts; elsewhere
 * the model predicts. What a batch takes is computed once: policies ask again and again.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/model/config.h"
#include "sim/model/names.h"
#include "sim/model/paths.h"
#include "sim/model/rows.h"
#include "sim/model/step_model.h"

#define FLAGGED 0.05 /* share of the kernels' time that makes a step extrapolated, or carried */
#define GB      1e9

enum { KEPT = 4096 }; /* batches up to it are kept */

struct op_cost_conf {
    const char *library, *stack;
    int precision;
    double network_gbps, overlap;
};

const struct field op_cost_fields[] = {
    {FIELD_TEXT, "library", offsetof(struct op_cost_conf, library), NULL, 0, 0, NULL,
     "folder with models/*.yaml, costs/gpus/*.yaml and costs/stacks.yaml, such as configs"},
    {FIELD_TEXT, "stack", offsetof(struct op_cost_conf, stack), "default", 0, 0, NULL,
     "software stack, of costs/stacks.yaml"},
    {FIELD_CHOICE, "precision", offsetof(struct op_cost_conf, precision), "fp32", 0, 0,
     precision_names, "of the products"},
    {FIELD_REAL, "network_gbps", offsetof(struct op_cost_conf, network_gbps), "1.25", 1e-3, 1e6,
     NULL, "all-reduce across nodes, GB/s"},
    {FIELD_REAL, "overlap", offsetof(struct op_cost_conf, overlap), "1.75", 1, 10, NULL,
     "exponent of eq. 3; 1.75: median of traces/sync_fits.csv"},
    {.type = FIELD_END},
};

/* One (model, GPU type). */
struct cell {
    const struct step_plan *plan;
    const struct stack *stack;
    double transfer;          /* s of weights over the host's link, a step */
    struct batch_range range; /* measured */
    struct sync_cost sync;
    struct step_parts *kept; /* [KEPT + 1]; busy 0: not asked for so far; NULL: none was */
    struct exact *exact;
};

/* A measured step. */
struct exact {
    double samples, step_s;
    uint32_t rank;
    struct exact *next;
};

struct operators {
    struct arena *arena;
    uint32_t n_types;
    struct cell *cell;          /* [model * n_types + type] */
    double *fixed, *per_sample; /* bytes on a GPU, by model */
    const char **file;
};

/* ---- measured steps ---- */

struct measured_row {
    const char *model, *gpu, *precision, *stack;
    int64_t gpus, batch, use;
    double step_s;
};

const struct field measured_step_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct measured_row, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_TEXT, "gpu", offsetof(struct measured_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_INT, "batch_per_gpu", offsetof(struct measured_row, batch), NULL, 1, 1e9, NULL,
     "samples"},
    {FIELD_REAL, "step_s", offsetof(struct measured_row, step_s), NULL, 1e-9, 1e6, NULL, "s"},
    {FIELD_INT, "gpus", offsetof(struct measured_row, gpus), "1", 1, 1e6, NULL,
     "GPUs of the job; only rows of one count"},
    {FIELD_TEXT, "precision", offsetof(struct measured_row, precision), "fp32", 0, 0, NULL,
     "fp32, tf32, fp16, bf16, or amp, which is fp16"},
    {FIELD_TEXT, "stack", offsetof(struct measured_row, stack), "", 0, 0, NULL,
     "software stack it was measured on"},
    {FIELD_INT, "use", offsetof(struct measured_row, use), "1", 0, 1, NULL,
     "0: the row does not count"},
    {.type = FIELD_END},
};

struct loading {
    struct operators *self;
    struct diag *diag;
    struct tree *stacks;
    const struct model *models;
    uint32_t n_models;
    const struct gpu_type *types;
    int precision;
};

static struct exact *find_exact(const struct cell *c, double samples)
{
    struct exact *e = c->exact;

    while (e && e->samples != samples)
        e = e->next;
    return e;
}

static struct exact *new_exact(struct arena *a, struct cell *c, double samples)
{
    struct exact *e = arena_get(a, sizeof(*e));

    *e = (struct exact){samples, 0, NO_STACK, c->exact};
    c->exact = e;
    c->range.min = c->range.max > 0 ? fmin(c->range.min, samples) : samples;
    c->range.max = fmax(c->range.max, samples);
    return e;
}

static bool take_measured(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    struct operators *s = l->self;
    const struct measured_row *r = row;
    uint32_t m = names_model(l->models, l->n_models, r->model, strlen(r->model));
    uint32_t t = names_type(l->types, s->n_types, r->gpu, strlen(r->gpu));
    uint32_t rank = rows_stack_rank(l->stacks, r->stack);

    if (m == NO_NAME || t == NO_NAME || rank == NO_STACK || r->gpus != 1 || !r->use ||
        precision_named(r->precision) != l->precision)
        return true;
    struct cell *c = &s->cell[m * s->n_types + t];
    struct exact *e = find_exact(c, (double)r->batch);
    if (e && e->rank == rank)
        return diag_error(l->diag, at,
                          "a second step time of %s on %s with %lld samples%s%s: `stacks` must say "
                          "which counts",
                          r->model, r->gpu, (long long)r->batch, *r->stack ? " from stack " : "",
                          r->stack);
    if (!e)
        e = new_exact(s->arena, c, (double)r->batch);
    if (rank < e->rank) {
        e->rank = rank;
        e->step_s = r->step_s;
    }
    return true;
}

/* ---- predictions ---- */

/* Eq. 3 by eq. C5, drawn as a line through 2 and 8 GPUs. */
static struct sync_cost sync_of(const struct gpu_cost *g, double bytes,
                                const struct op_cost_conf *conf)
{
    double two = step_all_reduce(g, bytes, 2), eight = step_all_reduce(g, bytes, 8);
    double network = conf->network_gbps * GB;

    return (struct sync_cost){
        .node_base_s = two,
        .node_per_gpu_s = (eight - two) / 6,
        .cluster_base_s = bytes / network,
        .cluster_per_gpu_s = (1.75 - 1) * bytes / network / 6,
        .overlap = conf->overlap,
    };
}

static bool fill_cell(struct cell *c, struct step_library *lib, struct diag *d, struct mark at,
                      const struct op_cost_conf *conf, const struct step_question *q)
{
    struct step_answer a;

    if (!step_answer(lib, d, at, q, &a))
        return false;
    struct step_setting setting = {q->precision, true, a.stack->optimizer, a.stack->transposes};
    c->plan = step_library_plan(lib, d, at, q->model, q->gpu, &setting);
    c->stack = a.stack;
    c->transfer = a.transfer;
    c->sync = sync_of(step_library_gpu(lib, d, at, q->gpu), c->plan->parameter_bytes, conf);
    return true;
}

/* Memory is linear in the samples. */
static bool fill_model(struct operators *s, struct step_library *lib, struct diag *d,
                       struct mark at, const struct op_cost_conf *conf, const struct loading *l,
                       uint32_t m)
{
    struct step_question q = {.model = l->models[m].name,
                              .stack = conf->stack,
                              .samples = 1,
                              .gpus = 1,
                              .precision = (enum precision)conf->precision};
    struct step_answer one, two;

    for (type_id t = 0; t < s->n_types; t++) {
        q.gpu = l->types[t].name;
        if (!fill_cell(&s->cell[m * s->n_types + t], lib, d, at, conf, &q))
            return false;
    }
    step_answer(lib, d, at, &q, &one);
    q.samples = 2;
    step_answer(lib, d, at, &q, &two);
    s->per_sample[m] = two.memory - one.memory;
    s->fixed[m] = one.memory - s->per_sample[m];
    return true;
}

static void note_files(struct operators *s, struct arena *a, const char *library,
                       const struct loading *l, const char *measured)
{
    uint32_t n = 0;

    s->file = arena_get(a, (l->n_models + s->n_types + 3) * sizeof(*s->file));
    s->file[n++] = arena_printf(a, "%s/costs/stacks.yaml", library);
    for (type_id t = 0; t < s->n_types; t++)
        s->file[n++] = arena_printf(a, "%s/costs/gpus/%s.yaml", library, l->types[t].name);
    for (uint32_t m = 0; m < l->n_models; m++)
        s->file[n++] = arena_printf(a, "%s/models/%s.yaml", library, l->models[m].name);
    s->file[n] = measured;
}

/* ---- the model ---- */

static bool fill_all(struct operators *s, struct arena *a, struct diag *d, struct tree *conf,
                     const struct op_cost_conf *c, struct loading *l)
{
    struct tree *measured = tree_get(conf, "measured"), *at = tree_get(conf, "library");
    bool in_file = measured && measured->kind == TREE_SCALAR;
    const char *library = path_of(a, at);
    struct step_library *lib = step_library_open(a, d, arena_printf(a, "%s/costs/gpus", library),
                                                 arena_printf(a, "%s/models", library),
                                                 arena_printf(a, "%s/costs/stacks.yaml", library));
    struct measured_row row = {0};

    note_files(s, a, library, l, in_file ? path_of(a, measured) : NULL);
    for (uint32_t m = 0; lib && m < l->n_models; m++)
        if (!fill_model(s, lib, d, at->at, c, l, m))
            return false;
    return lib &&
           rows_take(a, d, measured, measured_step_fields, "measured", take_measured, l, &row);
}

static bool op_cost_load(void *self, struct arena *a, struct diag *d, struct tree *conf,
                         const struct model *models, uint32_t n_models,
                         const struct gpu_type *types, uint32_t n_types)
{
    static const char *const also[] = {"about", "form", "models", "measured", "stacks", NULL};
    struct operators *s = self;
    struct op_cost_conf c;
    struct loading l = {s, d, tree_get(conf, "stacks"), models, n_models, types, 0};

    s->arena = a;
    s->n_types = n_types;
    s->cell = arena_get(a, (size_t)n_models * n_types * sizeof(*s->cell));
    s->fixed = arena_get(a, n_models * sizeof(*s->fixed));
    s->per_sample = arena_get(a, n_models * sizeof(*s->per_sample));
    if (!conf_fill(a, d, conf, op_cost_fields, also, "the cost", &c) ||
        !rows_stacks(d, l.stacks, "stacks"))
        return false;
    l.precision = c.precision;
    return fill_all(s, a, d, conf, &c, &l);
}

/* Eq. C4; a measured step has the same parts, all stretched alike. */
static struct step_parts compute(const struct cell *c, double samples)
{
    double launches = c->plan->launches;
    struct step_parts p = {.busy = c->stack->factor * step_plan_gpu(c->plan, samples),
                           .floor = c->stack->host * launches,
                           .gap = c->stack->gap * launches + c->transfer};
    const struct exact *e = find_exact(c, samples);

    if (e) {
        double k = e->step_s / (step_compute(&p) + p.gap);
        p = (struct step_parts){k * p.busy, k * p.floor, k * p.gap};
    }
    return p;
}

static struct step_parts op_cost_step(const void *self, uint32_t model, type_id t, double samples)
{
    const struct operators *s = self;
    struct cell *c = &s->cell[model * s->n_types + t];

    if (!(samples <= KEPT && samples >= 0 && samples == floor(samples)))
        return compute(c, samples);
    if (!c->kept)
        c->kept = arena_get(s->arena, (KEPT + 1) * sizeof(*c->kept));
    struct step_parts *p = &c->kept[(int)samples];
    if (!(p->busy > 0))
        *p = compute(c, samples);
    return *p;
}

static struct sync_cost op_cost_sync(const void *self, uint32_t model, type_id t)
{
    const struct operators *s = self;

    return s->cell[model * s->n_types + t].sync;
}

static struct batch_range op_cost_range(const void *self, uint32_t model, type_id t)
{
    const struct operators *s = self;

    return s->cell[model * s->n_types + t].range;
}

static enum step_basis op_cost_basis(const void *self, uint32_t model, type_id t, double samples)
{
    const struct operators *s = self;
    const struct cell *c = &s->cell[model * s->n_types + t];
    struct step_guess g;

    if (find_exact(c, samples))
        return BASIS_MEASURED;
    step_plan_guess(c->plan, samples, &g);
    return g.extrapolated > FLAGGED ? BASIS_EXTRAPOLATED
           : g.carried > FLAGGED    ? BASIS_CARRIED
                                    : BASIS_CALIBRATED;
}

static void op_cost_memory(const void *self, uint32_t model, double *fixed, double *per_sample)
{
    const struct operators *s = self;

    *fixed = s->fixed[model];
    *per_sample = s->per_sample[model];
}

static const char *const *op_cost_files(const void *self)
{
    const struct operators *s = self;

    return s->file;
}

const struct cost_model cost_operators = {
    .name = "operators",
    .about = "predicted from lists of operators and calibrated GPUs; measured where exactly this "
             "batch was",
    .state_size = sizeof(struct operators),
    .load = op_cost_load,
    .step = op_cost_step,
    .sync = op_cost_sync,
    .range = op_cost_range,
    .basis = op_cost_basis,
    .memory = op_cost_memory,
    .files = op_cost_files,
};
