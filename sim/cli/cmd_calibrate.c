/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune calibrate: from recorded microbenchmark runs to what kernels cost on a GPU. */
#include <math.h>

#include "analysis/calibrate.h"
#include "analysis/plot.h"
#include "sim/base/file.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

static const struct option_row options[] = {
    {'o', "out", "FILE.yaml", "where the calibration goes; without it, on standard output",
     offsetof(struct args, out), 0},
    {0, "donor", "FILE.yaml",
     "a calibration of another GPU: what was not measured is carried over (repeatable)",
     offsetof(struct args, donor), offsetof(struct args, n_donors)},
    {0, "nominal", "FILE.csv", "nominal figures of GPUs, by which it is carried over",
     offsetof(struct args, nominal), 0},
    {0, "gpu", "TYPE", "the type of GPU, if there are no runs of it", offsetof(struct args, gpu),
     0},
    {0, "plot", "DIR",
     "pictures of the fits, and points.tsv: each point and what the fit makes of it",
     offsetof(struct args, plot), 0},
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_END,
};

/* One line a fit: how many points, how far off. */
static void summary(const struct calibration *c)
{
    fprintf(stderr, "%-28s %-5s %7s %9s %8s %8s  %s\n", c->cost.gpu, "", "points", "set aside",
            "p50 %", "p90 %", "from");
    for (int class = 0; class < CLASSES; class ++)
        for (int p = 0; p < PRECISIONS; p++) {
            const struct op_fit *f = c->cost.fit[class][p];
            if (f)
                fprintf(stderr, "%-28s %-5s %7lld %9lld %8.1f %8.1f  %s\n", op_class_names[class],
                        precision_names[p], (long long)f->points, (long long)f->set_aside,
                        100 * f->p50, 100 * f->p90, f->from);
        }
}

static bool write_plots(struct arena *arena, struct diag *d, const char *folder,
                        const struct calibration *c)
{
    struct plot_request r = {.out = folder, .terminals = PLOT_SVG | PLOT_PDF};
    struct out *o = file_make_dirs(d, folder, NULL)
                        ? out_create(d, arena_printf(arena, "%s/points.tsv", folder))
                        : NULL;

    if (!o)
        return false;
    calibration_points(o, c);
    return out_commit(o) && calibration_plot(arena, d, &r, c);
}

static bool write_all(const struct args *a, struct arena *arena, struct diag *d,
                      const struct calibration *c)
{
    struct out *o = a->out ? out_create(d, a->out) : out_memory();

    if (!o)
        return false;
    calibration_write(o, d, c);
    if (!a->out)
        print_out(o);
    else if (!out_commit(o))
        return false;
    if (!a->quiet && a->out)
        summary(c);
    return !a->plot || write_plots(arena, d, a->plot, c);
}

static int run(const struct args *a, struct diag *d)
{
    struct calib_request q = {a->word, a->n_words, a->donor, a->n_donors, a->nominal, a->gpu};
    struct arena *arena = arena_new();
    bool ok =
        a->n_words > 0 || (a->gpu && a->n_donors > 0) ||
        diag_error(d, (struct mark){0}, "calibrate: wanted recorded runs, or --gpu with --donor");
    struct calibration *c = ok ? calibrate(arena, d, &q) : NULL;

    ok = c && write_all(a, arena, d, c);
    arena_free(arena);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_calibrate = {
    .name = "calibrate",
    .words = "RUN.json...",
    .about = "fit what kernels cost on a GPU to recorded microbenchmarks",
    .examples = "  hetune calibrate traces/microbench/deepbench-v100.json -o V100.yaml\n",
    .options = options,
    .run = run,
};
