/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One history written by hand, and what it amounts to, computed by hand. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "analysis/metrics.h"

#define S        SIM_SECOND
#define JOB(n)   ((job_id)(n) << 32 | (n))
#define NONE     .experiment = NO_EXPERIMENT, .value = NAN, .told = NAN
#define OF(j)    .job = JOB(j), .value = NAN, .told = NAN
#define FIRST(j) .job = JOB(j), .experiment = 0, .value = 0.125, .told = NAN /* before training */

static const struct share gpu[] = {{0, 8}, {1, 8}, {2, 8}, {3, 8}};

/* Trials 0, 1 and 2 of one experiment are the jobs 0, 1 and 3; trial 0 is good. Jobs 2 and 4 are
 * plain. */
static const struct record history[] = {
    /* clang-format off */
    {.t = 0, .kind = REC_BEGIN, .job = NO_JOB, .n = 4, NONE},
    {.t = 0, .kind = REC_OPEN, .job = NO_JOB, .n = 3, .experiment = 0, .epoch = 1, .value = 0.5,
     .told = 0.875, .name = "study"},
    {.t = 0, .kind = REC_ARRIVE, FIRST(0), .n = 1, .trial = 0, .epoch = 2, .good = true},
    {.t = 0, .kind = REC_ARRIVE, FIRST(1), .n = 1, .trial = 1, .epoch = 2},
    {.t = 0, .kind = REC_ARRIVE, OF(2), .n = 2, .experiment = NO_EXPERIMENT, .name = "plain"},
    {.t = 0, .kind = REC_START, .job = JOB(0), .n = 1, .share = &gpu[0], .run = 2 * S, .value = 1,
     .told = 1.125},
    {.t = 0, .kind = REC_START, .job = JOB(1), .n = 1, .share = &gpu[1], .run = 0, .value = 2,
     .told = 1},
    {.t = 0, .kind = REC_START, OF(2), .n = 2, .share = &gpu[2], .run = 1 * S},
    {.t = 1 * S, .kind = REC_RUN, OF(2), .n = 2, .share = &gpu[2]},
    {.t = 2 * S, .kind = REC_RUN, OF(0), .n = 1, .share = &gpu[0]},
    {.t = 3 * S, .kind = REC_REPORT, .job = JOB(1), .n = 1, .epoch = 1, .value = 0.25, .told = NAN},
    /* it runs until 5 s, its state is saved at 7 s: then the next owner begins to set up */
    {.t = 4 * S, .kind = REC_PREEMPT, OF(1), .n = 1, .share = &gpu[1], .run = 5 * S,
     .ready = 7 * S},
    {.t = 4 * S, .kind = REC_ARRIVE, FIRST(3), .n = 1, .trial = 2, .epoch = 2},
    {.t = 4 * S, .kind = REC_START, OF(3), .n = 1, .share = &gpu[1], .run = 8 * S},
    {.t = 6 * S, .kind = REC_REPORT, .job = JOB(0), .n = 1, .epoch = 1, .value = 0.625,
     .told = NAN},
    {.t = 6 * S, .kind = REC_PAUSE, OF(0), .n = 1, .share = &gpu[0], .run = 6 * S, .ready = 6 * S},
    {.t = 6 * S, .kind = REC_START, OF(1), .n = 1, .share = &gpu[0], .run = 6 * S,
     .origin = FROM_MOVED},
    {.t = 8 * S, .kind = REC_RUN, OF(3), .n = 1, .share = &gpu[1]},
    {.t = 9 * S, .kind = REC_PREEMPT, OF(2), .n = 2, .share = &gpu[2], .run = 9 * S, .ready = 9 * S,
     .lost = 4 * S},
    {.t = 9 * S, .kind = REC_PROMOTE, OF(0), .experiment = 0},
    {.t = 9 * S, .kind = REC_START, OF(0), .n = 1, .share = &gpu[2], .run = 9 * S,
     .origin = FROM_HERE},
    {.t = 10 * S, .kind = REC_REPORT, .job = JOB(1), .n = 1, .epoch = 2, .value = 0.375,
     .told = NAN},
    {.t = 10 * S, .kind = REC_END, OF(1), .n = 1, .share = &gpu[0]},
    {.t = 11 * S, .kind = REC_REFUSE, OF(2), .experiment = NO_EXPERIMENT,
     .why = "start: a GPU is taken"},
    {.t = 12 * S, .kind = REC_REJECT, OF(2)},
    {.t = 13 * S, .kind = REC_REPORT, .job = JOB(0), .n = 1, .epoch = 2, .value = 0.875,
     .told = NAN},
    {.t = 13 * S, .kind = REC_END, OF(0), .n = 1, .share = &gpu[2]},
    {.t = 13 * S, .kind = REC_CLOSE, .job = NO_JOB, .experiment = 0, .value = NAN, .told = NAN},
    {.t = 13 * S, .kind = REC_KILL, OF(3), .n = 1, .share = &gpu[1]},
    {.t = 13 * S, .kind = REC_ARRIVE, OF(4), .n = 3, .experiment = NO_EXPERIMENT},
    {.t = 13 * S, .kind = REC_START, OF(4), .n = 3, .share = &gpu[0], .run = 15 * S},
    {.t = 14 * S, .kind = REC_FINISH, .job = NO_JOB, .n = 4, .why = "until", NONE},
    /* clang-format on */
};

static const struct job_row rows[] = {
    /* clang-format off */
    {.number = 1, .experiment = 0, .trial = 1, .gpus = 1, .submit = 0, .first_start = 0,
     .end = 10 * S, .ended = "end", .run = 9 * S, .wait = 1 * S, .starts = 2, .preemptions = 1,
     .relocations = 1, .epochs = 2, .metric = 0.375},
    {.number = 2, .name = "plain", .experiment = NO_EXPERIMENT, .gpus = 2, .first_start = 0,
     .end = 12 * S, .ended = "reject", .run = 8 * S, .setup = 1 * S, .wait = 3 * S, .lost = 4 * S,
     .starts = 1, .preemptions = 1, .metric = NAN},
    {.number = 0, .experiment = 0, .gpus = 1, .good = true, .end = 13 * S, .ended = "end",
     .run = 8 * S, .setup = 2 * S, .wait = 3 * S, .starts = 2, .epochs = 2, .metric = 0.875},
    {.number = 3, .experiment = 0, .trial = 2, .gpus = 1, .submit = 4 * S, .first_start = 4 * S,
     .end = 13 * S, .ended = "kill", .run = 5 * S, .setup = 4 * S, .starts = 1, .metric = NAN},
    {.number = 4, .experiment = NO_EXPERIMENT, .gpus = 3, .submit = 13 * S, .first_start = 13 * S,
     .end = 14 * S, .ended = "", .setup = 1 * S, .starts = 1, .metric = NAN},
    /* clang-format on */
};

/* GPUs held, in progress; jobs waiting, in set-up, running, paused. */
static const struct series_row series[] = {
    {0, 4, 1, 0, 2, 1, 0},      {1 * S, 4, 3, 0, 1, 2, 0},  {2 * S, 4, 4, 0, 0, 3, 0},
    {4 * S, 4, 3, 1, 1, 2, 0},  {6 * S, 4, 3, 0, 1, 2, 1},  {8 * S, 4, 4, 0, 0, 3, 1},
    {9 * S, 3, 3, 1, 0, 3, 0},  {10 * S, 2, 2, 1, 0, 2, 0}, {12 * S, 2, 2, 0, 0, 2, 0},
    {13 * S, 3, 0, 0, 1, 0, 0},
};

static const struct {
    enum metric_id id;
    double value; /* seconds, GPU seconds, counts, numbers */
} values[] = {{M_JOBS, 5},
              {M_DONE, 2},
              {M_KILLED, 1},
              {M_REJECTED, 1},
              {M_UNFINISHED, 1},
              {M_JCT_MEAN, 11.5},
              {M_JCT_P50, 10},
              {M_JCT_P90, 13},
              {M_JCT_P99, 13},
              {M_JCT_MAX, 13},
              {M_WAIT_MEAN, 2},
              {M_WAIT_P50, 1},
              {M_WAIT_P99, 3},
              {M_WAIT_MAX, 3},
              {M_SLOWDOWN_MEAN, 1.15},
              {M_SLOWDOWN_MAX, 1.3},
              {M_END, 14},
              {M_GPUS, 4},
              {M_GPU_BUSY_SHARE, 38. / 56},
              {M_GPU_HELD_SHARE, 48. / 56},
              {M_GPU_USEFUL, 30},
              {M_GPU_LOST, 8},
              {M_GPU_SETUP, 8},
              {M_GPU_SAVE, 2},
              {M_GPU_IDLE, 8},
              {M_STARTS, 7},
              {M_PREEMPTIONS, 2},
              {M_RELOCATIONS, 1},
              {M_LOST_PER_JOB, 3.6},
              {M_REFUSALS, 1},
              {M_TOLD, 2},
              {M_TOLD_ERROR_MEAN, 0.3125},
              {M_TOLD_ERROR_MAX, 0.5},
              {M_EXPERIMENTS, 1},
              {M_TRIALS, 3},
              {M_GOOD_TRIALS, 1},
              {M_HPO_MEAN_GOOD, 13},
              {M_HPO_FIRST_GOOD, 13},
              {M_HPO_ALL_GOOD, 13},
              {M_HPO_TARGET, 6},
              {M_HPO_REGRET, 7.833333333}, /* 3 + 3 * 5/6 + 7 * 1/3, to the nanosecond */
              {M_HPO_REGRET_LEFT, 0},
              {M_HPO_BEST, 0.875}};

static double as_number(enum metric_id id, const struct metric_value *v)
{
    bool time = metric_defs[id].kind == METRIC_TIME || metric_defs[id].kind == METRIC_GPU_TIME;

    return time ? (double)v->time / 1e9 : v->number;
}

/* ---- hooks ---- */

struct seen {
    uint32_t rows, series;
};

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void take_row(void *user, const struct job_row *r)
{
    struct seen *seen = user;
    const struct job_row *w = &rows[seen->rows];

    cr_assert(seen->rows < sizeof rows / sizeof *rows, "a row too many: job %u", r->number);
    cr_expect(r->number == w->number && same_name(r->name, w->name) &&
                  r->experiment == w->experiment && r->trial == w->trial && r->gpus == w->gpus &&
                  r->good == w->good,
              "job %u: who it is", r->number);
    cr_expect(r->submit == w->submit && r->first_start == w->first_start && r->end == w->end &&
                  r->run == w->run && r->setup == w->setup && r->wait == w->wait &&
                  r->lost == w->lost,
              "job %u: run %lld, set-up %lld, wait %lld", r->number, (long long)r->run,
              (long long)r->setup, (long long)r->wait);
    cr_expect(r->starts == w->starts && r->preemptions == w->preemptions &&
                  r->relocations == w->relocations && r->epochs == w->epochs &&
                  (r->metric == w->metric || (isnan(r->metric) && isnan(w->metric))),
              "job %u: counts", r->number);
    cr_expect_str_eq(r->ended, w->ended, "job %u", r->number);
    cr_expect_eq(r->end - r->submit, r->run + r->setup + r->wait, "job %u", r->number);
    seen->rows++;
}

static void take_series(void *user, const struct series_row *r)
{
    struct seen *seen = user;

    cr_assert(seen->series < sizeof series / sizeof *series);
    cr_expect(memcmp(r, &series[seen->series], sizeof *r) == 0, "at %lld: %u %u %u %u %u %u",
              (long long)r->t, r->gpus_held, r->gpus_running, r->waiting, r->setup, r->running,
              r->paused);
    seen->series++;
}

static void check_value(const struct metric_value *v, enum metric_id id, double want)
{
    cr_expect(v[id].defined && fabs(as_number(id, &v[id]) - want) < 1e-12,
              "%s: %.12g, wanted %.12g", metric_defs[id].name, as_number(id, &v[id]), want);
}

Test(metrics, by_hand)
{
    struct seen seen = {0, 0};
    struct metrics *m = metrics_new(&(struct metrics_hooks){take_row, take_series, &seen});
    struct metric_value v[METRICS];

    for (size_t i = 0; i < sizeof history / sizeof *history; i++)
        metrics_take(m, &history[i]);
    metrics_values(m, v);
    cr_assert_eq(seen.rows, sizeof rows / sizeof *rows);
    cr_assert_eq(seen.series, sizeof series / sizeof *series);
    cr_assert_eq(sizeof values / sizeof *values, M_ALONE_MAX - 1, "every metric is looked at");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_value(v, values[i].id, values[i].value);
    for (int id = 0; id < METRICS; id++)
        cr_expect_eq(metric_applies(v, id), id < M_ALONE_MAX, "%s", metric_defs[id].name);
    cr_assert(!v[M_MAKESPAN].defined, "one job has not ended");
    cr_assert_str_eq(metrics_ended(m), "until");
    metrics_free(m);
}

/* The same if the experiment had another good trial that is not submitted: they are not all done.
 */
Test(metrics, good_trial_not_submitted)
{
    struct metrics *m = metrics_new(NULL);
    struct metric_value v[METRICS];

    for (size_t i = 0; i < sizeof history / sizeof *history; i++) {
        struct record r = history[i];
        r.epoch += r.kind == REC_OPEN;
        metrics_take(m, &r);
    }
    metrics_values(m, v);
    check_value(v, M_GOOD_TRIALS, 1);
    check_value(v, M_HPO_MEAN_GOOD, 13);
    cr_assert(!v[M_HPO_ALL_GOOD].defined);
    metrics_free(m);
}

/*
 * Regret: 1 until the first report, which is worse than before training where it starts at 0.25.
 * At 6 s it has come from the start to 0.625, at 13 s to 0.875: what that leaves depends on the
 * goal. The run ends at 14 s.
 */
Test(metrics, regret)
{
    static const struct {
        double start, goal, area, left; /* area NAN: there is none */
    } cases[] = {
        {0.125, 0.875, 3 + 3 * 5. / 6 + 7 / 3., 0},
        {0.25, 0.875, 6 + 7 * 0.4, 0},
        {0.25, 1, 6 + 7 * 0.5 + 1 / 6., 1 / 6.},
        {0.25, 0.625, 6, 0}, /* beyond the goal is no gain */
        {0.75, 1, 13 + 0.5, 0.5},
        {0.875, 0.875, NAN, 0}, /* nothing can be gained */
        {0.125, NAN, NAN, 0},   /* records of before it was told */
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct metrics *m = metrics_new(NULL);
        struct metric_value v[METRICS];
        for (size_t i = 0; i < sizeof history / sizeof *history; i++) {
            struct record r = history[i];
            if (r.kind == REC_ARRIVE && r.experiment == 0)
                r.value = cases[k].start;
            if (r.kind == REC_OPEN)
                r.told = cases[k].goal;
            metrics_take(m, &r);
        }
        metrics_values(m, v);
        cr_expect_eq(v[M_HPO_REGRET].defined, !isnan(cases[k].area), "case %zu", k);
        cr_expect_eq(v[M_HPO_REGRET_LEFT].defined, !isnan(cases[k].area), "case %zu", k);
        if (!isnan(cases[k].area)) {
            cr_expect_float_eq(as_number(M_HPO_REGRET, &v[M_HPO_REGRET]), cases[k].area, 1e-9,
                               "case %zu: %.12g", k, as_number(M_HPO_REGRET, &v[M_HPO_REGRET]));
            cr_expect_float_eq(v[M_HPO_REGRET_LEFT].number, cases[k].left, 1e-12, "case %zu", k);
        }
        metrics_free(m);
    }
}

/* With a deadline it counts until then: at 20 s, though the experiment closed at 13 s and the run
 * ended at 14 s; at 13 s. A run that was cut before has no value. */
Test(metrics, regret_until_deadline)
{
    static const struct {
        sim_time deadline;
        bool closed;
        double area; /* NAN: there is none */
    } cases[] = {{20 * S, true, 6 + 7 * 0.5 + 7 / 6.},
                 {13 * S, true, 6 + 7 * 0.5},
                 {20 * S, false, NAN},
                 {0, false, 6 + 7 * 0.5 + 1 / 6.}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct metrics *m = metrics_new(NULL);
        struct metric_value v[METRICS];
        for (size_t i = 0; i < sizeof history / sizeof *history; i++) {
            struct record r = history[i];
            if (r.kind == REC_ARRIVE && r.experiment == 0)
                r.value = 0.25;
            if (r.kind == REC_OPEN)
                r.told = 1, r.run = cases[k].deadline;
            if (r.kind != REC_CLOSE || cases[k].closed)
                metrics_take(m, &r);
        }
        metrics_values(m, v);
        cr_expect_eq(v[M_HPO_REGRET].defined, !isnan(cases[k].area), "case %zu", k);
        if (!isnan(cases[k].area))
            cr_expect_float_eq(as_number(M_HPO_REGRET, &v[M_HPO_REGRET]), cases[k].area, 1e-8,
                               "case %zu: %.12g", k, as_number(M_HPO_REGRET, &v[M_HPO_REGRET]));
        metrics_free(m);
    }
}

/*
 * Two experiments side by side, in one of which a loss falls: means over both. The loss of 4 falls
 * to 1 at 2 s, which is 0.75 of the way to 0, and to 0 at 6 s: 2 + 4 / 4. The accuracy comes to 0.5
 * at 8 s, of a goal of 1, and stays there until the end at 10 s: 8 + 2 / 2. Both had a target.
 */
Test(metrics, regret_of_two)
{
    static const struct record two[] = {
        /* clang-format off */
        {.t = 0, .kind = REC_BEGIN, .job = NO_JOB, .n = 4, NONE},
        {.t = 0, .kind = REC_OPEN, .job = NO_JOB, .n = 1, .experiment = 0, .value = 0.5, .told = 1},
        {.t = 0, .kind = REC_ARRIVE, .job = JOB(0), .n = 1, .epoch = 2, .value = 0, .told = NAN},
        {.t = 0, .kind = REC_OPEN, .job = NO_JOB, .n = 1, .experiment = 1, .value = 1, .told = 0,
         .good = true},
        {.t = 0, .kind = REC_ARRIVE, .job = JOB(1), .n = 1, .experiment = 1, .epoch = 2, .value = 4,
         .told = NAN},
        {.t = 0, .kind = REC_START, OF(0), .n = 1, .share = &gpu[0], .run = 0},
        {.t = 0, .kind = REC_START, OF(1), .n = 1, .share = &gpu[1], .run = 0},
        {.t = 2 * S, .kind = REC_REPORT, .job = JOB(1), .n = 1, .epoch = 1, .value = 1, .told = NAN},
        {.t = 6 * S, .kind = REC_REPORT, .job = JOB(1), .n = 1, .epoch = 2, .value = 0, .told = NAN},
        {.t = 8 * S, .kind = REC_REPORT, .job = JOB(0), .n = 1, .epoch = 1, .value = 0.5,
         .told = NAN},
        {.t = 10 * S, .kind = REC_FINISH, .job = NO_JOB, .n = 4, .why = "until", NONE},
        /* clang-format on */
    };
    struct metrics *m = metrics_new(NULL);
    struct metric_value v[METRICS];

    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        metrics_take(m, &two[i]);
    metrics_values(m, v);
    check_value(v, M_HPO_REGRET, (3 + 9) / 2.);
    check_value(v, M_HPO_REGRET_LEFT, 0.25);
    check_value(v, M_HPO_TARGET, (2 + 8) / 2.);
    metrics_free(m);
}

/* The same without its last job: all have ended. */
Test(metrics, all_jobs_ended)
{
    struct metrics *m = metrics_new(NULL);
    struct metric_value v[METRICS];

    for (size_t i = 0; i < sizeof history / sizeof *history; i++)
        if (history[i].job != JOB(4))
            metrics_take(m, &history[i]);
    metrics_values(m, v);
    check_value(v, M_UNFINISHED, 0);
    check_value(v, M_MAKESPAN, 13);
    check_value(v, M_END, 14);
    check_value(v, M_GPU_BUSY_SHARE, 38. / 52);
    check_value(v, M_GPU_HELD_SHARE, 45. / 52);
    check_value(v, M_GPU_SETUP, 5);
    check_value(v, M_GPU_IDLE, 11);
    metrics_free(m);
}

/* What has no value says so; counts are 0. */
Test(metrics, empty_run)
{
    static const enum metric_id defined[] = {
        M_JOBS,   M_DONE,        M_KILLED,      M_REJECTED,  M_UNFINISHED, M_END,
        M_GPUS,   M_GPU_USEFUL,  M_GPU_LOST,    M_GPU_SETUP, M_GPU_SAVE,   M_GPU_IDLE,
        M_STARTS, M_PREEMPTIONS, M_RELOCATIONS, M_REFUSALS,  M_TOLD};
    struct metrics *m = metrics_new(NULL);
    struct metric_value v[METRICS];

    metrics_take(m, &history[0]);
    metrics_take(
        m, &(struct record){
               .t = 3 * S, .kind = REC_FINISH, .job = NO_JOB, .n = 4, .why = "drained", NONE});
    metrics_values(m, v);
    for (size_t i = 0; i < sizeof defined / sizeof *defined; i++) {
        cr_expect(v[defined[i]].defined, "%s", metric_defs[defined[i]].name);
        cr_expect(as_number(defined[i], &v[defined[i]]) == (defined[i] == M_GPUS       ? 4
                                                            : defined[i] == M_END      ? 3
                                                            : defined[i] == M_GPU_IDLE ? 12
                                                                                       : 0),
                  "%s", metric_defs[defined[i]].name);
        v[defined[i]].defined = false;
    }
    for (int id = 0; id < METRICS; id++)
        cr_expect(!v[id].defined || id == M_EXPERIMENTS || id == M_TRIALS || id == M_GOOD_TRIALS,
                  "%s", metric_defs[id].name);
    metrics_free(m);
}

/*
 * Two GPUs, shared. Job 0 has GPU 0 from 0 s, job 1 both from 2 s (it sets up until 3 s); at 5 s it
 * is split anew, at 6 s job 0 is given GPU 1 too, where its replica is there at 8 s; job 1 ends at
 * 10 s, job 0 at 12 s, job 2 is never started.
 */
static const struct share both[] = {{0, 4}, {1, 4}}, uneven[] = {{0, 2}, {1, 6}};
static const struct share load0[] = {{0, 1}}, load1[] = {{1, 1}}, load2[] = {{0, 2}};
static const struct record shared_history[] = {
    /* clang-format off */
    {.t = 0, .kind = REC_BEGIN, .job = NO_JOB, .n = 2, NONE},
    {.t = 0, .kind = REC_ARRIVE, OF(0), .n = 1, .experiment = NO_EXPERIMENT},
    {.t = 0, .kind = REC_ALONE, OF(0), .n = 1, .run = 8 * S},
    {.t = 0, .kind = REC_START, OF(0), .n = 1, .share = &gpu[0], .run = 0},
    {.t = 0, .kind = REC_RATE, .job = JOB(0), .n = 1, .value = 1, .told = NAN},
    {.t = 2 * S, .kind = REC_ARRIVE, OF(1), .n = 2, .experiment = NO_EXPERIMENT},
    {.t = 2 * S, .kind = REC_ALONE, OF(1), .n = 2, .run = 2 * S},
    {.t = 2 * S, .kind = REC_START, OF(1), .n = 2, .share = both, .run = 3 * S},
    {.t = 3 * S, .kind = REC_RUN, OF(1), .n = 2, .share = both},
    {.t = 3 * S, .kind = REC_LOAD, .job = NO_JOB, .n = 1, .share = load0, .run = 0, .value = 0.5,
     .told = 0.25},
    {.t = 5 * S, .kind = REC_SPLIT, OF(1), .n = 2, .share = uneven, .run = 5 * S},
    {.t = 5 * S, .kind = REC_LOAD, .job = NO_JOB, .n = 1, .share = load2, .run = 3 * S, .value = 1,
     .told = 0.75},
    {.t = 6 * S, .kind = REC_RESIZE, OF(0), .n = 2, .share = both, .run = 8 * S},
    {.t = 7 * S, .kind = REC_ARRIVE, OF(2), .n = 1, .experiment = NO_EXPERIMENT},
    {.t = 8 * S, .kind = REC_RUN, OF(0), .n = 2, .share = both},
    {.t = 10 * S, .kind = REC_END, OF(1), .n = 2, .share = uneven},
    {.t = 10 * S, .kind = REC_LOAD, .job = NO_JOB, .n = 1, .share = load1, .run = 3 * S,
     .value = 0.5, .told = 0.5},
    {.t = 12 * S, .kind = REC_END, OF(0), .n = 2, .share = both},
    {.t = 12 * S, .kind = REC_LOAD, .job = NO_JOB, .n = 1, .share = load2, .run = 5 * S, .value = 1,
     .told = 0.5},
    {.t = 14 * S, .kind = REC_FINISH, .job = NO_JOB, .n = 2, .why = "stalled", NONE},
    /* clang-format on */
};

static const struct {
    double alone, slowdown, setup, run;
    uint32_t splits, resizes;
} shared_rows[] = {{8, 1.5, 2, 10, 0, 1}, {2, 4, 1, 7, 1, 0}, {0, NAN, 0, 0, 0, 0}};

static void take_shared(void *user, const struct job_row *r)
{
    double s = metrics_alone_slowdown(r), want = shared_rows[r->number].slowdown;

    ++*(uint32_t *)user;
    cr_expect(s == want || (isnan(s) && isnan(want)), "job %u: %.17g", r->number, s);
    cr_expect((double)r->alone == shared_rows[r->number].alone * 1e9, "job %u: alone", r->number);
    cr_expect((double)r->setup == shared_rows[r->number].setup * 1e9 &&
                  (double)r->run == shared_rows[r->number].run * 1e9,
              "job %u: set-up %lld, run %lld", r->number, (long long)r->setup, (long long)r->run);
    cr_expect(r->splits == shared_rows[r->number].splits &&
                  r->resizes == shared_rows[r->number].resizes,
              "job %u: %u splits, %u resizes", r->number, r->splits, r->resizes);
}

/* Held: job 0 for 6 s one GPU and 6 s two, job 1 for 8 s two. Active: GPU 0 for 1.5 + 2 + 7 s,
 * GPU 1 for 3.5 s; work 0.75 + 1.5 + 3.5 and 3.5. It is cut at 14 s, job 2 being there. */
Test(metrics, shared)
{
    static const struct {
        enum metric_id id;
        double value;
    } wanted[] = {{M_ALONE_MAX, 4},
                  {M_ALONE_MEAN, 2.75},
                  {M_ALONE_STD, 1.25},
                  {M_ALONE_JAIN, 5.5 * 5.5 / (2 * (1.5 * 1.5 + 16))},
                  {M_GPU_ACTIVE_SHARE, 14. / 28},
                  {M_GPU_WORK_SHARE, 9.25 / 28},
                  {M_SPLITS, 1},
                  {M_RESIZES, 1},
                  {M_GPU_HELD_SHARE, 34. / 28},
                  {M_GPU_BUSY_SHARE, 28. / 28},
                  {M_GPU_USEFUL, 28},
                  {M_GPU_SETUP, 6},
                  {M_GPU_IDLE, 14}};
    uint32_t n = 0;
    struct metrics *m = metrics_new(&(struct metrics_hooks){take_shared, NULL, &n});
    struct metric_value v[METRICS];

    for (size_t i = 0; i < sizeof shared_history / sizeof *shared_history; i++)
        metrics_take(m, &shared_history[i]);
    metrics_values(m, v);
    cr_assert_eq(n, 3);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        check_value(v, wanted[i].id, wanted[i].value);
    for (int id = 0; id < METRICS; id++)
        cr_expect(metric_applies(v, id), "%s", metric_defs[id].name);
    metrics_free(m);
}

/* Equal histories have equal digests; any difference shows, but for what people read. */
Test(metrics, digest)
{
    uint64_t whole = 0;

    for (size_t i = 0; i < sizeof history / sizeof *history; i++)
        whole = record_digest(whole, &history[i]);
    for (size_t change = 0; change < sizeof history / sizeof *history; change++) {
        for (int what = 0; what < 5; what++) {
            uint64_t h = 0;
            for (size_t i = 0; i < sizeof history / sizeof *history; i++) {
                struct record r = history[i];
                if (i == change) {
                    r.t += what == 0;
                    r.kind = what == 1 ? (r.kind + 1) % REC_KINDS : r.kind;
                    r.n += what == 2 && !r.share;
                    r.why = what == 3 ? "?" : r.why;
                    r.run += what == 4 &&
                             (r.kind == REC_START || r.kind == REC_PREEMPT || r.kind == REC_PAUSE);
                    if (what == 1 && !r.share)
                        r.share = gpu;
                }
                h = record_digest(h, &r);
            }
            bool same = what == 3 || (what == 2 && history[change].share) ||
                        (what == 4 && history[change].kind != REC_START &&
                         history[change].kind != REC_PREEMPT && history[change].kind != REC_PAUSE);
            cr_assert_eq(h == whole, same, "record %zu, change %d", change, what);
        }
    }
}
