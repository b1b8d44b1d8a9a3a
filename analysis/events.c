/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/events.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/heap.h"
#include "sim/text/num.h"

enum {
    TIME,
    EVENT,
    JOB,
    NAME,
    EXPERIMENT,
    TRIAL,
    EPOCH,
    GOOD,
    N,
    GPUS,
    ORIGIN,
    RUN,
    READY,
    LOST,
    VALUE,
    TOLD,
    WHY,
    COLUMNS
};
static const char *const column[COLUMNS + 1] = {
    "time_s", "event",  "job",   "name",    "experiment", "trial", "epoch", "good", "n",
    "gpus",   "origin", "run_s", "ready_s", "lost_s",     "value", "told",  "why"};

/* ---- writing ---- */

void events_header(struct out *o)
{
    for (int i = 0; i < COLUMNS; i++) {
        if (i)
            out_char(o, ',');
        out_text(o, column[i]);
    }
    out_char(o, '\n');
}

/* What is put into a row but for texts and lists: under so many bytes. */
#define PART 512

static void put_gpus(struct out *o, const struct record *r)
{
    for (uint32_t i = 0, k; r->share && i < r->n; i = k) {
        const struct share *s = &r->share[i];
        char *p = out_room(o, PART);
        for (k = i + 1;
             k < r->n && r->share[k].gpu == s->gpu + (k - i) && r->share[k].samples == s->samples;
             k++)
            ;
        if (i)
            *p++ = ' ';
        p += num_put_int(p, s->gpu);
        if (k - i > 1) {
            *p++ = '-';
            p += num_put_int(p, s->gpu + (k - i) - 1);
        }
        if (s->samples) {
            *p++ = '*';
            p += num_put_int(p, s->samples);
        }
        out_upto(o, p);
    }
}

static char *put_text(char *p, const char *text)
{
    p = stpcpy(p, text);
    *p++ = ',';
    return p;
}

static char *put_uint(char *p, bool is_there, uint32_t x)
{
    if (is_there)
        p += num_put_int(p, x);
    *p++ = ',';
    return p;
}

static char *put_time(char *p, bool is_there, sim_time t)
{
    if (is_there)
        p += num_put_seconds(p, t);
    *p++ = ',';
    return p;
}

/* NAN: there is none. */
static char *put_real(char *p, double x)
{
    if (isinf(x))
        return put_text(p, "null");
    if (!isnan(x))
        p += num_put_real(p, x);
    *p++ = ',';
    return p;
}

void events_row(struct out *o, const struct record *r)
{
    bool off = r->kind == REC_PREEMPT || r->kind == REC_PAUSE;
    bool on = r->kind == REC_START || r->kind == REC_SPLIT || r->kind == REC_RESIZE ||
              r->kind == REC_ALONE || r->kind == REC_LOAD || r->kind == REC_OPEN;
    bool trial = r->experiment != NO_EXPERIMENT;
    char *p = out_room(o, PART);

    p = put_time(p, true, r->t);
    p = put_text(p, record_name[r->kind]);
    p = put_uint(p, r->job != NO_JOB, sim_number(r->job));
    if (r->name) {
        out_upto(o, p);
        out_csv(o, r->name);
        p = out_room(o, PART);
    }
    *p++ = ',';
    p = put_uint(p, trial, r->experiment);
    p = put_uint(p, trial && r->job != NO_JOB, r->trial);
    p = put_uint(p,
                 r->kind == REC_ARRIVE || r->kind == REC_REPORT || r->kind == REC_OPEN ||
                     r->kind == REC_COPY,
                 r->epoch);
    p = put_uint(p, r->good, 1);
    p = put_uint(p, true, r->n);
    out_upto(o, p);
    put_gpus(o, r);
    p = out_room(o, PART);
    *p++ = ',';
    p = put_text(p, r->kind == REC_START ? origin_name[r->origin] : "");
    p = put_time(p, on || off, r->run);
    p = put_time(p, off || r->kind == REC_COPY, r->ready);
    p = put_time(p, off, r->lost);
    p = put_real(p, r->value);
    p = put_real(p, r->told);
    out_upto(o, p);
    if (r->why)
        out_csv(o, r->why);
    out_char(o, '\n');
}

/* ---- reading ---- */

struct events {
    struct diag *diag;
    struct csv *csv;
    int col[COLUMNS];
    sim_time last;
    struct share *share;
    size_t cap_share;
    uint32_t *slot; /* by number of the job: its slot + 1; 0: not alive */
    size_t cap_slot;
    uint32_t *free; /* slots that ended */
    size_t n_free, cap_free;
    uint32_t n_slots, n_jobs;
    char *name, *why; /* of the present row */
    size_t cap_name, cap_why;
};

static bool bad(struct events *e, int col, const char *what)
{
    return diag_error(e->diag, csv_mark(e->csv, e->col[col]), "%s: %s", column[col], what);
}

static bool is_empty(struct events *e, int col)
{
    size_t len;

    csv_cell(e->csv, e->col[col], &len);
    return len == 0;
}

/* A cell that may be empty. */
static bool get_uint(struct events *e, int col, uint32_t none, uint32_t *out)
{
    int64_t x = none;

    if (!is_empty(e, col) && !csv_int(e->csv, e->col[col], 0, UINT32_MAX - 1, &x))
        return false;
    *out = (uint32_t)x;
    return true;
}

static bool get_time(struct events *e, int col, sim_time *out)
{
    *out = 0;
    return is_empty(e, col) || csv_seconds(e->csv, e->col[col], 0, SIM_LATEST, out);
}

static bool get_real(struct events *e, int col, double *out)
{
    *out = NAN;
    return is_empty(e, col) || csv_real(e->csv, e->col[col], -DBL_MAX, DBL_MAX, out);
}

static const char *get_text(struct events *e, int col, char **buf, size_t *cap)
{
    size_t len;
    const char *cell = csv_cell(e->csv, e->col[col], &len);

    if (len == 0)
        return NULL;
    if (*cap < len + 1) {
        *cap = 2 * len + 64;
        *buf = mem_grow(*buf, *cap);
    }
    memcpy(*buf, cell, len);
    (*buf)[len] = '\0';
    return *buf;
}

/* The position of a cell in a list of words, or -1. */
static int one_of(struct events *e, int col, const char *const *names, int n)
{
    size_t len;
    const char *cell = csv_cell(e->csv, e->col[col], &len);

    for (int i = 0; i < n; i++)
        if (strlen(names[i]) == len && memcmp(names[i], cell, len) == 0)
            return i;
    return -1;
}

static bool get_number(const char **at, const char *end, uint32_t *out)
{
    uint64_t x = 0;
    const char *from = *at;

    for (; *at < end && **at >= '0' && **at <= '9' && x <= UINT32_MAX; (*at)++)
        x = 10 * x + (uint64_t)(**at - '0');
    *out = (uint32_t)x;
    return *at > from && x < UINT32_MAX;
}

static bool skip(const char **at, const char *end, char c)
{
    if (*at >= end || **at != c)
        return false;
    (*at)++;
    return true;
}

/* One range: "a", "a-b", either with "*samples". */
static bool get_range(struct events *e, const char **at, const char *end, uint32_t *n)
{
    uint32_t first, last, samples = 0;

    if (!get_number(at, end, &first))
        return false;
    last = first;
    if (skip(at, end, '-') && !get_number(at, end, &last))
        return false;
    if (skip(at, end, '*') && !get_number(at, end, &samples))
        return false;
    if (last < first || last - first >= 1u << 22)
        return false;
    for (uint32_t g = first; g <= last; g++) {
        e->share = mem_room(e->share, *n, &e->cap_share, sizeof(*e->share));
        e->share[(*n)++] = (struct share){g, samples};
    }
    return true;
}

static bool get_gpus(struct events *e, struct record *r)
{
    size_t len;
    const char *at = csv_cell(e->csv, e->col[GPUS], &len), *end = at + len;
    uint32_t n = 0;

    if (len == 0)
        return true;
    do {
        if (!get_range(e, &at, end, &n))
            return bad(e, GPUS, "wanted ranges of GPUs such as 0-3*32 8");
    } while (skip(&at, end, ' '));
    if (at != end || n != r->n)
        return bad(e, GPUS,
                   at != end ? "wanted ranges of GPUs such as 0-3*32 8"
                             : "not as many GPUs as column n says");
    r->share = e->share;
    return true;
}

/* Gives a job that arrives a slot; afterwards its number finds it. */
static bool find_job(struct events *e, struct record *r, uint32_t number)
{
    if (r->kind == REC_ARRIVE) {
        if (number != e->n_jobs)
            return bad(e, JOB, "jobs must arrive in order of their numbers");
        e->slot = mem_room(e->slot, e->n_jobs++, &e->cap_slot, sizeof(*e->slot));
        e->slot[number] = 1 + (e->n_free ? e->free[--e->n_free] : e->n_slots++);
    }
    if (number >= e->n_jobs || e->slot[number] == 0)
        return bad(e, JOB, "no such job is alive");
    r->job = (uint64_t)number << 32 | (e->slot[number] - 1);
    if (r->kind == REC_END || r->kind == REC_KILL || r->kind == REC_REJECT) {
        e->free = mem_room(e->free, e->n_free, &e->cap_free, sizeof(*e->free));
        e->free[e->n_free++] = e->slot[number] - 1;
        e->slot[number] = 0;
    }
    return true;
}

static bool get_job(struct events *e, struct record *r)
{
    uint32_t number;

    r->job = NO_JOB;
    if (is_empty(e, JOB))
        return true;
    if (!get_uint(e, JOB, 0, &number))
        return false;
    r->job = (uint64_t)number << 32; /* a refused act may name any job */
    return r->kind == REC_REFUSE || find_job(e, r, number);
}

static bool get_row(struct events *e, struct record *r)
{
    int kind = one_of(e, EVENT, record_name, REC_KINDS);
    int origin = is_empty(e, ORIGIN) ? 0 : one_of(e, ORIGIN, origin_name, ORIGINS);
    uint32_t good;

    if (kind < 0)
        return bad(e, EVENT, "unknown event");
    if (origin < 0)
        return bad(e, ORIGIN, "unknown origin");
    *r = (struct record){.kind = (enum record_kind)kind, .origin = (enum origin)origin};
    if (!csv_seconds(e->csv, e->col[TIME], 0, SIM_LATEST, &r->t) || !get_uint(e, N, 0, &r->n) ||
        !get_uint(e, EXPERIMENT, NO_EXPERIMENT, &r->experiment) ||
        !get_uint(e, TRIAL, 0, &r->trial) || !get_uint(e, EPOCH, 0, &r->epoch) ||
        !get_uint(e, GOOD, 0, &good) || !get_time(e, RUN, &r->run) ||
        !get_time(e, READY, &r->ready) || !get_time(e, LOST, &r->lost) ||
        !get_real(e, VALUE, &r->value) || !get_real(e, TOLD, &r->told))
        return false;
    if (r->t < e->last)
        return bad(e, TIME, "earlier than the row before");
    e->last = r->t;
    r->good = good != 0;
    r->name = get_text(e, NAME, &e->name, &e->cap_name);
    r->why = get_text(e, WHY, &e->why, &e->cap_why);
    if (r->kind == REC_FINISH && !r->why)
        return bad(e, WHY, "is empty; wanted how the run ended");
    return get_gpus(e, r) && get_job(e, r);
}

int events_next(struct events *e, struct record *r)
{
    int got = csv_next(e->csv);

    if (got <= 0)
        return got;
    return get_row(e, r) ? 1 : -1;
}

struct events *events_open(struct diag *d, const char *path)
{
    struct events *e = mem_get(sizeof(*e));

    e->diag = d;
    e->csv = csv_open(d, path);
    if (e->csv && csv_require(e->csv, column)) {
        for (int i = 0; i < COLUMNS; i++)
            e->col[i] = csv_column(e->csv, column[i]);
        return e;
    }
    events_close(e);
    return NULL;
}

void events_close(struct events *e)
{
    if (!e)
        return;
    csv_close(e->csv);
    mem_drop(e->share);
    mem_drop(e->slot);
    mem_drop(e->free);
    mem_drop(e->name);
    mem_drop(e->why);
    mem_drop(e);
}
