/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/studies.h"
#include "sim/base/bug.h"
#include "sim/base/mem.h"

#define CHUNK 256u

enum phase { GONE, WAITING, SETUP, RUNNING, PAUSED, PHASES };

/* What is known of a living job, by slot. */
struct tally {
    struct job_row row;
    enum phase phase;
    sim_time since;     /* when the phase began; running: until when progress is counted */
    sim_time landing;   /* until when it went on after it was taken off */
    struct share *held; /* set-up that waits for a save: its GPUs; else NULL */
    char *name;
};

struct metrics {
    struct sink sink;
    struct metrics_hooks hooks;
    struct tally **chunk;
    uint32_t n_chunks;
    size_t cap_chunks;

    sim_time now, first, last_end;
    uint32_t gpus, count[PHASES], held, running_gpus;
    bool changed;
    sim_time *ready; /* by GPU: until when a former owner's state is being saved */
    sim_time latest_ready;
    uint32_t n_ready;

    uint64_t n_jobs, n_done, n_killed, n_rejected, n_alive;
    uint64_t n_starts, n_preempts, n_moves, n_refusals, n_told;
    struct dist jct, wait;
    double slowdown_sum, slowdown_max, told_sum, told_max;
    sim_area useful, lost, setup, save, held_area;
    sim_time held_since;
    struct studies studies;
    uint64_t digest;
    char ended[16];
};

const struct metric_def metric_defs[METRICS] = {
    [M_JOBS] = {"jobs", METRIC_COUNT, BETTER_NONE, "jobs submitted"},
    [M_DONE] = {"done", METRIC_COUNT, BETTER_NONE, "jobs whose work is done"},
    [M_KILLED] = {"killed", METRIC_COUNT, BETTER_NONE,
                  "trials ended by their tuner or with their experiment"},
    [M_REJECTED] = {"rejected", METRIC_COUNT, BETTER_NONE, "jobs turned away by the policy"},
    [M_UNFINISHED] = {"unfinished", METRIC_COUNT, BETTER_NONE, "jobs alive at the end of the run"},
    [M_JCT_MEAN] = {"jct_mean_s", METRIC_TIME, BETTER_LOWER,
                    "completion - submission, mean over jobs done"},
    [M_JCT_P50] = {"jct_p50_s", METRIC_TIME, BETTER_LOWER, "its median"},
    [M_JCT_P90] = {"jct_p90_s", METRIC_TIME, BETTER_LOWER, "its 90th percentile"},
    [M_JCT_P99] = {"jct_p99_s", METRIC_TIME, BETTER_LOWER, "its 99th percentile"},
    [M_JCT_MAX] = {"jct_max_s", METRIC_TIME, BETTER_LOWER, "its maximum"},
    [M_WAIT_MEAN] = {"wait_mean_s", METRIC_TIME, BETTER_LOWER,
                     "JCT less set-up and progress, mean over jobs done"},
    [M_WAIT_P50] = {"wait_p50_s", METRIC_TIME, BETTER_LOWER, "its median"},
    [M_WAIT_P99] = {"wait_p99_s", METRIC_TIME, BETTER_LOWER, "its 99th percentile"},
    [M_WAIT_MAX] = {"wait_max_s", METRIC_TIME, BETTER_LOWER, "its maximum"},
    [M_SLOWDOWN_MEAN] = {"bounded_slowdown_mean", METRIC_NUMBER, BETTER_LOWER,
                         "max(1, JCT / max(progress time, 10 s)), mean over jobs done"},
    [M_SLOWDOWN_MAX] = {"bounded_slowdown_max", METRIC_NUMBER, BETTER_LOWER, "its maximum"},
    [M_MAKESPAN] = {"makespan_s", METRIC_TIME, BETTER_LOWER,
                    "last end - first submission, if every job has ended"},
    [M_END] = {"end_s", METRIC_TIME, BETTER_NONE, "when the run ended, last save included"},
    [M_GPUS] = {"gpus", METRIC_COUNT, BETTER_NONE, "GPUs of the cluster"},
    [M_GPU_BUSY_SHARE] =
        {"gpu_busy_share", METRIC_NUMBER, BETTER_HIGHER,
         "GPU time in progress / (GPUs * makespan, or time until the run was cut)"},
    [M_GPU_HELD_SHARE] = {"gpu_held_share", METRIC_NUMBER, BETTER_NONE,
                          "GPU time held by jobs / the same"},
    [M_GPU_USEFUL] = {"gpu_useful_s", METRIC_GPU_TIME, BETTER_NONE,
                      "GPU time whose progress was kept"},
    [M_GPU_LOST] = {"gpu_lost_s", METRIC_GPU_TIME, BETTER_LOWER,
                    "GPU time whose progress was discarded"},
    [M_GPU_SETUP] = {"gpu_setup_s", METRIC_GPU_TIME, BETTER_LOWER,
                     "GPU time in starting, restoring, migrating"},
    [M_GPU_SAVE] = {"gpu_save_s", METRIC_GPU_TIME, BETTER_LOWER,
                    "GPU time in saving suspended state"},
    [M_GPU_IDLE] = {"gpu_idle_s", METRIC_GPU_TIME, BETTER_LOWER, "the rest up to end_s"},
    [M_STARTS] = {"starts", METRIC_COUNT, BETTER_NONE, "times a job took GPUs"},
    [M_PREEMPTIONS] = {"preemptions", METRIC_COUNT, BETTER_NONE, "times the policy took them away"},
    [M_RELOCATIONS] = {"relocations", METRIC_COUNT, BETTER_NONE,
                       "starts with state from another node"},
    [M_LOST_PER_JOB] = {"overhead_mean_s", METRIC_TIME, BETTER_LOWER,
                        "GPU time in set-up, saves and lost progress, a job"},
    [M_REFUSALS] = {"refusals", METRIC_COUNT, BETTER_LOWER, "acts that were refused"},
    [M_TOLD] = {"predictions", METRIC_COUNT, BETTER_NONE, "starts with a predicted rate"},
    [M_TOLD_ERROR_MEAN] = {"prediction_error_mean", METRIC_NUMBER, BETTER_LOWER,
                           "|predicted - true| / true, mean"},
    [M_TOLD_ERROR_MAX] = {"prediction_error_max", METRIC_NUMBER, BETTER_LOWER, "its maximum"},
    [M_EXPERIMENTS] = {"experiments", METRIC_COUNT, BETTER_NONE, "HPO studies"},
    [M_TRIALS] = {"trials", METRIC_COUNT, BETTER_NONE, "their trials that were submitted"},
    [M_GOOD_TRIALS] = {"good_trials", METRIC_COUNT, BETTER_NONE, "good ones among them (eq. 8)"},
    [M_HPO_MEAN_GOOD] =
        {"hpo_mean_good_s", METRIC_TIME, BETTER_LOWER,
         "end of a good trial - begin of its experiment, mean; mean over experiments (eq. 28)"},
    [M_HPO_FIRST_GOOD] = {"hpo_first_good_s", METRIC_TIME, BETTER_LOWER,
                          "the same for the first good trial"},
    [M_HPO_ALL_GOOD] = {"hpo_all_good_s", METRIC_TIME, BETTER_LOWER,
                        "the same for the last of all good trials"},
    [M_HPO_TARGET] = {"hpo_target_s", METRIC_TIME, BETTER_LOWER,
                      "until the target metric is first reported"},
    [M_HPO_BEST] = {"hpo_best_metric", METRIC_NUMBER, BETTER_NONE,
                    "best metric reported, of the first experiment"},
};

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
    t->row.name = t->name;
}

/* ---- GPU time ---- */

/* GPU time in which a job sets up on its GPUs: on each, once its last owner's state is saved. */
static sim_area setup_area(const struct metrics *m, const struct tally *t, const struct record *r)
{
    sim_area sum = (sim_area)(r->t - t->since) * r->n;

    if (m->latest_ready <= t->since || !r->share)
        return sum;
    for (uint32_t i = 0; i < r->n; i++) {
        sim_time ready = r->share[i].gpu < m->n_ready ? m->ready[r->share[i].gpu] : 0;
        ready = ready > r->t ? r->t : ready;
        sum -= ready > t->since ? ready - t->since : 0;
    }
    return sum;
}

/* The part of a set-up in which the job does not finish its last step elsewhere. */
static sim_time own_setup(const struct tally *t, sim_time now)
{
    sim_time from = t->landing > t->since ? t->landing : t->since;

    return now > from ? now - from : 0;
}

static void note_ready(struct metrics *m, const struct record *r)
{
    if (r->ready <= r->t)
        return;
    m->latest_ready = r->ready > m->latest_ready ? r->ready : m->latest_ready;
    for (uint32_t i = 0; i < r->n; i++) {
        gpu_id g = r->share[i].gpu;
        if (g >= m->n_ready) {
            uint32_t n = g + 64;
            m->ready = mem_grow(m->ready, n * sizeof(*m->ready));
            memset(m->ready + m->n_ready, 0, (n - m->n_ready) * sizeof(*m->ready));
            m->n_ready = n;
        }
        m->ready[g] = r->ready > m->ready[g] ? r->ready : m->ready[g];
    }
}

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
        t->row.run += until - t->since;
        t->row.lost += lost;
        m->useful += (sim_area)(until - t->since - lost) * r->n;
        m->lost += (sim_area)lost * r->n;
        m->running_gpus -= r->n;
    } else if (t->phase == SETUP) {
        t->row.setup += own_setup(t, r->t);
        m->setup += setup_area(m, t, r);
    }
    if (t->phase == RUNNING || t->phase == SETUP)
        count_held(m, r, -1);
}

/* ---- records ---- */

static void on_arrive(struct metrics *m, struct tally *t, const struct record *r)
{
    mem_zero(t, sizeof(*t));
    t->row.number = sim_number(r->job);
    t->row.experiment = r->experiment;
    t->row.trial = r->trial;
    t->row.gpus = r->n;
    t->row.good = r->good;
    t->row.submit = r->t;
    t->row.first_start = SIM_NEVER;
    t->row.metric = NAN;
    t->row.ended = "";
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
    t->row.starts++;
    t->row.relocations += moved;
    if (t->row.first_start == SIM_NEVER)
        t->row.first_start = r->t;
    count_held(m, r, 1);
    enter(m, t, r->run > r->t ? SETUP : RUNNING);
    mem_drop(t->held);
    t->held = NULL;
    if (t->phase == RUNNING) {
        m->running_gpus += r->n;
    } else if (m->latest_ready > r->t) {
        t->held = mem_get(r->n * sizeof(*t->held));
        memcpy(t->held, r->share, r->n * sizeof(*t->held));
    }
    on_told(m, r);
}

static void on_run(struct metrics *m, struct tally *t, const struct record *r)
{
    t->row.setup += own_setup(t, r->t);
    m->setup += setup_area(m, t, r);
    enter(m, t, RUNNING);
    m->running_gpus += r->n;
}

/* Preempted, or paused by its tuner. */
static void on_off(struct metrics *m, struct tally *t, const struct record *r)
{
    bool running = t->phase == RUNNING;

    stop(m, t, r, r->run, r->lost);
    if (running) {
        t->landing = r->run;
        m->save += (sim_area)(r->ready - r->run) * r->n;
        note_ready(m, r);
    }
    if (r->kind == REC_PREEMPT) {
        m->n_preempts++;
        t->row.preemptions++;
    }
    enter(m, t, r->kind == REC_PAUSE ? PAUSED : WAITING);
}

static void add_done(struct metrics *m, const struct job_row *row)
{
    sim_time jct = row->end - row->submit;
    sim_time run = row->run > 10 * SIM_SECOND ? row->run : 10 * SIM_SECOND;
    double slowdown = fmax(1, (double)jct / (double)run);

    m->n_done++;
    dist_add(&m->jct, jct);
    dist_add(&m->wait, row->wait);
    m->slowdown_sum += slowdown;
    m->slowdown_max = fmax(m->slowdown_max, slowdown);
}

static void close_row(struct metrics *m, struct tally *t, const char *ended)
{
    struct job_row *row = &t->row;

    row->end = m->now;
    row->ended = ended;
    row->wait = row->end - row->submit - row->run - row->setup;
    row->wait =
        row->wait > 0 ? row->wait : 0; /* killed before the step it was finishing had ended */
    if (m->hooks.job)
        m->hooks.job(m->hooks.user, row);
    mem_drop(t->name);
    mem_drop(t->held);
    t->name = NULL;
    t->held = NULL;
}

static void on_end(struct metrics *m, struct tally *t, const struct record *r)
{
    stop(m, t, r, r->t, 0);
    enter(m, t, GONE);
    m->count[GONE]--;
    m->n_alive--;
    m->last_end = r->t;
    close_row(m, t, record_name[r->kind]);
    m->n_killed += r->kind == REC_KILL;
    m->n_rejected += r->kind == REC_REJECT;
    if (r->kind == REC_END)
        add_done(m, &t->row);
    studies_end(&m->studies, r, &t->row);
}

static void on_report(struct metrics *m, struct tally *t, const struct record *r)
{
    t->row.epochs = r->epoch;
    t->row.metric = r->value;
    studies_report(&m->studies, r, t->row.experiment);
}

static int by_number(const void *a, const void *b)
{
    const struct tally *x = *(struct tally *const *)a, *y = *(struct tally *const *)b;

    return (x->row.number > y->row.number) - (x->row.number < y->row.number);
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
        end.n = t->phase == RUNNING || t->phase == SETUP ? t->row.gpus : 0;
        end.share = t->held;
        stop(m, t, &end, r->t, 0);
        enter(m, t, GONE);
        close_row(m, t, "");
    }
    mem_drop(alive);
}

static void emit_series(struct metrics *m)
{
    if (m->changed && m->hooks.series)
        m->hooks.series(m->hooks.user,
                        &(struct series_row){m->now, m->held, m->running_gpus, m->count[WAITING],
                                             m->count[SETUP], m->count[RUNNING], m->count[PAUSED]});
    m->changed = false;
}

static void on_run_record(struct metrics *m, const struct record *r)
{
    if (r->kind == REC_BEGIN) {
        m->gpus = r->n;
    } else if (r->kind == REC_FINISH) {
        emit_series(m);
        snprintf(m->ended, sizeof(m->ended), "%s", r->why);
        close_all(m, r);
    } else if (r->kind == REC_OPEN) {
        studies_open(&m->studies, r);
    }
}

void metrics_take(struct metrics *m, const struct record *r)
{
    if (r->t != m->now)
        emit_series(m);
    m->now = r->t;
    m->digest = record_digest(m->digest, r);
    if (r->kind == REC_REFUSE)
        m->n_refusals++;
    else if (r->job == NO_JOB)
        on_run_record(m, r);
    else
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
            on_told(m, r);
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

/* ---- results ---- */

static void set_time(struct metric_value *v, sim_area ns)
{
    *v = (struct metric_value){true, ns, 0};
}
static void set_number(struct metric_value *v, double x)
{
    *v = (struct metric_value){true, 0, x};
}

static void set_dist(struct metrics *m, struct metric_value *v)
{
    static const struct {
        enum metric_id id;
        double p;
    } jct[] = {{M_JCT_P50, 0.5}, {M_JCT_P90, 0.9}, {M_JCT_P99, 0.99}, {M_JCT_MAX, 1}},
      wait[] = {{M_WAIT_P50, 0.5}, {M_WAIT_P99, 0.99}, {M_WAIT_MAX, 1}};

    if (m->n_done == 0)
        return;
    set_time(&v[M_JCT_MEAN], dist_mean(&m->jct));
    set_time(&v[M_WAIT_MEAN], dist_mean(&m->wait));
    for (size_t i = 0; i < sizeof(jct) / sizeof(*jct); i++)
        set_time(&v[jct[i].id], dist_quantile(&m->jct, jct[i].p));
    for (size_t i = 0; i < sizeof(wait) / sizeof(*wait); i++)
        set_time(&v[wait[i].id], dist_quantile(&m->wait, wait[i].p));
    set_number(&v[M_SLOWDOWN_MEAN], m->slowdown_sum / (double)m->n_done);
    set_number(&v[M_SLOWDOWN_MAX], m->slowdown_max);
}

static void set_gpu_times(struct metrics *m, struct metric_value *v)
{
    sim_time end = m->latest_ready > m->now ? m->latest_ready : m->now;
    sim_time makespan = m->last_end - m->first;
    sim_time window = m->n_alive ? m->now - m->first : makespan;
    sim_area used = m->useful + m->lost + m->setup + m->save;

    set_time(&v[M_END], end);
    set_time(&v[M_GPU_USEFUL], m->useful);
    set_time(&v[M_GPU_LOST], m->lost);
    set_time(&v[M_GPU_SETUP], m->setup);
    set_time(&v[M_GPU_SAVE], m->save);
    set_time(&v[M_GPU_IDLE], (sim_area)end * m->gpus - used);
    if (m->n_jobs > 0)
        set_time(&v[M_LOST_PER_JOB], (m->lost + m->setup + m->save) / (sim_area)m->n_jobs);
    if (m->n_done + m->n_killed > 0 && m->n_alive == 0 && makespan > 0)
        set_time(&v[M_MAKESPAN], makespan);
    if (m->n_jobs == 0 || window <= 0)
        return;
    set_number(&v[M_GPU_BUSY_SHARE], (double)(m->useful + m->lost) / (double)window / m->gpus);
    set_number(&v[M_GPU_HELD_SHARE], (double)m->held_area / (double)window / m->gpus);
}

void metrics_values(struct metrics *m, struct metric_value *v)
{
    const struct {
        enum metric_id id;
        uint64_t n;
    } counts[] = {{M_JOBS, m->n_jobs},         {M_DONE, m->n_done},
                  {M_KILLED, m->n_killed},     {M_REJECTED, m->n_rejected},
                  {M_UNFINISHED, m->n_alive},  {M_GPUS, m->gpus},
                  {M_STARTS, m->n_starts},     {M_PREEMPTIONS, m->n_preempts},
                  {M_RELOCATIONS, m->n_moves}, {M_REFUSALS, m->n_refusals},
                  {M_TOLD, m->n_told}};

    memset(v, 0, METRICS * sizeof(*v));
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        set_number(&v[counts[i].id], (double)counts[i].n);
    set_dist(m, v);
    set_gpu_times(m, v);
    if (m->n_told > 0) {
        set_number(&v[M_TOLD_ERROR_MEAN], m->told_sum / (double)m->n_told);
        set_number(&v[M_TOLD_ERROR_MAX], m->told_max);
    }
    studies_values(&m->studies, v);
}

uint64_t metrics_digest(const struct metrics *m)
{
    return m->digest;
}
const char *metrics_ended(const struct metrics *m)
{
    return m->ended;
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
            mem_drop(m->chunk[c][i].name);
        mem_drop(m->chunk[c]);
    }
    mem_drop(m->chunk);
    mem_drop(m->ready);
    dist_free(&m->jct);
    dist_free(&m->wait);
    studies_free(&m->studies);
    mem_drop(m);
}
