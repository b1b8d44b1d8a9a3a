/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune run: one configuration, every policy and seed it names. */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "sim/cli/print.h"
#include "sim/cli/runner.h"
#include "sim/cli/stop.h"

static const struct option_row options[] = {
    OPTION_SET,
    {'o', "out", "DIR", "write the results into this folder, new or empty",
     offsetof(struct args, out), 0},
    {0, "force", NULL, "write into a folder that is not empty", offsetof(struct args, force), 0},
    {0, "seed", "N", "the seed, as -s seed=N", offsetof(struct args, seed), 0},
    {0, "baseline", "LABEL", "compare policies with this one instead of the first",
     offsetof(struct args, baseline), 0},
    OPTION_LIB,
    {0, "paranoid", NULL,
     "check every invariant after every instant; of a large world at intervals",
     offsetof(struct args, paranoid), 0},
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_END,
};

/* A folder with something in it is left alone unless told otherwise. */
static bool may_write(struct diag *d, const char *path)
{
    DIR *dir = opendir(path);
    int n = 0;

    if (!dir)
        return errno == ENOENT || diag_io(d, path, errno, "open the folder");
    for (struct dirent *e; errno = 0, (e = readdir(dir)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (errno != 0)
        diag_io(d, path, errno, "read the folder");
    closedir(dir);
    if (diag_io_errors(d) > 0)
        return false;
    return n == 0 || diag_error(d, (struct mark){0},
                                "%s: the folder is not empty; --force writes into it", path);
}

static struct config *load(const struct args *a, struct diag *d, struct arena *arena,
                           const struct plugs *plugs)
{
    struct override set[CLI_MOST + 1] = {0};
    uint32_t n = runner_overrides(a, set);

    if (a->seed) {
        set[n] = (struct override){arena_printf(arena, "seed=%s", a->seed), n + 1, NULL, NULL};
        n++;
    }
    return config_load(arena, d, a->word[0], set, n, plugs);
}

/* The command as it could be typed again. */
static const char *command_line(struct arena *arena, const struct args *a)
{
    const char *text = arena_printf(arena, "hetune run %s", a->word[0]);

    for (uint32_t i = 0; i < a->n_set; i++)
        text = arena_printf(arena, "%s -s '%s'", text, a->set[i]);
    return a->seed ? arena_printf(arena, "%s --seed %s", text, a->seed) : text;
}

static int print_all(const struct args *a, struct diag *d, struct arena *arena,
                     const struct results *r)
{
    if (r->n == 1)
        print_result(&r->result[0], a->json);
    else
        return print_comparison(arena, d, r, a);
    return EXIT_FINE;
}

static int run_in(const struct args *a, struct diag *d, struct arena *arena)
{
    struct plugs plugs = {0};
    struct results results = {0};
    struct runner r = {
        .arena = arena, .diag = d, .out = a->out, .quiet = a->quiet, .paranoid = a->paranoid};

    if (a->out && !*a->out) {
        diag_error(d, (struct mark){0}, "run: -o is empty; wanted the name of a folder");
        return EXIT_USAGE;
    }
    if (a->out && !a->force && !may_write(d, a->out))
        return cli_exit(d, EXIT_USAGE);
    if (!runner_plugs(a, d, &plugs) || !(r.config = load(a, d, arena, &plugs)) ||
        !runner_prepare(&r))
        return cli_exit(d, EXIT_USAGE);
    r.command = command_line(arena, a);
    stop_watch();
    int code = runner_all(&r, &results);
    if (code == EXIT_FINE)
        code = print_all(a, d, arena, &results);
    if (code == EXIT_FINE && a->out && !a->json)
        printf("\nresults are in %s\n", a->out);
    results_free(&results);
    return code;
}

static int run(const struct args *a, struct diag *d)
{
    if (a->n_words != 1) {
        diag_error(d, (struct mark){0}, "run: wanted one configuration, got %u", a->n_words);
        return EXIT_USAGE;
    }
    struct arena *arena = arena_new();
    int code = run_in(a, d, arena);
    arena_free(arena);
    return code;
}

const struct command command_run = {
    .name = "run",
    .words = "FILE.yaml [options]",
    .about = "replay a configuration under its policies and seeds, and compare them",
    .examples = "  hetune run configs/runs/demo.yaml -o results/demo\n"
                "  hetune run configs/runs/philly_b1k.yaml -s policy='las[quantum_s=60]'\n",
    .options = options,
    .run = run,
};
