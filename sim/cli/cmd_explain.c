/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune explain: the story of a job, or of a run, from its records. */
#include "analysis/story.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

static const struct option_row options[] = {
    {0, "job", "ID", "the story of this job: its number, or its name in the trace",
     offsetof(struct args, job), 0},
    OPTION_JSON,
    OPTION_HELP,
    OPTION_END,
};

static int explain_job(const struct args *a, struct diag *d, struct arena *arena,
                       const struct story_run_facts *f)
{
    struct job_story s;
    bool ok = story_job(arena, d, f, a->job, &s);

    if (ok) {
        struct out *o = out_memory();
        if (a->json)
            story_job_json(o, f, &s);
        else
            story_job_text(o, f, &s);
        print_out(o);
    }
    story_job_free(&s);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

static int explain_run(const struct args *a, struct diag *d, struct arena *arena,
                       const struct story_run_facts *f)
{
    struct run_story s;
    bool ok = story_run(arena, d, f, &s);

    if (ok) {
        struct out *o = out_memory();
        if (a->json)
            story_run_json(o, f, &s);
        else
            story_run_text(o, f, &s);
        print_out(o);
    }
    story_run_free(&s);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

static int run(const struct args *a, struct diag *d)
{
    struct results all = {0};
    struct story_run_facts facts;

    if (a->n_words != 1) {
        diag_error(d, (struct mark){0}, "explain: wanted one result folder, got %u", a->n_words);
        return EXIT_USAGE;
    }
    struct arena *arena = arena_new();
    bool ok = results_load(&all, arena, d, a->word[0]) &&
              print_one_run(d, "explain", &all, a->word[0]) &&
              story_facts(arena, d, &all.result[0], &facts);
    int code = cli_exit(d, EXIT_USAGE);
    if (ok)
        code = a->job ? explain_job(a, d, arena, &facts) : explain_run(a, d, arena, &facts);
    results_free(&all);
    arena_free(arena);
    return code;
}

const struct command command_explain = {
    .name = "explain",
    .words = "DIR [--job ID]",
    .about = "the story of a run, or of one of its jobs: what happened, and why",
    .examples = "  hetune explain results/demo/hermes_v2/seed-1\n"
                "  hetune explain results/demo/hermes_v2/seed-1 --job 29\n",
    .options = options,
    .run = run,
};
