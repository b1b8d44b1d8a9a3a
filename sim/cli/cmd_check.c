/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetune check: the gate of a CI job. */
#include <string.h>
#include <unistd.h>

#include "analysis/gate_print.h"
#include "sim/cli/cli.h"
#include "sim/cli/print.h"

#define FORMATS "text, json, junit, github, markdown, bench-smaller or bench-bigger"

static const struct option_row options[] = {
    {0, "baseline", "FILE", "what the runs are checked against (docs/ci.md)",
     offsetof(struct args, baseline), 0},
    {0, "update", NULL, "write what was run into the baseline instead, and print what changes",
     offsetof(struct args, update), 0},
    {0, "other-worlds", NULL, "check runs of another configuration or other inputs, too",
     offsetof(struct args, other_worlds), 0},
    {0, "format", "FORMAT", FORMATS ", on standard output", offsetof(struct args, format), 0},
    {0, "report", "FORMAT=FILE", "the same into a file (repeatable)", offsetof(struct args, report),
     offsetof(struct args, n_reports)},
    OPTION_HELP,
    OPTION_END,
};

static const struct gate_format *find_format(struct diag *d, const char *name, size_t len)
{
    char word[32];
    struct diag_near near = {.word = word};

    snprintf(word, sizeof(word), "%.*s", (int)len, name);
    for (const struct gate_format *f = gate_formats; f->name; f++) {
        if (strcmp(f->name, word) == 0)
            return f;
        diag_consider(&near, f->name);
    }
    diag_unknown(d, (struct mark){0}, near.nearest, "check: unknown format '%s'%s", word,
                 near.nearest ? "" : "; wanted " FORMATS);
    return NULL;
}

/* Before anything is read or written. */
static bool check_args(const struct args *a, struct diag *d)
{
    const struct mark nowhere = {0};
    bool ok = true;

    if (a->n_words == 0)
        ok = diag_error(d, nowhere, "check: wanted results: folders of runs or of a sweep");
    if (!a->baseline)
        ok = diag_error(d, nowhere, "check: wanted --baseline FILE");
    if (a->update && (a->format || a->n_reports))
        ok = diag_error(d, nowhere, "check: --update prints what it changes, and no report");
    if (a->format)
        ok = find_format(d, a->format, strlen(a->format)) && ok;
    for (uint32_t i = 0; i < a->n_reports; i++) {
        size_t len = strcspn(a->report[i], "=");
        if (a->report[i][len] && a->report[i][len + 1])
            ok = find_format(d, a->report[i], len) && ok;
        else
            ok =
                diag_error(d, nowhere, "check: '%.60s'; wanted --report FORMAT=FILE", a->report[i]);
    }
    return ok;
}

/* ---- reports ---- */

static bool write_report(struct diag *d, const struct gate_report *r, const char *option)
{
    size_t len = strcspn(option, "=");
    struct out *o = out_create(d, option + len + 1);

    if (!o)
        return false;
    find_format(d, option, len)->put(o, r);
    return out_commit(o);
}

static int report(const struct args *a, struct diag *d, const struct gate_report *r)
{
    const char *format = a->format ? a->format : "text";
    struct out *o = out_memory();
    bool ok = true;

    find_format(d, format, strlen(format))->put(o, r);
    print_out(o);
    for (uint32_t i = 0; i < a->n_reports; i++)
        ok = write_report(d, r, a->report[i]) && ok;
    return cli_exit(d, !ok ? EXIT_IO : r->gate->failed ? EXIT_GATE : EXIT_FINE);
}

/* ---- updates ---- */

static bool refuse_faults(struct diag *d, const struct gate_runs *runs)
{
    bool ok = true;

    for (uint32_t i = 0; i < runs->n && !diag_full(d); i++)
        if (runs->run[i].fault)
            ok = diag_error(d, (struct mark){0}, "%.40s, %.40s, seed %llu is no baseline: %.60s",
                            runs->run[i].name, runs->run[i].result.label,
                            (unsigned long long)runs->run[i].result.seed, runs->run[i].fault);
    return ok;
}

static int update(const struct args *a, struct diag *d, const struct gate_report *r,
                  struct baseline *b)
{
    const struct gate_runs *runs = r->gate->runs;

    if (!refuse_faults(d, runs))
        return cli_exit(d, EXIT_USAGE);
    char *before = baseline_text(b), *after;
    for (uint32_t i = 0; i < runs->n_groups; i++)
        baseline_put(r->arena, b, &runs->group[i]);
    after = baseline_text(b);
    bool same = strcmp(before, after) == 0;
    bool ok = same || baseline_write(r->arena, d, a->baseline, b);
    if (ok) {
        struct out *o = out_memory();
        gate_put_diff(o, r);
        gate_put(o, a->baseline, ESCAPE_PLAIN);
        out_text(o, same ? ": nothing to change\n" : ": written\n");
        print_out(o);
    }
    mem_drop(before);
    mem_drop(after);
    return cli_exit(d, EXIT_FINE);
}

/* ---- all ---- */

static bool load(const struct args *a, struct diag *d, struct arena *arena, struct gate_runs *runs,
                 struct baseline *b)
{
    if (a->update && access(a->baseline, F_OK) != 0)
        baseline_new(arena, b);
    else if (!baseline_read(arena, d, a->baseline, b))
        return false;
    for (uint32_t i = 0; i < a->n_words; i++)
        if (!gate_runs_load(runs, arena, d, a->word[i]))
            return false;
    return gate_runs_group(runs, d);
}

static int run(const struct args *a, struct diag *d)
{
    struct arena *arena = arena_new();
    struct gate_runs runs = {0};
    struct baseline baseline;
    struct gate gate = {0};
    struct gate_report r = {arena, &gate, a->baseline};
    unsigned flags = a->update ? GATE_WORLDS | GATE_UNCHECKED : a->other_worlds ? GATE_WORLDS : 0;
    int code = EXIT_USAGE;

    if (check_args(a, d) && load(a, d, arena, &runs, &baseline) &&
        gate_check(arena, d, &baseline, &runs, flags, &gate))
        code = a->update ? update(a, d, &r, &baseline) : report(a, d, &r);
    gate_free(&gate);
    gate_runs_free(&runs);
    arena_free(arena);
    return cli_exit(d, code);
}

const struct command command_check = {
    .name = "check",
    .words = "RESULT... --baseline FILE",
    .about = "runs against a committed baseline: a gate for CI",
    .examples =
        "  hetune check results/demo --baseline ci/baseline.json --update\n"
        "  hetune check results/demo --baseline ci/baseline.json --report junit=check.xml\n",
    .options = options,
    .run = run,
};
