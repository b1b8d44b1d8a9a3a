/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/perf/jobs.h"

#include <stdio.h>

#include "sim/base/rng.h"
#include "sim/text/out.h"
#include "tests/perf/draw.h"

#define SEED    5
#define MS      INT64_C(1000000)
#define LONGEST 2e6 /* seconds: 23 days */

static const struct {
    uint32_t gpus;
    double share;
} gang[] = {{1, 0.70}, {2, 0.10}, {4, 0.10}, {8, 0.08}, {16, 0.02}};
#define GANGS (sizeof(gang) / sizeof(*gang))

static double mean_gpus(struct shape s)
{
    double sum = 0;

    for (size_t i = 0; i < GANGS; i++)
        sum += gang[i].share * gang[i].gpus;
    return s.gangs ? sum : 1;
}

static double mean_duration(struct shape s)
{
    return s.sigma > 0 ? draw_exp(s.mu + s.sigma * s.sigma / 2) : s.mu;
}

struct maker maker_new(struct shape s)
{
    return (struct maker){
        .shape = s,
        .arrival = rng_stream(SEED, "arrival", 0),
        .duration = rng_stream(SEED, "duration", 0),
        .size = rng_stream(SEED, "size", 0),
        .gap = s.load > 0 ? mean_duration(s) * mean_gpus(s) / (s.load * s.gpus) : 0,
    };
}

void maker_free(struct maker *m)
{
    gsl_rng_free(m->arrival);
    gsl_rng_free(m->duration);
    gsl_rng_free(m->size);
}

static uint32_t draw_gang(gsl_rng *r)
{
    double u = gsl_rng_uniform(r);
    size_t i = 0;

    for (; i < GANGS - 1 && u >= gang[i].share; i++)
        u -= gang[i].share;
    return gang[i].gpus;
}

struct one_job maker_next(struct maker *m)
{
    struct shape s = m->shape;
    double d = s.sigma > 0 ? draw_lognormal(m->duration, s.mu, s.sigma)
                           : draw_exponential(m->duration, s.mu);

    m->clock += draw_exponential(m->arrival, m->gap);
    return (struct one_job){
        .submit = (int64_t)(m->clock * 1000) * MS,
        .work = ((int64_t)((d < LONGEST ? d : LONGEST) * 1000) + 1) * MS,
        .gpus = s.gangs ? draw_gang(m->size) : 1,
    };
}

struct jobs jobs_new(struct shape s, uint32_t n)
{
    struct maker m = maker_new(s);
    struct jobs j = {n, mem_get(n * sizeof(*j.submit)), mem_get(n * sizeof(*j.work)),
                     mem_get(n * sizeof(*j.gpus))};

    for (uint32_t i = 0; i < n; i++) {
        struct one_job one = maker_next(&m);
        j.submit[i] = one.submit;
        j.work[i] = one.work;
        j.gpus[i] = (uint16_t)one.gpus;
    }
    maker_free(&m);
    return j;
}

void jobs_free(struct jobs *j)
{
    mem_drop(j->submit);
    mem_drop(j->work);
    mem_drop(j->gpus);
}

/* ---- traces ---- */

static int next(struct trace *trace, struct job_spec *out)
{
    struct jobs_trace *t = (struct jobs_trace *)trace;
    struct one_job one;

    if (t->at == t->n)
        return 0;
    if (t->jobs)
        one = (struct one_job){t->jobs->submit[t->at], t->jobs->work[t->at], t->jobs->gpus[t->at]};
    else
        one = maker_next(t->maker);
    *out = (struct job_spec){.submit = one.submit,
                             .work = one.work,
                             .gpus = one.gpus,
                             .model = NO_MODEL,
                             .experiment = NO_EXPERIMENT,
                             .trial = t->at++};
    return 1;
}

struct jobs_trace jobs_trace(const struct jobs *j)
{
    return (struct jobs_trace){.trace = {next, NULL}, .jobs = j, .n = j->n};
}

struct jobs_trace maker_trace(struct maker *m, uint32_t n)
{
    return (struct jobs_trace){.trace = {next, NULL}, .maker = m, .n = n};
}

/* ---- CSV ---- */

static void put_row(struct out *o, uint32_t i, struct one_job j)
{
    static const char *const app[] = {"resnet50", "vgg16", "bert-base", "lstm", "deepspeech2"};
    static const char *const status[] = {"Passed", "Passed", "Passed", "Killed", "Failed"};
    sim_time s = j.submit / MS, w = j.work / MS;
    uint64_t h = rng_hash(SEED, "row", i);
    char row[160];
    int len = snprintf(row, sizeof(row), "%u,u%04u,vc%02u,%lld.%03lld,%u,%lld.%03lld,%s,%s\n", i,
                       (unsigned)(h % 500), (unsigned)(h >> 16) % 15, (long long)(s / 1000),
                       (long long)(s % 1000), j.gpus, (long long)(w / 1000), (long long)(w % 1000),
                       app[(h >> 32) % 5], status[(h >> 48) % 5]);

    out_bytes(o, row, (size_t)len);
}

bool jobs_csv(struct diag *d, const char *path, struct shape s, uint32_t n, const char *first)
{
    struct out *o = out_create(d, path);

    if (!o)
        return false;
    struct maker m = maker_new(s);
    out_text(o, first);
    out_text(o, ",user,vc,submit_s,gpus,duration_s,app,status\n");
    for (uint32_t i = 0; i < n; i++)
        put_row(o, i, maker_next(&m));
    maker_free(&m);
    return out_commit(o);
}
