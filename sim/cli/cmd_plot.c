/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune plot: pictures of runs or of a sweep, with their data and scripts. */
#include <unistd.h>

#include "analysis/plot.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"
#include "sim/cli/stop.h"

static const struct option_row options[] = {
    {'o', "out", "DIR", "write the pictures into this folder; else into plots in the first DIR",
     offsetof(struct args, out), 0},
    {0, "kind", "KIND", "only this kind (repeatable)", offsetof(struct args, kind),
     offsetof(struct args, n_kinds)},
    {0, "metric", "NAME", "what kind metric and the kinds of sweeps show (repeatable)",
     offsetof(struct args, metric), offsetof(struct args, n_metrics)},
    {0, "terminal", "LIST", "of svg,pdf,png,latex (default: svg,pdf)",
     offsetof(struct args, terminal), 0},
    {0, "width", "INCHES", "3.33 fits a column, 7 a page (default: by kind)",
     offsetof(struct args, width), 0},
    {0, "baseline", "LABEL", "compare policies with this one instead of the first",
     offsetof(struct args, baseline), 0},
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_END,
};

static bool progress(void *user, const char *what, uint32_t done, uint32_t all)
{
    const struct args *a = user;
    char text[64];

    snprintf(text, sizeof(text), "drawing %s", what);
    cli_progress(a->quiet, text, done, all);
    return !stop_asked();
}

static void print_files(const struct plots *p, const char *folder, unsigned terminals)
{
    struct out *o = out_memory();

    for (uint32_t i = 0; i < p->n; i++)
        for (const struct plot_file *f = plot_files; f->ending && !p->plot[i].left_out; f++)
            if (f->terminal & terminals)
                out_printf(o, "%s/%s%s\n", folder, p->plot[i].name, f->ending);
    print_out(o);
}

static void put_json(struct out *o, const struct plot_done *p, unsigned terminals)
{
    const char *before = "";

    out_text(o, "\n    {\"kind\": ");
    out_json(o, p->kind);
    out_text(o, ", \"about\": ");
    out_json(o, p->about);
    if (p->label) {
        out_text(o, ", \"policy\": ");
        out_json(o, p->label);
        out_printf(o, ", \"seed\": %llu", (unsigned long long)p->seed);
    }
    if (p->left_out) {
        out_text(o, ", \"left_out\": ");
        out_json(o, p->left_out);
    }
    out_text(o, ", \"files\": [");
    for (const struct plot_file *f = plot_files; f->ending && !p->left_out; f++) {
        if (!(f->terminal & terminals))
            continue;
        out_printf(o, "%s\"%s%s\"", before, p->name, f->ending);
        before = ", ";
    }
    out_text(o, "]}");
}

static void print_json(const struct plots *p, const char *folder, unsigned terminals)
{
    struct out *o = out_memory();

    out_text(o, "{\n  \"schema\": 1,\n  \"folder\": ");
    out_json(o, folder);
    out_text(o, ",\n  \"pictures\": [");
    for (uint32_t i = 0; i < p->n; i++) {
        if (i)
            out_char(o, ',');
        put_json(o, &p->plot[i], terminals);
    }
    out_text(o, "\n  ]\n}\n");
    print_out(o);
}

static bool draw(const struct args *a, struct diag *d, struct arena *arena, const struct results *r)
{
    const char *folder = a->out ? a->out : arena_printf(arena, "%s/plots", a->word[0]);
    struct args copy = *a;
    struct plot_request request = {.results = r,
                                   .sweep = r ? NULL : a->word[0],
                                   .baseline = a->baseline,
                                   .out = folder,
                                   .kind = a->kind,
                                   .n_kinds = a->n_kinds,
                                   .metric = a->metric,
                                   .n_metrics = a->n_metrics,
                                   .progress = progress,
                                   .user = &copy};
    struct plots plots = {0};
    stop_watch();
    bool ok = plot_terminals(d, a->terminal ? a->terminal : "svg,pdf", &request.terminals) &&
              (!a->width || plot_width(d, a->width, &request.width)) &&
              plot_all(arena, d, &request, &plots);

    cli_progress_end(a->quiet);
    for (uint32_t i = 0; ok && i < plots.n && !a->quiet; i++)
        if (plots.plot[i].left_out)
            diag_note(d, (struct mark){0}, "%s is left out: %s", plots.plot[i].name,
                      plots.plot[i].left_out);
    if (ok && a->json)
        print_json(&plots, folder, request.terminals | PLOT_ALWAYS);
    else if (ok)
        print_files(&plots, folder, request.terminals | PLOT_ALWAYS);
    plots_free(&plots);
    return ok;
}

static bool is_sweep(struct arena *arena, const char *folder)
{
    return access(arena_printf(arena, "%s/plan.jsonl", folder), F_OK) == 0;
}

static int run(const struct args *a, struct diag *d)
{
    struct results all = {0};
    struct arena *arena = arena_new();
    bool ok = a->n_words > 0 || diag_error(d, (struct mark){0}, "plot: wanted result folders");

    if (a->out && !*a->out)
        ok = diag_error(d, (struct mark){0}, "plot: -o is empty; wanted the name of a folder");

    bool sweep = ok && is_sweep(arena, a->word[0]);
    if (sweep && a->n_words > 1)
        ok = diag_error(d, (struct mark){0}, "plot: one folder of a sweep at a time");
    for (uint32_t i = 0; ok && !sweep && i < a->n_words; i++)
        ok = results_load(&all, arena, d, a->word[i]);
    results_tell_apart(&all, arena);
    ok = ok && draw(a, d, arena, sweep ? NULL : &all);
    results_free(&all);
    arena_free(arena);
    if (ok || !stop_asked())
        return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
    fprintf(stderr, "hetune: stopped; pictures that are there are complete\n");
    return EXIT_SIGNAL + stop_asked();
}

const struct command command_plot = {
    .name = "plot",
    .words = "DIR...",
    .about = "pictures of runs or of a sweep, with data and gnuplot scripts",
    .examples =
        "  hetune plot results/demo\n"
        "  hetune plot results/demo --kind gantt --kind change --baseline fifo -o figures\n\n"
        "  kinds: hpo_time jct change best_metric metric jct_cdf slowdown_cdf fairness jct_box\n"
        "         slowdown_box queue utilisation curves gantt gantt_jobs\n"
        "         of a cluster that shares its GPUs: job_slowdown shares\n"
        "         of a sweep: heat axis ablation box_case box_axis\n"
        "         of a sweep with an axis fidelity: fidelity\n",
    .options = options,
    .run = run,
};
