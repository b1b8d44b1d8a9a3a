/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * miso_utilisation OUT TABLE - how busy a job alone keeps a whole A100, from MISO's table of what
 * was monitored: its metric `util_sm`, the part of the time in which a kernel ran.
 */
#include "traces/convert/utilisation.h"

static const struct origin miso = {"boringlee24/socc22-miso",
                                   "39b1ee69d73c876c2d2bfca7858806890b27c834", "MIT"};

static bool put_job(struct csv *csv, struct out *out)
{
    int model = csv_column(csv, "model");
    size_t len;
    const char *name = csv_cell(csv, model, &len);
    int64_t batch;
    double per_cent;

    /* The dummy is no training job, and no step times of it were recorded. */
    if (!cell_is(csv, csv_column(csv, "metric"), "util_sm") || cell_is(csv, model, "dummy"))
        return true;
    if (!csv_int(csv, csv_column(csv, "batch"), 1, 1000000, &batch) ||
        !csv_real(csv, csv_column(csv, "value"), 0.01, 100, &per_cent))
        return false;
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)len, name);
    put_utilisation(out, text, batch, "", "A100", "miso", per_cent, &miso);
    return true;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    static const char *const wanted[] = {"model", "batch", "metric", "value", NULL};
    struct csv *csv = csv_open(diag, input[0]);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    out_text(out, UTILISATION_COLUMNS);
    while (good && (got = csv_next(csv)) == 1)
        good = put_job(csv, out);
    csv_close(csv);
    return good && got == 0;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "miso_utilisation OUT TABLE", convert);
}
