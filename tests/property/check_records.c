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
    check_meet(c, true, what);
}

static void advance(struct check *c, sim_time t)
{
    CHECK(c, t >= c->now, "time goes back to %lld", (long long)t);
    c->in_system += (sim_area)(t - c->now) * c->alive;
    c->held += (sim_area)(t - c->now) * c->holding;
    check_pass(c, t);
    c->now = t;
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
                           .started = SIM_NEVER,
                           .last_preempt = -1};
    check_phase(c, j, PHASE_WAITING);
    c->alive++;
    if (r->experiment == NO_EXPERIMENT)
        return;
    CHECK(c,
          r->experiment < c->n_studies && c->study[r->experiment].open &&
              !c->study[r->experiment].closed,
          "a trial of an experiment that is not open");
    c->study[r->experiment].trials++;
    check_meet(c, c->rejected_at == r->t, COVER_REJECT_BRINGS);
}

static void on_told(struct check *c, const struct record *r)
{
    if (isnan(r->told))
        return;
    double error = fabs(r->told - r->value) / r->value;
    c->told++;
    c->told_sum += error < 1e-12 ? 0 : error;
    check_meet(c, error > 0.01, COVER_TOLD_WRONG);
}

static void on_start(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_WAITING, "starts in phase %d", j->phase);
    CHECK(c, r->run >= r->t, "begins in the past");
    CHECK(c, r->run >= j->landing, "begins before it has landed");
    CHECK(c, (r->origin == FROM_NEW) == !j->ran, "origin %s", origin_name[r->origin]);
    meet(c, COVER_ORIGIN + (int)r->origin);
    check_meet(c, j->landing > r->t, COVER_RESTART_EARLY);
    check_meet(c,
               c->w->keeps == KEEP_STATE && c->w->suspend_to == SUSPEND_HOST &&
                   (r->origin == FROM_DISK || r->origin == FROM_DISK_MOVED),
               COVER_SAVE_FULL);
    CHECK(c, r->n == j->gpus && r->share, "%u GPUs; %u are wanted", r->n, j->gpus);
    check_hold(c, j, r);
    for (uint32_t i = 0; i < j->n; i++)
        CHECK(c, r->run >= c->ready[j->share[i].gpu], "begins before GPU %u is ready",
              j->share[i].gpu);
    j->starts++;
    j->relocations += r->origin == FROM_MOVED || r->origin == FROM_DISK_MOVED;
    j->begin = r->run;
    check_phase(c, j, r->run > r->t ? PHASE_SETUP : PHASE_RUNNING);
    j->ran |= j->phase == PHASE_RUNNING;
    if (j->started == SIM_NEVER)
        j->started = r->t;
    on_told(c, r);
}

static void on_alone(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, check_shared(c) && j->started == SIM_NEVER && r->n == j->gpus && r->run >= 0,
          "alone for %lld on %u GPUs", (long long)r->run, r->n);
    j->alone = r->run;
    c->shares = true;
}

static void on_run(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_SETUP && r->t == j->begin, "runs, but should at %lld",
          (long long)j->begin);
    check_same(c, j, r);
    check_stop(c, j, r->t);
    j->ran = true;
    j->lands = false;
    check_phase(c, j, PHASE_RUNNING);
}

static void on_split(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_SETUP || j->phase == PHASE_RUNNING, "split in phase %d", j->phase);
    meet(c, j->phase == PHASE_SETUP ? COVER_SPLIT_SETUP : COVER_SPLIT_RUNNING);
    check_same(c, j, r);
    check_reshare(c, j, r);
    j->splits++;
    on_told(c, r);
}

/* When it goes on after a resize: once replicas on further GPUs are there, not sooner than before.
 */
static sim_time goes_on(const struct check *c, const struct seen_job *j, const struct record *r)
{
    sim_time at = j->phase == PHASE_SETUP ? j->begin : r->t;

    for (uint32_t i = 0; i < r->n; i++) {
        sim_time ready = c->ready[r->share[i].gpu];
        sim_time there = (ready > r->t ? ready : r->t) + c->w->overheads.replica;
        if (!check_holds(j, r->share[i].gpu) && there > at)
            at = there;
    }
    return at;
}

/* Steps one by one: it may land in between, at the end of a step, of which no record tells. */
static bool may_land(const struct check *c, const struct seen_job *j)
{
    return check_steps(c) && c->w->preempt_at != PREEMPT_NOW &&
           (j->phase == PHASE_RUNNING || j->lands);
}

static void check_lost(struct check *c, struct seen_job *j, const struct record *r)
{
    bool gives_up = check_steps(c) && c->w->preempt_at == PREEMPT_NOW && j->phase == PHASE_RUNNING;

    CHECK(c, r->lost >= 0 && (r->lost == 0 || gives_up), "a step of %lld is given up",
          (long long)r->lost);
    j->lost += r->lost;
    c->lost += (sim_area)r->lost * j->n;
    check_meet(c, r->lost > 0, COVER_STEP_RESIZED);
}

static void on_resize(struct check *c, struct seen_job *j, const struct record *r)
{
    bool runs = j->phase == PHASE_RUNNING;

    CHECK(c, j->phase == PHASE_SETUP || runs, "resized in phase %d", j->phase);
    sim_time at = goes_on(c, j, r);
    CHECK(c, r->run == at || (r->run > at && may_land(c, j)), "goes on at %lld, should at %lld",
          (long long)r->run, (long long)at);
    check_meet(c, r->run > at && runs, COVER_STEP_RESIZE_LANDS);
    check_lost(c, j, r);
    j->lands = may_land(c, j) && r->run > r->t;
    for (uint32_t i = 0; check_steps(c) && runs && r->run == r->t && i < j->n; i++)
        c->load[j->share[i].gpu].given_up++;
    for (uint32_t i = 0; check_steps(c) && runs && r->run == r->t && i < r->n; i++)
        c->load[r->share[i].gpu].given_up -= check_holds(j, r->share[i].gpu);
    meet(c, !runs           ? COVER_RESIZE_SETUP
            : r->run > r->t ? COVER_RESIZE_COPIES
                            : COVER_RESIZE_RUNNING);
    check_meet(c, r->n > j->n, COVER_RESIZE_MORE);
    check_meet(c, r->n < j->n, COVER_RESIZE_FEWER);
    check_leave(c, j, r->t);
    check_hold(c, j, r);
    j->begin = r->run;
    if (r->run > r->t || !runs) {
        j->copying |= runs;
        check_phase(c, j, PHASE_SETUP);
    } else {
        memset(j->free, 0, c->w->n_gpus * sizeof(*j->free));
    }
    j->resizes++;
    on_told(c, r);
}

static void on_rate(struct check *c, struct seen_job *j, const struct record *r)
{
    double most = check_alone_rate(c, j) * (1 + 1e-9);

    CHECK(c, j->phase == PHASE_RUNNING && r->n == j->n, "another rate in phase %d", j->phase);
    CHECK(c, r->value > 0, "rate %g", r->value);
    CHECK(c, strcmp(c->w->contention->name, "pairs") == 0 || r->value <= most,
          "rate %.17g, alone %.17g", r->value, most); /* pairs may gain */
    check_meet(c, r->value < most * (1 - 1e-6), COVER_SLOWER);
}

/* The way left from the start to the goal, if this is the best metric. */
static double way_left(const struct seen_study *s, double best)
{
    double left = (s->goal - best) / (s->goal - s->start);

    return fmin(fmax(left, 0), 1);
}

static void on_report(struct check *c, struct seen_job *j, const struct record *r)
{
    struct seen_study *s = &c->study[j->experiment];

    CHECK(c, r->epoch == j->epoch + 1 && r->epoch <= j->epochs, "epoch %u after %u", r->epoch,
          j->epoch);
    CHECK(c, r->n == j->n, "%u GPUs; it holds %u", r->n, j->n);
    CHECK(c,
          j->phase == PHASE_RUNNING ||
              ((j->landing == r->t || j->lands) && j->phase != PHASE_PAUSED),
          "reports in phase %d", j->phase);
    check_meet(c, j->phase == PHASE_WAITING, COVER_LANDS_WAITING);
    check_meet(c, j->phase == PHASE_SETUP, COVER_LANDS_SETUP);
    check_meet(c, check_steps(c) && c->last_report == r->t, COVER_STEP_TIE);
    c->last_report = r->t;
    j->epoch = r->epoch;
    if (isnan(s->best) || (s->falls ? r->value < s->best : r->value > s->best))
        s->best = r->value;
    double left = way_left(s, s->best);
    s->gained += (s->left - left) * (double)(r->t - s->begin);
    s->left = left;
    if (s->target_at == SIM_NEVER && (s->falls ? r->value <= s->target : r->value >= s->target))
        s->target_at = r->t;
}

static void on_off(struct check *c, struct seen_job *j, const struct record *r)
{
    bool pause = r->kind == REC_PAUSE, runs = j->phase == PHASE_RUNNING;

    CHECK(c, pause ? j->phase < PHASE_PAUSED : j->phase == PHASE_SETUP || runs,
          "taken off in phase %d", j->phase);
    CHECK(c, r->run >= r->t && r->ready >= r->run && r->lost >= 0, "run %lld, ready %lld",
          (long long)r->run, (long long)r->ready);
    CHECK(c, runs || (r->run == r->t && r->lost == 0), "a job that did not run goes on");
    CHECK(c, runs || j->copying || r->ready == r->t, "a job that did not run is saved");
    CHECK(c, !pause || r->run == r->t, "a pause that goes on");
    check_same(c, j, r);
    if (runs) {
        CHECK(c, r->lost <= r->run - j->stretch, "loses more than it ran");
        c->lost += (sim_area)r->lost * r->n;
        j->lost += r->lost;
        j->landing = r->run;
        j->fell = r->lost;
        j->left = j->share;
        j->n_left = j->n;
    }
    check_meet(c, !runs && j->copying, COVER_OFF_COPYING);
    if (check_steps(c) && runs) {
        check_meet(c, c->w->keeps == KEEP_STATE && r->lost > 0, COVER_STEP_GIVEN_UP);
        check_meet(c, c->w->preempt_at == PREEMPT_STEP && r->run > r->t, COVER_STEP_LANDS);
        check_meet(c, c->w->preempt_at == PREEMPT_EPOCH && r->run > r->t, COVER_STEP_EPOCH);
    }
    check_meet(c, !pause && j->phase == PHASE_SETUP, COVER_PREEMPT_SETUP);
    check_meet(c, !pause && j->last_preempt == r->t, COVER_PREEMPT_TWICE);
    check_meet(c, r->lost > 0, COVER_PREEMPT_LOSES);
    check_meet(c, pause && j->phase == PHASE_SETUP, COVER_PAUSE_SETUP);
    check_meet(c, pause && j->phase == PHASE_WAITING, COVER_PAUSE_WAITING);
    j->preemptions += !pause;
    j->last_preempt = pause ? j->last_preempt : r->t;
    check_leave(c, j, r->run);
    check_save(c, j, r);
    check_phase(c, j, pause ? PHASE_PAUSED : PHASE_WAITING);
}

static void on_promote(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_PAUSED && r->n == 0, "promoted in phase %d", j->phase);
    check_phase(c, j, PHASE_WAITING);
}

static void on_copy(struct check *c, const struct seen_job *j, const struct record *r)
{
    CHECK(c, j->phase == PHASE_PAUSED && j->epoch > 0, "copies in phase %d", j->phase);
    CHECK(c, r->ready >= r->t && r->epoch > 0 && r->n != j->trial, "copies trial %u", r->n);
}

static void on_kill(struct check *c, const struct seen_job *j)
{
    static const enum cover of[] = {[PHASE_WAITING] = COVER_KILL_WAITING,
                                    [PHASE_SETUP] = COVER_KILL_SETUP,
                                    [PHASE_RUNNING] = COVER_KILL_RUNNING,
                                    [PHASE_PAUSED] = COVER_KILL_PAUSED};

    CHECK(c, j->experiment != NO_EXPERIMENT, "a plain job is killed");
    meet(c, (int)of[j->phase]);
    check_meet(c, j->landing > c->now, COVER_KILL_ENDING);
}

static void on_end(struct check *c, struct seen_job *j, const struct record *r)
{
    CHECK(c,
          r->kind != REC_END || j->phase == PHASE_RUNNING ||
              (j->phase == PHASE_WAITING && j->landing == r->t) || j->lands,
          "ends in phase %d", j->phase);
    CHECK(c, r->kind != REC_END || j->experiment == NO_EXPERIMENT || j->epoch == j->epochs,
          "ends after epoch %u of %u", j->epoch, j->epochs);
    CHECK(c, r->kind != REC_REJECT || j->phase == PHASE_WAITING, "rejected in phase %d", j->phase);
    check_same(c, j, r);
    check_meet(c, r->kind == REC_END && j->phase == PHASE_WAITING, COVER_ENDING);
    check_meet(c, r->kind == REC_END && c->last_end == r->t, COVER_TIE);
    check_meet(c, r->kind == REC_REJECT && j->ran, COVER_REJECT_RAN);
    if (r->kind == REC_KILL)
        on_kill(c, j);
    check_leave(c, j, r->t);
    check_cut(c, j);
    check_phase(c, j, PHASE_GONE);
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
    else if (r->kind == REC_RESIZE)
        on_resize(c, j, r);
    else if (r->kind == REC_RATE)
        on_rate(c, j, r);
    else if (r->kind == REC_ALONE)
        on_alone(c, j, r);
    else if (r->kind == REC_REPORT)
        on_report(c, j, r);
    else if (r->kind == REC_PREEMPT || r->kind == REC_PAUSE)
        on_off(c, j, r);
    else if (r->kind == REC_PROMOTE)
        on_promote(c, j, r);
    else if (r->kind == REC_COPY)
        on_copy(c, j, r);
    else
        on_end(c, j, r);
}

/* ---- records of the run ---- */

static void on_finish(struct check *c, const struct record *r)
{
    static const char *const ends[] = {"drained", "until",  "stalled",  "livelock",
                                       "refused", "failed", "bad_input"};

    for (int i = 0; i <= RUN_BAD_INPUT; i++)
        check_meet(c, strcmp(r->why, ends[i]) == 0, COVER_END + i);
    c->finished = true;
    for (size_t i = 0; i < c->n_jobs; i++) {
        check_meet(c, c->job[i].phase == PHASE_SETUP, COVER_UNFINISHED_SETUP);
        check_meet(c, c->job[i].phase == PHASE_RUNNING, COVER_UNFINISHED_RUNNING);
        if (c->job[i].phase == PHASE_GONE)
            continue;
        check_leave(c, &c->job[i], r->t);
        check_cut(c, &c->job[i]);
        c->job[i].end = r->t;
    }
    check_loads(c);
    CHECK(c, strcmp(r->why, "drained") != 0 || c->alive == 0, "drained with %u jobs", c->alive);
}

static void on_refuse(struct check *c, const struct record *r)
{
    c->refusals++;
    check_meet(c, strstr(r->why, "residents already") != NULL, COVER_NO_SEAT);
    check_meet(c, check_shared(c) && strstr(r->why, "GiB left for it"), COVER_NO_MEMORY);
    check_meet(c, check_shared(c) && strstr(r->why, "start: the policy does not declare"),
               COVER_NOT_DECLARED);
    check_meet(c, strncmp(r->why, "resize: ", 8) == 0, COVER_RESIZE_REFUSED);
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
                             .start = c->w->experiment[r->experiment].curves->start,
                             .goal = r->told,
                             .deadline = r->run,
                             .left = 1,
                             .target_at = SIM_NEVER};
}

static void on_close(struct check *c, const struct record *r)
{
    static const char *const rules[] = {"all_done", "first_good", "all_good",
                                        "target",   "deadline",   "budget"};

    CHECK(c,
          r->experiment < c->n_studies && c->study[r->experiment].open &&
              !c->study[r->experiment].closed,
          "closed, but not open");
    c->study[r->experiment].closed = true;
    for (int i = 0; i < CLOSINGS; i++)
        check_meet(c, strcmp(r->why, rules[i]) == 0, COVER_CLOSE + i);
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
        on_refuse(c, r);
    else if (r->kind == REC_LOAD)
        check_load(c, r);
    else if (r->job != NO_JOB)
        on_job(c, r);
    else if (r->kind == REC_FINISH)
        on_finish(c, r);
    else if (r->kind == REC_OPEN)
        on_open(c, r);
    else if (r->kind == REC_CLOSE)
        on_close(c, r);
}
