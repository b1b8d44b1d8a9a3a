/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * philly OUT TABLE CLUSTER JOBS - the first jobs of one virtual cluster of the Philly trace.
 *
 * Jobs in order of submission (those of one second stay in the order of the file), seconds counted
 * from the first; a duration is cut to whole seconds, at least 1. TABLE "-" reads standard input.
 */
#include <stdlib.h>

#include "traces/convert/convert.h"

enum { SUBMITTED, DURATION, GPUS, CLUSTER, COLUMNS };
static const char *const columns[] = {"timestamp", "duration", "num_gpus", "cluster", NULL};

struct job {
    int64_t submitted, duration, gpus;
    uint64_t row;
};

struct jobs {
    struct job *job;
    size_t n, cap;
};

/* Days since 1970-01-01 in the Gregorian calendar. */
static int64_t days(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;

    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719469;
}

/* "2017-10-09 07:01:55" */
static bool read_time(struct diag *diag, const struct csv *csv, int col, int64_t *out)
{
    static const int at[] = {0, 5, 8, 11, 14, 17, 19};
    size_t len;
    const char *s = csv_cell(csv, col, &len);
    int64_t part[6];

    for (int i = 0; i < 6; i++)
        if (len != 19 ||
            num_int(s + at[i], (size_t)(at[i + 1] - at[i] - (i < 5)), &part[i]) != NUM_OK)
            return diag_error(diag, csv_mark(csv, col), "%.*s is not like 2017-10-09 07:01:55",
                              (int)len, s);
    *out = days(part[0], part[1], part[2]) * 86400 + part[3] * 3600 + part[4] * 60 + part[5];
    return true;
}

static bool read_job(struct diag *diag, struct csv *csv, const int *col, struct jobs *jobs)
{
    struct job j = {.row = csv_row(csv)};
    double duration;

    if (!read_time(diag, csv, col[SUBMITTED], &j.submitted) ||
        !csv_real(csv, col[DURATION], 0, 1e12, &duration) ||
        !csv_int(csv, col[GPUS], 1, 100000, &j.gpus))
        return false;
    j.duration = duration < 1 ? 1 : (int64_t)duration;
    jobs->job = mem_room(jobs->job, jobs->n, &jobs->cap, sizeof *jobs->job);
    jobs->job[jobs->n++] = j;
    return true;
}

static bool read_jobs(struct diag *diag, const char *path, const char *cluster, struct jobs *jobs)
{
    struct csv *csv = csv_open(diag, path);
    int col[COLUMNS], got = -1;
    bool good = csv && csv_require(csv, columns);

    for (int i = 0; good && i < COLUMNS; i++)
        col[i] = csv_column(csv, columns[i]);
    while (good && (got = csv_next(csv)) == 1)
        good = !cell_is(csv, col[CLUSTER], cluster) || read_job(diag, csv, col, jobs);
    csv_close(csv);
    return good && got == 0;
}

static int by_submission(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    int order = (x->submitted > y->submitted) - (x->submitted < y->submitted);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct jobs jobs = {0};
    int64_t most = 0;
    bool good = read_jobs(diag, input[0], input[1], &jobs);

    if (num_int(input[2], strlen(input[2]), &most) != NUM_OK)
        good = diag_error(diag, (struct mark){0}, "%s is no number of jobs", input[2]);
    if (jobs.n > 0)
        qsort(jobs.job, jobs.n, sizeof *jobs.job, by_submission);
    out_text(out, "submit_s,gpus,duration_s\n");
    for (size_t i = 0; i < jobs.n && (int64_t)i < most; i++)
        out_printf(out, "%lld,%lld,%lld\n",
                   (long long)(jobs.job[i].submitted - jobs.job[0].submitted),
                   (long long)jobs.job[i].gpus, (long long)jobs.job[i].duration);
    mem_drop(jobs.job);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 3, "philly OUT TABLE CLUSTER JOBS", convert);
}
