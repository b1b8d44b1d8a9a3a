/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune accuracy: the step model against measured steps. */
#include "analysis/accuracy_sharing.h"
#include "analysis/plot.h"
#include "sim/base/file.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

static const struct option_row options[] = {
    {'o', "out", "DIR",
     "write stacks.yaml, points.csv, duty_fits.csv and pictures into this folder",
     offsetof(struct args, out), 0},
    OPTION_HELP,
    OPTION_END,
};

static bool write_file(struct diag *d, const char *path,
                       void (*put)(struct out *, const struct accuracy *), const struct accuracy *x)
{
    struct out *o = out_create(d, path);

    if (!o)
        return false;
    put(o, x);
    return out_commit(o);
}

static bool write_all(struct arena *a, struct diag *d, const char *dir, const struct accuracy *x)
{
    struct plot_request r = {.out = dir, .terminals = PLOT_SVG | PLOT_PDF};

    return write_file(d, arena_printf(a, "%s/stacks.yaml", dir), accuracy_write_stacks, x) &&
           write_file(d, arena_printf(a, "%s/points.csv", dir), accuracy_write_points, x) &&
           accuracy_plot(a, d, &r, x);
}

/* Jobs that share GPUs, where the split has measurements of them. */
static bool put_sharing(struct out *o, struct arena *a, struct diag *d, const char *dir,
                        const struct accuracy *x)
{
    struct busy_table busy = {0};
    struct pair_groups pairs = {0};

    if (!x->sharing)
        return true;
    if (!busy_load(a, d, x, &busy) || !accuracy_pairs(a, d, x, &busy, &pairs))
        return false;
    accuracy_print_pairs(o, a, &pairs);
    if (!accuracy_slices(o, a, d, x, &busy))
        return false;
    struct out *fits = dir ? out_create(d, arena_printf(a, "%s/duty_fits.csv", dir)) : NULL;
    if (fits)
        accuracy_write_pairs(fits, &pairs);
    return !dir || (fits && out_commit(fits));
}

static int run(const struct args *a, struct diag *d)
{
    struct arena *arena = arena_new();
    bool ok = a->n_words == 1 ||
              diag_error(d, (struct mark){0}, "accuracy: wanted one split, got %u", a->n_words);
    struct accuracy *x = ok ? accuracy_run(arena, d, a->word[0]) : NULL;

    ok = x != NULL;
    if (ok) {
        struct out *o = out_memory();
        accuracy_print(o, arena, x);
        accuracy_ratios(o, arena, x);
        ok = accuracy_leave_out(o, arena, d, x) && (!a->out || file_make_dirs(d, a->out, NULL)) &&
             put_sharing(o, arena, d, a->out, x);
        print_out(o);
        ok = ok && (!a->out || write_all(arena, d, a->out, x));
    }
    arena_free(arena);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_accuracy = {
    .name = "accuracy",
    .words = "SPLIT.yaml",
    .about = "hold predicted step times against measured ones",
    .examples = "  hetune accuracy configs/validation/split.yaml\n",
    .options = options,
    .run = run,
};
