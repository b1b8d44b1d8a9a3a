/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * opda_curves CURVES TRIALS POINTS ABOUT - random search on ImageNet, of the opda collection.
 *
 * A run whose loss became NaN stops there and is kept: the epoch in which that happened has no
 * figure in the source, and gets the accuracy of a network that always answers the same, without
 * seconds. So a run that diverged in its first epoch has one. POINTS "-" reads standard input.
 */
#include "traces/convert/convert.h"

#define CHANCE 0.001 /* of 1,000 classes */

enum { P_TRIAL, P_EPOCH, ELAPSED, TOP1, P_COLUMNS };
static const char *const points_columns[] = {"trial", "epoch", "elapsed_s", "top1", NULL};

enum { TRIAL, PLANNED, DIVERGED, RECORDED, KEPT, KEPT_N = 6, A_COLUMNS = KEPT + KEPT_N };
static const char *const about_columns[] = {
    "trial",         "epochs",   "nan_loss",     "epochs_recorded", "batch_size", "lr",
    "lr_peak_epoch", "momentum", "weight_decay", "label_smoothing", NULL};

struct tables {
    struct diag *diag;
    struct csv *points, *about;
    int point[P_COLUMNS], of[A_COLUMNS];
    struct out *curves, *trials;
};

/* The epochs of a run, which stand together, in the order of the runs. */
static bool put_curve(struct tables *t, int64_t trial, int64_t epochs)
{
    double before = 0, elapsed, top1;
    int64_t same;

    for (int64_t i = 0; i < epochs; i++) {
        int got = csv_next(t->points);
        if (got == 0)
            return diag_error(t->diag, csv_mark(t->about, t->of[RECORDED]),
                              "the curves end before this trial does");
        if (got < 0 || !csv_int(t->points, t->point[P_TRIAL], trial + 1, trial + 1, &same) ||
            !csv_int(t->points, t->point[P_EPOCH], i, i, &same) ||
            !csv_real(t->points, t->point[ELAPSED], before, 1e9, &elapsed) ||
            !csv_real(t->points, t->point[TOP1], 0, 1, &top1))
            return false;
        put_epoch(t->curves, trial, i + 1, top1, elapsed - before);
        before = elapsed;
    }
    return true;
}

/* A run that did not diverge has all its epochs. */
static bool convert_trial(struct tables *t, int64_t trial)
{
    int64_t same, planned, diverged, n;

    if (!csv_int(t->about, t->of[TRIAL], trial + 1, trial + 1, &same) ||
        !csv_int(t->about, t->of[PLANNED], 1, 1000, &planned) ||
        !csv_int(t->about, t->of[DIVERGED], 0, 1, &diverged) ||
        !csv_int(t->about, t->of[RECORDED], diverged ? 0 : planned, planned - diverged, &n) ||
        !put_curve(t, trial, n))
        return false;
    if (diverged)
        put_epoch(t->curves, trial, n + 1, CHANCE, NAN);
    out_int(t->trials, trial);
    put_cells(t->trials, t->about, t->of + KEPT, KEPT_N);
    out_printf(t->trials, ",%lld,%s\n", (long long)planned, diverged ? "diverged" : "done");
    return true;
}

static bool convert_rows(struct diag *diag, struct csv *points, struct csv *about,
                         struct out *curves, struct out *trials)
{
    struct tables t = {diag, points, about, .curves = curves, .trials = trials};
    bool good = csv_require(points, points_columns) && csv_require(about, about_columns);
    int got = -1;

    for (int i = 0; good && i < P_COLUMNS; i++)
        t.point[i] = csv_column(points, points_columns[i]);
    for (int i = 0; good && i < A_COLUMNS; i++)
        t.of[i] = csv_column(about, about_columns[i]);
    out_text(curves, "trial,epoch,metric,seconds\n");
    out_text(trials, "trial,batch,lr,lr_peak_epoch,momentum,weight_decay,label_smoothing,"
                     "epochs,end\n");
    for (int64_t trial = 0; good && (got = csv_next(about)) == 1; trial++)
        good = convert_trial(&t, trial);
    if (good && got == 0 && csv_next(points) == 1)
        return diag_error(diag, csv_mark(points, t.point[P_TRIAL]), "no trial has this point");
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    return convert_joined(diag, input, out, convert_rows);
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 3, "opda_curves CURVES TRIALS POINTS ABOUT", convert);
}
