/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * microbench - measures a GPU's operators, memory, copies and overheads; writes one JSON file.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/microbench/facts.h"
#include "analysis/microbench/options.h"
#include "analysis/microbench/order.h"
#include "analysis/microbench/table.h"
#include "sim/base/mem.h"

#ifndef HETUNE_COMMIT
#define HETUNE_COMMIT "unknown"
#endif

enum { FINE, FAILED, USAGE, NO_DEVICE }; /* exit codes */

struct run {
    struct mb_gpu gpu;
    struct mb_effort effort;
    struct mb_grid *grid;   /* by benchmark; empty if it is not wanted */
    struct mb_outcome **is; /* by benchmark and case */
    struct mb_step *steps;
    size_t n, tried, done; /* steps; those that there was time for; those with a result */
    struct mb_skips skips;
    struct mb_nvml before, after;
    double took; /* seconds */
    bool talks;  /* progress, on a terminal */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void plan(struct run *run, const struct mb_options *o)
{
    size_t *cases = mem_get(mb_bench_count * sizeof *cases), all = 0;

    run->grid = mem_get(mb_bench_count * sizeof *run->grid);
    run->is = mem_get(mb_bench_count * sizeof *run->is);
    for (size_t b = 0; b < mb_bench_count; b++) {
        if (mb_options_wanted(o, mb_benches[b].format.op))
            mb_benches[b].plan(&run->grid[b], &run->gpu);
        all += cases[b] = run->grid[b].n;
        run->is[b] = mem_get((cases[b] + 1) * sizeof *run->is[b]);
    }
    run->steps = mem_get((all + 1) * sizeof *run->steps);
    run->n = mb_order(cases, mb_bench_count, o->quick ? 1 : 0, run->steps);
    mem_drop(cases);
}

static void drop(struct run *run)
{
    for (size_t b = 0; run->grid && b < mb_bench_count; b++) {
        mb_grid_drop(&run->grid[b]);
        mem_drop(run->is[b]);
    }
    mem_drop(run->grid);
    mem_drop(run->is);
    mem_drop(run->steps);
}

/* "gemm fp16 m=1024 n=1024 k=64", for errors and progress. */
static void describe(const struct mb_bench *b, const struct mb_case *c, char *text, size_t size)
{
    const char *precision = mb_precision_name(c->precision);
    size_t n = (size_t)snprintf(text, size, "%s%s%s%s%s", b->format.op, c->kind[0] ? " " : "",
                                c->kind, precision[0] ? " " : "", precision);

    for (size_t i = 0; b->format.columns[i] && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, " %s=%lld", b->format.columns[i],
                              (long long)c->dim[i]);
}

/* One case. False: it is told, and the run is over. */
static bool measure(struct run *run, const struct mb_step *at)
{
    const struct mb_bench *b = &mb_benches[at->bench];
    const struct mb_case *c = &run->grid[at->bench].cases[at->at];
    struct mb_result r = {.spread = NAN};
    char text[240];
    enum mb_status status;

    describe(b, c, text, sizeof text);
    if (run->talks)
        fprintf(stderr, "\r\033[K%zu/%zu %s", run->tried + 1, run->n, text);
    status = b->run(c, &r);
    run->tried++;
    if (status == MB_SKIPPED)
        mb_skip_add(&run->skips, b->format.op, r.why);
    if (status == MB_DONE) {
        run->is[at->bench][at->at] = (struct mb_outcome){true, r.value, r.spread};
        run->done++;
    }
    if (status == MB_DONE || status == MB_SKIPPED)
        return true;
    fprintf(stderr, "%smicrobench: error: %s: %s\n", run->talks ? "\r\033[K" : "", text, r.why);
    return false;
}

static bool measure_all(struct run *run, double seconds)
{
    double begun = now();
    bool fine = true;

    mb_nvml_read(run->gpu.pci, &run->before);
    while (fine && run->tried < run->n && now() - begun < seconds)
        fine = measure(run, &run->steps[run->tried]);
    mb_nvml_read(run->gpu.pci, &run->after);
    run->took = now() - begun;
    if (run->talks)
        fputs("\r\033[K", stderr);
    return fine;
}

static bool write_report(const struct run *run, const char *path)
{
    struct mb_facts *facts = mem_get(sizeof *facts);
    struct diag *d = diag_new(stderr);
    struct out *o = out_create(d, path);
    bool any = false, fine = o;

    mb_facts_fill(facts, &run->gpu, &run->before, &run->after, &run->effort);
    mb_facts_add(facts, "grid", "%zu of %zu cases in the fixed order, %zu of them skipped, %.0f s",
                 run->tried, run->n, run->tried - run->done, run->took);
    if (o) {
        mb_report_begin(o, &(struct mb_run_facts){&run->gpu, HETUNE_COMMIT, facts->list, facts->n});
        for (size_t b = 0; b < mb_bench_count; b++)
            mb_report_series(o, &mb_benches[b].format, &run->grid[b], run->is[b], &any);
        mb_report_end(o);
        fine = out_commit(o);
    }
    diag_free(d);
    mem_drop(facts);
    return fine;
}

/* Before all is measured in vain. */
static bool can_write(const char *path)
{
    struct diag *d = diag_new(stderr);
    struct out *o = out_create(d, path);

    out_drop(o);
    diag_free(d);
    return o;
}

static int run_all(const struct mb_options *o)
{
    struct run run = {.talks = isatty(2)};
    struct mb_result r = {0};
    int code = FAILED;

    run.effort = o->quick ? (struct mb_effort){5, 0.05} : (struct mb_effort){11, 0.25};
    if (mb_device_find(&run.gpu, &r) != MB_DONE) {
        fprintf(stderr, "microbench: error: %s\n", r.why);
        return NO_DEVICE;
    }
    if (!can_write(o->out))
        return NO_DEVICE;
    plan(&run, o);
    if (mb_device_open(&run.gpu, &run.effort, &r) != MB_DONE)
        fprintf(stderr, "microbench: error: %s\n", r.why);
    else if (measure_all(&run, 60 * o->minutes))
        code = write_report(&run, o->out) ? FINE : NO_DEVICE;
    mb_device_close();
    if (code == FINE) {
        for (size_t i = 0; i < run.skips.n; i++)
            fprintf(stderr, "skipped: %s, %zu cases: %s\n", run.skips.list[i].op,
                    run.skips.list[i].cases, run.skips.list[i].why);
        printf("%s: %zu results of %zu cases, %.0f s\n", o->out, run.done, run.n, run.took);
    }
    drop(&run);
    return code;
}

static int list(void)
{
    for (size_t b = 0; b < mb_bench_count; b++)
        printf("%-12s %s\n", mb_benches[b].format.op, mb_benches[b].what);
    return FINE;
}

static int check_only(const struct mb_options *o)
{
    const char **names = mem_get(mb_bench_count * sizeof *names), *unknown;

    for (size_t b = 0; b < mb_bench_count; b++)
        names[b] = mb_benches[b].format.op;
    unknown = mb_options_unknown(o, names, mb_bench_count);
    if (unknown)
        fprintf(stderr, "microbench: error: there is no benchmark '%s'; --list has their names\n",
                unknown);
    mem_drop(names);
    return unknown ? USAGE : FINE;
}

int main(int argc, char **argv)
{
    struct mb_options o;

    switch (mb_options_read(argc, argv, &o, stderr)) {
    case MB_ASK_HELP:
        mb_options_help(stdout);
        return FINE;
    case MB_ASK_LIST:
        return list();
    case MB_ASK_CHILD:
        return mb_child(o.child);
    case MB_ASK_WRONG:
        return USAGE;
    default:
        return check_only(&o) == FINE ? run_all(&o) : USAGE;
    }
}
