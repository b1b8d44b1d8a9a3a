/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables after Batsim's (docs/formats.md): a row a job, a row a stretch on GPUs, and totals. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/events.h"
#include "analysis/export.h"
#include "analysis/rundir.h"
#include "analysis/story_facts.h"
#include "analysis/stretches.h"

const char *const export_batsim_files[] = {"jobs.csv", "segments.csv", "schedule.json", NULL};

static const char columns[] =
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
    "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
    "stretch,allocated_resources,consumed_energy,metadata\n";

struct last_gpus { /* of a job's last stretch, as text at an offset */
    uint32_t job;
    bool holds; /* it held them to the end of the run */
    size_t at;
};

struct totals {
    uint64_t jobs, success, killed, rejected, started, finished;
    double waiting, turnaround, slowdown; /* sums */
    sim_time most_waiting, most_turnaround;
    double most_slowdown;
};

struct batsim {
    const struct story_run_facts *facts;
    struct arena *arena;
    struct out *jobs, *segments;
    struct last_gpus *last; /* in order of their jobs */
    size_t n_last, cap_last;
    struct out *text;
    const char **study; /* names, by experiment */
    size_t n_studies, cap_studies;
    const char *workload; /* of jobs of a trace */
    struct totals totals;
};

/* ---- cells ---- */

struct row { /* what both tables have */
    uint32_t job, experiment, trial, gpus;
    sim_time submit, from, to; /* from SIM_NEVER: it never started */
    bool success, ended;
    const char *state, *allocated;
};

static void cell_time(struct out *o, bool is_there, sim_time t)
{
    out_char(o, ',');
    if (is_there)
        out_seconds(o, t);
}

static void put_stretch(struct out *o, const struct row *r)
{
    out_char(o, ',');
    if (r->from != SIM_NEVER && r->to > r->from)
        out_real(o, (double)(r->to - r->submit) / (double)(r->to - r->from));
}

static const char *profile_of(const struct batsim *b, const struct row *r)
{
    const char *model = "";
    uint32_t batch;

    if (r->experiment == NO_EXPERIMENT ||
        !story_trial(b->facts, r->experiment, r->trial, &model, &batch))
        return "";
    return model;
}

static void put_row(const struct batsim *b, struct out *o, const struct row *r, struct out *more)
{
    bool started = r->from != SIM_NEVER;
    size_t len;

    out_printf(o, "%u,", r->job);
    out_csv(o, r->experiment < b->n_studies && b->study[r->experiment] ? b->study[r->experiment]
                                                                       : b->workload);
    out_char(o, ',');
    out_csv(o, profile_of(b, r));
    cell_time(o, true, r->submit);
    out_printf(o, ",%u,-1,%d,%s", r->gpus, r->success, r->state);
    cell_time(o, started, r->from);
    cell_time(o, started && r->ended, r->to - r->from);
    cell_time(o, r->ended, r->to);
    cell_time(o, started, r->from - r->submit);
    cell_time(o, r->ended, r->to - r->submit);
    if (r->ended)
        put_stretch(o, r);
    else
        out_char(o, ',');
    out_printf(o, ",%s,-1,", r->allocated);
    out_char(more, '\0');
    out_csv(o, out_data(more, &len));
    out_char(o, '\n');
    out_drop(more);
}

static void put_facts(struct out *o, const char *name, uint32_t experiment, uint32_t trial,
                      bool good)
{
    out_text(o, "{\"name\": ");
    if (name)
        out_json(o, name);
    else
        out_text(o, "null");
    if (experiment != NO_EXPERIMENT)
        out_printf(o, ", \"experiment\": %u, \"trial\": %u, \"good\": %s", experiment, trial,
                   good ? "true" : "false");
}

static void put_time(struct out *o, const char *key, sim_time t)
{
    out_printf(o, ", \"%s\": ", key);
    out_seconds(o, t);
}

/* ---- stretches ---- */

/* 0-3 7 */
static void put_gpus(struct out *o, const struct stretch *s)
{
    for (uint32_t i = 0, k; i < s->n; i = k) {
        for (k = i + 1; k < s->n && s->gpu[k].gpu == s->gpu[i].gpu + (k - i); k++)
            ;
        out_printf(o, k - i > 1 ? "%s%u-%u" : "%s%u", i ? " " : "", s->gpu[i].gpu,
                   s->gpu[k - 1].gpu);
    }
    out_char(o, '\0');
}

static const char *state_of(const char *ended)
{
    static const char *const words[][2] = {
        {"end", "COMPLETED_SUCCESSFULLY"}, {"kill", "COMPLETED_KILLED"}, {"reject", "REJECTED"},
        {"preempt", "PREEMPTED"},          {"pause", "PAUSED"},          {"resize", "RESIZED"}};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strcmp(ended, words[i][0]) == 0)
            return words[i][1];
    return "RUNNING";
}

static void take_stretch(void *user, const struct stretch *s)
{
    struct batsim *b = user;
    struct out *more = out_memory();
    size_t at, len;

    out_data(b->text, &at);
    put_gpus(b->text, s);
    b->last = mem_room(b->last, b->n_last, &b->cap_last, sizeof(*b->last));
    b->last[b->n_last++] = (struct last_gpus){s->job, s->how == REC_FINISH, at};
    put_facts(more, s->name, s->experiment, s->trial, s->good);
    out_printf(more, ", \"stretch\": %u, \"origin\": \"%s\"", s->number, origin_name[s->origin]);
    put_time(more, "progress_from_s", s->ran ? s->begin : s->to);
    put_time(more, "progress_until_s", s->until);
    put_time(more, "lost_s", s->lost);
    put_time(more, "saved_s", s->ready);
    out_char(more, '}');
    struct row row = {.job = s->job,
                      .experiment = s->experiment,
                      .trial = s->trial,
                      .gpus = s->gpus,
                      .submit = s->submit,
                      .from = s->from,
                      .to = s->to,
                      .success = s->how == REC_END,
                      .ended = true,
                      .state = state_of(record_name[s->how]),
                      .allocated = out_data(b->text, &len) + at};
    put_row(b, b->segments, &row, more);
}

/* ---- jobs ---- */

static int by_job(const void *key, const void *item)
{
    uint32_t x = *(const uint32_t *)key, y = ((const struct last_gpus *)item)->job;

    return (x > y) - (x < y);
}

static void add(struct totals *t, const struct job_row *r)
{
    bool done = strcmp(r->ended, record_name[REC_END]) == 0;

    t->jobs++;
    t->success += done;
    t->killed += strcmp(r->ended, record_name[REC_KILL]) == 0;
    t->rejected += strcmp(r->ended, record_name[REC_REJECT]) == 0;
    t->finished += *r->ended != '\0';
    if (!done)
        return;
    sim_time waiting = r->first_start - r->submit, turnaround = r->end - r->submit;
    double slowdown =
        r->end > r->first_start ? (double)turnaround / (double)(r->end - r->first_start) : 1;
    t->waiting += (double)waiting / 1e9;
    t->turnaround += (double)turnaround / 1e9;
    t->slowdown += slowdown;
    t->most_waiting = waiting > t->most_waiting ? waiting : t->most_waiting;
    t->most_turnaround = turnaround > t->most_turnaround ? turnaround : t->most_turnaround;
    t->most_slowdown = slowdown > t->most_slowdown ? slowdown : t->most_slowdown;
}

static void take_job(void *user, const struct job_row *r)
{
    struct batsim *b = user;
    const struct last_gpus *last =
        b->n_last ? bsearch(&r->number, b->last, b->n_last, sizeof(*b->last), by_job) : NULL;
    struct out *more = out_memory();
    bool ended = *r->ended != '\0';
    size_t len;

    add(&b->totals, r);
    put_facts(more, r->name, r->experiment, r->trial, r->good);
    out_printf(more, ", \"starts\": %u, \"preemptions\": %u, \"relocations\": %u", r->starts,
               r->preemptions, r->relocations);
    put_time(more, "wait_s", r->wait);
    put_time(more, "setup_s", r->setup);
    put_time(more, "run_s", r->run);
    put_time(more, "lost_s", r->lost);
    if (r->alone > 0) {
        put_time(more, "alone_s", r->alone);
        out_printf(more, ", \"splits\": %u, \"resizes\": %u", r->splits, r->resizes);
    }
    out_char(more, '}');
    struct row row = {.job = r->number,
                      .experiment = r->experiment,
                      .trial = r->trial,
                      .gpus = r->gpus,
                      .submit = r->submit,
                      .from = r->first_start,
                      .to = r->end,
                      .success = strcmp(r->ended, record_name[REC_END]) == 0,
                      .ended = ended,
                      .state = ended                 ? state_of(r->ended)
                               : last && last->holds ? "RUNNING"
                                                     : "SUBMITTED",
                      .allocated = last ? out_data(b->text, &len) + last->at : ""};
    put_row(b, b->jobs, &row, more);
}

/* ---- the whole ---- */

static void open_study(struct batsim *b, const struct record *r)
{
    while (b->n_studies <= r->experiment) {
        b->study = mem_room(b->study, b->n_studies, &b->cap_studies, sizeof(*b->study));
        b->study[b->n_studies++] = NULL;
    }
    b->study[r->experiment] = r->name ? arena_text(b->arena, r->name, strlen(r->name)) : NULL;
}

static bool fold(struct batsim *b, struct diag *d, struct events *e, struct metrics *m)
{
    struct stretches *s = stretches_new(take_stretch, b);
    struct record r;
    int got;

    while ((got = events_next(e, &r)) > 0) {
        if (r.kind == REC_OPEN)
            open_study(b, &r);
        if (b->n_last > 0) {
            out_drop(b->text);
            b->text = out_memory();
            b->n_last = 0;
        }
        stretches_take(s, &r);
        metrics_take(m, &r);
    }
    stretches_free(s);
    return got == 0 && (*metrics_ended(m) ||
                        diag_error(d, (struct mark){0}, "the events end before the run does"));
}

static void put_number(struct out *o, const char *key, bool defined, double x)
{
    out_printf(o, ",\n  \"%s\": ", key);
    if (defined)
        out_real(o, x);
    else
        out_text(o, "null");
}

static void put_schedule(struct out *o, const struct totals *t, const struct metric_value *v)
{
    double n = (double)t->success;
    bool any = t->success > 0;

    out_printf(o, "{\n  \"nb_jobs\": %llu,\n  \"nb_jobs_finished\": %llu",
               (unsigned long long)t->jobs, (unsigned long long)t->finished);
    put_number(o, "nb_jobs_success", true, n);
    put_number(o, "nb_jobs_killed", true, (double)t->killed);
    put_number(o, "nb_jobs_rejected", true, (double)t->rejected);
    put_number(o, "success_rate", t->jobs > 0, n / (double)(t->jobs ? t->jobs : 1));
    put_number(o, "nb_computing_machines", true, v[M_GPUS].number);
    put_number(o, "makespan", v[M_MAKESPAN].defined, (double)v[M_MAKESPAN].time / 1e9);
    put_number(o, "mean_waiting_time", any, t->waiting / (any ? n : 1));
    put_number(o, "max_waiting_time", any, (double)t->most_waiting / 1e9);
    put_number(o, "mean_turnaround_time", any, t->turnaround / (any ? n : 1));
    put_number(o, "max_turnaround_time", any, (double)t->most_turnaround / 1e9);
    put_number(o, "mean_slowdown", any, t->slowdown / (any ? n : 1));
    put_number(o, "max_slowdown", any, t->most_slowdown);
    for (int i = 0; i < METRICS; i++) {
        if (!metric_applies(v, i))
            continue;
        out_printf(o, ",\n  \"hetune_%s\": ", metric_defs[i].name);
        metric_write(o, &metric_defs[i], &v[i]);
    }
    out_text(o, "\n}\n");
}

static bool put_totals(struct diag *d, struct arena *a, const char *folder, const struct totals *t,
                       struct metrics *m)
{
    struct out *o = out_create(d, arena_printf(a, "%s/schedule.json", folder));
    struct metric_value v[METRICS];

    if (!o)
        return false;
    metrics_values(m, v);
    put_schedule(o, t, v);
    return out_commit(o);
}

/* Totals come last: where they are, the tables are whole. */
static bool write_all(struct batsim *b, struct diag *d, struct events *e, const char *folder)
{
    struct metrics_hooks hooks = {take_job, NULL, b};
    struct metrics *m = metrics_new(&hooks);

    b->jobs = out_create(d, arena_printf(b->arena, "%s/jobs.csv", folder));
    b->segments = b->jobs ? out_create(d, arena_printf(b->arena, "%s/segments.csv", folder)) : NULL;
    b->text = out_memory();
    bool ok = b->segments != NULL;
    if (ok) {
        out_text(b->jobs, columns);
        out_text(b->segments, columns);
        ok = fold(b, d, e, m);
    }
    if (ok) {
        ok = out_commit(b->jobs);
        b->jobs = NULL;
    }
    if (ok) {
        ok = out_commit(b->segments);
        b->segments = NULL;
    }
    ok = ok && put_totals(d, b->arena, folder, &b->totals, m);
    out_drop(b->jobs);
    out_drop(b->segments);
    out_drop(b->text);
    mem_drop(b->last);
    mem_drop(b->study);
    metrics_free(m);
    return ok;
}

/* The trace's name without its folders, or "hetune". */
static const char *workload_of(const struct story_run_facts *f)
{
    const struct tree *t = tree_get(tree_get(f->manifest, "config"), "trace");
    const char *slash;

    if (!t || t->kind != TREE_SCALAR || !*t->text)
        return "hetune";
    slash = strrchr(t->text, '/');
    return slash ? slash + 1 : t->text;
}

bool export_batsim(struct arena *a, struct diag *d, const struct story_run_facts *f,
                   const char *folder)
{
    struct batsim b = {.facts = f, .arena = a, .workload = workload_of(f)};
    struct events *e = story_open(a, d, f);

    if (!e)
        return false;
    bool is_new = mkdir(folder, 0777) == 0;
    bool ok = is_new || errno == EEXIST || diag_io(d, folder, errno, "make the folder");
    ok = ok && write_all(&b, d, e, folder);
    if (!ok && is_new)
        rmdir(folder);
    events_close(e);
    return ok;
}
