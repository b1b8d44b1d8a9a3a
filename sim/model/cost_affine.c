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
#include "sim/model/world.h"
#include "sim/text/conf.h"
#include "sim/text/csv.h"

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
    struct arena *arena;
    struct diag *diag;
    struct tree *stacks;
    const struct model *models;
    uint32_t n_models;
    const struct gpu_type *types;
    uint32_t n_types;
};

/* The place of a stack in the order of preference; UINT32_MAX: it does not count. */
static uint32_t stack_rank(const struct loading *l, const char *stack)
{
    for (size_t i = 0; l->stacks && i < l->stacks->n; i++)
        if (strcmp(l->stacks->item[i]->text, stack) == 0)
            return (uint32_t)i;
    return l->stacks ? UINT32_MAX : 0;
}

/* The cell a row belongs to; UINT32_MAX: neither this run's model nor its GPU type. */
static uint32_t find_cell(const struct loading *l, const char *model, const char *gpu)
{
    uint32_t m = names_model(l->models, l->n_models, model, strlen(model));
    uint32_t t = names_type(l->types, l->n_types, gpu, strlen(gpu));

    return m == NO_NAME || t == NO_NAME ? UINT32_MAX : m * l->n_types + t;
}

/* ---- rows ---- */

/* Reads rows by a table of fields: from a file, or from a list of maps in the configuration. */
typedef bool take_row(struct loading *, struct mark at, const void *row);

static bool rows_of_list(struct loading *l, struct tree *list, const struct field *fields,
                         const char *what, take_row *take, void *row)
{
    bool ok = true;

    for (size_t i = 0; i < list->n; i++)
        ok &= conf_fill(l->arena, l->diag, list->item[i], fields, NULL, what, row) &&
              take(l, list->item[i]->at, row);
    return ok;
}

/* One row of a file as a map, so that both sources are checked by the same table. */
static struct tree *row_as_map(struct loading *l, struct csv *csv, const struct field *fields)
{
    struct tree *map = tree_map(l->arena, csv_mark(csv, 0));

    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        int col = csv_column(csv, f->name);
        size_t len;
        const char *cell = csv_cell(csv, col, &len);
        if (col >= 0 && len > 0)
            tree_add(l->arena, map,
                     tree_scalar(l->arena, csv_mark(csv, col), f->name, strlen(f->name)),
                     tree_scalar(l->arena, csv_mark(csv, col), cell, len));
    }
    return map;
}

/* The columns of fields that have no default. */
static bool has_columns(struct loading *l, struct csv *csv, const struct field *fields)
{
    size_t n = 0, k = 0;

    while (fields[n].type != FIELD_END)
        n++;
    const char **names = arena_get(l->arena, (n + 1) * sizeof(*names));
    for (size_t i = 0; i < n; i++)
        if (!fields[i].def)
            names[k++] = fields[i].name;
    return csv_require(csv, names);
}

static bool rows_of_file(struct loading *l, const char *path, const struct field *fields,
                         const char *what, take_row *take, void *row)
{
    struct csv *csv = csv_open(l->diag, path);
    bool found = csv && has_columns(l, csv, fields), ok = found;
    int got;

    while (found && !diag_full(l->diag) && (got = csv_next(csv)) != 0)
        ok &= got > 0 &&
              conf_fill(l->arena, l->diag, row_as_map(l, csv, fields), fields, NULL, what, row) &&
              take(l, csv_mark(csv, 0), row);
    csv_close(csv);
    return ok;
}

static bool rows_of(struct loading *l, struct tree *from, const struct field *fields,
                    const char *what, take_row *take, void *row)
{
    if (!from)
        return true;
    if (from->kind == TREE_SCALAR)
        return rows_of_file(l, path_of(l->arena, from), fields, what, take, row);
    if (from->kind == TREE_LIST)
        return rows_of_list(l, from, fields, what, take, row);
    return diag_error(l->diag, from->at, "%s: a map; wanted a file or a list", what);
}

static bool take_fit(struct loading *l, struct mark at, const void *row)
{
    const struct fit_row *r = row;
    uint32_t cell = find_cell(l, r->model, r->gpu), rank = stack_rank(l, r->stack);

    if (cell == UINT32_MAX || rank == UINT32_MAX ||
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

static bool take_sync(struct loading *l, struct mark at, const void *row)
{
    const struct sync_row *r = row;
    uint32_t cell = find_cell(l, r->model, r->gpu), rank = stack_rank(l, r->stack) + 1;

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

static bool check_stacks(struct loading *l)
{
    if (!l->stacks)
        return true;
    if (l->stacks->kind != TREE_LIST)
        return diag_error(l->diag, l->stacks->at, "stacks: %s; wanted a list of names",
                          tree_kind_name(l->stacks));
    for (size_t i = 0; i < l->stacks->n; i++)
        if (l->stacks->item[i]->kind != TREE_SCALAR)
            return diag_error(l->diag, l->stacks->item[i]->at, "stacks: %s; wanted a name",
                              tree_kind_name(l->stacks->item[i]));
    return true;
}

static bool affine_load(void *self, struct arena *a, struct diag *d, struct tree *conf,
                        const struct model *models, uint32_t n_models, const struct gpu_type *types,
                        uint32_t n_types)
{
    struct affine *s = self;
    struct loading l = {s, a, d, tree_get(conf, "stacks"), models, n_models, types, n_types};
    struct fit_row fit;
    struct sync_row sync;

    s->n_types = n_types;
    s->fit = arena_get(a, (size_t)n_models * n_types * sizeof(*s->fit));
    s->sync = arena_get(a, (size_t)n_models * n_types * sizeof(*s->sync));
    s->sync_rank = arena_get(a, (size_t)n_models * n_types * sizeof(*s->sync_rank));
    if (!check_stacks(&l))
        return false;
    bool ok = rows_of(&l, tree_get(conf, "fits"), fit_fields, "fits", take_fit, &fit);
    return rows_of(&l, tree_get(conf, "sync"), sync_fields, "sync", take_sync, &sync) && ok;
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

const struct cost_model cost_affine = {
    .name = "affine",
    .about =
        "max(floor, alpha + beta * samples) + gap by model and GPU type, fitted to measurements",
    .state_size = sizeof(struct affine),
    .load = affine_load,
    .step = affine_step,
    .sync = affine_sync,
    .range = affine_range,
};
