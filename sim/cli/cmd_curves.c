/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune curves: populations fitted to recorded learning curves, drawn from, and held against them.
 */
#include <string.h>

#include "analysis/population_fit.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

static const struct option_row options[] = {
    {'o', "out", "FILE.yaml", "where the population goes, or the set that is drawn",
     offsetof(struct args, out), 0},
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_END,
};

struct curves_call {
    const struct args *args;
    struct diag *diag;
    struct arena *arena;
};

static bool usage(struct diag *d, const char *what)
{
    return diag_error(d, (struct mark){0}, "curves: %s", what);
}

static bool fit(struct curves_call *c)
{
    const char *path = c->args->word[1];
    struct curves *curves = curves_load(c->arena, c->diag, path);
    struct population_fit *f = curves ? population_fit(c->arena, c->diag, path, curves) : NULL;
    struct out *table = out_memory(), *o;

    if (!f) {
        out_drop(table);
        return false;
    }
    population_fit_print(table, f);
    print_out(table);
    if (!c->args->out)
        return true;
    o = out_create(c->diag, c->args->out);
    if (!o)
        return false;
    population_write(o, f, path);
    return out_commit(o);
}

static int run(const struct args *a, struct diag *d)
{
    static const struct {
        const char *name;
        bool (*act)(struct curves_call *);
    } acts[] = {{"fit", fit}};
    const char *names[] = {"fit", NULL};
    struct curves_call c = {.args = a, .diag = d};

    if (a->n_words < 2) {
        usage(d, "wanted fit SET.yaml");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
        if (strcmp(acts[i].name, a->word[0]) != 0)
            continue;
        c.arena = arena_new();
        bool ok = acts[i].act(&c);
        arena_free(c.arena);
        return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
    }
    diag_unknown(d, (struct mark){0}, diag_nearest(a->word[0], names), "curves: '%.40s' is no act",
                 a->word[0]);
    return EXIT_USAGE;
}

const struct command command_curves = {
    .name = "curves",
    .words = "fit SET.yaml",
    .about = "fit populations to recorded learning curves, draw from them, compare",
    .examples = "  hetune curves fit traces/curves/cifar10_cnns.yaml -o population.yaml\n",
    .options = options,
    .run = run,
};
