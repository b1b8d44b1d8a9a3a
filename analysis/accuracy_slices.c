/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speeds on a slice of a GPU, held against what busy shares say: kernels take as much longer as the
 * slice is smaller, the host takes what it took.
 *
 * A utilisation does not say whether the host works beside the kernels or while the GPU waits for
 * it; both are held against the measurements.
 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/accuracy_sharing.h"
#include "sim/model/rows.h"

#define SLICES 7 /* that MIG cuts a GPU's multiprocessors into */

struct slice_row {
    const char *model, *gpu, *stack, *slice;
    int64_t batch, use;
    double speed;
};
static const struct field slice_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct slice_row, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_INT, "batch", offsetof(struct slice_row, batch), NULL, 1, 1e9, NULL, "samples"},
    {FIELD_TEXT, "gpu", offsetof(struct slice_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_TEXT, "slice", offsetof(struct slice_row, slice), NULL, 0, 0, NULL,
     "1g .. 7g: so many sevenths"},
    {FIELD_REAL, "speed", offsetof(struct slice_row, speed), "0", 0, 100, NULL,
     "of that on the whole GPU"},
    {FIELD_TEXT, "stack", offsetof(struct slice_row, stack), NULL, 0, 0, NULL, "measuring party"},
    {FIELD_INT, "use", offsetof(struct slice_row, use), "1", 0, 1, NULL, "0: a rule sets it aside"},
    {.type = FIELD_END},
};

struct slice {
    const char *model;
    int64_t batch;
    int sevenths;
    double measured, beside, gap; /* derived: the host beside the kernels, and in gaps */
    double others; /* the median of the other models on such a slice; NAN: there are none */
};

struct slices {
    struct arena *arena;
    struct diag *diag;
    const struct busy_table *busy;
    struct slice *slice;
    size_t n, cap;
    uint32_t from[BUSY_CALIBRATED + 1]; /* speeds by where the busy shares are from */
};

static double on_slice(struct step_parts p, int sevenths)
{
    double whole = step_compute(&p) + p.gap;

    p.busy *= (double)SLICES / sevenths;
    return whole / (step_compute(&p) + p.gap);
}

static bool take_slice(void *user, struct mark at, const void *row)
{
    struct slices *s = user;
    const struct slice_row *r = row;
    struct busy_job job = {r->model, "", r->gpu, r->stack, r->batch};
    int sevenths = r->slice[0] - '0';
    struct step_parts gap, beside;

    if (sevenths < 1 || sevenths > SLICES || strcmp(r->slice + 1, "g") != 0)
        return diag_error(s->diag, at, "slice '%.20s': wanted 1g to 7g", r->slice);
    if (!r->use || sevenths == SLICES)
        return true;
    enum busy_from from = busy_find(s->busy, &job, &gap);
    s->from[from]++;
    if (from == BUSY_UNKNOWN)
        return true;
    beside = from == BUSY_MEASURED ? (struct step_parts){gap.busy, 1, 0} : gap;
    s->slice = arena_room(s->arena, s->slice, s->n, &s->cap, sizeof(*s->slice));
    s->slice[s->n++] = (struct slice){.model = r->model,
                                      .batch = r->batch,
                                      .sevenths = sevenths,
                                      .measured = r->speed,
                                      .beside = on_slice(beside, sevenths),
                                      .gap = on_slice(gap, sevenths)};
    return true;
}

/* What a table of slices is for models that it does not have. */
static void compare_others(struct slices *s)
{
    double *speed = arena_get(s->arena, (s->n + 1) * sizeof(*speed));

    for (size_t i = 0; i < s->n; i++) {
        size_t n = 0;
        for (size_t j = 0; j < s->n; j++)
            if (s->slice[j].sevenths == s->slice[i].sevenths &&
                strcmp(s->slice[j].model, s->slice[i].model) != 0)
                speed[n++] = s->slice[j].measured;
        gsl_sort(speed, 1, n);
        s->slice[i].others = n > 0 ? gsl_stats_median_from_sorted_data(speed, 1, n) : NAN;
    }
}

/* A line for those of a size, or of a model, or all. */
static void put_line(struct out *o, const struct slices *s, const char *what, int sevenths,
                     const char *model)
{
    double n = 0, measured = 0, beside = 0, gap = 0, n_others = 0, others = 0;
    const struct slice *worst = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct slice *p = &s->slice[i];
        if ((sevenths && p->sevenths != sevenths) || (model && strcmp(p->model, model) != 0))
            continue;
        n++;
        measured += p->measured;
        beside += fabs(p->beside - p->measured);
        gap += fabs(p->gap - p->measured);
        if (!isnan(p->others))
            n_others++, others += fabs(p->others - p->measured);
        if (!worst || fabs(p->beside - p->measured) > fabs(worst->beside - worst->measured))
            worst = p;
    }
    if (worst)
        out_printf(o, "  %-20s %5.0f %9.3f %9.3f %9.3f %9s   %+.2f %dg %s %lld\n", what, n,
                   measured / n, beside / n, gap / n,
                   n_others > 0 ? arena_printf(s->arena, "%.3f", others / n_others) : "-",
                   worst->beside - worst->measured, worst->sevenths, worst->model,
                   (long long)worst->batch);
}

/* Whether none before the i-th is of its model. */
static bool is_new(const struct slices *s, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(s->slice[j].model, s->slice[i].model) == 0)
            return false;
    return true;
}

static void put_table(struct out *o, struct arena *a, const struct slices *s)
{
    out_printf(
        o,
        "\nspeed on a slice of a GPU, of that on the whole: %u with measured busy shares, %u "
        "with calibrated ones, %u without;\n"
        "mean errors with the host beside the kernels, in gaps, and of the median of other "
        "models\n  %-20s %5s %9s %9s %9s %9s   %s\n",
        s->from[BUSY_MEASURED], s->from[BUSY_CALIBRATED], s->from[BUSY_UNKNOWN], "", "n",
        "measured", "beside", "in gaps", "others", "worst with the host beside");
    put_line(o, s, "all", 0, NULL);
    for (int g = SLICES - 1; g > 0; g--)
        put_line(o, s, arena_printf(a, "slice %dg", g), g, NULL);
    for (size_t i = 0; i < s->n; i++)
        if (is_new(s, i))
            put_line(o, s, s->slice[i].model, 0, s->slice[i].model);
    if (s->from[BUSY_CALIBRATED] == 0)
        out_text(o, "  nothing here is derived from calibrations: no measured step of the split is "
                    "of such a job\n");
}

bool accuracy_slices(struct out *o, struct arena *a, struct diag *d, const struct accuracy *x,
                     const struct busy_table *busy)
{
    struct slices s = {.arena = a, .diag = d, .busy = busy};
    struct slice_row row = {0};

    if (!rows_take(a, d, tree_get(x->sharing, "slices"), slice_fields, "slices", take_slice, &s,
                   &row))
        return false;
    compare_others(&s);
    if (s.n > 0)
        put_table(o, a, &s);
    return true;
}
