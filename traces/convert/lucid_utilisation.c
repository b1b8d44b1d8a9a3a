/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lucid_utilisation OUT TABLE - how busy a job alone keeps its GPU, from Lucid's table of single
 * jobs: those of the models that its table of pairs has.
 */
#include "traces/convert/lucid.h"
#include "traces/convert/utilisation.h"

static bool put_job(struct diag *diag, struct csv *csv, struct out *out)
{
    int name = csv_column(csv, "model");
    const char *model = lucid_model(csv, name, csv_column(csv, "dataset"));
    const char *precision = cell_name(csv, csv_column(csv, "amp"), lucid_precisions);
    int64_t batch;
    double per_cent;

    if (!model)
        return true;
    if (!precision)
        return diag_error(diag, csv_mark(csv, name), "neither with mixed precision nor without");
    if (!csv_int(csv, csv_column(csv, "batch"), 1, 1000000, &batch) ||
        !csv_real(csv, csv_column(csv, "gpu_util_pct"), 0.01, 100, &per_cent))
        return false;
    put_utilisation(out, model, batch, precision, LUCID_GPU, "lucid", per_cent, &lucid);
    return true;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    static const char *const wanted[] = {"model", "dataset", "batch", "amp", "gpu_util_pct", NULL};
    struct csv *csv = csv_open(diag, input[0]);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    out_text(out, UTILISATION_COLUMNS);
    while (good && (got = csv_next(csv)) == 1)
        good = put_job(diag, csv, out);
    csv_close(csv);
    return good && got == 0;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "lucid_utilisation OUT TABLE", convert);
}
