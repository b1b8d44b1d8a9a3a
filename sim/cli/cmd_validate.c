/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune validate: read everything a run would read, report what is wrong, run nothing. */
#include <string.h>

#include "sim/cli/runner.h"
#include "sim/model/config.h"
#include "sim/model/trace.h"

static const struct option_row options[] = {OPTION_SET, OPTION_LIB, OPTION_JSON, OPTION_HELP,
                                            OPTION_END};

#define LOAD_FROM 100 /* the load of a few jobs says little */

struct load {
    uint64_t jobs;
    sim_area gpu_time; /* of jobs with a duration */
    sim_time last;
};

/* Reads the whole trace and goes on after a bad row. */
static bool read_trace(const struct config *c, struct diag *d, struct load *load)
{
    struct job_spec j;
    int got;
    struct trace *t = trace_csv(d, c->trace, &c->base);

    if (!t)
        return false;
    while ((got = t->next(t, &j)) != 0 && !diag_full(d) && diag_io_errors(d) == 0) {
        if (got < 0)
            continue;
        load->jobs++;
        load->last = j.submit;
        load->gpu_time += j.model == NO_MODEL ? (sim_area)j.work * j.gpus : 0;
    }
    t->close(t);
    return diag_errors(d) == 0 && diag_io_errors(d) == 0;
}

static void print(const struct config *c, const struct load *load, bool json)
{
    double offered =
        load->last > 0 ? (double)load->gpu_time / (double)load->last / c->base.n_gpus : 0;
    uint64_t trials = 0;

    for (uint32_t i = 0; i < c->n_experiments; i++)
        trials += (uint64_t)experiment_trials(&c->experiment[i]) * (uint64_t)c->experiment[i].count;
    if (json) {
        printf("{\"valid\": true, \"gpus\": %u, \"nodes\": %u, \"policies\": %u, \"seeds\": %lld, "
               "\"trials\": %llu, "
               "\"jobs\": %llu, \"offered_load\": %.6g",
               c->base.n_gpus, c->base.n_nodes, c->n_policies, (long long)c->seeds,
               (unsigned long long)trials, (unsigned long long)load->jobs, offered);
        if (c->draw)
            printf(", \"drawn\": {\"from\": %lld, \"to\": %lld}", (long long)c->draw->jobs.from,
                   (long long)c->draw->jobs.to);
        puts("}");
        return;
    }
    printf("%s is fine: %u GPU%s in %u node%s, %u polic%s x %lld seed%s", c->path, c->base.n_gpus,
           c->base.n_gpus > 1 ? "s" : "", c->base.n_nodes, c->base.n_nodes > 1 ? "s" : "",
           c->n_policies, c->n_policies > 1 ? "ies" : "y", (long long)c->seeds,
           c->seeds > 1 ? "s" : "");
    if (trials)
        printf(", %llu trial%s", (unsigned long long)trials, trials > 1 ? "s" : "");
    if (load->jobs)
        printf(", %llu job%s", (unsigned long long)load->jobs, load->jobs > 1 ? "s" : "");
    if (c->draw && c->draw->jobs.from < c->draw->jobs.to)
        printf(", %lld to %lld jobs drawn", (long long)c->draw->jobs.from,
               (long long)c->draw->jobs.to);
    else if (c->draw)
        printf(", %lld job%s drawn", (long long)c->draw->jobs.to, c->draw->jobs.to > 1 ? "s" : "");
    putchar('\n');
    if (offered > 1 && load->jobs >= LOAD_FROM)
        printf(
            "note: the trace asks for %.3g times the GPU time there is until its last submission\n",
            offered);
}

static int run(const struct args *a, struct diag *d)
{
    struct plugs plugs = {0};
    struct load load = {0};
    bool ok = a->n_words == 1 ||
              diag_error(d, (struct mark){0}, "validate: wanted one file, got %u", a->n_words);
    struct arena *arena = arena_new();
    struct config *c = NULL;
    struct override set[CLI_MOST];

    if (ok && runner_plugs(a, d, &plugs))
        c = config_load(arena, d, a->word[0], set, runner_overrides(a, set), &plugs);
    ok = c && (!c->trace || read_trace(c, d, &load));
    if (ok)
        print(c, &load, a->json);
    arena_free(arena);
    return cli_exit(d, ok ? EXIT_FINE : EXIT_USAGE);
}

const struct command command_validate = {
    .name = "validate",
    .words = "FILE.yaml",
    .about = "check a configuration and all it refers to",
    .examples = "  hetune validate configs/runs/demo.yaml\n",
    .options = options,
    .run = run,
};
