/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune metrics: summary.json once more, from events.csv alone. */
#include "analysis/events.h"
#include "analysis/rundir.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

static const struct option_row options[] = {OPTION_HELP, OPTION_END};

static bool fold(struct diag *d, struct events *e, struct metrics *m)
{
    struct record r;
    int got;

    while ((got = events_next(e, &r)) > 0)
        metrics_take(m, &r);
    if (got == 0 && *metrics_ended(m) == '\0')
        return diag_error(d, (struct mark){0},
                          "the events end before the run does: there is no finish record");
    return got == 0;
}

static int recompute(struct diag *d, struct arena *arena, const char *dir)
{
    struct events *e = events_open(d, arena_printf(arena, "%s/events.csv", dir));
    struct metrics *m = metrics_new(NULL);
    struct metric_value v[METRICS];
    bool ok = e && fold(d, e, m);

    if (ok) {
        struct out *o = out_memory();
        metrics_values(m, v);
        summary_write(o, v, metrics_digest(m), metrics_ended(m));
        print_out(o);
    }
    events_close(e);
    metrics_free(m);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

static int run(const struct args *a, struct diag *d)
{
    if (a->n_words != 1) {
        diag_error(d, (struct mark){0}, "metrics: wanted one result folder, got %u", a->n_words);
        return EXIT_USAGE;
    }
    struct arena *arena = arena_new();
    int code = recompute(d, arena, a->word[0]);
    arena_free(arena);
    return code;
}

const struct command command_metrics = {
    .name = "metrics",
    .words = "DIR",
    .about = "recompute summary.json from events.csv",
    .examples = "  hetune metrics results/run | cmp - results/run/summary.json\n",
    .options = options,
    .run = run,
};
