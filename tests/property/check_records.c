/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rebuilds what happened from records, and checks each step against the rules of docs/model.md. */
#include "tests/property/check_records.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sim/base/mem.h"
#include "tests/property/check.h"

void check_fail(struct check *c, const char *fmt, ...)
{
    va_list ap;

    if (!c->failed) {
        fprintf(stderr, "seed %llu, record %llu at %lld: ", (unsigned long long)c->r->seed,
                (unsigned long long)c->n_records, (long long)c->now);
        va_start(ap, fmt);
        vfprintf(stderr, fmt, ap);
        va_end(ap);
        fprintf(stderr, "\n");
    }
    c->failed = true;
}

static void meet(struct check *c, int what)
{
    c->met[what] = true;
}
static void meet_if(struct check *c, bool cond, int what)
{
    c->met[what] |= cond;
}

/* ---- time lines ---- */

static void add_piece(struct check *c, gpu_id g, const struct share *held, enum use use,
                      sim_time from, sim_time to)
{
    if (to <= from)
        return;
    c->piece = mem_room(c->piece, c->n_pieces, &c->cap_pieces, sizeof(*c->piece));
    c->piece[c->n_pieces++] = (struct piece){g, use, held, from, to};
}

static void add_pieces(struct check *c, const struct seen_job *j, enum use use, sim_time from,
                       sim_time to)
{
    for (uint32_t i = 0; i < j->n; i++) {
        gpu_id g = j->share[i].gpu;
        add_piece(c, g, j->share, use, use == USE_SETUP && c->ready[g] > from ? c->ready[g] : from,
                  to);
    }
}

static void advance(struct check *c, sim_time t)
{
    CHECK(c, t >= c->now, "time goes back to %lld", (long long)t);
    c->in_system += (sim_area)(t - c->now) * c->alive;
    c->held += (sim_area)(t - c->now) * c->holding;
    c->now = t;
}

static void enter(struct check *c, struct seen_job *j, enum phase p)
{
    j->phase = p;
    j->since = c->now;
}

static void take_gpus(struct check *c, struct seen_job *j, const struct record *r)
{
    const struct world *w = c->w;

    CHECK(c, r->n == j->gpus && r->share, "%u GPUs; %u are wanted", r->n, j->gpus);
    j->share = arena_get(c->arena, r->n * sizeof(*j->share));
    memcpy(j->share, r->share, r->n * sizeof(*j->share));
    j->n = r->n;
    for (uint32_t i = 0; i < r->n; i++) {
        gpu_id g = r->share[i].gpu;
        CHECK(c, g < w->n_gpus && c->owner[g] == 0, "GPU %u is taken", g);
        c->owner[g] = 1 + sim_number(r->job);
        meet_if(c, w->gpu[g].node != w->gpu[r->share[0].gpu].node, COVER_GANG_NODES);
        meet_if(c, w->node[w->gpu[g].node].type != w->node[w->gpu[r->share[0].gpu].node].type,
                COVER_GANG_TYPES);
        meet_if(c, c->ready[g] > c->now, COVER_SAVE_WAITS);
    }
    c->holding += r->n;
}

/* All its GPUs or none are named by a record. */
static void same_gpus(struct check *c, const struct seen_job *j, const struct record *r)
{
    CHECK(c, r->n == j->n, "%u GPUs; it holds %u", r->n, j->n);
    for (uint32_t i = 0; r->share && i < r->n; i++)
        CHECK(c,
              r->share[i].gpu < c->w->n_gpus && c->owner[r->share[i].gpu] == 1 + sim_number(r->job),
              "GPU %u is not its own", r->share[i].gpu);
    CHECK(c, (r->share != NULL) == (r->n > 0), "GPUs are %s", r->share ? "named" : "not named");
}

/* The part of a set-up in which the job does not finish its last step on other GPUs. */
static sim_time own_setup(const struct check *c, const struct seen_job *j)
{
    sim_time from = j->landing > j->since ? j->landing : j->since;

    return c->now > from ? c->now - from : 0;
}

/* Leaves its GPUs: what it did there goes into the time lines. */
static void leave_gpus(struct check *c, struct seen_job *j, sim_time until)
{
    if (j->phase == PHASE_SETUP) {
        add_pieces(c, j, USE_SETUP, j->since, c->now);
        j->setup += own_setup(c, j);
    } else if (j->phase == PHASE_RUNNING) {
        add_pieces(c, j, USE_RUN, j->begin, until);
        j->run += until - j->begin;
    }
    for (uint32_t i = 0; i < j->n; i++)
        c->owner[j->share[i].gpu] = 0;
    c->holding -= j->n;
    j->n = 0;
}

/* ---- records of jobs ---- */

static void on_arrive(struct check *c, const struct record *r)
{
    CHECK(c, sim_number(r->job) == c->n_jobs, "job %u is the %zu-th", sim_number(r->job),
          c->n_jobs);
    c->job = mem_room(c->job, c->n_jobs, &c->cap_jobs, sizeof(*c->job));
    struct seen_job *j = &c->job[c->n_jobs++];
    *j = (struct seen_job){.gpus = r->n,
                           .experiment = r->experiment,
                           .trial = r->trial,
                           .epochs = r->epoch,
                           .good = r->good,
                           .submit = r->t,
                           .landing = -1,
                           .last_preempt = -1};
    enter(c, j, PHASE_WAITING);
    c->alive++;
    if (r->experiment == NO_EXPERIMENT)
        return;
    CHECK(c,
          r->experiment < c->n_studies && c->study[r->experiment].open &&
              !c->study[r->experiment].closed,
          "a trial of an experiment that is not open");
    c->study[r->experiment].trials++;
    meet_if(c, c->rejected_at == r->t, COVER_REJECT_BRINGS);
}

static void on_told(struct check *c, const struct record *r)
{
    if (isnan(r->told))
        return;
    double error = fabs(r->told - r->value) / r->value;
    c->told++;
    c->told_sum += error < 1e-12 ? 0 : error;
    meet_if(c, error > 0.01, COVER_TOLD_WRONG);
}

static void on_start(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_WAITING, "starts in phase %d", j->phase);
    CHECK(c, r->run >= r->t, "begins in the past");
    CHECK(c, r->run >= j->landing, "begins before it has landed");
    CHECK(c, (r->origin == FROM_NEW) == !j->ran, "origin %s", origin_name[r->origin]);
    meet(c, COVER_ORIGIN + (int)r->origin);
    meet_if(c, j->landing > r->t, COVER_RESTART_EARLY);
    meet_if(c,
            c->w->keeps == KEEP_STATE && c->w->suspend_to == SUSPEND_HOST &&
                (r->origin == FROM_DISK || r->origin == FROM_DISK_MOVED),
            COVER_SAVE_FULL);
    take_gpus(c, j, r);
    for (uint32_t i = 0; i < j->n; i++)
        CHECK(c, r->run >= c->ready[j->share[i].gpu], "begins before GPU %u is ready",
              j->share[i].gpu);
    j->starts++;
    j->relocations += r->origin == FROM_MOVED || r->origin == FROM_DISK_MOVED;
    j->begin = r->run;
    enter(c, j, r->run > r->t ? PHASE_SETUP : PHASE_RUNNING);
    j->ran |= j->phase == PHASE_RUNNING;
    on_told(c, r);
}

static void on_run(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_SETUP && r->t == j->begin, "runs, but should at %lld",
          (long long)j->begin);
    same_gpus(c, j, r);
    add_pieces(c, j, USE_SETUP, j->since, r->t);
    j->setup += own_setup(c, j);
    j->ran = true;
    enter(c, j, PHASE_RUNNING);
}

static void on_split(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_SETUP || j->phase == PHASE_RUNNING, "split in phase %d", j->phase);
    meet(c, j->phase == PHASE_SETUP ? COVER_SPLIT_SETUP : COVER_SPLIT_RUNNING);
    same_gpus(c, j, r);
    on_told(c, r);
}

static void on_report(struct check *c, struct seen_job *j, const struct record *r)
{
    struct seen_study *s = &c->study[j->experiment];

    CHECK(c, r->epoch == j->epoch + 1 && r->epoch <= j->epochs, "epoch %u after %u", r->epoch,
          j->epoch);
    CHECK(c, r->n == j->n, "%u GPUs; it holds %u", r->n, j->n);
    CHECK(c, j->phase == PHASE_RUNNING || (j->landing == r->t && j->phase != PHASE_PAUSED),
          "reports in phase %d", j->phase);
    meet_if(c, j->phase == PHASE_WAITING, COVER_LANDS_WAITING);
    meet_if(c, j->phase == PHASE_SETUP, COVER_LANDS_SETUP);
    j->epoch = r->epoch;
    if (isnan(s->best) || (s->falls ? r->value < s->best : r->value > s->best))
        s->best = r->value;
    if (s->target_at == SIM_NEVER && (s->falls ? r->value <= s->target : r->value >= s->target))
        s->target_at = r->t;
}

static void save(struct check *c, const struct seen_job *j, const struct record *r)
{
    for (uint32_t i = 0; i < j->n; i++) {
        add_piece(c, j->share[i].gpu, NULL, USE_SAVE, r->run, r->ready);
        c->ready[j->share[i].gpu] = r->ready;
    }
}

static void on_off(struct check *c, struct seen_job *j, const struct record *r)
{
    bool pause = r->kind == REC_PAUSE, runs = j->phase == PHASE_RUNNING;

    CHECK(c, pause ? j->phase < PHASE_PAUSED : j->phase == PHASE_SETUP || runs,
          "taken off in phase %d", j->phase);
    CHECK(c, r->run >= r->t && r->ready >= r->run && r->lost >= 0, "run %lld, ready %lld",
          (long long)r->run, (long long)r->ready);
    CHECK(c, runs || (r->ready == r->t && r->lost == 0), "a job that did not run is saved");
    CHECK(c, !pause || r->run == r->t, "a pause that goes on");
    same_gpus(c, j, r);
    if (runs) {
        CHECK(c, r->lost <= r->run - j->begin, "loses more than it ran");
        save(c, j, r);
        c->lost += (sim_area)r->lost * r->n;
        j->lost += r->lost;
        j->landing = r->run;
        j->fell = r->lost;
        j->left = j->share;
    }
    meet_if(c, !pause && j->phase == PHASE_SETUP, COVER_PREEMPT_SETUP);
    meet_if(c, !pause && j->last_preempt == r->t, COVER_PREEMPT_TWICE);
    meet_if(c, r->lost > 0, COVER_PREEMPT_LOSES);
    meet_if(c, pause && j->phase == PHASE_SETUP, COVER_PAUSE_SETUP);
    meet_if(c, pause && j->phase == PHASE_WAITING, COVER_PAUSE_WAITING);
    j->preemptions += !pause;
    j->last_preempt = pause ? j->last_preempt : r->t;
    leave_gpus(c, j, r->run);
    enter(c, j, pause ? PHASE_PAUSED : PHASE_WAITING);
}

static void on_promote(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_PAUSED && r->n == 0, "promoted in phase %d", j->phase);
    enter(c, j, PHASE_WAITING);
}

static void on_kill(struct check *c, const struct seen_job *j)
{
    static const enum cover of[] = {[PHASE_WAITING] = COVER_KILL_WAITING,
                                    [PHASE_SETUP] = COVER_KILL_SETUP,
                                    [PHASE_RUNNING] = COVER_KILL_RUNNING,
                                    [PHASE_PAUSED] = COVER_KILL_PAUSED};

    CHECK(c, j->experiment != NO_EXPERIMENT, "a plain job is killed");
    meet(c, (int)of[j->phase]);
    meet_if(c, j->landing > c->now, COVER_KILL_ENDING);
}

/* A job that goes before it has landed has not run until then, whatever its GPUs do. */
static void cut_landing(struct check *c, struct seen_job *j)
{
    if (j->landing <= c->now)
        return;
    sim_time kept = j->landing - j->fell > c->now ? c->now : j->landing - j->fell;
    for (size_t i = 0; i < c->n_pieces; i++)
        if (c->piece[i].use == USE_RUN && c->piece[i].held == j->left)
            c->piece[i].to = c->now;
    c->lost -= (sim_area)(j->fell - (c->now - kept)) * j->gpus;
    j->lost -= j->fell - (c->now - kept);
    j->run -= j->landing - c->now;
}

static void on_end(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c,
          r->kind != REC_END || j->phase == PHASE_RUNNING ||
              (j->phase == PHASE_WAITING && j->landing == r->t),
          "ends in phase %d", j->phase);
    CHECK(c, r->kind != REC_END || j->experiment == NO_EXPERIMENT || j->epoch == j->epochs,
          "ends after epoch %u of %u", j->epoch, j->epochs);
    CHECK(c, r->kind != REC_REJECT || j->phase == PHASE_WAITING, "rejected in phase %d", j->phase);
    same_gpus(c, j, r);
    meet_if(c, r->kind == REC_END && j->phase == PHASE_WAITING, COVER_ENDING);
    meet_if(c, r->kind == REC_END && c->last_end == r->t, COVER_TIE);
    meet_if(c, r->kind == REC_REJECT && j->ran, COVER_REJECT_RAN);
    if (r->kind == REC_KILL)
        on_kill(c, j);
    leave_gpus(c, j, r->t);
    cut_landing(c, j);
    enter(c, j, PHASE_GONE);
    j->ended = record_name[r->kind];
    j->end = c->last_end = r->t;
    c->alive--;
}

static void on_job(struct check *c, const struct record *r)
{
    if (r->kind == REC_ARRIVE) {
        on_arrive(c, r);
        return;
    }
    struct seen_job *j = sim_number(r->job) < c->n_jobs ? &c->job[sim_number(r->job)] : NULL;
    CHECK(c, j && j->phase != PHASE_GONE, "%s of job %u, which does not live", record_name[r->kind],
          sim_number(r->job));
    if (c->failed)
        return;
    c->rejected_at = r->kind == REC_REJECT ? r->t : -1;
    if (r->kind == REC_START)
        on_start(c, j, r);
    else if (r->kind == REC_RUN)
        on_run(c, j, r);
    else if (r->kind == REC_SPLIT)
        on_split(c, j, r);
    else if (r->kind == REC_REPORT)
        on_report(c, j, r);
    else if (r->kind == REC_PREEMPT || r->kind == REC_PAUSE)
        on_off(c, j, r);
    else if (r->kind == REC_PROMOTE)
        on_promote(c, j, r);
    else
        on_end(c, j, r);
}

/* ---- records of the run ---- */

static void on_finish(struct check *c, const struct record *r)
{
    static const char *const ends[] = {"drained", "until",  "stalled",  "livelock",
                                       "refused", "failed", "bad_input"};

    for (int i = 0; i <= RUN_BAD_INPUT; i++)
        meet_if(c, strcmp(r->why, ends[i]) == 0, COVER_END + i);
    c->finished = true;
    for (size_t i = 0; i < c->n_jobs; i++) {
        meet_if(c, c->job[i].phase == PHASE_SETUP, COVER_UNFINISHED_SETUP);
        meet_if(c, c->job[i].phase == PHASE_RUNNING, COVER_UNFINISHED_RUNNING);
        if (c->job[i].phase == PHASE_GONE)
            continue;
        leave_gpus(c, &c->job[i], r->t);
        cut_landing(c, &c->job[i]);
        c->job[i].end = r->t;
    }
    CHECK(c, strcmp(r->why, "drained") != 0 || c->alive == 0, "drained with %u jobs", c->alive);
}

static void on_open(struct check *c, const struct record *r)
{
    while (c->n_studies <= r->experiment)
        c->study[c->n_studies++] =
            (struct seen_study){.best = NAN, .target = NAN, .target_at = SIM_NEVER};
    struct seen_study *s = &c->study[r->experiment];
    CHECK(c, !s->open, "opened twice");
    *s = (struct seen_study){.open = true,
                             .falls = r->good,
                             .begin = r->t,
                             .target = r->value,
                             .best = NAN,
                             .target_at = SIM_NEVER};
}

static void on_close(struct check *c, const struct record *r)
{
    static const char *const rules[] = {"all_done", "first_good", "all_good", "target"};

    CHECK(c,
          r->experiment < c->n_studies && c->study[r->experiment].open &&
              !c->study[r->experiment].closed,
          "closed, but not open");
    c->study[r->experiment].closed = true;
    for (int i = 0; i <= END_TARGET; i++)
        meet_if(c, strcmp(r->why, rules[i]) == 0, COVER_CLOSE + i);
}

/* The trials of closed experiments have left when the clock moves on. */
static void closed_are_gone(struct check *c)
{
    for (size_t i = 0; i < c->n_jobs; i++)
        CHECK(c,
              c->job[i].phase == PHASE_GONE || c->job[i].experiment == NO_EXPERIMENT ||
                  !c->study[c->job[i].experiment].closed,
              "job %zu outlives its experiment", i);
}

void check_take(struct sink *sink, const struct record *r)
{
    struct check *c = (struct check *)sink;

    CHECK(c, (r->kind == REC_BEGIN) == !c->begun && !c->finished, "%s out of place",
          record_name[r->kind]);
    if (r->t != c->now)
        closed_are_gone(c);
    advance(c, r->t);
    c->begun = true;
    c->n_records++;
    meet(c, COVER_RECORD + (int)r->kind);
    if (c->failed)
        return;
    if (r->kind == REC_REFUSE)
        c->refusals++;
    else if (r->job != NO_JOB)
        on_job(c, r);
    else if (r->kind == REC_FINISH)
        on_finish(c, r);
    else if (r->kind == REC_OPEN)
        on_open(c, r);
    else if (r->kind == REC_CLOSE)
        on_close(c, r);
}
