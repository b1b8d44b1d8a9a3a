/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lucid_pairs OUT TABLE - two one-GPU jobs on one GPU, from Lucid's table of pairs.
 *
 * The table has speeds relative to the job alone, once a pair: one row of it becomes two. The stack
 * says whether none, one or both of the jobs train with mixed precision. A job is a model with a
 * batch size and a precision; all its speeds share one rate alone, by which they are judged.
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "traces/convert/lucid.h"
#include "traces/convert/pairs.h"

#define TOO_SLOW 1.02
#define TOO_FAST 1.2

enum { MODEL, DATA, GPUS, BATCH, AMP, SPEED, COLUMNS };
static const char *const columns[2][COLUMNS + 1] = {
    {"model1", "dataset1", "gpus1", "batch1", "amp1", "norm_speed1", NULL},
    {"model2", "dataset2", "gpus2", "batch2", "amp2", "norm_speed2", NULL}};

struct table {
    struct pair_row *row;
    size_t n, cap;
};

static bool read_job(struct diag *diag, struct csv *csv, const int *col, struct pair_job *job,
                     double *speed)
{
    job->model = lucid_model(csv, col[MODEL], col[DATA]);
    job->precision = cell_name(csv, col[AMP], lucid_precisions);
    if (!job->model || !job->precision || !cell_is(csv, col[GPUS], "1"))
        return diag_error(diag, csv_mark(csv, col[MODEL]), "a job that has no name here");
    return csv_int(csv, col[BATCH], 1, 1000000, &job->batch) &&
           csv_real(csv, col[SPEED], 0, 100, speed);
}

static bool is_amp(const struct pair_job *j)
{
    return strcmp(j->precision, "amp") == 0;
}

static bool read_pair(struct diag *diag, struct csv *csv, int col[2][COLUMNS], struct table *t)
{
    struct pair_job job[2];
    double speed[2];
    int amps;

    for (int i = 0; i < 2; i++)
        if (!read_job(diag, csv, col[i], &job[i], &speed[i]))
            return false;
    amps = is_amp(&job[0]) + is_amp(&job[1]);
    for (int i = 0; i < 2; i++) {
        t->row = mem_room(t->row, t->n, &t->cap, sizeof *t->row);
        t->row[t->n++] = (struct pair_row){.job = job[i],
                                           .other = job[1 - i],
                                           .gpu = LUCID_GPU,
                                           .stack = amps == 2   ? "lucid-amp"
                                                    : amps == 1 ? "lucid-one-amp"
                                                                : "lucid",
                                           .speed = speed[i]};
    }
    return true;
}

static bool read_table(struct diag *diag, const char *path, struct table *t)
{
    struct csv *csv = csv_open(diag, path);
    int col[2][COLUMNS], got = -1;
    bool good = csv && csv_require(csv, columns[0]) && csv_require(csv, columns[1]);

    for (int i = 0; good && i < 2 * COLUMNS; i++)
        col[i / COLUMNS][i % COLUMNS] = csv_column(csv, columns[i / COLUMNS][i % COLUMNS]);
    while (good && (got = csv_next(csv)) == 1)
        good = read_pair(diag, csv, col, t);
    csv_close(csv);
    return good && got == 0;
}

static bool same_job(const struct pair_job *a, const struct pair_job *b)
{
    return a->model == b->model && a->batch == b->batch && a->precision == b->precision;
}

/*
 * What is wrong with all speeds of a job. Exactly 1 beside everything, to three decimals, is a
 * value that was given. A median over 1 cannot come from company: the rate alone is too low.
 */
static const char *judge_job(const struct table *t, const struct pair_job *job, double *speed)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (same_job(&t->row[i].job, job))
            speed[n++] = t->row[i].speed;
    gsl_sort(speed, 1, n);
    if (speed[0] == 1 && speed[n - 1] == 1)
        return "exactly 1 beside every other job: not measured";
    if (gsl_stats_median_from_sorted_data(speed, 1, n) > TOO_SLOW)
        return "alone: too slow; the median beside all others is over 1.02";
    return NULL;
}

static void apply_rules(struct table *t)
{
    double *room = mem_get((t->n + 1) * sizeof *room);

    for (size_t i = 0; i < t->n; i++) {
        struct pair_row *r = &t->row[i];

        r->reason = judge_job(t, &r->job, room);
        if (!r->reason && r->speed > TOO_FAST)
            r->reason = "over 1.2 times the job alone";
    }
    mem_drop(room);
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct table t = {0};
    bool good = read_table(diag, input[0], &t);

    apply_rules(&t);
    out_text(out, PAIR_COLUMNS);
    for (size_t i = 0; i < t.n; i++)
        put_pair(out, &t.row[i], &lucid);
    mem_drop(t.row);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "lucid_pairs OUT TABLE", convert);
}
