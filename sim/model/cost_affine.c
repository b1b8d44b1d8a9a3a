/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Step time by (model, GPU type): t(b) = max(floor, alpha + beta b) + gap (eq. 1).
 *
 * Fits of measurements are valid for the software stack they were measured on; `stacks` says which
 * ones count, and which is preferred where several measured the same model on the same type.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/model/config.h"
#include "sim/model/names.h"
#include "sim/model/paths.h"
#include "sim/model/rows.h"
#include "sim/model/world.h"

struct step_fit {
    double alpha, beta, floor, gap; /* s, s/sample, s, s */
    struct batch_range range;
    uint32_t rank; /* of its stack; the lowest wins */
    bool known;
};

struct affine {
    uint32_t n_types;
    struct step_fit *fit; /* [model * n_types + type] */
    struct sync_cost *sync;
    uint32_t *sync_rank;
    const char *file[3]; /* ended by NULL */
};

/* One row of a fits file or of an inline list. */
struct fit_row {
    const char *model, *gpu, *stack;
    double alpha, beta, floor, gap, min, max;
};

struct sync_row {
    const char *model, *gpu, *stack;
    struct sync_cost cost;
};

#define SECONDS 0, 1e6
const struct field fit_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct fit_row, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_TEXT, "gpu", offsetof(struct fit_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_TEXT, "stack", offsetof(struct fit_row, stack), "", 0, 0, NULL,
     "software stack it was measured on"},
    {FIELD_REAL, "alpha_s", offsetof(struct fit_row, alpha), NULL, SECONDS, NULL,
     "fixed part of a step, s"},
    {FIELD_REAL, "beta_s", offsetof(struct fit_row, beta), NULL, SECONDS, NULL, "s a sample"},
    {FIELD_REAL, "floor_s", offsetof(struct fit_row, floor), "0", SECONDS, NULL,
     "a step is never shorter, s"},
    {FIELD_REAL, "gap_s", offsetof(struct fit_row, gap), "0", SECONDS, NULL,
     "host time between steps in which the GPU stands still, s"},
    {FIELD_REAL, "batch_min", offsetof(struct fit_row, min), "0", 0, 1e9, NULL,
     "smallest measured batch"},
    {FIELD_REAL, "batch_max", offsetof(struct fit_row, max), "0", 0, 1e9, NULL,
     "largest measured batch"},
    {.type = FIELD_END},
};

const struct field sync_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct sync_row, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_TEXT, "gpu", offsetof(struct sync_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_TEXT, "stack", offsetof(struct sync_row, stack), "", 0, 0, NULL,
     "software stack it was measured on"},
    {FIELD_REAL, "node_base_s", offsetof(struct sync_row, cost.node_base_s), "0", SECONDS, NULL,
     "2 GPUs of a node, s"},
    {FIELD_REAL, "node_per_gpu_s", offsetof(struct sync_row, cost.node_per_gpu_s), "0", SECONDS,
     NULL, "each further GPU, s"},
    {FIELD_REAL, "cluster_base_s", offsetof(struct sync_row, cost.cluster_base_s), "0", SECONDS,
     NULL, "2 GPUs across nodes, s"},
    {FIELD_REAL, "cluster_per_gpu_s", offsetof(struct sync_row, cost.cluster_per_gpu_s), "0",
     SECONDS, NULL, "each further GPU, s"},
    {FIELD_REAL, "overlap", offsetof(struct sync_row, cost.overlap), "1", 1, 10, NULL,
     "exponent of eq. 3; 1: no overlap"},
    {.type = FIELD_END},
};

/* ---- whom a row is about ---- */

struct loading {
    struct affine *self;
    struct diag *diag;
    struct tree *stacks;
    const struct model *models;
    uint32_t n_models;
    const struct gpu_type *types;
    uint32_t n_types;
};

/* The cell a row belongs to; UINT32_MAX: neither this run's model nor its GPU type. */
static uint32_t find_cell(const struct loading *l, const char *model, const char *gpu)
{
    uint32_t m = names_model(l->models, l->n_models, model, strlen(model));
    uint32_t t = names_type(l->types, l->n_types, gpu, strlen(gpu));

    return m == NO_NAME || t == NO_NAME ? UINT32_MAX : m * l->n_types + t;
}

/* ---- rows ---- */

static bool take_fit(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    const struct fit_row *r = row;
    uint32_t cell = find_cell(l, r->model, r->gpu), rank = rows_stack_rank(l->stacks, r->stack);

    if (cell == UINT32_MAX || rank == NO_STACK ||
        (l->self->fit[cell].known && l->self->fit[cell].rank < rank))
        return true;
    if (l->self->fit[cell].known && l->self->fit[cell].rank == rank)
        return diag_error(l->diag, at,
                          "a second step time of %s on %s%s%s: `stacks` must say which counts",
                          r->model, r->gpu, *r->stack ? " from stack " : "", r->stack);
    if (!(r->alpha + r->beta > 0 || r->floor > 0))
        return diag_error(l->diag, at, "the step time of %s on %s is 0", r->model, r->gpu);
    l->self->fit[cell] =
        (struct step_fit){r->alpha, r->beta, r->floor, r->gap, {r->min, r->max}, rank, true};
    return true;
}

static bool take_sync(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    const struct sync_row *r = row;
    uint32_t cell = find_cell(l, r->model, r->gpu), rank = rows_stack_rank(l->stacks, r->stack) + 1;

    if (cell == UINT32_MAX || rank == 0 ||
        (l->self->sync_rank[cell] && l->self->sync_rank[cell] < rank))
        return true;
    if (l->self->sync_rank[cell] == rank)
        return diag_error(l->diag, at, "a second synchronisation of %s on %s", r->model, r->gpu);
    l->self->sync[cell] = r->cost;
    l->self->sync_rank[cell] = rank;
    return true;
}

/* ---- the model ---- */

static void note_file(struct affine *s, struct arena *a, const struct tree *t)
{
    if (t && t->kind == TREE_SCALAR && t->len > 0)
        s->file[s->file[0] != NULL] = path_of(a, t);
}

static bool affine_load(void *self, struct arena *a, struct diag *d, struct tree *conf,
                        const struct model *models, uint32_t n_models, const struct gpu_type *types,
                        uint32_t n_types)
{
    struct affine *s = self;
    struct loading l = {s, d, tree_get(conf, "stacks"), models, n_models, types, n_types};
    struct fit_row fit = {0};
    struct sync_row sync = {0};

    s->n_types = n_types;
    s->fit = arena_get(a, (size_t)n_models * n_types * sizeof(*s->fit));
    s->sync = arena_get(a, (size_t)n_models * n_types * sizeof(*s->sync));
    s->sync_rank = arena_get(a, (size_t)n_models * n_types * sizeof(*s->sync_rank));
    note_file(s, a, tree_get(conf, "fits"));
    note_file(s, a, tree_get(conf, "sync"));
    if (!rows_stacks(d, l.stacks, "stacks"))
        return false;
    bool ok = rows_take(a, d, tree_get(conf, "fits"), fit_fields, "fits", take_fit, &l, &fit);
    return rows_take(a, d, tree_get(conf, "sync"), sync_fields, "sync", take_sync, &l, &sync) && ok;
}

static struct step_parts affine_step(const void *self, uint32_t model, type_id t, double samples)
{
    const struct affine *s = self;
    const struct step_fit *f = &s->fit[model * s->n_types + t];

    return (struct step_parts){f->known ? f->alpha + f->beta * samples : NAN, f->floor, f->gap};
}

static struct sync_cost affine_sync(const void *self, uint32_t model, type_id t)
{
    const struct affine *s = self;

    return s->sync[model * s->n_types + t];
}

static struct batch_range affine_range(const void *self, uint32_t model, type_id t)
{
    const struct affine *s = self;

    return s->fit[model * s->n_types + t].range;
}

static const char *const *affine_files(const void *self)
{
    const struct affine *s = self;

    return s->file;
}

static const char *const affine_keys[] = {"fits", "sync", "stacks", NULL};

const struct cost_model cost_affine = {
    .name = "affine",
    .about =
        "max(floor, alpha + beta * samples) + gap by model and GPU type, fitted to measurements",
    .state_size = sizeof(struct affine),
    .keys = affine_keys,
    .load = affine_load,
    .step = affine_step,
    .sync = affine_sync,
    .range = affine_range,
    .files = affine_files,
};
