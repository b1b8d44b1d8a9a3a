/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune export: a run in the formats of other tools. */
#include "analysis/export.h"

#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/print.h"
#include "sim/text/num.h"

static const struct option_row options[] = {
    {0, "to", "FORMAT", "chrome: a timeline, for Perfetto; batsim: tables of jobs",
     offsetof(struct args, to), 0},
    {'o', "out", "FILE", "write here instead of into DIR; for batsim a folder",
     offsetof(struct args, out), 0},
    {0, "window", "FROM,TO", "chrome: only what happens between these seconds",
     offsetof(struct args, window), 0},
    {0, "nodes", "LIST", "chrome: only GPUs of these nodes, such as 0-3,7",
     offsetof(struct args, nodes), 0},
    OPTION_HELP,
    OPTION_END,
};

/* ---- limits ---- */

static bool parse_window(struct diag *d, const char *text, struct export_limits *l)
{
    const char *comma = strchr(text, ',');

    if (comma && num_seconds(text, (size_t)(comma - text), &l->from) == NUM_OK &&
        num_seconds(comma + 1, strlen(comma + 1), &l->to) == NUM_OK && l->from >= 0 &&
        l->to > l->from)
        return true;
    return diag_error(d, (struct mark){0},
                      "export: --window: wanted FROM,TO in seconds, the first before the second, "
                      "got '%.40s'",
                      text);
}

static bool parse_range(const char *s, size_t len, struct node_range *r)
{
    const char *dash = memchr(s, '-', len);
    size_t left = dash ? (size_t)(dash - s) : len;
    int64_t first, last;

    if (!num_plain(s, left, &first))
        return false;
    last = first;
    if (dash && !num_plain(dash + 1, len - left - 1, &last))
        return false;
    if (last < first || last >= UINT32_MAX)
        return false;
    *r = (struct node_range){(uint32_t)first, (uint32_t)last};
    return true;
}

static bool parse_nodes(struct arena *a, struct diag *d, const char *text, uint32_t nodes,
                        struct export_limits *l)
{
    struct node_range *range = arena_get(a, (strlen(text) + 1) * sizeof(*range));

    for (const char *s = text;; s++) {
        size_t len = strcspn(s, ",");
        if (!parse_range(s, len, &range[l->n_nodes]))
            return diag_error(d, (struct mark){0},
                              "export: --nodes: wanted numbers and ranges, such as 0-3,7, got "
                              "'%.40s'",
                              text);
        if (range[l->n_nodes].last >= nodes)
            return diag_error(d, (struct mark){0},
                              "export: --nodes: the cluster has nodes 0 to %u, not %u", nodes - 1,
                              range[l->n_nodes].last);
        l->n_nodes++;
        s += len;
        if (!*s)
            break;
    }
    l->node = range;
    return true;
}

static bool limits_of(const struct args *a, struct arena *arena, struct diag *d,
                      const struct story_run_facts *f, struct export_limits *l)
{
    *l = (struct export_limits){.from = 0, .to = SIM_NEVER};
    return (!a->window || parse_window(d, a->window, l)) &&
           (!a->nodes || parse_nodes(arena, d, a->nodes, f->cluster.n, l));
}

/* ---- the formats ---- */

static bool to_chrome(const struct args *a, struct arena *arena, struct diag *d,
                      const struct story_run_facts *f)
{
    const char *path = a->out ? a->out : arena_printf(arena, "%s/chrome.json", f->result->path);
    struct export_limits limits;

    if (f->cluster.n == 0)
        return diag_error(
            d, (struct mark){0},
            "%s: manifest.json has no cluster, whose nodes and GPUs the timeline is of",
            f->result->path);
    if (!limits_of(a, arena, d, f, &limits) || !export_chrome(arena, d, f, &limits, path))
        return false;
    printf("%s\n", path);
    return true;
}

static bool to_batsim(const struct args *a, struct arena *arena, struct diag *d,
                      const struct story_run_facts *f)
{
    const char *folder = a->out ? a->out : arena_printf(arena, "%s/batsim", f->result->path);

    if (a->window || a->nodes)
        return diag_error(d, (struct mark){0},
                          "export: %s limits --to chrome only; tables are of the whole run",
                          a->window ? "--window" : "--nodes");
    if (!export_batsim(arena, d, f, folder))
        return false;
    for (int i = 0; export_batsim_files[i]; i++)
        printf("%s/%s\n", folder, export_batsim_files[i]);
    return true;
}

static const struct {
    const char *name;
    bool (*write)(const struct args *, struct arena *, struct diag *,
                  const struct story_run_facts *);
} formats[] = {{"chrome", to_chrome}, {"batsim", to_batsim}};

/* The position of the format, or -1: reported. */
static int format_of(const struct args *a, struct diag *d)
{
    struct diag_near near = {.word = a->to};

    if (!a->to) {
        diag_error(d, (struct mark){0}, "export: --to is missing; wanted chrome or batsim");
        return -1;
    }
    for (int i = 0; i < (int)(sizeof(formats) / sizeof(*formats)); i++) {
        if (strcmp(a->to, formats[i].name) == 0)
            return i;
        diag_consider(&near, formats[i].name);
    }
    diag_unknown(d, (struct mark){0}, near.nearest, "export: unknown format '%.40s'%s", a->to,
                 near.nearest ? "" : "; wanted chrome or batsim");
    return -1;
}

static bool check(const struct args *a, struct diag *d)
{
    if (a->n_words != 1)
        return diag_error(d, (struct mark){0}, "export: wanted one result folder, got %u",
                          a->n_words);
    if (a->out && !*a->out)
        return diag_error(d, (struct mark){0}, "export: -o is empty; wanted a name");
    return true;
}

static int run(const struct args *a, struct diag *d)
{
    struct results all = {0};
    struct story_run_facts facts;
    int format = format_of(a, d);

    if (format < 0 || !check(a, d))
        return EXIT_USAGE;
    struct arena *arena = arena_new();
    bool ok =
        results_load(&all, arena, d, a->word[0]) && print_one_run(d, "export", &all, a->word[0]) &&
        story_facts(arena, d, &all.result[0], &facts) && formats[format].write(a, arena, d, &facts);
    results_free(&all);
    arena_free(arena);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_export = {
    .name = "export",
    .words = "DIR --to FORMAT",
    .about = "a run for other tools: Perfetto, Evalys",
    .examples = "  hetune export results/demo/fifo/seed-1 --to chrome --window 0,3600 --nodes 0-1\n"
                "  hetune export results/demo/fifo/seed-1 --to batsim -o tables\n",
    .options = options,
    .run = run,
};
