/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gavel_steps OUT TABLE - one-GPU step times from Gavel's two tables of isolated throughput.
 *
 * The simulation table becomes the stack `gavel`, the table of the physical cluster `gavel-
 * cluster`. Rows of one series (table, GPU, model) stand together, by rising batch size.
 */
#include <stdlib.h>

#include "traces/convert/gavel.h"

#define JUMP     1.5
#define DISAGREE 2.0

static const struct name stacks[] = {
    {"simulation", "gavel"}, {"physical_cluster", "gavel-cluster"}, {NULL, NULL}};

enum { TABLE, GPU, CONSOLIDATED, MODEL, BATCH, GPUS, RATE, COLUMNS };
static const char *const columns[] = {"table",      "gpu",      "consolidated", "model",
                                      "batch_size", "num_gpus", "steps_per_s",  NULL};

struct table {
    struct step_row *row;
    size_t n, cap;
};

/* A rate of 0 means that the job did not run. */
static bool read_row(struct csv *csv, const int *col, struct table *t)
{
    struct step_row r = {.gpus = 1, .nodes = 1, .precision = "fp32"};
    double rate;

    r.model = cell_name(csv, col[MODEL], gavel_models);
    r.gpu = cell_name(csv, col[GPU], gavel_gpus);
    r.stack = cell_name(csv, col[TABLE], stacks);
    if (!r.model || !r.gpu || !r.stack || !cell_is(csv, col[GPUS], "1") ||
        !cell_is(csv, col[CONSOLIDATED], "1"))
        return true;
    if (!gavel_batch(csv, col[BATCH], r.model, &r.batch) ||
        !csv_real(csv, col[RATE], 0, 1e6, &rate))
        return false;
    if (rate > 0) {
        r.step_s = 1 / rate;
        t->row = mem_room(t->row, t->n, &t->cap, sizeof *t->row);
        t->row[t->n++] = r;
    }
    return true;
}

static bool read_table(struct diag *diag, const char *path, struct table *t)
{
    struct csv *csv = csv_open(diag, path);
    int col[COLUMNS], got = -1;
    bool good = csv && csv_require(csv, columns);

    for (int i = 0; good && i < COLUMNS; i++)
        col[i] = csv_column(csv, columns[i]);
    while (good && (got = csv_next(csv)) == 1)
        good = read_row(csv, col, t);
    csv_close(csv);
    return good && got == 0;
}

static bool same_series(const struct step_row *a, const struct step_row *b)
{
    return a->stack == b->stack && a->gpu == b->gpu && a->model == b->model;
}

static double speed(const struct step_row *r)
{
    return (double)r->batch / r->step_s;
}

/*
 * Samples/s should rise with the batch size and level off. A row that is 1.5 times faster than
 * each of its neighbours is a peak; one that is 1.5 times slower than each of them is a dip,
 * unless it has the smallest batch of its series, where that is what fixed costs look like.
 */
static const char *jump(const struct table *t, size_t i)
{
    const struct step_row *r = &t->row[i];
    const struct step_row *before = i > 0 && same_series(r, r - 1) ? r - 1 : NULL;
    const struct step_row *after = i + 1 < t->n && same_series(r, r + 1) ? r + 1 : NULL;

    if (!before && !after)
        return NULL;
    if ((!before || speed(r) > JUMP * speed(before)) && (!after || speed(r) > JUMP * speed(after)))
        return after ? "peak: samples/s over 1.5 times each neighbour" : NULL;
    if (before && speed(before) > JUMP * speed(r) && (!after || speed(after) > JUMP * speed(r)))
        return "dip: samples/s under each neighbour / 1.5";
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The same (GPU, model, batch) in the other table, or NULL. */
static const struct step_row *twin(const struct table *t, const struct step_row *r)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct step_row *o = &t->row[i];

        if (o->stack != r->stack && o->gpu == r->gpu && o->model == r->model &&
            o->batch == r->batch)
            return o;
    }
    return NULL;
}

/* The median factor, at least 1, by which the two tables differ for a model. */
static double disagreement(const struct table *t, const char *model)
{
    double *factor = mem_get(t->n * sizeof *factor), median;
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct step_row *r = &t->row[i], *o = twin(t, r);

        if (r->model == model && o)
            factor[n++] = fmax(r->step_s / o->step_s, o->step_s / r->step_s);
    }
    qsort(factor, n, sizeof *factor, by_value);
    median = n > 0 ? factor[n / 2] : 1;
    mem_drop(factor);
    return median;
}

static void apply_rules(struct table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        struct step_row *r = &t->row[i];

        r->reason = jump(t, i);
        if (strcmp(r->stack, "gavel") == 0 && disagreement(t, r->model) > DISAGREE)
            r->reason = "the source's two tables differ by over 2 times for this model (median)";
    }
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct table t = {0};
    bool good = read_table(diag, input[0], &t);

    apply_rules(&t);
    out_text(out, STEP_COLUMNS);
    for (size_t i = 0; i < t.n; i++)
        put_step(out, &t.row[i], &gavel);
    mem_drop(t.row);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "gavel_steps OUT TABLE", convert);
}
