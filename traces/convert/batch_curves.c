/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch_curves CURVES TRIALS TABLE APP - Pollux' curves of one application, a trial a batch size.
 *
 * A row of the source is an epoch-equivalent: as much progress as an epoch at the smallest batch
 * makes. Larger batches need more samples for it; the iterations they took in all stand with the
 * trial.
 */
#include "traces/convert/convert.h"

enum { APP, BATCH, ROW, ITERATION, METRIC, COLUMNS };
static const char *const columns[] = {"app", "global_batch", "row", "iteration", "metric", NULL};

struct state {
    int64_t batch, row, iteration; /* of the row before; 0: none */
    long long trial;
};

static const char *app; /* the last argument */

/* F1 and word error rate; the others have shares. */
static bool in_per_cent(void)
{
    return strcmp(app, "bert") == 0 || strcmp(app, "deepspeech2") == 0;
}

static void put_trial(struct out *trials, const struct state *s)
{
    out_printf(trials, "%lld,%lld,%lld\n", s->trial, (long long)s->batch, (long long)s->iteration);
}

/* Rows of a trial stand together and count from 1. */
static bool convert_row(struct csv *csv, const int *col, struct state *s, struct out *curves,
                        struct out *trials)
{
    int64_t batch, row;
    double metric, most = in_per_cent() ? 100 : 1;

    if (!csv_int(csv, col[BATCH], 1, 1000000, &batch))
        return false;
    if (batch != s->batch) {
        if (s->batch > 0) {
            put_trial(trials, s);
            s->trial++;
        }
        s->batch = batch;
        s->row = 0;
    }
    if (!csv_int(csv, col[ROW], s->row + 1, s->row + 1, &row) ||
        !csv_int(csv, col[ITERATION], 1, INT64_MAX, &s->iteration) ||
        !csv_real(csv, col[METRIC], 0, most, &metric))
        return false;
    s->row = row;
    out_printf(curves, "%lld,%lld,", s->trial, (long long)row);
    out_real(curves, round(metric * 1e6) / 1e6);
    out_char(curves, '\n');
    return true;
}

static bool convert_rows(struct csv *csv, struct out *curves, struct out *trials)
{
    struct state s = {0};
    int col[COLUMNS], got = -1;
    bool good = csv_require(csv, columns);

    for (int i = 0; good && i < COLUMNS; i++)
        col[i] = csv_column(csv, columns[i]);
    out_text(curves, "trial,epoch,metric\n");
    out_text(trials, "trial,batch,iterations\n");
    while (good && (got = csv_next(csv)) == 1)
        good = !cell_is(csv, col[APP], app) || convert_row(csv, col, &s, curves, trials);
    if (good && s.batch > 0)
        put_trial(trials, &s);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    app = input[2];
    return convert_curves(diag, input, out, convert_rows);
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 3, "batch_curves CURVES TRIALS TABLE APP", convert);
}
