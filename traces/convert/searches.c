/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * searches OUT SMALL LARGE - which trials two recorded BOHB searches trained how long, and what
 * came of it.
 *
 * A configuration is named BRACKET.0.TRIAL. Bracket -1 of the large search holds what other runs
 * had evaluated before, with no structure: it is left out.
 * A loss of nan, an evaluation that failed, becomes an empty cell. LARGE "-" reads standard input.
 */
#include "traces/convert/convert.h"

static bool put_evaluation(struct diag *diag, struct csv *csv, struct out *out, const char *search)
{
    struct arena *arena = arena_new();
    const char *name = cell_text(arena, csv, csv_column(csv, "config"));
    int bracket = 0, trial = 0, length = 0, column = csv_column(csv, "loss");
    int64_t epochs;
    double loss = NAN;
    bool named = sscanf(name, "%d.0.%d%n", &bracket, &trial, &length) == 2 && !name[length];

    if (!named)
        diag_error(diag, csv_mark(csv, csv_column(csv, "config")), "not BRACKET.0.TRIAL");
    arena_free(arena);
    if (!named || bracket < 0)
        return named;
    if (!csv_int(csv, csv_column(csv, "budget"), 1, 1000, &epochs))
        return false;
    if (!cell_is(csv, column, "nan") && !csv_real(csv, column, 0, 1e6, &loss))
        return false;
    out_printf(out, "%s,%d,%d,%lld,", search, bracket, trial, (long long)epochs);
    if (!isnan(loss))
        out_real(out, loss);
    out_text(out, ",automl/DeepCAVE,03f7e2cd1b4efbfbceb10e67cc4c39ca90e1d0b7,Apache-2.0\n");
    return true;
}

static bool put_search(struct diag *diag, const char *path, struct out *out, const char *search)
{
    static const char *const wanted[] = {"config", "budget", "loss", NULL};
    struct csv *csv = csv_open(diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1)
        good = put_evaluation(diag, csv, out, search);
    csv_close(csv);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    out_text(out, "search,bracket,trial,epochs,loss,source,commit,licence\n");
    return put_search(diag, input[0], out, "small") && put_search(diag, input[1], out, "large");
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "searches OUT SMALL LARGE", convert);
}
