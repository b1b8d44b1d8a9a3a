/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How busy a job alone keeps its GPU: by utilisation where somebody measured it, else by the parts
 * that the calibrations give of its step, as a run has them. */
#include <string.h>

#include "analysis/accuracy_sharing.h"
#include "sim/model/rows.h"
#include "sim/text/conf.h"

const char *const busy_from_names[] = {"unknown", "measured", "calibrated", NULL};

static const struct field utilisation_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct utilisation, job.model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_INT, "batch", offsetof(struct utilisation, job.batch), NULL, 1, 1e9, NULL, "samples"},
    {FIELD_TEXT, "precision", offsetof(struct utilisation, job.precision), "", 0, 0, NULL,
     "fp32, ..."},
    {FIELD_TEXT, "gpu", offsetof(struct utilisation, job.gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_REAL, "busy_share", offsetof(struct utilisation, share), NULL, 1e-4, 1, NULL,
     "busy time / time, alone"},
    {.type = FIELD_END},
};

static bool same_job(const struct busy_job *a, const struct busy_job *b)
{
    return a->batch == b->batch && strcmp(a->model, b->model) == 0 &&
           strcmp(a->precision, b->precision) == 0 && strcmp(a->gpu, b->gpu) == 0;
}

static const struct utilisation *find_row(const struct busy_table *t, const struct busy_job *job)
{
    for (size_t i = 0; i < t->n; i++)
        if (same_job(&t->row[i].job, job))
            return &t->row[i];
    return NULL;
}

struct loading {
    struct arena *arena;
    struct diag *diag;
    struct busy_table *table;
};

static bool take_utilisation(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    struct busy_table *t = l->table;
    const struct utilisation *u = row;

    if (find_row(t, &u->job))
        return diag_error(l->diag, at, "a second busy share of %s with %lld samples on %s",
                          u->job.model, (long long)u->job.batch, u->job.gpu);
    t->row = arena_room(l->arena, t->row, t->n, &t->cap, sizeof(*t->row));
    t->row[t->n++] = *u;
    return true;
}

bool busy_load(struct arena *a, struct diag *d, const struct accuracy *x, struct busy_table *t)
{
    static const struct field none[] = {{.type = FIELD_END}};
    static const char *const keys[] = {"pairs", "slices", "utilisation", NULL};
    struct loading l = {a, d, t};
    struct utilisation row = {0};

    *t = (struct busy_table){.points = x};
    if (!conf_fill(a, d, x->sharing, none, keys, "sharing", &row))
        return false;
    return rows_take(a, d, tree_get(x->sharing, "utilisation"), utilisation_fields, "utilisation",
                     take_utilisation, &l, &row);
}

static const struct accuracy_point *find_point(const struct accuracy *x, const struct busy_job *job)
{
    int precision = precision_named(job->precision);

    for (uint32_t i = 0; i < x->n_points; i++) {
        const struct accuracy_point *p = &x->point[i];
        if (p->samples == (double)job->batch && !p->inference &&
            (p->precision == precision || !*job->precision) && strcmp(p->gpu, job->gpu) == 0 &&
            strcmp(p->stack, job->stack) == 0 && strcmp(p->model, job->model) == 0)
            return p;
    }
    return NULL;
}

enum busy_from busy_find(const struct busy_table *t, const struct busy_job *job,
                         struct step_parts *out)
{
    const struct utilisation *u = find_row(t, job);

    if (u) {
        *out = pair_busy(u->share);
        return BUSY_MEASURED;
    }
    const struct accuracy_point *p = find_point(t->points, job);
    if (!p)
        return BUSY_UNKNOWN;
    *out =
        (struct step_parts){p->answer.kernels, p->answer.host, p->answer.gap + p->answer.transfer};
    return BUSY_CALIBRATED;
}
