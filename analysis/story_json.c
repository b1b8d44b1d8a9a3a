/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stories as JSON: the same facts as the texts, and all of them. */
#include <math.h>

#include "analysis/rundir.h"
#include "analysis/story_text.h"
#include "analysis/story_watch.h"

/* ---- members of an object: a comma before each but the first ---- */

static void key(struct out *o, const char *name, bool first)
{
    out_printf(o, "%s\"%s\": ", first ? "" : ", ", name);
}

static void put_text(struct out *o, const char *name, const char *s)
{
    key(o, name, false);
    if (s)
        out_json(o, s);
    else
        out_text(o, "null");
}

static void put_time(struct out *o, const char *name, sim_time t)
{
    key(o, name, false);
    out_seconds(o, t);
}

static void put_int(struct out *o, const char *name, int64_t x)
{
    key(o, name, false);
    out_int(o, x);
}

static void put_real(struct out *o, const char *name, double x)
{
    key(o, name, false);
    out_real(o, x);
}

static void put_bool(struct out *o, const char *name, bool x)
{
    key(o, name, false);
    out_text(o, x ? "true" : "false");
}

static void put_numbers(struct out *o, const char *name, const uint32_t *x, uint32_t n)
{
    key(o, name, false);
    out_char(o, '[');
    for (uint32_t i = 0; i < n; i++)
        out_printf(o, "%s%u", i ? ", " : "", x[i]);
    out_char(o, ']');
}

static void put_run(struct out *o, const struct story_run_facts *f)
{
    out_text(o, "{\n  \"schema\": 1,\n  \"run\": {\"path\": ");
    out_json(o, f->result->path);
    put_text(o, "policy", f->result->label);
    put_bool(o, "oracle", f->result->oracle);
    out_printf(o, ", \"seed\": %llu", (unsigned long long)f->result->seed);
    put_text(o, "config", f->config);
    out_text(o, "},\n  ");
}

/* ---- a job ---- */

static void put_gap(struct out *o, const char *name, const struct story_gap *g, sim_time to)
{
    key(o, name, false);
    out_text(o, "{\"since_s\": ");
    out_seconds(o, g->since);
    put_time(o, "waited_s", to - g->since - g->paused);
    put_time(o, "paused_s", g->paused);
    put_int(o, "gpus_held", g->held);
    put_int(o, "jobs_waiting", g->before);
    put_int(o, "other_starts", g->started);
    put_int(o, "other_starts_of_later_jobs", g->later);
    if (g->copied) {
        put_int(o, "copied_from_trial", g->from);
        put_int(o, "goes_on_like_trial", g->like);
        put_real(o, "copied_metric", g->metric);
    }
    out_char(o, '}');
}

static void put_gpus(struct out *o, const struct share *share, uint32_t n)
{
    key(o, "gpus", false);
    out_char(o, '[');
    for (uint32_t i = 0; i < n; i++)
        out_printf(o, "%s{\"gpu\": %u, \"samples\": %u}", i ? ", " : "", share[i].gpu,
                   share[i].samples);
    out_char(o, ']');
}

/* What only stretches with shares that change, or beside other jobs, have. */
static void put_shared(struct out *o, const struct story_stint *x)
{
    if (x->resized)
        put_bool(o, "resized", true);
    if (x->n_beside > 0)
        put_numbers(o, "beside", x->beside, x->n_beside);
    if (x->rates.n > 0) {
        out_printf(o, ", \"rates\": {\"changes\": %u", x->rates.n);
        put_real(o, "least", x->rates.least);
        put_real(o, "most", x->rates.most);
        put_real(o, "mean", x->rates.mean);
        out_char(o, '}');
    }
    for (uint32_t i = 0; i < x->splits; i++) {
        out_text(o, i ? ", {" : ", \"new_splits\": [{");
        out_text(o, "\"at_s\": ");
        out_seconds(o, x->split[i].at);
        put_gpus(o, x->split[i].share, x->n);
        put_real(o, "rate", x->split[i].rate);
        put_real(o, "predicted_rate", x->split[i].told);
        put_text(o, "why", x->split[i].why);
        out_text(o, i + 1 < x->splits ? "}" : "}]");
    }
}

static void put_reports(struct out *o, const struct story_reports *r)
{
    key(o, "reports", false);
    if (r->n == 0) {
        out_text(o, "null");
        return;
    }
    out_printf(o, "{\"n\": %u", r->n);
    put_int(o, "first_epoch", r->first_epoch);
    put_int(o, "last_epoch", r->last_epoch);
    put_real(o, "first", r->first);
    put_real(o, "last", r->last);
    put_real(o, "best", r->best);
    put_int(o, "best_epoch", r->best_epoch);
    out_char(o, '}');
}

static void put_freed(struct out *o, const struct story_stint *x)
{
    key(o, "freed_by", false);
    if (x->freed_by == NOBODY) {
        out_text(o, "null");
        return;
    }
    out_printf(o, "{\"job\": %u", x->freed_by);
    put_text(o, "how", record_name[x->freed_how]);
    put_time(o, "at_s", x->freed_at);
    out_char(o, '}');
}

static void put_stint(struct out *o, const struct story_stint *x)
{
    out_text(o, "    {\"from_s\": ");
    out_seconds(o, x->from);
    put_gap(o, "before", &x->gap, x->from);
    put_gpus(o, x->share, x->n);
    put_text(o, "origin", origin_name[x->origin]);
    put_text(o, "why", x->why);
    put_freed(o, x);
    put_numbers(o, "pushed", x->pushed, x->n_pushed);
    put_time(o, "gpus_ready_s", x->ready);
    put_time(o, "begin_s", x->begin);
    put_bool(o, "ran", x->ran);
    put_real(o, "rate", x->rate);
    put_real(o, "predicted_rate", x->told);
    put_text(o, "step_from", x->basis);
    put_int(o, "splits", x->splits);
    put_shared(o, x);
    put_reports(o, &x->reports);
    put_text(o, "ended", record_name[x->ended]);
    put_text(o, "ended_why", x->ended_why);
    put_time(o, "to_s", x->to);
    put_time(o, "progress_until_s", x->until);
    put_time(o, "saved_s", x->saved);
    put_time(o, "lost_s", x->lost);
    put_numbers(o, "taken_by", x->taken_by, x->n_taken);
    out_char(o, '}');
}

static void put_pairs(struct out *o, const char *name, const struct story_pairs *p)
{
    key(o, name, false);
    out_char(o, '[');
    for (uint32_t i = 0; i < p->n; i++)
        out_printf(o, "%s{\"job\": %u, \"times\": %u}", i ? ", " : "", p->pair[i].job,
                   p->pair[i].times);
    out_char(o, ']');
}

static void put_row(struct out *o, const struct job_row *r)
{
    bool trial = r->experiment != NO_EXPERIMENT;

    out_printf(o, "{\"job\": %u", r->number);
    put_text(o, "name", r->name);
    if (trial) {
        put_int(o, "experiment", r->experiment);
        put_int(o, "trial", r->trial);
        put_bool(o, "good", r->good);
    }
    put_int(o, "gpus", r->gpus);
    put_time(o, "submit_s", r->submit);
    put_time(o, "end_s", r->end);
    put_text(o, "ended", *r->ended ? r->ended : NULL);
    put_time(o, "jct_s", r->end - r->submit);
    put_time(o, "wait_s", r->wait);
    put_time(o, "setup_s", r->setup);
    put_time(o, "run_s", r->run);
    put_time(o, "lost_s", r->lost);
    put_int(o, "starts", r->starts);
    put_int(o, "preemptions", r->preemptions);
    put_int(o, "relocations", r->relocations);
    if (r->alone > 0) {
        put_time(o, "alone_s", r->alone);
        put_real(o, "slowdown", metrics_alone_slowdown(r));
        put_int(o, "splits", r->splits);
        put_int(o, "resizes", r->resizes);
    }
    out_char(o, '}');
}

void story_job_json(struct out *o, const struct story_run_facts *f, const struct job_story *s)
{
    put_run(o, f);
    out_text(o, "\"totals\": ");
    put_row(o, &s->row);
    out_text(o, ",\n  \"what\": {\"cluster_gpus\": ");
    out_int(o, s->gpus);
    put_text(o, "experiment", s->experiment);
    put_text(o, "model", s->model);
    put_int(o, "batch", s->n ? s->stint[0].batch : 0);
    put_int(o, "epochs", s->epochs);
    put_text(o, "end_why", s->end_why);
    if (s->last_gap.since != SIM_NEVER)
        put_gap(o, "before_end", &s->last_gap, s->row.end);
    put_pairs(o, "pushed_by", &s->pushed_by);
    put_pairs(o, "pushed", &s->pushed);
    out_text(o, "},\n  \"stretches\": [\n");
    for (uint32_t i = 0; i < s->n; i++) {
        put_stint(o, &s->stint[i]);
        out_text(o, i + 1 < s->n ? ",\n" : "\n");
    }
    out_text(o, "  ]\n}\n");
}

/* ---- a run ---- */

static void put_rows(struct out *o, const char *name, const struct job_row *row, uint32_t n)
{
    out_printf(o, ",\n  \"%s\": [", name);
    for (uint32_t i = 0; i < n; i++) {
        out_text(o, i ? ",\n    " : "\n    ");
        put_row(o, &row[i]);
    }
    out_text(o, n ? "\n  ]" : "]");
}

static void put_study(struct out *o, uint32_t number, const struct story_study *x)
{
    out_printf(o, "    {\"experiment\": %u", number);
    put_text(o, "name", x->name);
    put_int(o, "trials", x->trials);
    put_int(o, "good", x->good);
    put_int(o, "good_done", x->good_done);
    put_time(o, "begin_s", x->begin);
    if (x->closed != SIM_NEVER)
        put_time(o, "closed_s", x->closed);
    put_text(o, "closed_why", x->closed_why);
    put_real(o, "best_metric", x->best);
    if (!isnan(x->best)) {
        put_int(o, "best_job", x->best_job);
        put_int(o, "best_trial", x->best_trial);
        put_int(o, "best_epoch", x->best_epoch);
        put_time(o, "best_at_s", x->best_at);
    }
    out_char(o, '}');
}

static void put_acts(struct out *o, const struct story_acts *a)
{
    out_text(o, ",\n  \"gpu_time_without_progress\": [");
    for (int i = 0; i < COSTS; i++) {
        if (i == COST_REPLICA && a->cost[i].times == 0)
            continue;
        out_printf(o, "%s\n    {\"cause\": \"%s\", \"times\": %llu, \"gpu_s\": ", i ? "," : "",
                   story_cost_name[i], (unsigned long long)a->cost[i].times);
        metric_write(o, &metric_defs[M_GPU_SETUP],
                     &(struct metric_value){true, a->cost[i].time, 0});
        out_char(o, '}');
    }
    out_text(o, "\n  ],\n  \"relocations\": [");
    for (uint32_t i = 0; i < a->n_moves; i++) {
        out_printf(o, "%s\n    {\"times\": %llu", i ? "," : "",
                   (unsigned long long)a->move[i].times);
        put_text(o, "from", a->move[i].from);
        put_text(o, "to", a->move[i].to);
        put_text(o, "taken_off", *a->move[i].off ? a->move[i].off : NULL);
        put_text(o, "why", *a->move[i].why ? a->move[i].why : NULL);
        out_char(o, '}');
    }
    out_printf(o, "%s],\n  \"pushed\": {\"times\": %llu, \"pairs\": %llu, \"most\": [",
               a->n_moves ? "\n  " : "", (unsigned long long)a->pushes,
               (unsigned long long)a->pairs);
    for (uint32_t i = 0; i < a->n_pushes; i++)
        out_printf(o, "%s{\"job\": %u, \"pushed\": %u, \"times\": %u}", i ? ", " : "",
                   a->push[i].job, a->push[i].pushed, a->push[i].times);
    out_text(o, "]}");
}

void story_run_json(struct out *o, const struct story_run_facts *f, const struct run_story *s)
{
    put_run(o, f);
    out_text(o, "\"ended\": ");
    out_json(o, s->ended);
    out_text(o, ",\n  \"metrics\": {");
    for (int i = 0; i < METRICS; i++) {
        if (!metric_applies(s->value, i))
            continue;
        key(o, metric_defs[i].name, i == 0);
        metric_write(o, &metric_defs[i], &s->value[i]);
    }
    out_text(o, "},\n  \"experiments\": [\n");
    for (uint32_t i = 0; i < s->n_studies; i++) {
        put_study(o, i, &s->study[i]);
        out_text(o, i + 1 < s->n_studies ? ",\n" : "\n");
    }
    out_text(o, "  ]");
    put_rows(o, "longest_waits", s->longest_wait, s->n_waits);
    put_rows(o, "most_preempted", s->most_preempted, s->n_preempted);
    if (metric_applies(s->value, M_ALONE_MAX))
        put_rows(o, "largest_slowdowns", s->slowest, s->n_slowest);
    out_text(o, ",\n  \"decisions\": [\n");
    for (uint32_t i = 0; i < s->n_decisions; i++) {
        const struct story_decision *x = &s->decision[i];
        out_printf(o, "    {\"act\": \"%s\", \"times\": %llu",
                   x->act == REC_FINISH ? "any" : record_name[x->act],
                   (unsigned long long)x->times);
        put_text(o, "why", x->why);
        out_text(o, i + 1 < s->n_decisions ? "},\n" : "}\n");
    }
    out_text(o, "  ]");
    put_acts(o, &s->acts);
    out_text(o, "\n}\n");
}
