/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune sweep: many runs of one configuration: plan, run, status, merge. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/sweep_merge.h"
#include "sim/base/file.h"
#include "sim/base/sha256.h"
#include "sim/cli/print.h"
#include "sim/cli/runner.h"
#include "sim/cli/stop.h"
#include "sim/cli/sweep_run.h"
#include "sim/text/num.h"

static const struct option_row options[] = {
    {'o', "out", "DIR", "the folder of the sweep, new or begun; merge: the file to write",
     offsetof(struct args, out), 0},
    {'j', "jobs", "N", "processes at a time (default: as many as there are processors)",
     offsetof(struct args, jobs), 0},
    {0, "shard", "I/N", "only every N-th point, the I-th first; /N: I from a batch system",
     offsetof(struct args, shard), 0},
    {0, "retry", NULL, "run points again that ended without values", offsetof(struct args, retry),
     0},
    {0, "keep-runs", NULL, "keep the whole folder of each point in DIR/runs",
     offsetof(struct args, keep_runs), 0},
    {0, "partial", NULL, "merge although points are missing", offsetof(struct args, partial), 0},
    {0, "force", NULL, "replace the plan of another sweep in DIR", offsetof(struct args, force), 0},
    OPTION_SET,
    OPTION_LIB,
    {0, "paranoid", NULL, "check invariants during the runs", offsetof(struct args, paranoid), 0},
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_END,
};

struct sweep_call {
    const struct args *args;
    struct diag *diag;
    struct arena *arena;
    struct plugs plugs;
    struct sweep *sweep;
    const char *libraries;
};

static bool usage(struct diag *d, const char *text)
{
    return diag_error(d, (struct mark){0}, "sweep: %s", text);
}

/* ---- the plan ---- */

static bool hash_libraries(struct sweep_call *c)
{
    char hex[SHA256_HEX];

    c->libraries = "";
    for (uint32_t i = 0; i < c->args->n_library; i++) {
        if (!sha256_file(c->diag, c->args->library[i], hex))
            return false;
        c->libraries = arena_printf(c->arena, "%s %s", c->libraries, hex);
    }
    return true;
}

static bool open_sweep(struct sweep_call *c, const char *path)
{
    struct override *set = arena_get(c->arena, CLI_MOST * sizeof(*set));

    if (!runner_plugs(c->args, c->diag, &c->plugs) || !hash_libraries(c))
        return false;
    struct sweep_more more = {set, runner_overrides(c->args, set)};
    c->sweep = sweep_load(c->arena, c->diag, path, &more, &c->plugs);
    return c->sweep != NULL;
}

struct planning {
    const struct sweep *sweep;
    struct out *out;
    uint64_t points;
};

static bool add_line(void *user, const struct planned *p)
{
    struct planning *x = user;

    sweep_line(x->out, x->sweep, p);
    x->points++;
    return !stop_asked();
}

/* The plan as text in out; false: reported. */
static bool plan_text(struct sweep_call *c, struct planning *x)
{
    *x = (struct planning){c->sweep, out_memory(), 0};
    if (!sweep_each(c->sweep, c->diag, &c->plugs, c->libraries, add_line, x))
        return false;
    return x->points > 0 || diag_error(c->diag, c->sweep->exclude->at, "exclude leaves no point");
}

/* Writes the plan, unless the folder has the same already. */
static bool settle_plan(struct sweep_call *c, const char *dir, const struct planning *x)
{
    const char *path = arena_printf(c->arena, "%s/plan.jsonl", dir);
    size_t len;
    const char *text = out_data(x->out, &len);

    if (access(path, F_OK) == 0) {
        const struct source *old = file_load(c->arena, c->diag, path, UINT32_MAX);
        if (!old)
            return false;
        if (old->len == len && memcmp(old->text, text, len) == 0)
            return true;
        if (!c->args->force)
            return diag_error(c->diag, (struct mark){0},
                              "%s: the plan of another sweep, or of another version; --force "
                              "replaces it, and keeps the points that both have",
                              path);
    }
    struct out *o = out_create(c->diag, path);
    if (o)
        out_bytes(o, text, len);
    return o && out_commit(o);
}

static int plan(struct sweep_call *c)
{
    struct planning x = {0};
    int code = cli_exit(c->diag, EXIT_USAGE);

    if (open_sweep(c, c->args->word[1]) && plan_text(c, &x)) {
        code = EXIT_FINE;
        print_out(x.out);
        x.out = NULL;
    }
    out_drop(x.out);
    return cli_exit(c->diag, code);
}

/* ---- run ---- */

static bool count_of(struct diag *d, const char *what, const char *text, int64_t most, uint32_t *n)
{
    int64_t x;

    if (num_int(text, strlen(text), &x) != NUM_OK || x < 1 || x > most)
        return diag_error(d, (struct mark){0}, "sweep: %s: '%.40s'; wanted 1 to %lld", what, text,
                          (long long)most);
    *n = (uint32_t)x;
    return true;
}

static bool is_number(const char *text)
{
    size_t n = strlen(text);

    return n > 0 && n < 10 && strspn(text, "0123456789") == n;
}

/* The number of a task of a batch system, from 0; -1: there is none. */
static int64_t batch_number(void)
{
    static const struct {
        const char *number, *first; /* of the least number */
    } systems[] = {{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN"},
                   {"JOB_COMPLETION_INDEX", NULL},
                   {"PBS_ARRAY_INDEX", NULL},
                   {"SGE_TASK_ID", "SGE_TASK_FIRST"}};

    for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
        const char *number = getenv(systems[i].number);
        const char *first = systems[i].first ? getenv(systems[i].first) : NULL;
        if (number && is_number(number))
            return strtol(number, NULL, 10) -
                   (first && is_number(first) ? strtol(first, NULL, 10) : 0);
    }
    return -1;
}

/* "I/N", "/N" with I from a batch system, or, without the option, what a Slurm array says. */
static bool read_shard(struct sweep_call *c, struct sweep_job *job)
{
    const char *text = c->args->shard, *slash = text ? strchr(text, '/') : NULL;
    const char *many = slash ? slash + 1 : getenv("SLURM_ARRAY_TASK_COUNT");
    int64_t number = 0;
    uint32_t first = 1;

    job->shards = 1;
    if (!text && !(many && getenv("SLURM_ARRAY_TASK_ID")))
        return true;
    if (text && !slash)
        return usage(c->diag, "--shard: wanted I/N, as in 2/8");
    if (!count_of(c->diag, "shards", many, 1000000, &job->shards))
        return false;
    if (text && slash > text) {
        if (!count_of(c->diag, "shard", arena_text(c->arena, text, (size_t)(slash - text)),
                      job->shards, &first))
            return false;
        number = first - 1;
    } else if ((number = batch_number()) < 0) {
        return usage(c->diag, "--shard /N: no batch system says which shard this is");
    }
    if (number >= job->shards)
        return diag_error(c->diag, (struct mark){0}, "sweep: shard %lld of %u does not exist",
                          (long long)number + 1, job->shards);
    job->shard = (uint32_t)number;
    return true;
}

static bool read_job(struct sweep_call *c, struct sweep_job *job)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    *job = (struct sweep_job){.plugs = &c->plugs,
                              .diag = c->diag,
                              .dir = c->args->out,
                              .retry = c->args->retry,
                              .keep_runs = c->args->keep_runs,
                              .quiet = c->args->quiet,
                              .paranoid = c->args->paranoid,
                              .processes = processors > 0 ? (uint32_t)processors : 1};
    if (c->args->jobs && !count_of(c->diag, "jobs", c->args->jobs, 4096, &job->processes))
        return false;
    return read_shard(c, job);
}

static void say_count(const struct sweep_count *n, const char *dir, bool json)
{
    uint64_t all = n->missing + n->damaged;

    for (int i = 0; i < POINT_STATUSES; i++)
        all += n->by_status[i];
    if (json)
        printf("{\"points\": %llu", (unsigned long long)all);
    else
        printf("%llu point%s: ", (unsigned long long)all, all == 1 ? "" : "s");
    const char *between = "";
    for (int i = 0; i < POINT_STATUSES + 2; i++) {
        const char *name = i < POINT_STATUSES    ? point_status_name[i]
                           : i == POINT_STATUSES ? "missing"
                                                 : "damaged";
        uint64_t k = i < POINT_STATUSES    ? n->by_status[i]
                     : i == POINT_STATUSES ? n->missing
                                           : n->damaged;
        if (json)
            printf(", \"%s\": %llu", name, (unsigned long long)k);
        else if (k > 0 || i == 0) {
            printf("%s%llu %s", between, (unsigned long long)k, name);
            between = ", ";
        }
    }
    if (json)
        printf("}\n");
    else
        printf("; %s\n", dir);
}

/* Points that ended without values are worth a code of their own. */
static int code_of(const struct sweep_count *n)
{
    if (n->by_status[POINT_POLICY] + n->by_status[POINT_CRASHED] + n->by_status[POINT_KILLED] > 0)
        return EXIT_POLICY;
    return n->by_status[POINT_INPUT] > 0 ? EXIT_USAGE : EXIT_FINE;
}

static int carry_out(struct sweep_call *c, struct sweep_job *job)
{
    struct sweep_count count = {0};
    int code = sweep_run(job, &count);

    if (code >= EXIT_SIGNAL)
        fprintf(stderr, "hetune: stopped; the same command goes on where it was\n");
    say_count(&count, job->dir, c->args->json);
    return code == EXIT_FINE ? code_of(&count) : code;
}

static int run(struct sweep_call *c)
{
    struct sweep_job job;
    struct planning x = {0};
    int code = EXIT_USAGE;

    if (!c->args->out)
        usage(c->diag, "run: the folder is missing; wanted -o DIR");
    else if (read_job(c, &job) && open_sweep(c, c->args->word[1]) && plan_text(c, &x) &&
             file_make_dirs(c->diag, arena_printf(c->arena, "%s/points", job.dir), NULL) &&
             settle_plan(c, job.dir, &x)) {
        job.sweep = c->sweep;
        job.libraries = c->libraries;
        job.points = x.points;
        code = carry_out(c, &job);
    }
    out_drop(x.out);
    return code == EXIT_USAGE ? cli_exit(c->diag, EXIT_USAGE) : code;
}

/* ---- status and merge ---- */

static int status(struct sweep_call *c)
{
    const char *dir = c->args->word[1];
    struct sweep_count count = {0};
    struct arena *a = arena_new();
    struct plan plan;
    struct point p;
    int code = EXIT_USAGE;

    if (plan_read(c->arena, c->diag, dir, &plan)) {
        for (uint32_t i = 0; i < plan.n; i++, arena_reset(a))
            sweep_row(a, c->diag, dir, plan.point[i].hash, &p, &count);
        say_count(&count, dir, c->args->json);
        code = EXIT_FINE;
    }
    plan_free(&plan);
    arena_free(a);
    return cli_exit(c->diag, code);
}

static int merge(struct sweep_call *c)
{
    const char *dir = c->args->word[1];
    const char *path = c->args->out ? c->args->out : arena_printf(c->arena, "%s/merged.csv", dir);
    bool print = strcmp(path, "-") == 0;
    struct out *o = print ? out_memory() : out_create(c->diag, path);
    struct merge_count n = {0};

    if (!o || !sweep_merge(c->diag, dir, o, c->args->partial, &n)) {
        out_drop(o);
        return cli_exit(c->diag, EXIT_USAGE);
    }
    if (print)
        print_out(o);
    else if (!out_commit(o))
        return EXIT_IO;
    else
        printf("%u rows; %s\n", n.rows, path);
    return EXIT_FINE;
}

/* ---- the command ---- */

static int run_sweep(const struct args *a, struct diag *d)
{
    static const struct {
        const char *name;
        int (*act)(struct sweep_call *);
    } acts[] = {{"plan", plan}, {"run", run}, {"status", status}, {"merge", merge}};
    const char *names[] = {"plan", "run", "status", "merge", NULL};
    struct sweep_call c = {.args = a, .diag = d};

    if (a->n_words != 2) {
        usage(d, "wanted plan FILE.yaml, run FILE.yaml -o DIR, status DIR or merge DIR");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
        if (strcmp(acts[i].name, a->word[0]) != 0)
            continue;
        c.arena = arena_new();
        int code = acts[i].act(&c);
        arena_free(c.arena);
        return code;
    }
    diag_unknown(d, (struct mark){0}, diag_nearest(a->word[0], names),
                 "sweep: '%.40s' is neither plan, run, status nor merge", a->word[0]);
    return EXIT_USAGE;
}

const struct command command_sweep = {
    .name = "sweep",
    .words = "plan|run|status|merge ...",
    .about = "every combination of values: planned, run in parallel, resumed, merged",
    .examples = "  hetune sweep run configs/sweeps/hermes_v2.yaml -o results/sweep --jobs 8\n"
                "  hetune sweep merge results/sweep\n",
    .options = options,
    .run = run_sweep,
};
