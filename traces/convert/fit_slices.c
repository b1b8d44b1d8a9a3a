/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_slices OUT SLICES - the speed of a model on one of 1, 2, 3 or 7 equal slices of a GPU, over
 * all batch sizes that fit.
 */
#include "traces/convert/groups.h"

/* How many slices of a size a GPU has room for; 4g leaves room for smaller ones only. */
static const struct name counts[] = {
    {"7g", "1"}, {"3g", "2"}, {"2g", "3"}, {"1g", "7"}, {NULL, NULL}};

static bool read_row(struct csv *csv, struct groups *g)
{
    const char *count = cell_name(csv, csv_column(csv, "slice"), counts);
    double speed;

    if (!count || !cell_is(csv, csv_column(csv, "use"), "1"))
        return true;
    if (!csv_real(csv, csv_column(csv, "speed"), 0, 100, &speed))
        return false;
    group_add(g,
              arena_printf(g->arena, "%s,%s,%s,%s",
                           cell_text(g->arena, csv, csv_column(csv, "model")),
                           cell_text(g->arena, csv, csv_column(csv, "gpu")),
                           cell_text(g->arena, csv, csv_column(csv, "stack")), count),
              speed);
    return true;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    static const char *const wanted[] = {"model", "gpu", "slice", "speed", "stack", "use", NULL};
    struct groups g = {.arena = arena_new()};
    struct csv *csv = csv_open(diag, input[0]);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1)
        good = read_row(csv, &g);
    csv_close(csv);
    out_text(out, "model,gpu,stack,slices,speed,n,low,high\n");
    group_each(&g, out, group_put_median);
    groups_drop(&g);
    return good && got == 0;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "fit_slices OUT SLICES", convert);
}
