/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speeds of jobs beside each other on a GPU, held against what their busy shares say. */
#include <math.h>
#include <string.h>

#include "analysis/accuracy_sharing.h"
#include "sim/model/rows.h"

/* ---- reading ---- */

struct pair_row {
    const char *model, *other, *gpu, *stack, *precision, *other_precision;
    int64_t batch, other_batch, use;
    double speed;
};
static const struct field pair_fields[] = {
    {FIELD_TEXT, "model", offsetof(struct pair_row, model), NULL, 0, 0, NULL, "DL model"},
    {FIELD_INT, "batch", offsetof(struct pair_row, batch), "0", 0, 1e9, NULL, "samples"},
    {FIELD_TEXT, "other", offsetof(struct pair_row, other), NULL, 0, 0, NULL,
     "DL model of the job beside it"},
    {FIELD_INT, "other_batch", offsetof(struct pair_row, other_batch), "0", 0, 1e9, NULL,
     "samples"},
    {FIELD_TEXT, "gpu", offsetof(struct pair_row, gpu), NULL, 0, 0, NULL, "GPU type"},
    {FIELD_REAL, "speed", offsetof(struct pair_row, speed), NULL, 0, 100, NULL,
     "of that of `model` alone"},
    {FIELD_TEXT, "precision", offsetof(struct pair_row, precision), NULL, 0, 0, NULL, "fp32, ..."},
    {FIELD_TEXT, "other_precision", offsetof(struct pair_row, other_precision), NULL, 0, 0, NULL,
     "fp32, ..."},
    {FIELD_TEXT, "stack", offsetof(struct pair_row, stack), NULL, 0, 0, NULL, "measuring party"},
    {FIELD_INT, "use", offsetof(struct pair_row, use), "1", 0, 1, NULL, "0: a rule sets it aside"},
    {.type = FIELD_END},
};

struct loading {
    struct arena *arena;
    const struct busy_table *busy;
    struct pair_groups *out;
    struct pair_speed *solver;
};

static struct pair_group *group_of(struct loading *l, const struct pair_row *r, enum busy_from from)
{
    struct pair_groups *g = l->out;

    for (size_t i = 0; i < g->n; i++)
        if (g->group[i].from == from && strcmp(g->group[i].gpu, r->gpu) == 0 &&
            strcmp(g->group[i].stack, r->stack) == 0)
            return &g->group[i];
    g->group = arena_room(l->arena, g->group, g->n, &g->cap, sizeof(*g->group));
    g->group[g->n] = (struct pair_group){.gpu = r->gpu, .stack = r->stack, .from = from};
    return &g->group[g->n++];
}

static bool take_pair(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    const struct pair_row *r = row;
    struct busy_job job = {r->model, r->precision, r->gpu, r->stack, r->batch};
    struct busy_job other = {r->other, r->other_precision, r->gpu, r->stack, r->other_batch};
    struct step_parts mine, its;

    (void)at;
    if (!r->use)
        return true;
    enum busy_from from = busy_find(l->busy, &job, &mine);
    enum busy_from from_2 = busy_find(l->busy, &other, &its);
    if (from == BUSY_UNKNOWN || from_2 == BUSY_UNKNOWN) {
        l->out->unknown++;
        return true;
    }
    struct pair_group *g = group_of(l, r, from > from_2 ? from : from_2);
    g->speed = arena_room(l->arena, g->speed, g->n, &g->cap, sizeof(*g->speed));
    g->pair = arena_room(l->arena, g->pair, g->n, &g->cap_pairs, sizeof(*g->pair));
    g->speed[g->n] = (struct shared_speed){.measured = r->speed,
                                           .joint = busy_share(&mine) + busy_share(&its),
                                           .model = r->model,
                                           .other = r->other,
                                           .batch = r->batch,
                                           .other_batch = r->other_batch};
    g->pair[g->n] = (struct eta_pair){.model = r->model, .other = r->other, .measured = r->speed};
    eta_pair_solve(l->solver, &g->pair[g->n++], mine, its);
    return true;
}

/* ---- fits ---- */

/* The same pairs as if their jobs were busy all the time. */
static void fit_flat(struct loading *l, struct pair_group *g)
{
    struct eta_pair *busy = arena_get(l->arena, g->n * sizeof(*busy)), always;

    eta_pair_solve(l->solver, &always, pair_busy(1), pair_busy(1));
    for (size_t i = 0; i < g->n; i++) {
        busy[i] = g->pair[i];
        memcpy(busy[i].slowed, always.slowed, sizeof(always.slowed));
    }
    g->flat = eta_fit(busy, g->n);
    for (size_t i = 0; i < g->n; i++)
        g->speed[i].flat = eta_pair_speed(&busy[i], g->flat.eta);
}

static void fit_group(struct loading *l, struct pair_group *g)
{
    g->fit = eta_fit(g->pair, g->n);
    for (size_t i = 0; i < g->n; i++)
        g->speed[i].derived = eta_pair_speed(&g->pair[i], g->fit.eta);
    fit_flat(l, g);
}

bool accuracy_pairs(struct arena *a, struct diag *d, const struct accuracy *x,
                    const struct busy_table *busy, struct pair_groups *out)
{
    struct loading l = {a, busy, out, pair_speed_new(a)};
    struct pair_row row = {0};

    *out = (struct pair_groups){0};
    bool ok =
        rows_take(a, d, tree_get(x->sharing, "pairs"), pair_fields, "pairs", take_pair, &l, &row);
    for (size_t i = 0; i < out->n; i++)
        fit_group(&l, &out->group[i]);
    pair_speed_free(l.solver);
    return ok;
}

/* ---- tables ---- */

static double mean_loss(const struct pair_group *g) /* the error of speed 1 */
{
    double sum = 0;

    for (size_t i = 0; i < g->n; i++)
        sum += fabs(1 - g->speed[i].measured);
    return sum / (double)g->n;
}

static const struct shared_speed *worst_of(const struct pair_group *g)
{
    const struct shared_speed *worst = g->speed;

    for (size_t i = 1; i < g->n; i++) {
        const struct shared_speed *s = &g->speed[i];
        if (fabs(s->derived - s->measured) > fabs(worst->derived - worst->measured))
            worst = s;
    }
    return worst;
}

static void put_group(struct out *o, struct arena *a, const struct pair_group *g)
{
    const struct shared_speed *w = worst_of(g);

    out_printf(o,
               "  %-22s %-10s %5zu %6.2f %13s %7.3f %6.2f %7.3f %7.3f   %+.2f %s %lld, %s %lld\n",
               arena_printf(a, "%s %s", g->gpu, g->stack), busy_from_names[g->from], g->n,
               g->fit.eta, arena_printf(a, "%.2f to %.2f", g->fit.low, g->fit.high), g->fit.error,
               g->flat.eta, g->flat.error, mean_loss(g), w->derived - w->measured, w->model,
               (long long)w->batch, w->other, (long long)w->other_batch);
}

/* Mean speeds by how busy both jobs keep the GPU alone, together. */
static void put_joint(struct out *o, struct arena *a, const struct pair_groups *g,
                      enum busy_from from)
{
    static const double edge[] = {0, 0.6, 1, 1.4, 1.8, 2.01};

    out_printf(o, "\n  %-32s %5s %9s %9s %9s\n",
               arena_printf(a, "both together busy, %s", busy_from_names[from]), "n", "measured",
               "derived", "flat eta");
    for (size_t k = 0; k + 1 < sizeof(edge) / sizeof(*edge); k++) {
        double n = 0, measured = 0, derived = 0, flat = 0;
        for (size_t i = 0; i < g->n; i++)
            for (size_t j = 0; g->group[i].from == from && j < g->group[i].n; j++) {
                const struct shared_speed *s = &g->group[i].speed[j];
                if (s->joint < edge[k] || s->joint >= edge[k + 1])
                    continue;
                n++;
                measured += s->measured;
                derived += s->derived;
                flat += s->flat;
            }
        if (n > 0)
            out_printf(o, "  %-32s %5.0f %9.3f %9.3f %9.3f\n",
                       arena_printf(a, "%.1f to %.1f", edge[k], fmin(2, edge[k + 1])), n,
                       measured / n, derived / n, flat / n);
    }
}

static bool has(const struct pair_groups *g, enum busy_from from)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->group[i].from == from)
            return true;
    return false;
}

void accuracy_print_pairs(struct out *o, struct arena *a, const struct pair_groups *g)
{
    if (g->n == 0)
        return;
    out_printf(
        o,
        "\nspeed of a job beside another on a GPU, of its speed alone; %u of jobs whose busy "
        "shares are not known\n  %-22s %-10s %5s %6s %13s %7s %6s %7s %7s   %s\n",
        g->unknown, "", "busy", "n", "eta", "one left out", "mean|e|", "flat", "mean|e|", "speed 1",
        "worst, beside");
    for (size_t i = 0; i < g->n; i++)
        put_group(o, a, &g->group[i]);
    for (enum busy_from from = BUSY_MEASURED; from <= BUSY_CALIBRATED; from++)
        if (has(g, from))
            put_joint(o, a, g, from);
}

void accuracy_write_pairs(struct out *o, const struct pair_groups *g)
{
    out_text(o, "gpu,stack,busy,eta,eta_low,eta_high,n,error,flat_eta,flat_error,loss\n");
    for (size_t i = 0; i < g->n; i++) {
        const struct pair_group *p = &g->group[i];
        out_printf(o, "%s,%s,%s,%.4f,%.4f,%.4f,%zu,%.4f,%.4f,%.4f,%.4f\n", p->gpu, p->stack,
                   busy_from_names[p->from], p->fit.eta, p->fit.low, p->fit.high, p->n,
                   p->fit.error, p->flat.eta, p->flat.error, mean_loss(p));
    }
}
