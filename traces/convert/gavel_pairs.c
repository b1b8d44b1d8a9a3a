/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gavel_pairs OUT STEP_TIMES TABLE - two one-GPU jobs on one GPU, from Gavel's simulation table.
 *
 * A job's rate in the pair times its step alone, which is a row of STEP_TIMES: where that row is
 * set aside, so is what is measured against it. The table has each pair in both orders; of a row
 * the first job is taken. A rate of 0 means that the two do not fit in the GPU's memory.
 */
#include "traces/convert/gavel.h"
#include "traces/convert/pairs.h"

#define ROUNDING 1.1e-4 /* the source's own ratios have four decimals */

enum { GPU, MODEL, BATCH, GPUS, OTHER, OTHER_BATCH, OTHER_GPUS, RATE, NORM, COLUMNS };
static const char *const columns[] = {"gpu",    "model1",    "batch1",       "num_gpus1", "model2",
                                      "batch2", "num_gpus2", "steps_per_s1", "norm1",     NULL};

/* A job alone, as STEP_TIMES has it. */
struct alone {
    const char *model, *gpu, *reason;
    int64_t batch;
    double step_s;
};

struct table {
    struct diag *diag;
    struct arena *arena;
    struct alone *alone;
    size_t n, cap;
};

static bool read_alone(struct csv *csv, struct table *t)
{
    struct alone a = {.model = cell_text(t->arena, csv, csv_column(csv, "model")),
                      .gpu = cell_text(t->arena, csv, csv_column(csv, "gpu")),
                      .reason = cell_text(t->arena, csv, csv_column(csv, "reason"))};

    if (!cell_is(csv, csv_column(csv, "stack"), "gavel"))
        return true;
    if (!csv_int(csv, csv_column(csv, "batch_per_gpu"), 1, 1000000, &a.batch) ||
        !csv_real(csv, csv_column(csv, "step_s"), 1e-9, 1e6, &a.step_s))
        return false;
    t->alone = mem_room(t->alone, t->n, &t->cap, sizeof *t->alone);
    t->alone[t->n++] = a;
    return true;
}

static bool read_steps(const char *path, struct table *t)
{
    static const char *const wanted[] = {"model",  "gpu", "batch_per_gpu", "step_s", "stack",
                                         "reason", NULL};
    struct csv *csv = csv_open(t->diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1)
        good = read_alone(csv, t);
    csv_close(csv);
    return good && got == 0;
}

static const struct alone *find_alone(const struct table *t, const struct pair_row *r,
                                      int64_t batch)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct alone *a = &t->alone[i];

        if (a->batch == batch && strcmp(a->model, r->job.model) == 0 && strcmp(a->gpu, r->gpu) == 0)
            return a;
    }
    return NULL;
}

static bool read_job(struct csv *csv, int model, int batch, struct pair_job *job)
{
    job->model = cell_name(csv, model, gavel_models);
    job->precision = "fp32";
    job->batch = 0;
    return cell_is(csv, batch, "") || csv_int(csv, batch, 1, 1000000, &job->batch);
}

static bool set_speed(struct csv *csv, const int *col, const struct table *t, struct pair_row *r)
{
    const struct alone *alone;
    int64_t batch;
    double rate, norm;

    if (!gavel_batch(csv, col[BATCH], r->job.model, &batch) ||
        !csv_real(csv, col[RATE], 0, 1e6, &rate) || !csv_real(csv, col[NORM], 0, 1e3, &norm))
        return false;
    alone = find_alone(t, r, batch);
    if (!alone)
        return diag_error(t->diag, csv_mark(csv, col[MODEL]),
                          "%s with %lld a step was not timed alone", r->job.model,
                          (long long)batch);
    r->speed = rate * alone->step_s;
    if (fabs(r->speed - norm) > ROUNDING)
        return diag_error(t->diag, csv_mark(csv, col[NORM]), "by the step alone it is %.4f",
                          r->speed);
    if (rate == 0) {
        r->reason = "the two do not fit in memory";
    } else if (*alone->reason) {
        r->reason = "alone: ";
        r->reason_about = alone->reason;
    }
    return true;
}

static bool convert_row(struct csv *csv, const int *col, const struct table *t, struct out *out)
{
    struct pair_row r = {.stack = "gavel"};

    r.gpu = cell_name(csv, col[GPU], gavel_gpus);
    if (!read_job(csv, col[MODEL], col[BATCH], &r.job) ||
        !read_job(csv, col[OTHER], col[OTHER_BATCH], &r.other))
        return false;
    if (!r.gpu || !r.job.model || !r.other.model || !cell_is(csv, col[GPUS], "1") ||
        !cell_is(csv, col[OTHER_GPUS], "1"))
        return true;
    if (!set_speed(csv, col, t, &r))
        return false;
    put_pair(out, &r, &gavel);
    return true;
}

static bool convert_pairs(const char *path, const struct table *t, struct out *out)
{
    struct csv *csv = csv_open(t->diag, path);
    int col[COLUMNS], got = -1;
    bool good = csv && csv_require(csv, columns);

    for (int i = 0; good && i < COLUMNS; i++)
        col[i] = csv_column(csv, columns[i]);
    while (good && (got = csv_next(csv)) == 1)
        good = convert_row(csv, col, t, out);
    csv_close(csv);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct table t = {.diag = diag, .arena = arena_new()};
    bool good;

    out_text(out, PAIR_COLUMNS);
    good = read_steps(input[0], &t) && convert_pairs(input[1], &t, out);
    mem_drop(t.alone);
    arena_free(t.arena);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "gavel_pairs OUT STEP_TIMES TABLE", convert);
}
