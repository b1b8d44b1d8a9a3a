/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune compare: policies against a baseline, from folders of runs and of sweeps. */
#include "analysis/result_sweep.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

static const struct option_row options[] = {
    {0, "baseline", "LABEL", "compare with this policy instead of the first",
     offsetof(struct args, baseline), 0},
    {0, "metric", "NAME", "this metric instead of the usual ones (repeatable)",
     offsetof(struct args, metric), offsetof(struct args, n_metrics)},
    {0, "stats", NULL, "intervals, tests and effect sizes of each change",
     offsetof(struct args, stats), 0},
    {0, "holm", "on|off", "verdicts for all comparisons at once; on from 3 comparisons",
     offsetof(struct args, holm), 0},
    {0, "warmup", "mser5", "JCT, wait and slowdown without the beginning of each run",
     offsetof(struct args, warmup), 0},
    {0, "format", "FORMAT", "text, csv, json, markdown or latex", offsetof(struct args, format), 0},
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
        ok = result_is_sweep(arena, a->word[i]) ? results_load_sweep(&all, arena, d, a->word[i])
                                                : results_load(&all, arena, d, a->word[i]);
    int code = ok ? print_comparison(arena, d, &all, a) : cli_exit(d, EXIT_USAGE);
    results_free(&all);
    arena_free(arena);
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .words = "DIR...",
    .about = "policies against a baseline, paired by seed, with intervals",
    .examples = "  hetune compare results/demo\n"
                "  hetune compare results/a results/b --baseline fifo --json\n"
                "  hetune compare results/sweep --metric jct_mean_s --stats\n"
                "  hetune compare results/demo --format latex > table.tex\n",
    .options = options,
    .run = run,
};
