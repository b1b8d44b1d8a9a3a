/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/runner.h"

#include <string.h>
#include <time.h>

#include "analysis/rundir.h"
#include "sim/base/sha256.h"
#include "sim/cli/stop.h"
#include "sim/engine/engine.h"
#include "sim/text/json.h"
#include "sim/text/num.h"

/* ---- what was simulated ---- */

/* Keys that may differ between runs of one comparison. */
static const char *const not_world[] = {"about",      "policy",       "predictor",  "seed",
                                        "seeds",      "refusals",     "max_rounds", "write_events",
                                        "write_jobs", "write_series", NULL};

static bool in_world(const char *key)
{
    for (int i = 0; not_world[i]; i++)
        if (strcmp(not_world[i], key) == 0)
            return false;
    return true;
}

/* The configuration without what may differ, and the contents of all files it names. */
static void hash_world(struct runner *r, const char *inputs)
{
    const struct tree *root = r->config->root;
    struct out *o = out_memory();
    char hex[SHA256_HEX];
    size_t len;

    for (size_t i = 0; i < root->n; i++) {
        if (!in_world(root->key[i]->text))
            continue;
        out_json(o, root->key[i]->text);
        json_tree(o, root->item[i], 0);
    }
    out_text(o, inputs);
    const char *text = out_data(o, &len);
    sha256_bytes(text, len, hex);
    r->world_hash = arena_text(r->arena, hex, 16);
    out_drop(o);
}

bool runner_prepare(struct runner *r)
{
    struct out *all = out_memory(), *contents = out_memory();
    const struct config *c = r->config;
    size_t len;
    bool ok = true;

    out_char(all, '[');
    for (uint32_t i = 0; ok && i < c->n_inputs; i++) {
        char hex[SHA256_HEX] = "";
        bool is_stdin = strcmp(c->input[i], "-") == 0;
        ok = is_stdin || sha256_file(r->diag, c->input[i], hex);
        out_text(all, i ? ", {\"path\": " : "{\"path\": ");
        out_json(all, c->input[i]);
        out_text(all, ", \"sha256\": ");
        if (is_stdin)
            out_text(all, "null");
        else
            out_json(all, hex);
        out_char(all, '}');
        if (i > 0) /* the run's own file is in the tree, key by key */
            out_text(contents, hex);
    }
    out_char(all, ']');
    const char *text = out_data(all, &len);
    r->inputs_json = arena_text(r->arena, text, len);
    text = out_data(contents, &len);
    hash_world(r, arena_text(r->arena, text, len));
    out_drop(all);
    out_drop(contents);
    return ok;
}

/* ---- one run ---- */

static int exit_of(enum run_end end)
{
    return end == RUN_DRAINED || end == RUN_UNTIL ? EXIT_FINE : EXIT_POLICY;
}

static double seconds_since(struct timespec from)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - from.tv_sec) + (double)(now.tv_nsec - from.tv_nsec) / 1e9;
}

/* What is being simulated, for the report of a bug. */
struct going_on {
    const struct engine *engine;
    const char *label, *command;
    uint64_t seed;
};

static void tell_going_on(const void *self, FILE *out)
{
    const struct going_on *x = self;
    char now[NUM_MAX];

    now[num_put_seconds(now, engine_now(x->engine))] = '\0';
    fprintf(out, "policy %s, seed %llu, at %s s, after %llu events, in: %s\n", x->label,
            (unsigned long long)x->seed, now, (unsigned long long)engine_events(x->engine),
            x->command);
}

/* Steps the engine, with progress for those who watch, till it ends or a signal asks to stop. */
static void step_through(struct runner *r, struct engine *e, const char *label)
{
    for (uint32_t n = 0; !stop_asked() && engine_step(e); n++)
        if ((n & 0xffff) == 0xffff)
            cli_progress(r->quiet, label, (double)engine_events(e), 0);
}

static void report_end(struct runner *r, struct engine *e, const struct chosen_policy *p,
                       uint64_t seed)
{
    cli_progress_end(r->quiet);
    fprintf(stderr, "hetune: policy %s, seed %llu: ", p->label, (unsigned long long)seed);
    engine_report(e, stderr);
}

static void fill_result(struct runner *r, struct result *out, struct metrics *m,
                        const struct chosen_policy *p, uint64_t seed)
{
    out->label = p->label;
    out->world = r->world_hash;
    out->oracle = p->policy->flags & POLICY_ORACLE;
    out->seed = seed;
    out->digest = metrics_digest(m);
    out->ended = arena_text(r->arena, metrics_ended(m), strlen(metrics_ended(m)));
    metrics_values(m, out->value);
}

static const char *folder_of(struct runner *r, const struct chosen_policy *p, uint64_t seed)
{
    const struct config *c = r->config;

    if (!r->out || (c->n_policies == 1 && c->seeds == 1))
        return r->out;
    return arena_printf(r->arena, "%s/%s/seed-%llu", r->out, p->slug, (unsigned long long)seed);
}

struct one {
    struct world *world;
    struct trace *trace;
    struct belief *belief;
    const char *path; /* of the folder; NULL: nothing is written */
    struct rundir *dir;
    struct engine *engine;
};

static bool set_up(struct runner *r, struct one *x, struct arena *a, const struct chosen_policy *p,
                   uint64_t seed)
{
    const struct config *c = r->config;
    uint32_t n_sinks;

    x->world = config_world(c, a, seed);
    x->belief = belief_open(a, r->diag, c->predictor, x->world);
    if (!x->belief || (c->trace && !(x->trace = trace_csv(r->diag, c->trace, x->world))))
        return false;
    x->path = folder_of(r, p, seed);
    x->dir = rundir_open(r->diag, x->path,
                         (struct run_files){c->write_events, c->write_jobs, c->write_series});
    if (!x->dir)
        return false;
    struct sink *const *sinks = rundir_sinks(x->dir, &n_sinks);
    x->engine = engine_new(&(struct engine_setup){.world = x->world,
                                                  .trace = x->trace,
                                                  .policy = p->policy,
                                                  .params = p->params,
                                                  .belief = x->belief,
                                                  .sink = sinks,
                                                  .n_sinks = n_sinks,
                                                  .until = c->until,
                                                  .max_rounds = (uint32_t)c->max_rounds,
                                                  .count_refusals = c->count_refusals,
                                                  .paranoid = r->paranoid});
    return true;
}

static int carry_out(struct runner *r, struct one *x, const struct chosen_policy *p, uint64_t seed,
                     struct results *results)
{
    struct timespec from;

    clock_gettime(CLOCK_MONOTONIC, &from);
    step_through(r, x->engine, p->label);
    if (stop_asked())
        return EXIT_SIGNAL;
    enum run_end end = engine_run(x->engine);
    if (end == RUN_BAD_INPUT) {
        if (diag_errors(r->diag) == 0 && diag_io_errors(r->diag) == 0)
            diag_error(r->diag, (struct mark){0}, "policy %s, seed %llu: %s", p->label,
                       (unsigned long long)seed, engine_reason(x->engine));
        return cli_exit(r->diag, EXIT_USAGE);
    }
    if (exit_of(end) != EXIT_FINE)
        report_end(r, x->engine, p, seed);
    struct result result;
    fill_result(r, &result, rundir_metrics(x->dir), p, seed);
    struct run_facts facts = {
        .config = r->config,
        .policy = p,
        .position = (uint32_t)(p - r->config->policy),
        .predictor = x->belief->label,
        .seed = seed,
        .inputs_json = r->inputs_json,
        .world_hash = r->world_hash,
        .wall_s = seconds_since(from),
        .events = engine_events(x->engine),
        .command = r->command,
    };
    struct rundir *dir = x->dir;
    x->dir = NULL;
    if (!rundir_close(dir, &facts, result.value))
        return EXIT_IO;
    if (exit_of(end) == EXIT_FINE)
        *results_add(results) = result;
    else if (x->path)
        fprintf(stderr, "what happened up to there is in %s\n", x->path);
    return exit_of(end);
}

static int run_one(struct runner *r, const struct chosen_policy *p, uint64_t seed,
                   struct results *results)
{
    struct arena *a = arena_new();
    struct one x = {0};
    int code = EXIT_FINE;

    if (!set_up(r, &x, a, p, seed)) {
        code = cli_exit(r->diag, EXIT_USAGE);
    } else {
        struct going_on what = {x.engine, p->label, r->command, seed};
        bug_context(tell_going_on, &what);
        code = carry_out(r, &x, p, seed, results);
        bug_context(NULL, NULL);
    }
    engine_free(x.engine);
    rundir_drop(x.dir);
    if (x.trace)
        x.trace->close(x.trace);
    arena_free(a);
    return code;
}

int runner_all(struct runner *r, struct results *results)
{
    const struct config *c = r->config;
    double all = (double)c->seeds * c->n_policies, done = 0;

    for (uint32_t p = 0; p < c->n_policies; p++) {
        for (int64_t s = 0; s < c->seeds; s++) {
            int code = run_one(r, &c->policy[p], (uint64_t)(c->seed + s), results);
            if (code != EXIT_FINE && stop_asked()) {
                code = EXIT_SIGNAL + stop_asked();
                cli_progress_end(r->quiet);
                fprintf(stderr, "hetune: stopped; %.0f of %.0f runs are complete\n", done, all);
            }
            if (code != EXIT_FINE)
                return code;
            done++;
            if (all > 1)
                cli_progress(r->quiet, "runs", done, all);
        }
    }
    cli_progress_end(r->quiet);
    return EXIT_FINE;
}
