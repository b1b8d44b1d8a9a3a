/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of one job's story: follows it through the records of all jobs. */
#include <math.h>
#include <string.h>

#include "analysis/story_facts.h"
#include "analysis/story_watch.h"

struct teller {
    struct arena *arena;
    struct job_story *story;
    struct watch watch;
    job_id job; /* ours; NO_JOB: not submitted yet */
    uint32_t number;
    bool holds, over;
    struct teller_rate { /* of the present stint */
        sim_time since;
        double now, steps, s; /* steps in so many seconds before `since` */
    } rate;
    struct story_gap gap;   /* while it has no GPUs */
    sim_time paused_at;     /* SIM_NEVER: it is not paused */
    const char *closed_why; /* of its experiment */
    bool closed;
};

static const char *copy(struct teller *t, const char *s)
{
    return s ? arena_text(t->arena, s, strlen(s)) : NULL;
}

/* ---- pairs ---- */

static void count_pair(struct story_pairs *p, uint32_t job)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->pair[i].job == job) {
            p->pair[i].times++;
            return;
        }
    }
    p->pair = mem_room(p->pair, p->n, &p->cap, sizeof(*p->pair));
    p->pair[p->n++] = (struct story_pair){job, 1};
}

static void name_pair(uint32_t *list, uint32_t *n, struct story_pairs *pairs, uint32_t job)
{
    for (uint32_t i = 0; i < *n; i++)
        if (list[i] == job)
            return;
    if (*n == STORY_MOST_PAIRS)
        return;
    list[(*n)++] = job;
    count_pair(pairs, job);
}

/* ---- gaps ---- */

static void open_gap(struct teller *t, sim_time now)
{
    uint32_t own = t->holds ? watch_own(&t->watch, t->job) : 0;

    t->gap =
        (struct story_gap){.since = now, .held = t->watch.held - own, .before = t->watch.waiting};
    t->paused_at = SIM_NEVER;
}

static void end_pause(struct teller *t, sim_time now)
{
    if (t->paused_at == SIM_NEVER)
        return;
    t->gap.paused += now - t->paused_at;
    t->paused_at = SIM_NEVER;
}

static void begin_pause(struct teller *t, sim_time now)
{
    t->gap.pauses++;
    t->paused_at = now;
}

/* ---- our own records ---- */

static struct story_stint *last_stint(struct teller *t)
{
    return &t->story->stint[t->story->n - 1];
}

static void on_arrive(struct teller *t, const struct record *r)
{
    struct job_story *s = t->story;

    t->job = r->job;
    s->name = copy(t, r->name);
    s->epochs = r->epoch;
    s->gpus = t->watch.gpus;
    open_gap(t, r->t);
}

/* Who held its GPUs before it; whom it pushed out of them. */
static void note_owners(struct teller *t, struct story_stint *x, const struct record *r)
{
    x->freed_by = NOBODY;
    x->ready = x->went_on;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct watch_gpu *g = watch_gpu(&t->watch, r->share[i].gpu);
        if (g->last != t->number && g->ready > x->ready)
            x->ready = g->ready;
        if (g->last == NOBODY)
            continue;
        if (x->freed_by == NOBODY || g->at > x->freed_at) {
            x->freed_by = g->last;
            x->freed_how = g->how;
            x->freed_at = g->at;
        }
        if (g->at == r->t && g->how == REC_PREEMPT && g->last != t->number)
            name_pair(x->pushed, &x->n_pushed, &t->story->pushed, g->last);
    }
    x->n_beside = watch_beside(&t->watch, t->job, r->share, r->n, x->beside, STORY_MOST_PAIRS);
}

static struct share *copy_shares(struct teller *t, const struct record *r)
{
    struct share *to = arena_get(t->arena, (r->n + 1) * sizeof(*to));

    for (uint32_t i = 0; i < r->n; i++)
        to[i] = r->share[i];
    return to;
}

static void begin_stint(struct teller *t, const struct record *r)
{
    struct job_story *s = t->story;

    s->stint = mem_room(s->stint, s->n, &s->cap, sizeof(*s->stint));
    struct story_stint *x = &s->stint[s->n++];
    sim_time landing = s->n > 1 ? s->stint[s->n - 2].until : r->t;
    *x = (struct story_stint){.gap = t->gap,
                              .from = r->t,
                              .went_on = landing > r->t ? landing : r->t,
                              .begin = r->run,
                              .until = r->t,
                              .to = SIM_NEVER,
                              .saved = r->t,
                              .origin = r->origin,
                              .ran = r->run == r->t,
                              .share = copy_shares(t, r),
                              .n = r->n,
                              .rate = r->value,
                              .told = r->told,
                              .basis = copy(t, r->name),
                              .why = copy(t, r->why),
                              .ended = REC_FINISH};
    for (uint32_t i = 0; i < r->n; i++)
        x->batch += r->share[i].samples;
    note_owners(t, x, r);
    t->rate = (struct teller_rate){r->run, r->value, 0, 0};
    t->holds = true;
}

static void on_start(struct teller *t, const struct record *r)
{
    end_pause(t, r->t);
    begin_stint(t, r);
}

/* The rate so far held until now. */
static void add_rate(struct teller *t, sim_time until)
{
    double s = until > t->rate.since ? (double)(until - t->rate.since) / 1e9 : 0;

    t->rate.steps += s * t->rate.now;
    t->rate.s += s;
    t->rate.since = until > t->rate.since ? until : t->rate.since;
}

static void on_rate(struct teller *t, const struct record *r)
{
    struct story_rates *x = &last_stint(t)->rates;

    add_rate(t, r->t);
    t->rate.now = r->value;
    x->least = x->n ? fmin(x->least, r->value) : r->value;
    x->most = x->n ? fmax(x->most, r->value) : r->value;
    x->n++;
}

static void on_split(struct teller *t, const struct record *r)
{
    struct story_stint *x = last_stint(t);

    x->split = mem_room(x->split, x->splits, &x->cap_splits, sizeof(*x->split));
    x->split[x->splits++] =
        (struct story_split){r->t, copy_shares(t, r), r->value, r->told, copy(t, r->why)};
}

static void on_report(struct teller *t, const struct record *r)
{
    if (t->story->n == 0)
        return;
    struct story_reports *x = &last_stint(t)->reports;
    bool is_best =
        x->n == 0 || (t->story->lower_is_better ? r->value < x->best : r->value > x->best);

    if (x->n++ == 0) {
        x->first = r->value;
        x->first_epoch = r->epoch;
    }
    x->last = r->value;
    x->last_epoch = r->epoch;
    if (is_best) {
        x->best = r->value;
        x->best_epoch = r->epoch;
    }
}

static void close_stint(struct teller *t, const struct record *r)
{
    struct story_stint *x = last_stint(t);
    bool saves = r->kind == REC_PREEMPT || r->kind == REC_PAUSE;

    x->to = r->t;
    x->until = saves && x->ran ? r->run : r->t;
    x->saved = saves && r->ready > x->until ? r->ready : x->until;
    x->lost = saves ? r->lost : 0;
    x->ended = r->kind;
    x->ended_why = r->kind == REC_RESIZE ? NULL : copy(t, r->why);
    add_rate(t, x->until);
    x->rates.mean = t->rate.s > 0 ? t->rate.steps / t->rate.s : t->rate.now;
    t->holds = false;
}

/* Other GPUs: a new stint, which makes progress at once if there is nothing to wait for. */
static void on_resize(struct teller *t, const struct record *r)
{
    bool ran = last_stint(t)->ran;

    close_stint(t, r);
    open_gap(t, r->t);
    begin_stint(t, r);
    last_stint(t)->origin = last_stint(t)[-1].origin;
    last_stint(t)->resized = true;
    last_stint(t)->ran = ran && r->run == r->t;
}

static void on_off(struct teller *t, const struct record *r)
{
    if (t->holds) {
        open_gap(t, r->t);
        close_stint(t, r);
    }
    if (r->kind == REC_PAUSE)
        begin_pause(t, r->t);
}

static void on_copy(struct teller *t, const struct record *r)
{
    t->gap.copied = true;
    t->gap.from = r->n;
    t->gap.like = (uint32_t)r->told;
    t->gap.metric = r->value;
}

static void on_end(struct teller *t, const struct record *r)
{
    struct job_story *s = t->story;

    if (t->holds)
        close_stint(t, r);
    else
        end_pause(t, r->t);
    if (t->gap.since != SIM_NEVER &&
        (s->n == 0 || last_stint(t)->ended == REC_PREEMPT || last_stint(t)->ended == REC_PAUSE))
        s->last_gap = t->gap;
    s->end_why = r->kind == REC_KILL && t->closed ? t->closed_why : copy(t, r->why);
    t->over = true;
}

static void on_ours(struct teller *t, const struct record *r)
{
    switch (r->kind) {
    case REC_START:
        on_start(t, r);
        break;
    case REC_RUN:
        last_stint(t)->ran = true;
        break;
    case REC_REPORT:
        on_report(t, r);
        break;
    case REC_SPLIT:
        on_split(t, r);
        break;
    case REC_RESIZE:
        on_resize(t, r);
        break;
    case REC_RATE:
        on_rate(t, r);
        break;
    case REC_PREEMPT:
    case REC_PAUSE:
        on_off(t, r);
        break;
    case REC_PROMOTE:
        end_pause(t, r->t);
        break;
    case REC_COPY:
        on_copy(t, r);
        break;
    case REC_END:
    case REC_KILL:
    case REC_REJECT:
        on_end(t, r);
        break;
    default:
        break;
    }
}

/* ---- the others ---- */

/* Another job starts: it may overtake ours, or sit down where ours has just been pushed out. */
static void on_other_start(struct teller *t, const struct record *r)
{
    if (t->holds || t->over || t->job == NO_JOB)
        return;
    t->gap.started++;
    t->gap.later += sim_number(r->job) > t->number;
    if (t->story->n == 0)
        return;
    struct story_stint *x = last_stint(t);
    for (uint32_t i = 0; i < r->n && x->ended == REC_PREEMPT && x->to == r->t; i++) {
        const struct watch_gpu *g = watch_gpu(&t->watch, r->share[i].gpu);
        if (g->last == t->number && g->at == r->t)
            name_pair(x->taken_by, &x->n_taken, &t->story->pushed_by, sim_number(r->job));
    }
}

/* What is not about one job. */
static void on_run(struct teller *t, const struct record *r)
{
    struct job_story *s = t->story;

    if (r->kind == REC_OPEN && r->experiment == s->row.experiment) {
        s->experiment = copy(t, r->name);
        s->lower_is_better = r->good;
    } else if (r->kind == REC_CLOSE && r->experiment == s->row.experiment && !t->over) {
        t->closed = true;
        t->closed_why = copy(t, r->why);
    } else if (r->kind == REC_FINISH && t->job != NO_JOB && !t->over) {
        if (t->holds)
            close_stint(t, r);
        else
            on_end(t, r);
    }
}

static void take(struct teller *t, const struct record *r)
{
    if (r->kind == REC_ARRIVE && sim_number(r->job) == t->number)
        on_arrive(t, r);
    else if (r->kind == REC_REFUSE)
        return;
    else if (r->job == NO_JOB)
        on_run(t, r);
    else if (r->job == t->job)
        on_ours(t, r);
    else if (r->kind == REC_START)
        on_other_start(t, r);
    watch_take(&t->watch, r);
}

/* ---- the whole ---- */

static void take_row(void *user, const struct job_row *row)
{
    struct job_story *s = user;

    if (row->number == s->row.number)
        s->row = *row;
}

static bool read_all(struct teller *t, struct diag *d, struct events *e, struct metrics *m)
{
    struct record r;
    int got;

    while ((got = events_next(e, &r)) > 0) {
        take(t, &r);
        metrics_take(m, &r);
    }
    return got == 0 && (*metrics_ended(m) ||
                        diag_error(d, (struct mark){0}, "the events end before the run does"));
}

bool story_job(struct arena *a, struct diag *d, const struct story_run_facts *f, const char *word,
               struct job_story *s)
{
    struct teller t = {
        .arena = a, .story = s, .job = NO_JOB, .paused_at = SIM_NEVER, .gap.since = SIM_NEVER};
    struct metrics_hooks hooks = {take_row, NULL, s};
    uint32_t batch;

    *s = (struct job_story){.last_gap.since = SIM_NEVER};
    if (!story_find(a, d, f, word, &t.number, &s->row.experiment))
        return false;
    s->row.number = t.number;
    struct events *e = story_open(a, d, f);
    struct metrics *m = metrics_new(&hooks);
    bool ok = e && read_all(&t, d, e, m);
    s->row.name = s->name; /* the row's own is gone with the reader */
    if (ok && s->row.experiment != NO_EXPERIMENT)
        story_trial(f, s->row.experiment, s->row.trial, &s->model, &batch);
    events_close(e);
    metrics_free(m);
    watch_free(&t.watch);
    return ok;
}

void story_job_free(struct job_story *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        mem_drop(s->stint[i].split);
    mem_drop(s->stint);
    mem_drop(s->pushed_by.pair);
    mem_drop(s->pushed.pair);
    *s = (struct job_story){0};
}
