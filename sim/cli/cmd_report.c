/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune report: runs or a sweep as one HTML page. */
#include "analysis/report.h"

#include "sim/cli/cli.h"

static const struct option_row options[] = {
    {'o', "out", "FILE.html", "write here instead of to report.html in DIR",
     offsetof(struct args, out), 0},
    {0, "baseline", "LABEL", "compare policies with this one instead of the first",
     offsetof(struct args, baseline), 0},
    OPTION_HELP,
    OPTION_END,
};

static int run(const struct args *a, struct diag *d)
{
    if (a->n_words != 1) {
        diag_error(d, (struct mark){0}, "report: wanted one folder of runs or of a sweep, got %u",
                   a->n_words);
        return EXIT_USAGE;
    }
    if (a->out && !*a->out) {
        diag_error(d, (struct mark){0}, "report: -o is empty; wanted the name of a file");
        return EXIT_USAGE;
    }
    struct arena *arena = arena_new();
    struct report r = {.path = a->word[0], .baseline = a->baseline};
    const char *file = a->out ? a->out : arena_printf(arena, "%s/report.html", a->word[0]);
    r.command =
        arena_printf(arena, "hetune report %s%s%s -o %s", a->word[0],
                     a->baseline ? " --baseline " : "", a->baseline ? a->baseline : "", file);
    bool ok = report_load(arena, d, &r) && report_write(arena, d, &r, file);
    if (ok)
        printf("%s\n", file);
    report_free(&r);
    arena_free(arena);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_report = {
    .name = "report",
    .words = "DIR",
    .about = "runs or a sweep as one HTML page: verdict, tables, figures, limits",
    .examples = "  hetune report results/demo\n"
                "  hetune report results/demo --baseline fifo -o demo.html\n",
    .options = options,
    .run = run,
};
