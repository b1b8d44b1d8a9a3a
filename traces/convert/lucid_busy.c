/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lucid_busy OUT TABLE - which part of the time a job alone keeps its GPU busy, from Lucid's table
 * of single jobs: the GPU's utilisation. Models that no pair has are not taken.
 */
#include "traces/convert/lucid.h"

enum { MODEL, DATA, BATCH, AMP, UTILISATION, COLUMNS };
static const char *const columns[] = {"model", "dataset", "batch", "amp", "gpu_util_pct", NULL};

static bool put_row(struct csv *csv, const int *col, struct out *out)
{
    const char *model = lucid_model(csv, col[MODEL], col[DATA]);
    const char *precision = cell_name(csv, col[AMP], lucid_precisions);
    int64_t batch;
    double percent;

    if (!csv_int(csv, col[BATCH], 1, 1000000, &batch) ||
        !csv_real(csv, col[UTILISATION], 0, 100, &percent))
        return false;
    if (model && precision)
        out_printf(out, "%s,%lld,%s,3090,%.5f,lucid,%s,%s,%s\n", model, (long long)batch, precision,
                   percent / 100, lucid.repository, lucid.commit, lucid.licence);
    return true;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct csv *csv = csv_open(diag, input[0]);
    int col[COLUMNS], got = -1;
    bool good = csv && csv_require(csv, columns);

    for (int i = 0; good && i < COLUMNS; i++)
        col[i] = csv_column(csv, columns[i]);
    out_text(out, "model,batch,precision,gpu,busy_share,stack,source,commit,licence\n");
    while (good && (got = csv_next(csv)) == 1)
        good = put_row(csv, col, out);
    csv_close(csv);
    return good && got == 0;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "lucid_busy OUT TABLE", convert);
}
