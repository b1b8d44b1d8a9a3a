/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fast_curves CURVES TRIALS TABLE - the CIFAR-10 runs of cifar10-fast, a trial a notebook cell.
 *
 * seconds = training and test time of the epoch, which sum up to the source's running total.
 */
#include "traces/convert/convert.h"

enum { CELL, BATCH, EPOCH, LR, TRAIN, TEST, METRIC, COLUMNS };
static const char *const columns[] = {"cell",         "batch_size",  "epoch",    "lr",
                                      "train_time_s", "test_time_s", "test_acc", NULL};

struct state {
    int64_t cell, batch, epoch; /* of the row before; cell 0: none */
    double lr_peak;
    long long trial;
};

static void put_trial(struct out *trials, const struct state *s)
{
    out_printf(trials, "%lld,%lld,%.6g,%lld,%lld\n", s->trial, (long long)s->batch, s->lr_peak,
               (long long)s->epoch, (long long)s->cell);
}

static bool next_trial(struct csv *csv, const int *col, struct state *s, struct out *trials)
{
    int64_t cell;

    if (!csv_int(csv, col[CELL], 1, 1000000, &cell))
        return false;
    if (cell == s->cell)
        return true;
    if (s->cell > 0) {
        put_trial(trials, s);
        s->trial++;
    }
    s->cell = cell;
    s->epoch = 0;
    s->lr_peak = 0;
    return csv_int(csv, col[BATCH], 1, 1000000, &s->batch);
}

static bool convert_row(struct csv *csv, const int *col, struct state *s, struct out *curves,
                        struct out *trials)
{
    double lr, train, test, metric;

    if (!next_trial(csv, col, s, trials) ||
        !csv_int(csv, col[EPOCH], s->epoch + 1, s->epoch + 1, &s->epoch) ||
        !csv_real(csv, col[LR], 0, 100, &lr) || !csv_real(csv, col[TRAIN], 0, 1e6, &train) ||
        !csv_real(csv, col[TEST], 0, 1e6, &test) || !csv_real(csv, col[METRIC], 0, 1, &metric))
        return false;
    s->lr_peak = fmax(s->lr_peak, lr);
    out_printf(curves, "%lld,%lld,", s->trial, (long long)s->epoch);
    out_real(curves, round(metric * 1e6) / 1e6);
    out_char(curves, ',');
    out_real(curves, round((train + test) * 1e4) / 1e4);
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
    out_text(curves, "trial,epoch,metric,seconds\n");
    out_text(trials, "trial,batch,lr_peak,epochs,cell\n");
    while (good && (got = csv_next(csv)) == 1)
        good = convert_row(csv, col, &s, curves, trials);
    if (good && s.cell > 0)
        put_trial(trials, &s);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    return convert_curves(diag, input, out, convert_rows);
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "fast_curves CURVES TRIALS TABLE", convert);
}
