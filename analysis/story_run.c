/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of a run's story: the metrics' fold, with the extremes and the reasons beside it. */
#include <math.h>
#include <string.h>

#include "analysis/story_facts.h"

struct reader {
    struct arena *arena;
    struct run_story *story;
    struct study_of_job { /* by slot: whose reports these are */
        uint32_t experiment, trial;
    } * job;
    size_t n_jobs, cap_jobs;
};

/* ---- the ten most ---- */

typedef int64_t measure(const struct job_row *);

static int64_t wait_of(const struct job_row *r)
{
    return r->wait;
}
static int64_t preemptions_of(const struct job_row *r)
{
    return r->preemptions;
}

/* Against completion alone, in millionths. */
static int64_t slowdown_of(const struct job_row *r)
{
    double x = metrics_alone_slowdown(r);

    return x > 0 && x < 1e12 ? (int64_t)(1e6 * x) : 0;
}

/* Keeps a list sorted, the largest first; of equal ones the lower number. */
static void insert(struct arena *a, struct job_row *list, uint32_t *n, const struct job_row *row,
                   measure *of)
{
    uint32_t at = *n;

    while (at > 0 && (of(&list[at - 1]) < of(row) ||
                      (of(&list[at - 1]) == of(row) && list[at - 1].number > row->number)))
        at--;
    if (of(row) == 0 || at == STORY_TOP)
        return;
    uint32_t last = *n < STORY_TOP ? (*n)++ : STORY_TOP - 1;
    memmove(&list[at + 1], &list[at], (last - at) * sizeof(*list));
    list[at] = *row;
    list[at].name = row->name ? arena_text(a, row->name, strlen(row->name)) : NULL;
}

static void take_row(void *user, const struct job_row *row)
{
    struct reader *r = user;
    struct run_story *s = r->story;

    insert(r->arena, s->longest_wait, &s->n_waits, row, wait_of);
    insert(r->arena, s->most_preempted, &s->n_preempted, row, preemptions_of);
    insert(r->arena, s->slowest, &s->n_slowest, row, slowdown_of);
    if (row->experiment < s->n_studies && row->good &&
        strcmp(row->ended, record_name[REC_END]) == 0)
        s->study[row->experiment].good_done++;
}

/* ---- decisions ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The end of a number that starts at s, or s itself: A100 and 2080Ti are none. */
static const char *past_number(const char *s)
{
    const char *e = s;

    while (is_digit(*e) || (*e == '.' && is_digit(e[1])))
        e++;
    if ((*e == 'e' || *e == 'E') &&
        (is_digit(e[1]) || ((e[1] == '-' || e[1] == '+') && is_digit(e[2]))))
        for (e += 2; is_digit(*e); e++)
            ;
    return is_word(*e) ? s : e;
}

void story_kind(char *to, size_t size, const char *why)
{
    size_t n = 0;

    for (const char *s = why; *s && n + 1 < size;) {
        bool inside = s > why && (is_word(s[-1]) || is_digit(s[-1]));
        const char *e = is_digit(*s) && !inside ? past_number(s) : s;
        to[n++] = e > s ? '#' : *s;
        s = e > s ? e : s + 1;
    }
    to[n] = '\0';
}

static void count_decision(struct reader *r, const struct record *rec)
{
    struct run_story *s = r->story;
    char kind[200] = "";

    if (rec->why)
        story_kind(kind, sizeof(kind), rec->why);
    for (uint32_t i = 0; i < s->n_decisions; i++) {
        struct story_decision *x = &s->decision[i];
        if (x->act == rec->kind && strcmp(x->why ? x->why : "", kind) == 0) {
            x->times++;
            return;
        }
    }
    if (s->n_decisions == STORY_KINDS) {
        s->decision[STORY_KINDS - 1].times++;
        return;
    }
    bool is_last = s->n_decisions == STORY_KINDS - 1;
    const char *why = is_last ? "all further kinds"
                      : *kind ? arena_text(r->arena, kind, strlen(kind))
                              : NULL;
    s->decision[s->n_decisions++] =
        (struct story_decision){is_last ? REC_FINISH : rec->kind, why, 1};
}

/* The most frequent first; of equal ones the one that came first. */
static void sort_decisions(struct run_story *s)
{
    for (uint32_t i = 1; i < s->n_decisions; i++) {
        struct story_decision x = s->decision[i];
        uint32_t at = i;
        for (; at > 0 && s->decision[at - 1].times < x.times; at--)
            s->decision[at] = s->decision[at - 1];
        s->decision[at] = x;
    }
}

/* ---- experiments ---- */

static void open_study(struct reader *r, const struct record *rec)
{
    struct run_story *s = r->story;

    while (s->n_studies <= rec->experiment) {
        s->study = mem_room(s->study, s->n_studies, &s->cap_studies, sizeof(*s->study));
        s->study[s->n_studies++] = (struct story_study){.best = NAN, .closed = SIM_NEVER};
    }
    struct story_study *x = &s->study[rec->experiment];
    x->name = rec->name ? arena_text(r->arena, rec->name, strlen(rec->name)) : NULL;
    x->begin = rec->t;
    x->lower_is_better = rec->good;
}

static void arrive(struct reader *r, const struct record *rec)
{
    while (r->n_jobs <= sim_slot(rec->job)) {
        r->job = mem_room(r->job, r->n_jobs, &r->cap_jobs, sizeof(*r->job));
        r->job[r->n_jobs++] = (struct study_of_job){NO_EXPERIMENT, 0};
    }
    r->job[sim_slot(rec->job)] = (struct study_of_job){rec->experiment, rec->trial};
    if (rec->experiment >= r->story->n_studies)
        return;
    r->story->study[rec->experiment].trials++;
    r->story->study[rec->experiment].good += rec->good;
}

static void report(struct reader *r, const struct record *rec)
{
    struct study_of_job j = r->job[sim_slot(rec->job)];

    if (j.experiment >= r->story->n_studies)
        return;
    struct story_study *x = &r->story->study[j.experiment];
    if (!isnan(x->best) && !(x->lower_is_better ? rec->value < x->best : rec->value > x->best))
        return;
    x->best = rec->value;
    x->best_trial = j.trial;
    x->best_job = sim_number(rec->job);
    x->best_epoch = rec->epoch;
    x->best_at = rec->t;
}

static void close_study(struct reader *r, const struct record *rec)
{
    if (rec->experiment >= r->story->n_studies)
        return;
    r->story->study[rec->experiment].closed = rec->t;
    r->story->study[rec->experiment].closed_why =
        rec->why ? arena_text(r->arena, rec->why, strlen(rec->why)) : NULL;
}

static void take(struct reader *r, const struct record *rec)
{
    switch (rec->kind) {
    case REC_OPEN:
        open_study(r, rec);
        break;
    case REC_ARRIVE:
        arrive(r, rec);
        break;
    case REC_REPORT:
        report(r, rec);
        break;
    case REC_CLOSE:
        close_study(r, rec);
        break;
    case REC_START:
    case REC_SPLIT:
    case REC_RESIZE:
    case REC_PREEMPT:
    case REC_REJECT:
    case REC_REFUSE:
        count_decision(r, rec);
        break;
    default:
        break;
    }
}

/* ---- the whole ---- */

static bool read_all(struct reader *r, struct diag *d, struct events *e, struct metrics *m,
                     struct acts_reader *acts)
{
    struct record rec;
    int got;

    while ((got = events_next(e, &rec)) > 0) {
        take(r, &rec);
        acts_take(acts, &rec);
        metrics_take(m, &rec);
    }
    return got == 0 && (*metrics_ended(m) ||
                        diag_error(d, (struct mark){0}, "the events end before the run does"));
}

bool story_run(struct arena *a, struct diag *d, const struct story_run_facts *f,
               struct run_story *s)
{
    struct reader r = {.arena = a, .story = s};
    struct metrics_hooks hooks = {take_row, NULL, &r};
    struct events *e = story_open(a, d, f);
    struct metrics *m = metrics_new(&hooks);

    *s = (struct run_story){.ended = ""};
    struct acts_reader *acts = acts_new(a, &f->cluster, &s->acts);
    bool ok = e && read_all(&r, d, e, m, acts);
    acts_end(acts);
    if (ok) {
        metrics_values(m, s->value);
        s->ended = arena_text(a, metrics_ended(m), strlen(metrics_ended(m)));
        sort_decisions(s);
    }
    events_close(e);
    metrics_free(m);
    mem_drop(r.job);
    return ok;
}

void story_run_free(struct run_story *s)
{
    mem_drop(s->study);
    *s = (struct run_story){0};
}
