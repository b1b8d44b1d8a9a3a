/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the project has promised itself: one row a promise, from the cases that show it. */
#include <math.h>
#include <string.h>

#include "tests/perf/bench.h"

const char *const verdict_names[] = {[VERDICT_NONE] = "not measured",
                                     [VERDICT_MISSED] = "missed",
                                     [VERDICT_REACHED] = "reached",
                                     [VERDICT_STRETCH] = "stretch"};

struct target {
    const char *id, *what, *unit;
    const char *a, *b; /* cases; exponent, slowest_us: names that begin and end so */
    double must, stretch;
    double (*value)(const struct outcomes *, const struct target *); /* NAN: not measured */
};

static const struct outcome *get(const struct outcomes *all, const char *name)
{
    return outcomes_find(all, name);
}

/* ---- values ---- */

static double time_of(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a);

    return a ? a->best : NAN;
}

static double ms_of(const struct outcomes *all, const struct target *t)
{
    return time_of(all, t) / 1e6;
}

static double instructions_of(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a);

    return a && a->instructions > 0 ? a->instructions : NAN;
}

static double seconds_of(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a);

    return a ? a->best * a->units / 1e9 : NAN;
}

static double mib_of(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a);

    return a ? (double)a->rss_kib / 1024 : NAN;
}

static double bytes_a_unit(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a);

    return a ? (double)a->rss_kib * 1024 / a->units : NAN;
}

static double bytes_a_unit_more(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a), *b = get(all, t->b);

    return a && b ? (double)(a->rss_kib - b->rss_kib) * 1024 / (a->units - b->units) : NAN;
}

static double ratio(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a), *b = get(all, t->b);

    return a && b ? a->best / b->best : NAN;
}

/* How often b goes into a: more is better. */
static double speedup(const struct outcomes *all, const struct target *t)
{
    return ratio(all, t);
}

static double percent_more(const struct outcomes *all, const struct target *t)
{
    return 100 * (ratio(all, t) - 1);
}

/* arrive, start and end of a job */
static double ns_an_event_more(const struct outcomes *all, const struct target *t)
{
    const struct outcome *a = get(all, t->a), *b = get(all, t->b);

    return a && b ? (a->best - b->best) / 3 : NAN;
}

static bool is_of(const char *name, const char *begin, const char *end)
{
    size_t n = strlen(name), k = strlen(end);

    return strncmp(name, begin, strlen(begin)) == 0 && n >= k && strcmp(name + n - k, end) == 0;
}

/* Whether a name is begin, a number as in 1e6, end. */
static bool is_sized(const char *name, const char *begin, const char *end)
{
    size_t from = strlen(begin),
           n = strspn(name + (strlen(name) < from ? strlen(name) : from), "0123456789e");

    return n > 0 && strncmp(name, begin, from) == 0 && strcmp(name + from + n, end) == 0;
}

/* The slope of ln(time) over ln(jobs): time divided by jobs and preemptions, times jobs. */
static double exponent(const struct outcomes *all, const struct target *t)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct outcome *o = &all->item[i];
        if (o->reps == 0 || !is_sized(o->name, t->a, t->b))
            continue;
        /* a decision: an arrival, a completion or a preemption */
        double p = (double)o->preemptions,
               jobs = strcmp(o->unit, "decision") == 0 ? (o->units - p) / 2 : o->units;
        double x = log(jobs), y = log(o->best * o->units * jobs / (jobs + p));
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    double spread = n * sxx - sx * sx;
    return n >= 2 && spread > 0 ? (n * sxy - sx * sy) / spread : NAN;
}

/* us of the slowest of the cases at 1e5 jobs. */
static double slowest_us(const struct outcomes *all, const struct target *t)
{
    double worst = NAN;

    for (size_t i = 0; i < all->n; i++)
        if (all->item[i].reps > 0 && is_of(all->item[i].name, t->a, t->b))
            worst = fmax(worst, all->item[i].best / 1e3);
    return worst;
}

/* ---- the promises ---- */

static const struct target targets[] = {
    {"T1", "FIFO gang replay, 1e6 jobs, 1000 GPUs", "ns/job", "replay.fifo.1e6.1000", "", 120, 80,
     time_of},
    {"T1", "the same, instructions", "instr/job", "replay.fifo.1e5.1000", "", 700, 450,
     instructions_of},
    {"T2", "growth exponent in jobs, FIFO", "", "replay.fifo.", ".1000", 1.05, 1.03, exponent},
    {"T2", "growth exponent in jobs, two-queue LAS", "", "pre.las2.360.", "", 1.15, 1.08, exponent},
    {"T2", "growth exponent in jobs, LAS", "", "pre.las.360.", "", 1.15, 1.08, exponent},
    {"T2", "growth exponent in jobs, SRTF", "", "pre.srtf.360.", "", 1.15, 1.08, exponent},
    {"T3", "time at 1e5 GPUs / time at 96, 1e6 jobs", "x", "replay.fifo.1e6.1e5",
     "replay.fifo.1e6.96", 2.0, 1.6, ratio},
    {"T4", "memory, FIFO streaming, 1e6 jobs", "MiB", "mem.stream.1e6", "", 16, 4, mib_of},
    {"T4", "memory of an active job", "B", "mem.active.1e5", "mem.active.1e3", 64, NAN,
     bytes_a_unit_more},
    {"T5", "memory, batch with results of each job", "B/job", "e2e.batch", "", 64, 40,
     bytes_a_unit},
    {"T6", "CSV parse", "ns/row", "io.csv.parse", "", 60, 45, time_of},
    {"T6", "the same, instructions", "instr/row", "io.csv.parse", "", 600, NAN, instructions_of},
    {"T7", "CSV write, five fields", "ns/row", "io.csv.write", "", 60, 48, time_of},
    {"T8", "parse + simulate + write / parse + write", "x", "e2e.stream", "e2e.parsewrite", 2.0,
     1.6, ratio},
    {"T9", "CSV to CSV, 1e6 jobs", "s", "e2e.stream", "", 0.18, 0.14, seconds_of},
    {"T10", "slowest of SRTF, LAS, two-queue LAS at q = 60 and 360 s", "us/decision", "pre.",
     "0.fast", 1.0, 0.4, slowest_us},
    {"T11", "sorting at every quantum / fast, SRTF, q = 60 s", "x", "pre.srtf.60.sorted",
     "pre.srtf.60.fast", 5, 10, speedup},
    {"T11", "the same, LAS, q = 60 s", "x", "pre.las.60.sorted", "pre.las.60.fast", 5, 10, speedup},
    {"T11", "the same, two-queue LAS, q = 60 s", "x", "pre.las2.60.sorted", "pre.las2.60.fast", 5,
     10, speedup},
    {"T11", "the same, two-queue LAS, q = 360 s, 3e5 jobs", "x", "pre.las2.360.3e5.sorted",
     "pre.las2.360.3e5", 20, 40, speedup},
    {"T11", "the same, 1e6 jobs (3 minutes: only if asked for)", "x", "pre.las2.360.1e6.sorted",
     "pre.las2.360.1e6", 20, 40, speedup},
    {"T12", "a replica ends beside 15 others and one begins, 1000 GPUs", "ns/event", "ps.16", "",
     250, 160, time_of},
    {"T12", "64 replicas on each GPU / 1", "x", "ps.64", "ps.1", 1.5, 1.3, ratio},
    {"T12", "a day of 1000 GPUs x 4 residents, even shares", "s", "share.day.even", "", 10, NAN,
     seconds_of},
    {"T12", "the same, slowdown-fair shares", "s", "share.day.fair", "", 10, NAN, seconds_of},
    {"T14", "rebalancing over 4 GPUs", "ns/share", "balance.4", "", 30, 10, time_of},
    {"T14", "the same, 256", "ns/share", "balance.256", "", 30, 10, time_of},
    {"T15", "steps one by one with jitter, 8 jobs x 4 on 4 GPUs", "ns/segment", "iter.sync.8.4", "",
     250, 130, time_of},
    {"T15", "the same, 64 x 4 on 32", "ns/segment", "iter.sync.64.32", "", 250, 130, time_of},
    {"T17", "a process with 20 jobs on 8 GPUs", "ms", "start.tiny", "", 2, 1, ms_of},
    {"T21", "cost of metrics", "%", "replay.fifo.1e6.1000", "replay.bare.1e6.1000", 10, NAN,
     percent_more},
    {"T21", "cost of jobs.csv", "%", "e2e.full.jobs", "e2e.full.none", 10, NAN, percent_more},
    {"T21", "cost of series.csv", "%", "e2e.full.series", "e2e.full.none", 10, NAN, percent_more},
    {"T21", "cost of --paranoid checks", "%", "replay.checked.1e4.1000", "replay.fifo.1e4.1000", 10,
     NAN, percent_more},
    {"T21", "cost of events.csv", "ns/event", "e2e.full.events", "e2e.full.none", 60, NAN,
     ns_an_event_more},
    {"T22", "predicting a step time from a plan", "ns/step", "predict.step", "", 10000, 2000,
     time_of},
    {"T22", "the same where the run has asked before", "ns/step", "predict.kept", "", 100, 20,
     time_of},
    {"T23", "a report of 1e5 trials x 50 epochs on 1000 GPUs, Hermes", "ns/report",
     "hpo.report.hermes", "", 500, 250, time_of},
    {"T23", "the same, round robin", "ns/report", "hpo.report.rr", "", 500, 250, time_of},
    {"T23", "the same, FIFO", "ns/report", "hpo.report.fifo", "", 500, 250, time_of},
    {"T24", "ASHA by promotion, 256 at once, an epoch's result", "ns/report", "hpo.asha.256", "",
     1000, 500, time_of},
    {"T24", "ASHA by stopping, the same", "ns/report", "hpo.asha_stop.256", "", 1000, 500, time_of},
    {"T25", "quanta looked at / left out where nobody waits, 1000 jobs", "x", "rr.naive.1e3",
     "rr.closed.1e3", 100, 1000, speedup},
};
#define TARGETS (sizeof(targets) / sizeof(*targets))

size_t targets_count(void)
{
    return TARGETS;
}

static enum verdict_word judge(const struct target *t, double value)
{
    if (isnan(value))
        return VERDICT_NONE;
    if (t->value == speedup)
        return value >= t->stretch ? VERDICT_STRETCH
               : value >= t->must  ? VERDICT_REACHED
                                   : VERDICT_MISSED;
    return value <= t->stretch ? VERDICT_STRETCH
           : value <= t->must  ? VERDICT_REACHED
                               : VERDICT_MISSED;
}

struct target_result targets_get(const struct outcomes *all, size_t i)
{
    const struct target *t = &targets[i];
    double value = t->value(all, t);

    return (struct target_result){t->id,          t->what, t->unit,    t->a,
                                  value,          t->must, t->stretch, t->value == speedup,
                                  judge(t, value)};
}

/* T10 holds for each of its cases, too. */
static bool is_decision(const char *name)
{
    return is_of(name, "pre.", "0.fast");
}

struct target_result targets_of_case(const struct outcomes *all, const struct outcome *o)
{
    for (size_t i = 0; i < TARGETS; i++) {
        const struct target *t = &targets[i];
        if (t->value == time_of && strcmp(t->a, o->name) == 0)
            return targets_get(all, i);
        if (t->value == slowest_us && is_decision(o->name))
            return (struct target_result){t->id,
                                          t->what,
                                          "ns/decision",
                                          o->name,
                                          o->best,
                                          t->must * 1e3,
                                          t->stretch * 1e3,
                                          false,
                                          judge(t, o->best / 1e3)};
    }
    return (struct target_result){.id = "", .must = NAN, .stretch = NAN, .verdict = VERDICT_NONE};
}
