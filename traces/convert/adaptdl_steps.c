/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adaptdl_steps OUT TABLE... - step times from the placement tables of Pollux and Sia.
 *
 * Kept: one GPU, and the placements of 2, 4, 8 or 16 GPUs with equally many on each node. That is
 * what a check of the fits needs; the fits of synchronisation read the whole tables (fit_sync.c).
 */
#include "traces/convert/adaptdl.h"

static bool wanted(const struct adaptdl_row *r)
{
    return r->even && r->gpus <= 16 && (r->gpus & (r->gpus - 1)) == 0;
}

static bool convert_table(struct diag *diag, const char *path, struct out *out)
{
    struct adaptdl table;
    struct adaptdl_row r;
    int got;

    if (!adaptdl_open(diag, path, &table))
        return false;
    while ((got = adaptdl_next(&table, &r)) == 1) {
        struct step_row row = {r.model, r.gpu,   r.precision, r.stack, r.gpus,
                               r.nodes, r.batch, r.step_s,    NULL};

        if (wanted(&r))
            put_step(out, &row, r.from);
    }
    csv_close(table.csv);
    return got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    bool good = true;

    out_text(out, STEP_COLUMNS);
    for (; good && *input; input++)
        good = convert_table(diag, *input, out);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "adaptdl_steps OUT TABLE...", convert);
}
