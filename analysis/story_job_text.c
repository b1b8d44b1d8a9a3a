/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job's story for people. */
#include <math.h>

#include "analysis/story_text.h"
#include "analysis/story_watch.h"

#define STINTS_SHOWN 24u /* of more, the first and the last halves */
#define INDENT       SAY_INDENT

static const char *const origin_words[ORIGINS] = {
    [FROM_NEW] = "its first start",
    [FROM_HERE] = "it resumes from this node's host memory",
    [FROM_MOVED] = "it is relocated: its state comes from another node",
    [FROM_DISK] = "it resumes from storage, on the node of its last run",
    [FROM_DISK_MOVED] = "it is relocated: its state comes from storage",
    [FROM_NOTHING] = "it starts anew: no state of it was kept",
};

/* ---- who it is ---- */

static void put_who(struct out *o, const struct job_story *s)
{
    const struct job_row *r = &s->row;

    out_printf(o, "job %u", r->number);
    if (s->name) {
        out_text(o, " '");
        say_safe(o, s->name);
        out_char(o, '\'');
    }
    if (r->experiment != NO_EXPERIMENT) {
        out_printf(o, ", trial %u of experiment %u", r->trial, r->experiment);
        if (s->experiment) {
            out_text(o, " (");
            say_safe(o, s->experiment);
            out_char(o, ')');
        }
    }
    out_text(o, ": ");
    if (s->model) {
        say_safe(o, s->model);
        out_text(o, ", ");
    }
    if (s->n > 0 && s->stint[0].batch > 0)
        out_printf(o, "batch %u, ", s->stint[0].batch);
    if (s->epochs > 0) {
        say_count(o, s->epochs, "epoch", "epochs");
        out_text(o, ", ");
    }
    say_count(o, r->gpus, "GPU", "GPUs");
    out_char(o, '\n');
}

/* ---- gaps ---- */

static void put_queue(struct out *o, const struct job_story *s, const struct story_gap *g)
{
    if (g->held == 0)
        out_text(o, "no GPU is held");
    else
        out_printf(o, "%u of %u GPUs are held", g->held, s->gpus);
    out_text(o, ", ");
    if (g->before == 0)
        out_text(o, "no other job waits");
    else
        say_count(o, g->before, "other job waits", "other jobs wait");
}

/* "after 47.4 s of waiting, while other jobs start 10 times" */
static void put_wait(struct out *o, const struct story_gap *g, sim_time to)
{
    sim_time waited = to - g->since - g->paused;

    if (waited <= 0 && g->paused == 0 && !g->copied) {
        out_text(o, "at once");
        return;
    }
    out_text(o, "after ");
    say_time(o, waited);
    out_text(o, " of waiting");
    if (g->pauses > 0) {
        out_text(o, " and ");
        say_time(o, g->paused);
        out_text(o, " set aside by its tuner");
    }
    if (g->copied) {
        out_printf(o, ", with what trial %u had (%.4g)", g->from, g->metric);
        if (g->like != g->from)
            out_printf(o, ", to go on like trial %u", g->like);
    }
    if (g->started == 0)
        return;
    out_text(o, ", while other jobs start ");
    say_count(o, g->started, "time", "times");
    if (g->later > 0)
        out_printf(o, ", %u of them submitted after it", g->later);
}

/* ---- stints ---- */

static const char *left_words(enum record_kind how)
{
    switch (how) {
    case REC_END:
        return "ended";
    case REC_KILL:
        return "was killed";
    case REC_PAUSE:
        return "was set aside";
    case REC_RESIZE:
        return "was given others";
    default:
        return "was preempted";
    }
}

/* Who held its GPUs last. */
static void put_last_owner(struct out *o, const struct story_stint *x, uint32_t self)
{
    if (x->freed_by == self)
        out_printf(o, "it held %s last itself and ", x->n > 1 ? "one of them" : "it");
    else
        out_printf(o, "job %u held %s last and ", x->freed_by, x->n > 1 ? "one of them" : "it");
    out_text(o, left_words(x->freed_how));
    if (x->freed_at == x->from) {
        out_text(o, " in this instant");
    } else {
        out_char(o, ' ');
        say_time(o, x->from - x->freed_at);
        out_text(o, " ago");
    }
}

static void put_owner(struct out *o, const struct story_stint *x, uint32_t self, bool is_first)
{
    if (x->n_pushed > 0) {
        out_text(o, "pushes out ");
        say_jobs(o, x->pushed, x->n_pushed);
    } else if (x->n_beside > 0) {
        out_text(o, "beside ");
        say_jobs(o, x->beside, x->n_beside);
    } else if (x->freed_by == NOBODY) {
        out_text(o, x->n > 1 ? "nobody held them before" : "nobody held it before");
    } else {
        put_last_owner(o, x, self);
    }
    if (x->resized)
        return;
    out_text(o, "; ");
    if (x->origin == FROM_NEW && !is_first)
        out_text(o, "it has made no progress yet");
    else
        out_text(o, origin_words[x->origin]);
}

static void put_begin(struct out *o, const struct story_stint *x, bool shared)
{
    sim_time saves = x->ready - x->went_on, setup = x->begin - x->went_on;

    say_clock(o, x->begin);
    out_text(o, "  ");
    say_rate(o, x, x->rate, x->told, shared);
    if (x->basis)
        out_printf(o, " (step time: %s)", x->basis);
    if (setup > 0) {
        out_text(o, ", after ");
        say_time(o, setup);
        out_text(o, " of set-up");
    }
    if (setup > 0 && saves > 0) {
        out_text(o, " (");
        say_time(o, saves);
        out_text(o, " of them for the former owner's save)");
    }
    out_char(o, '\n');
}

static void put_reports(struct out *o, const struct story_reports *x)
{
    if (x->n == 0)
        return;
    out_text(o, INDENT);
    if (x->n == 1) {
        out_printf(o, "reports epoch %u: metric ", x->first_epoch);
        say_real(o, x->first);
    } else {
        out_printf(o, "reports epochs %u to %u: metric ", x->first_epoch, x->last_epoch);
        say_real(o, x->first);
        out_text(o, " at first, ");
        say_real(o, x->last);
        out_text(o, " at last, best ");
        say_real(o, x->best);
        out_printf(o, " (epoch %u)", x->best_epoch);
    }
    out_char(o, '\n');
}

/* What leaving cost: the step it finished, the save, the progress that is gone. */
static void put_cost(struct out *o, const struct story_stint *x)
{
    out_text(o, INDENT);
    if (!x->ran) {
        out_text(o, "it was still setting up, so that nothing had to be saved\n");
        return;
    }
    if (x->until > x->to) {
        out_text(o, "it finishes what it may for ");
        say_time(o, x->until - x->to);
        out_text(o, "; ");
    }
    if (x->saved > x->until) {
        out_text(o, "saving takes ");
        say_time(o, x->saved - x->until);
    } else {
        out_text(o, "saving takes no time");
    }
    out_text(o, x->lost > 0 ? "; progress of " : ", no progress is lost\n");
    if (x->lost > 0) {
        say_time(o, x->lost);
        out_text(o, " is lost\n");
    }
}

static void put_leaving(struct out *o, const struct story_stint *x)
{
    bool is_off = x->ended == REC_PREEMPT || x->ended == REC_PAUSE;

    if (!is_off)
        return;
    say_clock(o, x->to);
    out_text(o, x->ended == REC_PREEMPT ? "  is preempted" : "  is set aside by its tuner");
    if (x->n_taken > 0) {
        out_text(o, "; ");
        say_jobs(o, x->taken_by, x->n_taken);
        out_text(o, x->n_taken > 1 ? " take its place" : " takes its place");
    } else if (x->ended == REC_PREEMPT) {
        out_text(o, "; nobody takes its place at once");
    }
    say_why(o, "\n" INDENT "why: ", x->ended_why);
    out_char(o, '\n');
    put_cost(o, x);
}

static void put_stint(struct out *o, const struct story_run_facts *f, const struct job_story *s,
                      uint32_t i)
{
    const struct story_stint *x = &s->stint[i];
    bool shared = s->row.alone > 0;

    say_clock(o, x->from);
    out_text(o, x->resized ? "  is given " : "  takes ");
    say_gpus(o, &f->cluster, x->share, x->n);
    out_char(o, ' ');
    if (x->resized)
        out_text(o, "instead of those it held");
    else
        put_wait(o, &x->gap, x->from);
    out_text(o, "\n" INDENT);
    put_owner(o, x, s->row.number, i == 0);
    say_why(o, "\n" INDENT "why: ", x->why);
    out_char(o, '\n');
    if (x->ran)
        put_begin(o, x, shared);
    say_splits(o, x, shared);
    say_rates(o, x);
    put_reports(o, &x->reports);
    put_leaving(o, x);
}

/* The stretches that are not told one by one. */
static void put_left_out(struct out *o, const struct story_stint *x, uint32_t n)
{
    sim_time on = 0;
    uint32_t preempted = 0;

    for (uint32_t i = 0; i < n; i++) {
        on += x[i].to - x[i].from;
        preempted += x[i].ended == REC_PREEMPT;
    }
    out_printf(o, "       ...    %u more stretches on GPUs, ", n);
    say_time(o, on);
    out_printf(o, " in all, %u of them ended by preemption (--json has them all)\n", preempted);
}

/* ---- the end ---- */

static void put_end(struct out *o, const struct job_story *s)
{
    const struct job_row *r = &s->row;
    const struct story_gap *g = &s->last_gap;

    say_clock(o, r->end);
    if (r->ended[0] == 'e' && g->since != SIM_NEVER) {
        out_text(o, "  ends: the step it was preempted in was its last");
    } else if (r->ended[0] == 'e') {
        out_text(o, "  ends, all its work is done");
    } else if (r->ended[0] == 'k') {
        out_text(o, s->end_why ? "  is killed as its experiment closes: "
                               : "  is killed by its tuner");
        say_why(o, "", s->end_why);
    } else if (r->ended[0] == 'r') {
        out_text(o, "  is rejected by the policy");
        say_why(o, ": ", s->end_why);
    } else {
        out_text(o, "  the run ends, the job is not done");
    }
    if (g->since != SIM_NEVER && r->ended[0] != 'e') {
        out_text(o, ", ");
        put_wait(o, g, r->end);
    }
    out_char(o, '\n');
}

static void put_share(struct out *o, const char *name, sim_time part, sim_time all)
{
    out_printf(o, "  %-11s ", name);
    say_time(o, part);
    if (all > 0)
        out_printf(o, ", %.1f %%", 100 * (double)part / (double)all);
    out_char(o, '\n');
}

static void put_pairs(struct out *o, const char *what, const struct story_pairs *p)
{
    if (p->n == 0)
        return;
    out_text(o, what);
    for (uint32_t i = 0; i < p->n; i++) {
        out_printf(o, "%sjob %u", i ? ", " : "", p->pair[i].job);
        if (p->pair[i].times > 1)
            out_printf(o, " (%u times)", p->pair[i].times);
    }
    out_char(o, '\n');
}

static sim_time paused_in_all(const struct job_story *s)
{
    sim_time sum = s->last_gap.paused;

    for (uint32_t i = 0; i < s->n; i++)
        sum += s->stint[i].gap.paused;
    return sum;
}

static void put_alone(struct out *o, const struct job_row *r)
{
    double slowdown = metrics_alone_slowdown(r);

    out_text(o, "alone all its work takes ");
    say_time(o, r->alone);
    if (!isnan(slowdown)) {
        out_text(o, "; it took ");
        say_time(o, r->end - r->first_start);
        out_text(o, ": a slowdown of ");
        say_real(o, slowdown);
    }
    out_char(o, '\n');
}

static void put_totals(struct out *o, const struct job_story *s)
{
    const struct job_row *r = &s->row;
    sim_time all = r->end - r->submit;

    out_text(o, r->ended[0] == 'e' ? "\nJCT " : "\ntime in the system ");
    say_time(o, all);
    out_text(o, ", of which\n");
    put_share(o, "waiting", r->wait, all);
    if (paused_in_all(s) > 0)
        put_share(o, "  set aside", paused_in_all(s), all);
    put_share(o, "set-up", r->setup, all);
    put_share(o, "progress", r->run, all);
    if (r->lost > 0)
        put_share(o, "  lost", r->lost, all);
    say_count(o, r->starts, "start", "starts");
    out_text(o, ", ");
    say_count(o, r->preemptions, "preemption", "preemptions");
    out_text(o, ", ");
    say_count(o, r->relocations, "relocation", "relocations");
    if (r->splits + r->resizes > 0) {
        out_text(o, ", ");
        say_count(o, r->splits, "new split", "new splits");
        out_text(o, ", ");
        say_count(o, r->resizes, "change of GPUs", "changes of GPUs");
    }
    if (all > 0 && r->starts > 0)
        out_printf(o, "; set-up and lost progress are %.1f %% of its time",
                   100 * (double)(r->setup + r->lost) / (double)all);
    out_char(o, '\n');
    if (r->alone > 0)
        put_alone(o, r);
    put_pairs(o, "pushed out by: ", &s->pushed_by);
    put_pairs(o, "it pushed out: ", &s->pushed);
    if (r->experiment != NO_EXPERIMENT)
        out_text(o, r->good ? "it is a good trial\n" : "it is not a good trial\n");
}

void story_job_text(struct out *o, const struct story_run_facts *f, const struct job_story *s)
{
    uint32_t head = s->n > STINTS_SHOWN ? STINTS_SHOWN / 2 : s->n,
             tail = s->n - head > head ? s->n - head : head;

    put_who(o, s);
    say_run(o, f);
    out_char(o, '\n');
    say_clock(o, s->row.submit);
    out_text(o, "  is submitted: ");
    put_queue(o, s, s->n > 0 ? &s->stint[0].gap : &s->last_gap);
    out_char(o, '\n');
    for (uint32_t i = 0; i < head; i++)
        put_stint(o, f, s, i);
    if (tail > head)
        put_left_out(o, &s->stint[head], tail - head);
    for (uint32_t i = tail; i < s->n; i++)
        put_stint(o, f, s, i);
    put_end(o, s);
    put_totals(o, s);
}
