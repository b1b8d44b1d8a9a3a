/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/model/names.h"
#include "sim/model/trace.h"
#include "sim/text/csv.h"
#include "sim/text/num.h"

enum { SUBMIT, GPUS, DURATION, MODEL, BATCH, EPOCHS, JOB_ID, ON, COLUMNS };
static const char *const column[COLUMNS + 1] = {"submit_s", "gpus",   "duration_s", "model",
                                                "batch",    "epochs", "job_id",     "on"};

#define NAME_MAX_LEN 64

struct csv_trace {
    struct trace trace;
    struct diag *diag;
    struct csv *csv;
    const struct world *world;
    int col[COLUMNS];
    sim_time last;
    uint8_t *seen; /* by model, as contention_check() has it */
    uint32_t most; /* GPUs of the most frequent type */
    uint32_t row;
    char name[NAME_MAX_LEN + 1];
};

static bool is_empty(struct csv_trace *t, int which)
{
    size_t len;

    csv_cell(t->csv, t->col[which], &len);
    return len == 0;
}

static bool read_duration(struct csv_trace *t, struct job_spec *j)
{
    if (!csv_seconds(t->csv, t->col[DURATION], 1, SIM_LATEST, &j->work))
        return false;
    if (t->world->n_types > 1)
        return diag_error(t->diag, csv_mark(t->csv, t->col[DURATION]),
                          "duration_s: a duration is on one GPU type, and the cluster has %u; "
                          "give model, batch and epochs",
                          t->world->n_types);
    j->model = NO_MODEL;
    return contention_check(t->world, t->diag, csv_mark(t->csv, t->col[DURATION]), NO_MODEL,
                            t->seen);
}

static bool find_model(struct csv_trace *t, uint32_t *model)
{
    size_t len;
    const char *cell = csv_cell(t->csv, t->col[MODEL], &len);

    *model = names_known_model(t->world, t->diag, csv_mark(t->csv, t->col[MODEL]), cell, len);
    return *model != NO_NAME;
}

/* A job must be able to run somewhere: else it would wait for ever. */
static bool can_run(struct csv_trace *t, const struct job_spec *j)
{
    const char *model = t->world->model[j->model].name;
    bool known = false;

    for (type_id type = 0; type < t->world->n_types; type++) {
        if (!(world_type_rate(t->world, j, 1, type) > 0))
            continue;
        if (world_type_fits(t->world, j, type))
            return true;
        known = true;
    }
    if (known)
        return diag_error(t->diag, csv_mark(t->csv, t->col[BATCH]),
                          "batch: %u samples of %s on %u GPU%s do not fit the memory of any GPU "
                          "type of this cluster",
                          j->batch, model, j->gpus, j->gpus > 1 ? "s" : "");
    return diag_error(
        t->diag, csv_mark(t->csv, t->col[MODEL]),
        "model: the cost model knows no step time of %s on %u GPUs of one type of this cluster",
        model, j->gpus);
}

/* Whether its even shares can run on the very GPUs that it is wanted on. */
static bool can_run_there(struct csv_trace *t, const struct job_spec *j)
{
    uint32_t samples = (j->batch + j->gpus - 1) / j->gpus;

    for (uint64_t left = j->asked; left; left &= left - 1)
        if (!world_asked_runs(t->world, t->diag, csv_mark(t->csv, t->col[ON]), "on", j->model,
                              (gpu_id)__builtin_ctzll(left), samples))
            return false;
    return true;
}

static bool read_training(struct csv_trace *t, struct job_spec *j)
{
    int64_t batch, epochs;

    if (!find_model(t, &j->model) || !csv_int(t->csv, t->col[BATCH], 1, 1 << 23, &batch) ||
        !csv_int(t->csv, t->col[EPOCHS], 1, 1000000, &epochs))
        return false;
    if (batch < j->gpus)
        return diag_error(t->diag, csv_mark(t->csv, t->col[BATCH]),
                          "batch: %lld samples cannot be shared by %u GPUs", (long long)batch,
                          j->gpus);
    j->batch = (uint32_t)batch;
    j->epochs = (uint32_t)epochs;
    j->per_epoch = (t->world->model[j->model].samples_per_epoch + batch - 1) / batch;
    j->work = j->per_epoch * epochs;
    return contention_check(t->world, t->diag, csv_mark(t->csv, t->col[MODEL]), j->model,
                            t->seen) &&
           can_run(t, j) && can_run_there(t, j);
}

static bool read_name(struct csv_trace *t, struct job_spec *j)
{
    size_t len;
    const char *cell = csv_cell(t->csv, t->col[JOB_ID], &len);

    if (t->col[JOB_ID] < 0 || len == 0)
        return true;
    if (len > NAME_MAX_LEN)
        return diag_error(t->diag, csv_mark(t->csv, t->col[JOB_ID]),
                          "job_id: %zu bytes; wanted at most %d", len, NAME_MAX_LEN);
    memcpy(t->name, cell, len);
    t->name[len] = '\0';
    j->name = t->name;
    return true;
}

static bool read_gpus(struct csv_trace *t, struct job_spec *j)
{
    int64_t gpus;

    if (!csv_int(t->csv, t->col[GPUS], 1, INT32_MAX, &gpus))
        return false;
    if (gpus > t->most)
        return diag_error(
            t->diag, csv_mark(t->csv, t->col[GPUS]),
            "gpus: %lld can never be had: the cluster has at most %u GPUs of one type",
            (long long)gpus, t->most);
    j->gpus = (uint32_t)gpus;
    return true;
}

/* The GPUs it is wanted on: as many as it wants, as in 0+2+3. */
static bool read_asked(struct csv_trace *t, struct job_spec *j)
{
    size_t len;
    const char *cell = csv_cell(t->csv, t->col[ON], &len), *end = cell + len;
    uint32_t most = t->world->n_gpus < 64 ? t->world->n_gpus : 64, n = 0;

    if (t->col[ON] < 0 || len == 0)
        return true;
    while (cell <= end) {
        const char *plus = memchr(cell, '+', (size_t)(end - cell));
        size_t k = (size_t)((plus ? plus : end) - cell);
        int64_t g = 0;
        if (num_int(cell, k, &g) != NUM_OK || g < 0 || g >= most || j->asked >> g & 1)
            return diag_error(t->diag, csv_mark(t->csv, t->col[ON]),
                              "on: '%.*s'; wanted different GPUs of 0 to %u, as in 0+2",
                              (int)(len < 40 ? len : 40), end - len, most - 1);
        j->asked |= UINT64_C(1) << g;
        n++;
        cell += k + 1;
    }
    if (n != j->gpus)
        return diag_error(t->diag, csv_mark(t->csv, t->col[ON]),
                          "on: %u GPU%s for a job that wants %u", n, n == 1 ? "" : "s", j->gpus);
    return true;
}

static bool read_submit(struct csv_trace *t, struct job_spec *j)
{
    if (!csv_seconds(t->csv, t->col[SUBMIT], 0, SIM_LATEST, &j->submit))
        return false;
    if (j->submit < t->last)
        return diag_error(
            t->diag, csv_mark(t->csv, t->col[SUBMIT]),
            "submit_s: earlier than the row before; rows must be in order of submission");
    t->last = j->submit;
    return true;
}

static int trace_next(struct trace *trace, struct job_spec *j)
{
    struct csv_trace *t = (struct csv_trace *)trace;
    int got = csv_next(t->csv);

    if (got <= 0)
        return got;
    *j = (struct job_spec){.experiment = NO_EXPERIMENT, .trial = t->row++};
    if (!read_submit(t, j) || !read_gpus(t, j) || !read_asked(t, j) || !read_name(t, j))
        return -1;
    if (t->col[DURATION] >= 0 && (t->col[MODEL] < 0 || !is_empty(t, DURATION)))
        return read_duration(t, j) ? 1 : -1;
    return read_training(t, j) ? 1 : -1;
}

static void trace_close(struct trace *trace)
{
    csv_close(((struct csv_trace *)trace)->csv);
    mem_drop(((struct csv_trace *)trace)->seen);
    mem_drop(trace);
}

static bool find_columns(struct csv_trace *t)
{
    static const char *const rigid[] = {"submit_s", "gpus", "duration_s", NULL};
    static const char *const training[] = {"submit_s", "gpus", "model", "batch", "epochs", NULL};

    for (int i = 0; i < COLUMNS; i++)
        t->col[i] = csv_column(t->csv, column[i]);
    return csv_require(t->csv, t->col[MODEL] >= 0 ? training : rigid);
}

struct trace *trace_csv(struct diag *d, const char *path, const struct world *w)
{
    struct csv_trace *t = mem_get(sizeof(*t));

    t->trace = (struct trace){trace_next, trace_close};
    t->diag = d;
    t->world = w;
    for (type_id k = 0; k < w->n_types; k++)
        t->most = w->type[k].gpus > t->most ? w->type[k].gpus : t->most;
    t->seen = mem_get(w->n_models + 1);
    if (w->tried)
        memcpy(t->seen, w->tried, w->n_models + 1);
    t->csv = csv_open(d, path);
    if (t->csv && find_columns(t))
        return &t->trace;
    trace_close(&t->trace);
    return NULL;
}
