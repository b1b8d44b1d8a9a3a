/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run's story for people. */
#include <math.h>
#include <string.h>

#include "analysis/story_text.h"

#define KINDS_SHOWN 20u

static sim_time time_of(const struct run_story *s, enum metric_id id)
{
    return (sim_time)s->value[id].time;
}
static uint64_t count_of(const struct run_story *s, enum metric_id id)
{
    return (uint64_t)s->value[id].number;
}

static const char *ended_words(const char *ended)
{
    static const char *const words[][2] = {
        {"drained", "it ran until all jobs were gone"},
        {"until", "it was stopped at until_s"},
        {"stalled", "it stalled: jobs waited, and nothing was to happen any more"},
        {"livelock", "it was stopped: the policy went round in circles in one instant"},
        {"refused", "it was stopped at an act of the policy that was refused"},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strcmp(ended, words[i][0]) == 0)
            return words[i][1];
    return NULL;
}

static void put_counts(struct out *o, const struct run_story *s)
{
    const char *words = ended_words(s->ended);

    out_text(o, "how it ended  ");
    say_safe(o, words ? words : s->ended);
    out_text(o, ", after ");
    say_time(o, time_of(s, M_END));
    out_printf(
        o, "\njobs          %llu submitted: %llu done, %llu killed, %llu rejected, %llu left\n",
        (unsigned long long)count_of(s, M_JOBS), (unsigned long long)count_of(s, M_DONE),
        (unsigned long long)count_of(s, M_KILLED), (unsigned long long)count_of(s, M_REJECTED),
        (unsigned long long)count_of(s, M_UNFINISHED));
    if (count_of(s, M_DONE) > 0) {
        out_text(o, "JCT           mean ");
        say_time(o, time_of(s, M_JCT_MEAN));
        out_text(o, ", median ");
        say_time(o, time_of(s, M_JCT_P50));
        out_text(o, ", mean wait ");
        say_time(o, time_of(s, M_WAIT_MEAN));
        out_char(o, '\n');
    }
    if (s->value[M_ALONE_MEAN].defined) {
        out_text(o, "slowdown      mean ");
        say_real(o, s->value[M_ALONE_MEAN].number);
        out_text(o, ", largest ");
        say_real(o, s->value[M_ALONE_MAX].number);
        out_text(o, ", Jain index ");
        say_real(o, s->value[M_ALONE_JAIN].number);
        out_text(o, " (against completion alone)\n");
    }
    out_printf(o, "GPUs          %llu", (unsigned long long)count_of(s, M_GPUS));
    if (s->value[M_GPU_ACTIVE_SHARE].defined)
        out_printf(o, "; some job computes in %.1f %% of their time, work is %.1f %% of the most",
                   100 * s->value[M_GPU_ACTIVE_SHARE].number,
                   100 * s->value[M_GPU_WORK_SHARE].number);
    else if (s->value[M_GPU_BUSY_SHARE].defined)
        out_printf(o, ", %.1f %% of their time in progress, %.1f %% held",
                   100 * s->value[M_GPU_BUSY_SHARE].number,
                   100 * s->value[M_GPU_HELD_SHARE].number);
    out_text(o, "\nacts          ");
    say_count(o, count_of(s, M_STARTS), "start", "starts");
    out_text(o, ", ");
    say_count(o, count_of(s, M_PREEMPTIONS), "preemption", "preemptions");
    out_text(o, ", ");
    say_count(o, count_of(s, M_RELOCATIONS), "relocation", "relocations");
    out_text(o, ", ");
    if (metric_applies(s->value, M_SPLITS)) {
        say_count(o, count_of(s, M_SPLITS), "new split", "new splits");
        out_text(o, ", ");
        say_count(o, count_of(s, M_RESIZES), "change of GPUs", "changes of GPUs");
        out_text(o, ", ");
    }
    say_count(o, count_of(s, M_REFUSALS), "refused act", "refused acts");
    out_char(o, '\n');
}

static void put_study(struct out *o, uint32_t number, const struct story_study *x)
{
    out_printf(o, "\nexperiment %u", number);
    if (x->name) {
        out_text(o, " (");
        say_safe(o, x->name);
        out_char(o, ')');
    }
    out_text(o, ": ");
    say_count(o, x->trials, "trial", "trials");
    out_printf(o, ", %u of them good and %u of these done; begins at ", x->good, x->good_done);
    say_time(o, x->begin);
    if (x->closed != SIM_NEVER) {
        out_text(o, ", closes after ");
        say_time(o, x->closed - x->begin);
        if (x->closed_why) {
            out_text(o, " (");
            say_safe(o, x->closed_why);
            out_char(o, ')');
        }
    }
    out_char(o, '\n');
    if (isnan(x->best))
        return;
    out_printf(o, "  best metric ");
    say_real(o, x->best);
    out_printf(o, ": trial %u (job %u), epoch %u, ", x->best_trial, x->best_job, x->best_epoch);
    say_time(o, x->best_at - x->begin);
    out_text(o, " after its begin\n");
}

static void put_jobs(struct out *o, const char *title, const struct job_row *row, uint32_t n)
{
    if (n == 0)
        return;
    out_printf(o, "\n%s\n", title);
    for (uint32_t i = 0; i < n; i++) {
        const struct job_row *r = &row[i];
        out_printf(o, "  job %-8u waited ", r->number);
        say_time(o, r->wait);
        out_text(o, " of ");
        say_time(o, r->end - r->submit);
        out_text(o, "; ");
        say_count(o, r->preemptions, "preemption", "preemptions");
        if (r->name) {
            out_text(o, "; '");
            say_safe(o, r->name);
            out_char(o, '\'');
        }
        out_char(o, '\n');
    }
}

static void put_slowest(struct out *o, const struct job_row *row, uint32_t n)
{
    if (n > 0)
        out_text(o, "\nlargest slowdowns\n");
    for (uint32_t i = 0; i < n; i++) {
        const struct job_row *r = &row[i];
        out_printf(o, "  job %-8u ", r->number);
        say_real(o, metrics_alone_slowdown(r));
        out_text(o, ": ");
        say_time(o, r->end - r->first_start);
        out_text(o, " instead of ");
        say_time(o, r->alone);
        out_char(o, '\n');
    }
}

static void put_decisions(struct out *o, const struct run_story *s)
{
    uint32_t shown = s->n_decisions < KINDS_SHOWN ? s->n_decisions : KINDS_SHOWN;
    uint64_t rest = 0;

    if (s->n_decisions == 0)
        return;
    out_text(o, "\ndecisions, and why (# is a number)\n");
    for (uint32_t i = 0; i < shown; i++) {
        const struct story_decision *x = &s->decision[i];
        out_printf(o, "%8llu x %-8s ", (unsigned long long)x->times,
                   x->act == REC_FINISH ? "" : record_name[x->act]);
        say_safe(o, x->why ? x->why : "nobody said why");
        out_char(o, '\n');
    }
    for (uint32_t i = shown; i < s->n_decisions; i++)
        rest += s->decision[i].times;
    if (rest > 0)
        out_printf(o, "%8llu x of other kinds\n", (unsigned long long)rest);
}

static void put_costs(struct out *o, const struct story_acts *a)
{
    bool any = false;

    for (int i = 0; i < COSTS; i++) {
        if (a->cost[i].times == 0)
            continue;
        out_printf(o, "%s%8llu x %-33s", any ? "" : "\nGPU time without progress, by cause\n",
                   (unsigned long long)a->cost[i].times, story_cost_name[i]);
        if (a->cost[i].time < SIM_LATEST)
            say_time(o, (sim_time)a->cost[i].time);
        else
            out_printf(o, "%.0f d", (double)a->cost[i].time / 86400e9);
        out_char(o, '\n');
        any = true;
    }
}

static void put_moves(struct out *o, const struct story_acts *a)
{
    if (a->n_moves > 0)
        out_text(o, "\nrelocations, and why (# is a number)\n");
    for (uint32_t i = 0; i < a->n_moves; i++) {
        const struct story_move *m = &a->move[i];
        out_printf(o, "%8llu x from ", (unsigned long long)m->times);
        say_safe(o, m->from);
        out_text(o, " to ");
        say_safe(o, m->to);
        out_text(o, "\n             taken off: ");
        say_safe(o, *m->off ? m->off : "nobody said why");
        out_text(o, "\n             placed: ");
        say_safe(o, *m->why ? m->why : "nobody said why");
        out_char(o, '\n');
    }
}

static void put_pushes(struct out *o, const struct story_acts *a)
{
    if (a->pushes == 0)
        return;
    out_text(o, "\nwho pushed whom: ");
    say_count(o, a->pushes, "time", "times");
    out_text(o, ", ");
    say_count(o, a->pairs, "pair", "pairs");
    out_char(o, '\n');
    for (uint32_t i = 0; i < a->n_pushes; i++)
        out_printf(o, "%8u x job %u took the place of job %u\n", a->push[i].times, a->push[i].job,
                   a->push[i].pushed);
    if (a->pairs > a->n_pushes)
        out_printf(o, "           and %llu pairs more\n",
                   (unsigned long long)(a->pairs - a->n_pushes));
}

void story_run_text(struct out *o, const struct story_run_facts *f, const struct run_story *s)
{
    say_run(o, f);
    out_char(o, '\n');
    put_counts(o, s);
    for (uint32_t i = 0; i < s->n_studies; i++)
        put_study(o, i, &s->study[i]);
    put_jobs(o, "longest waits", s->longest_wait, s->n_waits);
    put_jobs(o, "most preempted", s->most_preempted, s->n_preempted);
    put_slowest(o, s->slowest, s->n_slowest);
    put_decisions(o, s);
    put_costs(o, &s->acts);
    put_moves(o, &s->acts);
    put_pushes(o, &s->acts);
    out_text(o, "\nhetune explain DIR --job N tells the story of job N\n");
}
