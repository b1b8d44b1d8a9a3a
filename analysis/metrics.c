/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/metrics_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/base/mem.h"

#define CHUNK 256u

/* ---- tallies ---- */

static void add_chunk(struct metrics *m)
{
    m->chunk = mem_room(m->chunk, m->n_chunks, &m->cap_chunks, sizeof(*m->chunk));
    m->chunk[m->n_chunks++] = mem_get(CHUNK * sizeof(struct tally));
}

static inline struct tally *tally_of(struct metrics *m, job_id j)
{
    uint32_t slot = sim_slot(j);

    while (slot / CHUNK >= m->n_chunks)
        add_chunk(m);
    return &m->chunk[slot / CHUNK][slot % CHUNK];
}

static void enter(struct metrics *m, struct tally *t, enum phase p)
{
    m->count[t->phase]--;
    m->count[p]++;
    t->phase = p;
    t->since = m->now;
    m->changed = true;
}

static void take_name(struct tally *t, const char *name)
{
    t->name = NULL;
    if (name) {
        t->name = mem_get(strlen(name) + 1);
        memcpy(t->name, name, strlen(name) + 1);
    }
}

/* Frees what a tally owns; most own nothing. */
static void drop_owned(struct tally *t)
{
    if (t->name)
        mem_drop(t->name);
    if (t->free)
        mem_drop(t->free);
    t->name = NULL;
    t->free = NULL;
}

/* ---- GPU time ---- */

static void count_held(struct metrics *m, const struct record *r, int sign)
{
    m->held_area += (sim_area)(m->now - m->held_since) * m->held;
    m->held_since = m->now;
    m->held = sign > 0 ? m->held + r->n : m->held - r->n;
}

/* A stretch of holding GPUs ends: progress until `until`, of which `lost` is discarded. */
static void stop(struct metrics *m, struct tally *t, const struct record *r, sim_time until,
                 sim_time lost)
{
    if (t->phase == RUNNING) {
        t->run += until - t->since;
        t->lost += lost;
        m->useful += (sim_area)(until - t->since - lost) * r->n;
        m->lost += (sim_area)lost * r->n;
        m->running_gpus -= r->n;
    } else if (t->phase == SETUP) {
        t->setup += own_setup(t, r->t);
        m->setup += metric_setup_area(t, r);
    }
    if (t->phase == RUNNING || t->phase == SETUP)
        count_held(m, r, -1);
}

/* ---- records ---- */

static void on_arrive(struct metrics *m, struct tally *t, const struct record *r)
{
    mem_zero(t, sizeof(*t));
    t->number = sim_number(r->job);
    t->experiment = r->experiment;
    t->trial = r->trial;
    t->gpus = r->n;
    t->good = r->good;
    t->submit = r->t;
    t->first_start = SIM_NEVER;
    t->metric = NAN;
    take_name(t, r->name);
    if (m->n_jobs++ == 0)
        m->first = r->t;
    m->n_alive++;
    m->count[GONE]++;
    enter(m, t, WAITING);
    studies_arrive(&m->studies, r);
}

static void on_told(struct metrics *m, const struct record *r)
{
    if (isnan(r->told))
        return;
    double error = fabs(r->told - r->value) / r->value;
    error = error < 1e-12 ? 0 : error; /* the same rate, but for the last bit of a double */
    m->n_told++;
    m->told_sum += error;
    m->told_max = fmax(m->told_max, error);
}

static void on_start(struct metrics *m, struct tally *t, const struct record *r)
{
    bool moved = r->origin == FROM_MOVED || r->origin == FROM_DISK_MOVED;

    m->n_starts++;
    m->n_moves += moved;
    t->starts++;
    t->relocations += moved;
    if (t->first_start == SIM_NEVER)
        t->first_start = r->t;
    count_held(m, r, 1);
    t->held_gpus = r->n;
    enter(m, t, r->run > r->t ? SETUP : RUNNING);
    metric_keep_free(m, t, r);
    if (t->phase == RUNNING)
        m->running_gpus += r->n;
    on_told(m, r);
}

static void on_run(struct metrics *m, struct tally *t, const struct record *r)
{
    t->setup += own_setup(t, r->t);
    m->setup += metric_setup_area(t, r);
    enter(m, t, RUNNING);
    m->running_gpus += r->n;
}

/* Other GPUs: what it held counts up to now, what it holds from now on. */
static void on_resize(struct metrics *m, struct tally *t, const struct record *r)
{
    struct record was = *r;
    bool running = t->phase == RUNNING;

    was.n = t->held_gpus;
    stop(m, t, &was, r->t, r->lost);
    m->n_resizes++;
    t->resizes++;
    count_held(m, r, 1);
    t->held_gpus = r->n;
    enter(m, t, running && r->run == r->t ? RUNNING : SETUP);
    metric_keep_free(m, t, r);
    if (t->phase == RUNNING)
        m->running_gpus += r->n;
    on_told(m, r);
}

static void on_split(struct metrics *m, struct tally *t, const struct record *r)
{
    m->n_splits++;
    t->splits++;
    on_told(m, r);
}

static void on_alone(struct metrics *m, struct tally *t, const struct record *r)
{
    m->shared = true;
    t->alone = r->run;
}

/* Preempted, or paused by its tuner. */
static void on_off(struct metrics *m, struct tally *t, const struct record *r)
{
    bool running = t->phase == RUNNING;

    stop(m, t, r, r->run, r->lost);
    m->save += metric_save_area(t, r);
    metric_note_ready(m, r);
    if (running) {
        t->landing = r->run;
        t->fell = r->lost;
        t->left_gpus = r->n;
    }
    if (r->kind == REC_PREEMPT) {
        m->n_preempts++;
        t->preemptions++;
    }
    enter(m, t, r->kind == REC_PAUSE ? PAUSED : WAITING);
}

/* A job that is gone before the step it was finishing has ended did not run until then. What it had
 * lost is the end of its stretch. */
static void take_back(struct metrics *m, struct tally *t)
{
    sim_time over = t->landing - m->now, lost = over < t->fell ? over : t->fell;

    if (over <= 0)
        return;
    t->run -= over;
    t->lost -= lost;
    m->useful -= (sim_area)(over - lost) * t->left_gpus;
    m->lost -= (sim_area)lost * t->left_gpus;
}

/* Of a job that ends now. */
static sim_time waited(const struct metrics *m, const struct tally *t)
{
    return m->now - t->submit - t->run - t->setup;
}

static void add_done(struct metrics *m, const struct tally *t)
{
    sim_time jct = m->now - t->submit;
    double slowdown = metrics_slowdown(jct, t->run);

    m->n_done++;
    dist_add(&m->jct, jct);
    dist_add(&m->wait, waited(m, t));
    m->slowdown_sum += slowdown;
    m->slowdown_max = slowdown > m->slowdown_max ? slowdown : m->slowdown_max;
}

static struct job_row row_of(const struct metrics *m, const struct tally *t, const char *ended)
{
    return (struct job_row){.number = t->number,
                            .name = t->name,
                            .experiment = t->experiment,
                            .trial = t->trial,
                            .gpus = t->gpus,
                            .good = t->good,
                            .submit = t->submit,
                            .first_start = t->first_start,
                            .end = m->now,
                            .ended = ended,
                            .run = t->run,
                            .setup = t->setup,
                            .wait = waited(m, t),
                            .lost = t->lost,
                            .alone = t->alone,
                            .starts = t->starts,
                            .preemptions = t->preemptions,
                            .relocations = t->relocations,
                            .epochs = t->epochs,
                            .splits = t->splits,
                            .resizes = t->resizes,
                            .metric = t->metric};
}

static void close_row(struct metrics *m, struct tally *t, const char *ended)
{
    if (m->hooks.job || m->shared) {
        struct job_row row = row_of(m, t, ended);
        if (m->hooks.job)
            m->hooks.job(m->hooks.user, &row);
        if (m->shared)
            metric_alone(m, &row);
    }
    drop_owned(t);
}

static void on_end(struct metrics *m, struct tally *t, const struct record *r)
{
    stop(m, t, r, r->t, 0);
    take_back(m, t);
    enter(m, t, GONE);
    m->count[GONE]--;
    m->n_alive--;
    m->last_end = r->t;
    close_row(m, t, record_name[r->kind]);
    m->n_killed += r->kind == REC_KILL;
    m->n_rejected += r->kind == REC_REJECT;
    if (r->kind == REC_END)
        add_done(m, t);
    if (t->good && r->kind == REC_END)
        studies_good(&m->studies, r->t, t->experiment);
}

static void on_report(struct metrics *m, struct tally *t, const struct record *r)
{
    t->epochs = r->epoch;
    t->metric = r->value;
    studies_report(&m->studies, r, t->experiment);
}

static int by_number(const void *a, const void *b)
{
    const struct tally *x = *(struct tally *const *)a, *y = *(struct tally *const *)b;

    return (x->number > y->number) - (x->number < y->number);
}

/* Jobs that are still alive when the run is over, by number. */
static void close_all(struct metrics *m, const struct record *r)
{
    struct tally **alive = mem_get((m->n_alive + 1) * sizeof(*alive));
    size_t n = 0;

    for (uint32_t c = 0; c < m->n_chunks; c++)
        for (uint32_t i = 0; i < CHUNK; i++)
            if (m->chunk[c][i].phase != GONE)
                alive[n++] = &m->chunk[c][i];
    qsort(alive, n, sizeof(*alive), by_number);
    for (size_t i = 0; i < n; i++) {
        struct tally *t = alive[i];
        struct record end = *r;
        end.n = t->phase == RUNNING || t->phase == SETUP ? t->held_gpus : 0;
        stop(m, t, &end, r->t, 0);
        take_back(m, t);
        enter(m, t, GONE);
        close_row(m, t, "");
    }
    mem_drop(alive);
}

static void emit_series(struct metrics *m)
{
    if (m->changed)
        m->hooks.series(m->hooks.user,
                        &(struct series_row){m->now, m->held, m->running_gpus, m->count[WAITING],
                                             m->count[SETUP], m->count[RUNNING], m->count[PAUSED]});
    m->changed = false;
}

/* Of the run or an experiment, or of an act that was refused. */
static void on_other(struct metrics *m, const struct record *r)
{
    if (r->kind == REC_REFUSE) {
        m->n_refusals++;
    } else if (r->kind == REC_BEGIN) {
        m->gpus = r->n;
    } else if (r->kind == REC_FINISH) {
        if (m->hooks.series)
            emit_series(m);
        snprintf(m->ended, sizeof(m->ended), "%s", r->why);
        close_all(m, r);
        studies_finish(&m->studies, r->t);
    } else if (r->kind == REC_OPEN) {
        studies_open(&m->studies, r);
    } else if (r->kind == REC_CLOSE) {
        studies_close(&m->studies, r);
    } else if (r->kind == REC_LOAD) {
        metric_load(m, r);
    }
}

void metrics_take(struct metrics *m, const struct record *r)
{
    if (m->hooks.series && r->t != m->now)
        emit_series(m);
    m->now = r->t;
    m->digest = record_digest(m->digest, r);
    if (r->job == NO_JOB || r->kind == REC_REFUSE) {
        on_other(m, r);
        return;
    }
    switch (r->kind) {
    case REC_ARRIVE:
        on_arrive(m, tally_of(m, r->job), r);
        break;
    case REC_START:
        on_start(m, tally_of(m, r->job), r);
        break;
    case REC_RUN:
        on_run(m, tally_of(m, r->job), r);
        break;
    case REC_SPLIT:
        on_split(m, tally_of(m, r->job), r);
        break;
    case REC_RESIZE:
        on_resize(m, tally_of(m, r->job), r);
        break;
    case REC_ALONE:
        on_alone(m, tally_of(m, r->job), r);
        break;
    case REC_RATE:
    case REC_COPY:
        break;
    case REC_REPORT:
        on_report(m, tally_of(m, r->job), r);
        break;
    case REC_PREEMPT:
    case REC_PAUSE:
        on_off(m, tally_of(m, r->job), r);
        break;
    case REC_PROMOTE:
        enter(m, tally_of(m, r->job), WAITING);
        break;
    default:
        on_end(m, tally_of(m, r->job), r);
    }
}

static void take(struct sink *s, const struct record *r)
{
    metrics_take((struct metrics *)s, r);
}

struct metrics *metrics_new(const struct metrics_hooks *hooks)
{
    struct metrics *m = mem_get(sizeof(*m));

    m->sink = (struct sink){take, false};
    if (hooks)
        m->hooks = *hooks;
    return m;
}

struct sink *metrics_sink(struct metrics *m)
{
    return &m->sink;
}

void metrics_free(struct metrics *m)
{
    if (!m)
        return;
    for (uint32_t c = 0; c < m->n_chunks; c++) {
        for (uint32_t i = 0; i < CHUNK; i++)
            drop_owned(&m->chunk[c][i]);
        mem_drop(m->chunk[c]);
    }
    mem_drop(m->chunk);
    mem_drop(m->ready);
    dist_free(&m->jct);
    dist_free(&m->wait);
    studies_free(&m->studies);
    mem_drop(m);
}
