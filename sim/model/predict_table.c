/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference_table (Hermes-V2, eq. 12-13): jobs of one DL model are taken to have the same ratios of
 * throughput between GPU types; one measurement of a job then gives its throughput everywhere.
 *
 * The table holds the throughput of each model on each type at a reference batch: the model's
 * customary one (`key=model`, as in the paper), or the power of two nearest to the job's own
 * (`key=model_batch`). Ratios between types are all that counts once a job has been measured.
 */
#include <math.h>
#include <stddef.h>

#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/model/predictor.h"

enum { KEY_MODEL, KEY_MODEL_BATCH };
#define BUCKETS 24u /* batches of 2^0 .. 2^23 */

struct table {
    int key;
    double error;
    const struct world *world;
    double *speed; /* samples/s: [(model * n_types + type) * BUCKETS + bucket]; NAN: unknown */
};

static const char *const keys[] = {"model", "model_batch", NULL};
static const struct field table_fields[] = {
    {FIELD_CHOICE, "key", offsetof(struct table, key), "model", 0, 0, keys,
     "what a row of the table stands for; model_batch: a row for each power of two"},
    {FIELD_REAL, "error", offsetof(struct table, error), "0", 0, 5, NULL,
     "sigma of the log-normal error (median 1) of each cell as it was measured"},
    {.type = FIELD_END},
};

/* The power of two nearest to a batch on the logarithmic scale. */
static uint32_t bucket_of(double batch)
{
    uint32_t k = 0;

    while (k + 1 < BUCKETS && batch * batch >= (double)(UINT64_C(2) << (2 * k)))
        k++;
    return k;
}

static double measure(const struct table *s, uint32_t m, type_id t, uint32_t bucket)
{
    const struct world *w = s->world;
    double batch =
        s->key == KEY_MODEL ? (double)w->model[m].batch : (double)(UINT64_C(1) << bucket);
    struct step_parts part = world_type_step(w, m, t, batch);
    double step = step_compute(&part) + part.gap;

    if (s->error > 0) {
        gsl_rng *r =
            rng_stream(w->seed, "table", ((uint64_t)m * w->n_types + t) * BUCKETS + bucket);
        step *= exp(s->error * gsl_ran_gaussian(r, 1));
        gsl_rng_free(r);
    }
    return batch / step;
}

static bool table_open(void *self, struct arena *a, struct diag *d, struct mark at,
                       const struct world *w)
{
    struct table *s = self;
    uint32_t buckets = s->key == KEY_MODEL ? 1 : BUCKETS;

    (void)d, (void)at;
    s->world = w;
    s->speed = arena_get(a, (size_t)w->n_models * w->n_types * BUCKETS * sizeof(double));
    for (uint32_t m = 0; m < w->n_models; m++)
        for (type_id t = 0; t < w->n_types; t++)
            for (uint32_t b = 0; b < buckets; b++)
                s->speed[(m * w->n_types + t) * BUCKETS + b] = measure(s, m, t, b);
    return true;
}

static double speed(const struct table *s, const struct job_spec *j, type_id t)
{
    uint32_t b = s->key == KEY_MODEL ? 0 : bucket_of((double)j->batch / j->gpus);

    return s->speed[(j->model * s->world->n_types + t) * BUCKETS + b];
}

/* Of the share that takes longest by the table: its step time, or NAN. */
static double slowest_s(const struct table *s, const struct job_spec *j, const struct placement *p,
                        type_id *type)
{
    double slowest = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        type_id t = s->world->node[s->world->gpu[p->share[i].gpu].node].type;
        double x = p->share[i].samples / speed(s, j, t);
        if (!(x <= slowest) && !isnan(slowest)) {
            slowest = x;
            *type = t;
        }
    }
    return slowest;
}

static double table_rate(const void *self, const struct known_job *j, const struct placement *p)
{
    const struct table *s = self;
    type_id t = 0;

    if (j->spec->model == NO_MODEL)
        return world_rate(s->world, j->spec, 1, p);
    double step = slowest_s(s, j->spec, p, &t);
    if (!(step > 0))
        return 0;
    if (j->seen_rate > 0)
        return j->seen_rate * speed(s, j->spec, t) / speed(s, j->spec, j->seen_type);
    return 1 / step;
}

const struct predictor predictor_table = {
    .name = "reference_table",
    .about = "one measurement of a job times the table's ratio between GPU types (eq. 12-13)",
    .state_size = sizeof(struct table),
    .params = table_fields,
    .open = table_open,
    .rate = table_rate,
};
