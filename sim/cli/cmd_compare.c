/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune compare: policies against a baseline, from result folders. */
#include "sim/cli/print.h"
#include "sim/cli/cli.h"

static const struct option_row options[] = {
    {0, "baseline", "LABEL", "compare with this policy instead of the first",
     offsetof(struct args, baseline), 0},
    OPTION_JSON,
    OPTION_HELP,
    OPTION_END,
};

static int run(const struct args *a, struct diag *d)
{
    struct results all = {0};
    struct arena *arena = arena_new();
    bool ok = a->n_words > 0 || diag_error(d, (struct mark){0}, "compare: wanted result folders");

    for (uint32_t i = 0; ok && i < a->n_words; i++)
        ok = results_load(&all, arena, d, a->word[i]);
    results_tell_apart(&all, arena);
    int code =
        ok ? print_comparison(arena, d, &all, a->baseline, a->json) : cli_exit(d, EXIT_USAGE);
    results_free(&all);
    arena_free(arena);
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .words = "DIR...",
    .about = "policies against a baseline, paired by seed, with intervals",
    .examples = "  hetune compare results/demo\n"
                "  hetune compare results/a results/b --baseline fifo --json\n",
    .options = options,
    .run = run,
};
