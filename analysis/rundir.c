/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/rundir.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/events.h"
#include "sim/base/file.h"
#include "sim/base/version.h"
#include "sim/text/json.h"
#include "sim/text/num.h"

struct event_sink {
    struct sink sink;
    struct out *out;
};

struct rundir {
    struct diag *diag;
    const char *path;
    size_t old; /* so many bytes of the path were a folder before */
    struct arena *arena;
    struct metrics *metrics;
    struct event_sink events;
    struct out *jobs, *series;
    bool shared;
    struct sink *sink[2];
    uint32_t n_sinks;
};

/* ---- rows ---- */

static void take_event(struct sink *s, const struct record *r)
{
    events_row(((struct event_sink *)s)->out, r);
}

#define ROW 640 /* bytes of a row without texts, at most */

static char *cell_time(char *p, bool is_there, sim_time t)
{
    *p++ = ',';
    return is_there ? p + num_put_seconds(p, t) : p;
}

static char *cell_int(char *p, bool is_there, int64_t x)
{
    *p++ = ',';
    return is_there ? p + num_put_int(p, x) : p;
}

static void put_shared(struct out *o, const struct job_row *j)
{
    double slowdown = metrics_alone_slowdown(j);
    char *p = cell_time(out_room(o, ROW), j->alone > 0, j->alone);

    *p++ = ',';
    if (!isnan(slowdown))
        p += num_put_real(p, slowdown);
    p = cell_int(p, true, j->splits);
    out_upto(o, cell_int(p, true, j->resizes));
}

static void put_job(void *user, const struct job_row *j)
{
    struct out *o = ((struct rundir *)user)->jobs;
    bool trial = j->experiment != NO_EXPERIMENT;

    if (!o)
        return;
    out_int(o, j->number);
    out_char(o, ',');
    if (j->name)
        out_csv(o, j->name);
    char *p = out_room(o, ROW);
    p = cell_int(p, trial, j->experiment);
    p = cell_int(p, trial, j->trial);
    p = cell_int(p, trial, j->good);
    p = cell_int(p, true, j->gpus);
    p = cell_time(p, true, j->submit);
    p = cell_time(p, j->first_start != SIM_NEVER, j->first_start);
    p = cell_time(p, true, j->end);
    *p++ = ',';
    p = stpcpy(p, j->ended);
    p = cell_time(p, true, j->end - j->submit);
    p = cell_time(p, true, j->wait);
    p = cell_time(p, true, j->setup);
    p = cell_time(p, true, j->run);
    p = cell_time(p, true, j->lost);
    p = cell_int(p, true, j->starts);
    p = cell_int(p, true, j->preemptions);
    p = cell_int(p, true, j->relocations);
    p = cell_int(p, trial, j->epochs);
    *p++ = ',';
    out_upto(o, p);
    if (!isnan(j->metric))
        out_real(o, j->metric);
    if (((struct rundir *)user)->shared)
        put_shared(o, j);
    out_char(o, '\n');
}

static void put_series(void *user, const struct series_row *s)
{
    struct out *o = ((struct rundir *)user)->series;

    if (!o)
        return;
    char *p = out_room(o, ROW);
    p += num_put_seconds(p, s->t);
    p = cell_int(p, true, s->gpus_held);
    p = cell_int(p, true, s->gpus_running);
    p = cell_int(p, true, s->waiting);
    p = cell_int(p, true, s->setup);
    p = cell_int(p, true, s->running);
    p = cell_int(p, true, s->paused);
    *p++ = '\n';
    out_upto(o, p);
}

/* ---- opening ---- */

/* Folders that were made and have remained empty. */
static void remove_dirs(struct rundir *d)
{
    char *path = arena_text(d->arena, d->path, strlen(d->path)), *slash;

    while (strlen(path) > d->old && rmdir(path) == 0 && (slash = strrchr(path, '/')))
        *slash = '\0';
}

static struct out *create(struct rundir *d, const char *name)
{
    struct out *o = out_create(d->diag, arena_printf(d->arena, "%s/%s", d->path, name));

    if (o)
        out_unflushed(o);
    return o;
}

static bool open_files(struct rundir *d, struct run_files f)
{
    if (f.events) {
        if (!(d->events.out = create(d, "events.csv")))
            return false;
        events_header(d->events.out);
        d->events.sink = (struct sink){take_event, true};
        d->sink[d->n_sinks++] = &d->events.sink;
    }
    if (f.jobs) {
        if (!(d->jobs = create(d, "jobs.csv")))
            return false;
        out_text(
            d->jobs,
            "job,name,experiment,trial,good,gpus,submit_s,first_start_s,end_s,ended,jct_s,wait_s,"
            "setup_s,run_s,lost_s,starts,preemptions,relocations,epochs,metric");
        out_text(d->jobs, f.shared ? ",alone_s,slowdown,splits,resizes\n" : "\n");
    }
    if (f.series) {
        if (!(d->series = create(d, "series.csv")))
            return false;
        out_text(
            d->series,
            "time_s,gpus_held,gpus_running,jobs_waiting,jobs_setup,jobs_running,jobs_paused\n");
    }
    return true;
}

struct rundir *rundir_open(struct diag *diag, const char *path, struct run_files f)
{
    struct rundir *d = mem_get(sizeof(*d));
    struct metrics_hooks hooks = {put_job, put_series, d};

    d->diag = diag;
    d->path = path;
    d->shared = f.shared;
    d->arena = arena_new();
    d->metrics = metrics_new(path && (f.jobs || f.series) ? &hooks : NULL);
    d->sink[d->n_sinks++] = metrics_sink(d->metrics);
    if (!path || (file_make_dirs(diag, path, &d->old) && open_files(d, f)))
        return d;
    rundir_drop(d);
    return NULL;
}

struct sink *const *rundir_sinks(struct rundir *d, uint32_t *n)
{
    *n = d->n_sinks;
    return d->sink;
}

struct metrics *rundir_metrics(struct rundir *d)
{
    return d->metrics;
}

/* ---- JSON ---- */

/* GPU time may pass 64 bits of nanoseconds. */
static void put_area(struct out *o, sim_area ns)
{
    sim_area s = ns / SIM_SECOND;

    out_int(o, (int64_t)s);
    sim_time rest = (sim_time)(ns - s * SIM_SECOND);
    if (rest == 0)
        return;
    char digits[11];
    snprintf(digits, sizeof(digits), ".%09lld", (long long)rest);
    size_t n = strlen(digits);
    while (digits[n - 1] == '0')
        n--;
    out_bytes(o, digits, n);
}

void metric_write(struct out *o, const struct metric_def *def, const struct metric_value *v)
{
    if (!v->defined)
        out_text(o, "null");
    else if (def->kind == METRIC_TIME || def->kind == METRIC_GPU_TIME)
        put_area(o, v->time);
    else if (def->kind == METRIC_COUNT)
        out_int(o, (int64_t)v->number);
    else
        out_real(o, v->number);
}

void summary_write(struct out *o, const struct metric_value *v, uint64_t digest, const char *ended)
{
    out_text(o, "{\n  \"schema\": 1,\n  \"ended\": ");
    out_json(o, ended);
    out_text(o, ",\n  \"digest\": \"");
    out_hex(o, digest);
    out_char(o, '"');
    for (int i = 0; i < METRICS; i++) {
        if (!metric_applies(v, i))
            continue;
        out_text(o, ",\n  \"");
        out_text(o, metric_defs[i].name);
        out_text(o, "\": ");
        metric_write(o, &metric_defs[i], &v[i]);
    }
    out_text(o, "\n}\n");
}

static void put_pair(struct out *o, const char *key, const char *value)
{
    out_text(o, ",\n  \"");
    out_text(o, key);
    out_text(o, "\": ");
    out_json(o, value);
}

static bool write_manifest(struct rundir *d, const struct run_facts *f)
{
    struct out *o = create(d, "manifest.json");

    if (!o)
        return false;
    out_text(o, "{\n  \"schema\": 1,\n  \"seed\": ");
    out_int(o, (int64_t)f->seed);
    put_pair(o, "policy", f->policy->label);
    out_text(o, ",\n  \"position\": ");
    out_int(o, f->position);
    out_text(o, f->policy->policy->flags & POLICY_ORACLE ? ",\n  \"oracle\": true"
                                                         : ",\n  \"oracle\": false");
    put_pair(o, "predictor", f->predictor);
    if (f->unsettled > 0) {
        out_text(o, ",\n  \"unsettled\": ");
        out_int(o, (int64_t)f->unsettled);
    }
    put_pair(o, "world", f->world_hash);
    put_pair(o, "version", hetune_version);
    put_pair(o, "commit", hetune_commit);
    put_pair(o, "compiler", hetune_compiler);
    put_pair(o, "libraries", hetune_libraries());
    put_pair(o, "config_file", f->config->path);
    out_text(o, ",\n  \"inputs\": ");
    out_text(o, f->inputs_json);
    out_text(o, ",\n  \"config\": ");
    json_tree(o, f->config->root, 1);
    out_text(o, "\n}\n");
    return out_commit(o);
}

static bool write_timing(struct rundir *d, const struct run_facts *f)
{
    struct rusage ru;
    struct out *o = create(d, "timing.json");

    if (!o)
        return false;
    getrusage(RUSAGE_SELF, &ru);
    out_text(o, "{\n  \"wall_s\": ");
    out_real(o, f->wall_s);
    out_text(o, ",\n  \"events\": ");
    out_int(o, (int64_t)f->events);
    out_text(o, ",\n  \"events_per_s\": ");
    out_real(o, f->wall_s > 0 ? (double)f->events / f->wall_s : 0);
    out_text(o, ",\n  \"peak_memory_kib\": ");
    out_int(o, ru.ru_maxrss);
    put_pair(o, "command", f->command);
    out_text(o, "\n}\n");
    return out_commit(o);
}

/* ---- closing ---- */

static bool commit(struct out **o)
{
    struct out *file = *o;

    *o = NULL;
    return !file || out_commit(file);
}

static bool write_summary(struct rundir *d, const struct metric_value *v)
{
    struct out *o = create(d, "summary.json");

    if (!o)
        return false;
    summary_write(o, v, metrics_digest(d->metrics), metrics_ended(d->metrics));
    return out_commit(o);
}

/* The summary goes first: a folder that has one is complete. */
static void remove_files(struct rundir *d)
{
    static const char *const names[] = {"summary.json", "manifest.json", "timing.json",
                                        "events.csv",   "jobs.csv",      "series.csv"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        unlink(arena_printf(d->arena, "%s/%s", d->path, names[i]));
}

bool rundir_close(struct rundir *d, const struct run_facts *f, const struct metric_value *v)
{
    bool ok = true;

    if (d->path) {
        remove_files(d); /* of an older run */
        ok = commit(&d->events.out) && commit(&d->jobs) && commit(&d->series) &&
             write_manifest(d, f) && write_timing(d, f) && write_summary(d, v);
        if (!ok)
            remove_files(d);
    }
    rundir_drop(d);
    return ok;
}

void rundir_drop(struct rundir *d)
{
    if (!d)
        return;
    out_drop(d->events.out);
    out_drop(d->jobs);
    out_drop(d->series);
    if (d->path)
        remove_dirs(d);
    metrics_free(d->metrics);
    arena_free(d->arena);
    mem_drop(d);
}
