/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nas_curves CURVES TRIALS TABLE - learning curves of the accelerating_nas collection.
 *
 * A row of the source is a run: hyper-parameters, then one column an epoch, acc_... accuracies or
 * ep_... perplexities. A cell that is neither stops the conversion: no run is dropped in silence.
 * TABLE "-" reads standard input.
 */
#include "traces/convert/convert.h"

#define MAX_COLUMNS 4096

static const struct name parameters[] = {
    {"num_params", "params"}, {"lr", "lr"},        {"depth", "depth"},
    {"net", "layers"},        {"base_lr", "lr"},   {"n_layer", "depth"},
    {"n_inputs", "width"},    {"ss", "lr_period"}, {NULL, NULL}};

struct layout {
    int metric[MAX_COLUMNS], parameter[MAX_COLUMNS];
    int epochs, parameters;
    double min, max; /* of the metric */
};

static const char *our_name(const char *theirs)
{
    const struct name *p = parameters;

    while (p->theirs && strcmp(p->theirs, theirs) != 0)
        p++;
    return p->ours;
}

static void find_columns(const struct csv *csv, struct layout *l)
{
    bool falls = csv_column(csv, "ep_0") >= 0;
    const char *metric = falls ? "ep_" : "acc_";

    *l = (struct layout){.min = falls ? 1 : 0, .max = falls ? 1e6 : 1};
    for (int i = 0; i < (int)csv_columns(csv); i++) {
        if (strncmp(csv_name(csv, i), metric, strlen(metric)) == 0)
            l->metric[l->epochs++] = i;
        else if (our_name(csv_name(csv, i)))
            l->parameter[l->parameters++] = i;
    }
}

static void put_trial(struct out *trials, const struct csv *csv, const struct layout *l,
                      long long trial)
{
    struct arena *arena = arena_new();

    out_printf(trials, "%lld", trial);
    for (int i = 0; i < l->parameters; i++) {
        out_char(trials, ',');
        out_csv(trials, cell_text(arena, csv, l->parameter[i]));
    }
    out_char(trials, '\n');
    arena_free(arena);
}

static bool put_curve(struct out *curves, struct csv *csv, const struct layout *l, long long trial)
{
    for (int i = 0; i < l->epochs; i++) {
        double metric;

        if (!csv_real(csv, l->metric[i], l->min, l->max, &metric))
            return false;
        out_printf(curves, "%lld,%d,", trial, i + 1);
        out_real(curves, round(metric * 1e6) / 1e6);
        out_char(curves, '\n');
    }
    return true;
}

static bool convert_rows(struct csv *csv, struct out *curves, struct out *trials)
{
    struct layout l;
    int got = -1;
    bool good = true;

    find_columns(csv, &l);
    out_text(curves, "trial,epoch,metric\n");
    out_text(trials, "trial");
    for (int i = 0; i < l.parameters; i++)
        out_printf(trials, ",%s", our_name(csv_name(csv, l.parameter[i])));
    out_char(trials, '\n');
    while (good && (got = csv_next(csv)) == 1) {
        long long trial = (long long)csv_row(csv) - 1;

        put_trial(trials, csv, &l, trial);
        good = put_curve(curves, csv, &l, trial);
    }
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    return convert_curves(diag, input, out, convert_rows);
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "nas_curves CURVES TRIALS TABLE", convert);
}
