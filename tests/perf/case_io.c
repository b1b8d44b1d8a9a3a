/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in, text out, without a simulation: three values of a row of eight cells; rows of five
 * fields. */
#include <sys/stat.h>

#include "sim/base/rng.h"
#include "sim/text/csv.h"
#include "tests/perf/bench.h"
#include "tests/perf/jobs.h"

struct io {
    struct diag *diag;
    const char *path;
    struct jobs jobs;
    uint64_t sum; /* of all values, as they were made */
    int64_t bytes;
};

static const struct shape shape = {.gpus = 1000, .load = 0.9, .mu = 7, .sigma = 1.5, .gangs = true};

static uint64_t add(uint64_t sum, sim_time submit, int64_t gpus, sim_time work)
{
    return rng_mix(sum, (uint64_t)submit ^ (uint64_t)gpus << 56 ^ (uint64_t)work << 20);
}

static void *open_io(const struct bench_case *c, struct outcome *o)
{
    struct io *s = mem_get(sizeof(*s));
    struct stat st;

    s->diag = diag_new(stderr);
    s->jobs = jobs_new(shape, c->jobs);
    for (uint32_t i = 0; i < c->jobs; i++)
        s->sum = add(s->sum, s->jobs.submit[i], s->jobs.gpus[i], s->jobs.work[i]);
    s->path = c->variant ? "written.csv" : "rows.csv";
    if (c->variant)
        return s;
    if (!jobs_csv(s->diag, s->path, shape, c->jobs, "id") || stat(s->path, &st) != 0) {
        snprintf(o->fault, sizeof(o->fault), "no trace could be written");
        return NULL;
    }
    s->bytes = st.st_size;
    return s;
}

static uint64_t read_rows(struct io *s, struct csv *csv)
{
    int submit = csv_column(csv, "submit_s"), gpus = csv_column(csv, "gpus"),
        work = csv_column(csv, "duration_s");
    sim_time at, for_ns;
    int64_t n;
    uint64_t sum = 0;

    while (csv_next(csv) > 0)
        if (csv_seconds(csv, submit, 0, SIM_LATEST, &at) && csv_int(csv, gpus, 1, INT32_MAX, &n) &&
            csv_seconds(csv, work, 1, SIM_LATEST, &for_ns))
            sum = add(sum, at, n, for_ns);
    BUG_ON(csv_row(csv) != s->jobs.n);
    return sum;
}

static void pass_parse(void *self, struct outcome *o)
{
    struct io *s = self;
    struct csv *csv = csv_open(s->diag, s->path);

    BUG_ON(!csv);
    o->digest = read_rows(s, csv);
    csv_close(csv);
    o->units = s->jobs.n;
    snprintf(o->note, sizeof(o->note), "%.1f bytes a row", (double)s->bytes / s->jobs.n);
    if (o->digest != s->sum)
        snprintf(o->fault, sizeof(o->fault), "what was read is not what was written");
}

static void pass_write(void *self, struct outcome *o)
{
    struct io *s = self;
    struct out *out = out_create(s->diag, s->path);

    BUG_ON(!out);
    for (uint32_t i = 0; i < s->jobs.n; i++) {
        sim_time at = s->jobs.submit[i], for_ns = s->jobs.work[i];
        out_int(out, i);
        out_char(out, ',');
        out_seconds(out, at);
        out_char(out, ',');
        out_seconds(out, for_ns);
        out_char(out, ',');
        out_seconds(out, at + for_ns);
        out_char(out, ',');
        out_int(out, s->jobs.gpus[i]);
        out_char(out, '\n');
    }
    if (!out_commit(out))
        snprintf(o->fault, sizeof(o->fault), "the rows could not be written");
    o->units = s->jobs.n;
}

static void close_io(void *self, struct outcome *o)
{
    struct io *s = self;

    if (!s->bytes)
        o->digest = meter_bytes(s->path);
    jobs_free(&s->jobs);
    diag_free(s->diag);
    mem_drop(s);
}

const struct bench_case io_cases[] = {
    {.name = "io.csv.parse",
     .unit = "row",
     .jobs = 1000000,
     .reps = 7,
     .open = open_io,
     .pass = pass_parse,
     .close = close_io},
    {.name = "io.csv.write",
     .unit = "row",
     .jobs = 1000000,
     .reps = 7,
     .variant = 1,
     .open = open_io,
     .pass = pass_write,
     .close = close_io},
    {.name = NULL},
};
