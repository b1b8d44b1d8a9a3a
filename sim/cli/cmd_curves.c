/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune curves: populations fitted to recorded learning curves, drawn from, and held against them.
 */
#include <string.h>

#include "analysis/curve_sets.h"
#include "analysis/plot_kinds.h"
#include "analysis/population_fit.h"
#include "sim/base/file.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"
#include "sim/text/conf.h"

static const struct option_row options[] = {
    {'o', "out", "FILE.yaml", "where the population goes, or the set that is drawn",
     offsetof(struct args, out), 0},
    {'s', "set", "KEY=VALUE",
     "of what is drawn: trials, seed, epochs, good_share, good_metric, rank_correlation, ... "
     "(repeatable)",
     offsetof(struct args, set), offsetof(struct args, n_set)},
    {0, "plot", "DIR", "pictures of a comparison", offsetof(struct args, plot), 0},
    OPTION_HELP,
    OPTION_END,
};

struct curves_call {
    const struct args *args;
    struct diag *diag;
    struct arena *arena;
    struct draw_request request;
    struct tree *keys; /* of the request */
};

static bool usage(struct diag *d, const char *what)
{
    return diag_error(d, (struct mark){0}, "curves: %s", what);
}

/* The options -s as a map of keys. */
static bool read_keys(struct curves_call *c)
{
    bool ok = true;

    c->keys = tree_map(c->arena, (struct mark){0});
    for (uint32_t i = 0; i < c->args->n_set; i++)
        ok &= conf_override(c->arena, c->diag, c->keys,
                            &(struct override){c->args->set[i], i + 1, NULL, NULL}, NULL, NULL);
    return ok &&
           conf_fill(c->arena, c->diag, c->keys, draw_request_fields, NULL, "curves", &c->request);
}

static bool fit(struct curves_call *c)
{
    const char *path = c->args->word[1];

    if (c->args->out && !file_spares(c->diag, c->args->out, path))
        return false;
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

static bool draw(struct curves_call *c)
{
    const char *path = c->args->word[1];
    struct population *p;
    struct curves *curves;

    if (!c->args->out)
        return usage(c->diag, "draw: the set is missing; wanted -o FILE.yaml");
    p = population_load(c->arena, c->diag, path);
    curves = p ? curve_set_draw(c->arena, c->diag, p, c->keys, &c->request) : NULL;
    return curves && curve_set_write(c->arena, c->diag, c->args->out, curves, path);
}

/* FOLDER/NAME.yaml as NAME; a population's is told apart. */
static const char *label_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);

    return arena_text(a, name, n > 5 && strcmp(name + n - 5, ".yaml") == 0 ? n - 5 : n);
}

static bool compare_sets(struct curves_call *c)
{
    uint32_t n = c->args->n_words - 1;
    struct curve_set *set = arena_get(c->arena, n * sizeof(*set));
    struct plot_request r = {.out = c->args->plot, .terminals = PLOT_SVG | PLOT_PDF | PLOT_PNG};

    for (uint32_t i = 0; i < n; i++) {
        const char *path = c->args->word[i + 1];
        set[i].curves = curve_set_open(c->arena, c->diag, path, c->keys, &c->request);
        if (!set[i].curves)
            return false;
        set[i].label = arena_printf(c->arena, "%s%s", *set[i].curves->file ? "" : "drawn ",
                                    label_of(c->arena, path));
        curve_facts(set[i].curves, &set[i].facts);
    }
    struct out *o = out_memory();
    curve_sets_print(o, c->arena, set, n);
    print_out(o);
    return !c->args->plot || (file_make_dirs(c->diag, c->args->plot, NULL) &&
                              curve_sets_plot(c->arena, c->diag, &r, set, n));
}

static const struct {
    const char *name;
    bool (*act)(struct curves_call *);
    uint32_t most_words;
} acts[] = {{"fit", fit, 2}, {"draw", draw, 2}, {"compare", compare_sets, CLI_MOST}};
#define ACTS (sizeof(acts) / sizeof(*acts))

static const char *act_name(uint32_t i)
{
    return i < ACTS ? acts[i].name : NULL;
}

static int run(const struct args *a, struct diag *d)
{
    const char *names[ACTS + 1] = {NULL};
    struct curves_call c = {.args = a, .diag = d};

    for (uint32_t i = 0; i < ACTS; i++)
        names[i] = acts[i].name;
    if (a->n_words < 2) {
        usage(d, "wanted fit SET.yaml, draw POPULATION.yaml -o FILE.yaml or compare FILE.yaml...");
        return EXIT_USAGE;
    }
    for (uint32_t i = 0; i < ACTS; i++) {
        if (strcmp(acts[i].name, a->word[0]) != 0)
            continue;
        c.arena = arena_new();
        bool ok = a->n_words <= acts[i].most_words
                      ? read_keys(&c) && acts[i].act(&c)
                      : diag_error(d, (struct mark){0}, "curves: %s: '%.40s' is a word too many",
                                   acts[i].name, a->word[acts[i].most_words]);
        arena_free(c.arena);
        return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
    }
    diag_unknown(d, (struct mark){0}, diag_nearest(a->word[0], names),
                 "curves: '%.40s' is neither fit, draw nor compare", a->word[0]);
    return EXIT_USAGE;
}

const struct command command_curves = {
    .name = "curves",
    .words = "fit|draw|compare FILE.yaml...",
    .about = "populations of learning curves: fit, draw, compare",
    .examples = "  hetune curves fit traces/curves/cifar10_cnns.yaml -o results/population.yaml\n"
                "  hetune curves draw results/population.yaml -s trials=64 -s seed=7 -o "
                "results/drawn.yaml\n"
                "  hetune curves compare traces/curves/cifar10_cnns.yaml results/population.yaml\n",
    .options = options,
    .run = run,
    .choice = act_name,
};
