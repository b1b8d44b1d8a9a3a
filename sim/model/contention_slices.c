/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU cut into equal slices, each with its part of the memory (MIG): who has the other slices
 * makes no difference.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/model/config.h"
#include "sim/model/names.h"
#include "sim/model/rows.h"
#include "sim/model/world.h"

struct slices {
    uint32_t n_types;
    double *speed; /* [model * n_types + type]; NAN: not known */
    bool *taken;   /* the same: measured */
};

struct slice_row {
    const char *model, *gpu;
    int64_t slices;
    double speed;
};

const struct field slice_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct slice_row, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_TEXT, "gpu", offsetof(struct slice_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_INT, "slices", offsetof(struct slice_row, slices), NULL, 1, MOST_RESIDENTS, NULL,
     "equal parts that the GPU is cut into"},
    {FIELD_REAL, "speed", offsetof(struct slice_row, speed), NULL, 0.001, 2, NULL,
     "speed on one of them / speed on the whole GPU"},
    {.type = FIELD_END},
};

struct loading {
    struct slices *self;
    const struct world *world;
    struct diag *diag;
};

static bool take_slice(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    const struct world *w = l->world;
    const struct slice_row *r = row;
    uint32_t m = names_model(w->model, w->n_models, r->model, strlen(r->model));
    uint32_t t = names_type(w->type, w->n_types, r->gpu, strlen(r->gpu));

    if (m == NO_NAME || t == NO_NAME || r->slices != w->residents)
        return true;
    size_t cell = (size_t)m * w->n_types + t;
    if (l->self->taken[cell])
        return diag_error(l->diag, at, "a second speed of %s on one of %lld slices of %s", r->model,
                          (long long)r->slices, r->gpu);
    l->self->taken[cell] = true;
    l->self->speed[cell] = r->speed;
    return true;
}

static bool partition_load(void *self, struct arena *a, struct diag *d, struct tree *sharing,
                           const struct world *w)
{
    struct slices *s = self;
    struct loading l = {s, w, d};
    struct slice_row row = {0};
    double speed = sharing_default(a, d, sharing, "slice_default");
    size_t n = (size_t)w->n_models * w->n_types;

    s->n_types = w->n_types;
    s->speed = arena_get(a, n * sizeof(*s->speed));
    s->taken = arena_get(a, n * sizeof(*s->taken));
    for (size_t i = 0; i < n; i++)
        s->speed[i] = speed;
    return rows_take(a, d, tree_get(sharing, "slices"), slice_fields, "slices", take_slice, &l,
                     &row);
}

static bool partition_check(const void *self, const struct world *w, struct diag *d, struct mark at,
                            type_id t, uint32_t me, uint32_t other)
{
    const struct slices *s = self;

    (void)other;
    if (me == NO_MODEL)
        return diag_error(d, at,
                          "a duration says nothing of slices of a GPU, and this cluster's are cut "
                          "into %u; give model, batch and epochs",
                          w->residents);
    return !isnan(s->speed[(size_t)me * s->n_types + t]) ||
           diag_error(d, at,
                      "unknown speed of %s on one of %u slices of %s; `slices` or slice_default "
                      "must say it",
                      w->model[me].name, w->residents, w->type[t].name);
}

static double partition_stretch(const void *self, const struct world *w, type_id t, uint32_t me,
                                const uint32_t *other, const double *p, uint32_t n)
{
    const struct slices *s = self;

    (void)w, (void)other, (void)p, (void)n;
    return 1 / s->speed[(size_t)me * s->n_types + t];
}

static double partition_peak(const void *self, const struct world *w, type_id t, uint32_t n)
{
    (void)self, (void)w, (void)t;
    return n;
}

const struct contention contention_partition = {
    .name = "partition",
    .about = "a GPU is cut into `residents` equal slices, with measured speeds by model",
    .table = "slices",
    .state_size = sizeof(struct slices),
    .sliced = true,
    .load = partition_load,
    .check = partition_check,
    .stretch = partition_stretch,
    .peak = partition_peak,
};
