/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * miso_slices OUT TIMES MEMORY - training on slices of an A100 (MIG) against the whole GPU.
 *
 * A job (model, batch) of the whole GPU has one row a slice. No time on a slice means that the job
 * does not fit in its memory; MEMORY, what the job took on the whole GPU, must bear that out.
 */
#include <stdlib.h>

#include "traces/convert/convert.h"

#define UNSTEADY 3.0

static const struct origin miso = {"boringlee24/socc22-miso",
                                   "39b1ee69d73c876c2d2bfca7858806890b27c834", "MIT"};

/* From the whole GPU down; memory as the slice's name has it. */
static const struct {
    const char *theirs, *ours;
    double memory_gib;
} slices[] = {{"7g.40gb", "7g", 40},
              {"4g.20gb", "4g", 20},
              {"3g.20gb", "3g", 20},
              {"2g.10gb", "2g", 10},
              {"1g.5gb", "1g", 5}};

enum { SLICES = sizeof slices / sizeof *slices };

struct job {
    const char *model;
    int64_t batch;
    double step_s[SLICES], spread[SLICES], memory_mib; /* a step of 0: none recorded */
};

struct table {
    struct diag *diag;
    struct arena *arena;
    struct job *job;
    size_t n, cap;
};

/* The job of a row, made if there is none yet; NULL: reported. */
static struct job *row_job(struct csv *csv, struct table *t)
{
    struct job job = {.model = cell_text(t->arena, csv, csv_column(csv, "model"))};

    if (!csv_int(csv, csv_column(csv, "batch"), 1, 1000000, &job.batch))
        return NULL;
    for (size_t i = 0; i < t->n; i++)
        if (t->job[i].batch == job.batch && strcmp(t->job[i].model, job.model) == 0)
            return &t->job[i];
    t->job = mem_room(t->job, t->n, &t->cap, sizeof *t->job);
    t->job[t->n] = job;
    return &t->job[t->n++];
}

static bool read_time(struct csv *csv, struct table *t)
{
    struct job *job = row_job(csv, t);
    double median, low, high;
    int s = 0;

    if (!job || !csv_real(csv, csv_column(csv, "median_iter_s"), 1e-6, 1e6, &median) ||
        !csv_real(csv, csv_column(csv, "p10_s"), 1e-6, median, &low) ||
        !csv_real(csv, csv_column(csv, "p90_s"), median, 1e6, &high))
        return false;
    while (s < SLICES && !cell_is(csv, csv_column(csv, "mig_slice"), slices[s].theirs))
        s++;
    if (s == SLICES)
        return diag_error(t->diag, csv_mark(csv, csv_column(csv, "mig_slice")), "an unknown slice");
    job->step_s[s] = median;
    job->spread[s] = high / low;
    return true;
}

static bool read_memory(struct csv *csv, struct table *t)
{
    struct job *job = row_job(csv, t);

    return job && csv_real(csv, csv_column(csv, "gpu_memory_MB"), 1, 1e6, &job->memory_mib);
}

static bool read_table(const char *path, const char *const *wanted, struct table *t,
                       bool (*read_row)(struct csv *, struct table *))
{
    struct csv *csv = csv_open(t->diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1)
        good = read_row(csv, t);
    csv_close(csv);
    return good && got == 0;
}

static int by_job(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    int order = strcmp(x->model, y->model);

    return order ? order : (x->batch > y->batch) - (x->batch < y->batch);
}

static bool put_slice(struct diag *diag, struct out *out, const struct job *j, int s)
{
    bool fits = j->step_s[s] > 0;
    const char *reason = "";

    if (!fits && j->memory_mib <= slices[s].memory_gib * 1024)
        return diag_error(diag, (struct mark){0}, "%s with %lld has no time on %s, but fits",
                          j->model, (long long)j->batch, slices[s].theirs);
    if (!fits)
        reason = "does not fit in memory";
    else if (fmax(j->spread[0], j->spread[s]) > UNSTEADY)
        reason = "unsteady: 90th percentile of the step over 3 times the 10th; here or on 7g";
    out_printf(out, "%s,%lld,A100,%s,", j->model, (long long)j->batch, slices[s].ours);
    if (fits)
        out_printf(out, "%.4f", j->step_s[0] / j->step_s[s]);
    out_printf(out, ",%d,miso,%d,%s,%s,%s,%s\n", fits, !*reason, reason, miso.repository,
               miso.commit, miso.licence);
    return true;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    static const char *const times[] = {"mig_slice", "model", "batch", "median_iter_s",
                                        "p10_s",     "p90_s", NULL};
    static const char *const memory[] = {"model", "batch", "gpu_memory_MB", NULL};
    struct table t = {.diag = diag, .arena = arena_new()};
    bool good =
        read_table(input[0], times, &t, read_time) && read_table(input[1], memory, &t, read_memory);

    if (t.n > 0)
        qsort(t.job, t.n, sizeof *t.job, by_job);
    out_text(out, "model,batch,gpu,slice,speed,fits,stack,use,reason,source,commit,licence\n");
    for (size_t i = 0; i < t.n; i++)
        for (int s = 0; s < SLICES && t.job[i].step_s[0] > 0; s++)
            good = good && put_slice(diag, out, &t.job[i], s);
    mem_drop(t.job);
    arena_free(t.arena);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "miso_slices OUT TIMES MEMORY", convert);
}
