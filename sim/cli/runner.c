/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/runner.h"

#include <string.h>
#include <time.h>

#include "analysis/rundir.h"
#include "sim/cli/stop.h"
#include "sim/engine/engine.h"
#include "sim/text/num.h"
#include "sim/text/out.h"

uint32_t runner_overrides(const struct args *a, struct override *set)
{
    for (uint32_t i = 0; i < a->n_set; i++)
        set[i] = (struct override){a->set[i], i + 1, NULL, NULL};
    return a->n_set;
}

bool runner_plugs(const struct args *a, struct diag *d, struct plugs *plugs)
{
    for (uint32_t i = 0; i < a->n_library; i++)
        if (!plug_load(plugs, d, a->library[i]))
            return false;
    return true;
}

bool runner_prepare(struct runner *r)
{
    return identity_of(r->arena, r->diag, r->config, NULL, &r->identity);
}

/* ---- one run ---- */

struct one {
    struct world *world;
    struct trace *trace;
    struct belief *belief;
    struct rundir *dir;
    struct engine *engine;
};

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

/* The run is good, but some of its rates are not what the model asks for. */
static void tell_unsettled(struct runner *r, const struct one *x, const struct result *result)
{
    uint64_t n = engine_unsettled(x->engine);

    if (n == 0 || r->silent)
        return;
    cli_progress_end(r->quiet);
    fprintf(stderr,
            "hetune: policy %s, seed %llu: %llu time%s the rates of jobs that share GPUs did not "
            "settle within cluster.sharing.rounds = %u; the last ones stood\n",
            result->label, (unsigned long long)result->seed, (unsigned long long)n,
            n == 1 ? "" : "s", x->world->rounds);
}

static void fill_result(struct runner *r, struct result *out, struct metrics *m)
{
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

static bool set_up(struct runner *r, struct one *x, struct arena *a, const struct chosen_policy *p,
                   struct result *result)
{
    const struct config *c = r->config;
    uint32_t n_sinks;

    x->world = config_world(c, a, result->seed);
    x->belief = belief_open(a, r->diag, c->predictor, x->world);
    if (!x->belief)
        return false;
    if (c->trace || c->draw)
        x->trace = trace_open(r->diag, c->trace, c->draw, x->world);
    if ((c->trace || c->draw) && !x->trace)
        return false;
    result->predictor = arena_text(r->arena, x->belief->label, strlen(x->belief->label));
    x->dir = rundir_open(r->diag, result->path,
                         (struct run_files){c->write_events, c->write_jobs, c->write_series,
                                            x->world->residents > 1});
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

/* The end of a run as an exit code, and in words. */
static int take_end(struct runner *r, struct engine *e, enum run_end end, struct outcome *out)
{
    out->reason = arena_text(r->arena, engine_reason(e), strlen(engine_reason(e)));
    if (end != RUN_BAD_INPUT)
        return exit_of(end);
    if (diag_errors(r->diag) == 0 && diag_io_errors(r->diag) == 0)
        diag_error(r->diag, (struct mark){0}, "policy %s, seed %llu: %s", out->result.label,
                   (unsigned long long)out->result.seed, engine_reason(e));
    return cli_exit(r->diag, EXIT_USAGE);
}

static int carry_out(struct runner *r, struct one *x, const struct chosen_policy *p,
                     struct outcome *out)
{
    struct timespec from;

    clock_gettime(CLOCK_MONOTONIC, &from);
    step_through(r, x->engine, p->label);
    if (stop_asked())
        return EXIT_SIGNAL;
    int code = take_end(r, x->engine, engine_run(x->engine), out);
    if (code != EXIT_FINE && code != EXIT_POLICY)
        return code;
    if (code == EXIT_POLICY && !r->silent)
        report_end(r, x->engine, p, out->result.seed);
    tell_unsettled(r, x, &out->result);
    fill_result(r, &out->result, rundir_metrics(x->dir));
    struct run_facts facts = {
        .config = r->config,
        .policy = p,
        .position = (uint32_t)out->result.position,
        .predictor = x->belief->label,
        .seed = out->result.seed,
        .inputs_json = r->identity.inputs_json,
        .world_hash = r->identity.world,
        .wall_s = seconds_since(from),
        .events = engine_events(x->engine),
        .unsettled = engine_unsettled(x->engine),
        .command = r->command,
    };
    struct rundir *dir = x->dir;
    x->dir = NULL;
    if (!rundir_close(dir, &facts, out->result.value))
        return EXIT_IO;
    if (code == EXIT_POLICY && !r->silent && out->result.path)
        fprintf(stderr, "what happened up to there is in %s\n", out->result.path);
    return code;
}

int runner_one(struct runner *r, const struct chosen_policy *p, uint64_t seed, const char *folder,
               struct outcome *out)
{
    struct arena *a = arena_new();
    struct one x = {0};
    int code = EXIT_FINE;

    out->reason = "";
    out->result = (struct result){.label = p->label,
                                  .predictor = "",
                                  .world = r->identity.world,
                                  .path = folder,
                                  .position = (uint64_t)(p - r->config->policy),
                                  .oracle = p->policy->flags & POLICY_ORACLE,
                                  .seed = seed};
    if (!set_up(r, &x, a, p, &out->result)) {
        code = cli_exit(r->diag, EXIT_USAGE);
    } else {
        struct going_on what = {x.engine, p->label, r->command, seed};
        bug_context(tell_going_on, &what);
        code = carry_out(r, &x, p, out);
        bug_context(NULL, NULL);
    }
    engine_free(x.engine);
    rundir_drop(x.dir);
    if (x.trace)
        x.trace->close(x.trace);
    arena_free(a);
    return code;
}

static int run_one(struct runner *r, const struct chosen_policy *p, uint64_t seed,
                   struct results *results)
{
    struct outcome out;
    int code = runner_one(r, p, seed, folder_of(r, p, seed), &out);

    if (code == EXIT_FINE)
        *results_add(results) = out.result;
    return code;
}

/* All runs, as far as they go; *done: complete ones. */
static int run_all(struct runner *r, struct results *results, double *done, double all)
{
    const struct config *c = r->config;

    for (uint32_t p = 0; p < c->n_policies; p++) {
        for (int64_t s = 0; s < c->seeds; s++) {
            int code = run_one(r, &c->policy[p], (uint64_t)(c->seed + s), results);
            if (code != EXIT_FINE)
                return code;
            ++*done;
            if (all > 1)
                cli_progress(r->quiet, "runs", *done, all);
        }
    }
    return EXIT_FINE;
}

int runner_all(struct runner *r, struct results *results)
{
    double all = (double)r->config->seeds * r->config->n_policies, done = 0;
    int code = run_all(r, results, &done, all);

    cli_progress_end(r->quiet);
    if (r->out && done > 0 && !out_settle(r->diag, r->out))
        return EXIT_IO;
    if (code == EXIT_FINE || !stop_asked())
        return code;
    fprintf(stderr, "hetune: stopped; %.0f of %.0f runs are complete\n", done, all);
    return EXIT_SIGNAL + stop_asked();
}
