/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was not measured on a GPU, carried over from another one. FLOP go by the ratio of the
 * nominal rates, bytes by that of the nominal bandwidths; where the forward pass of a kind of
 * convolutions was measured on both, the backward passes go by that ratio instead.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/calibrate.h"
#include "sim/model/rows.h"
#include "sim/model/stack.h"
#include "sim/text/tree.h"

#define TFLOPS(name, p, about)                                                                     \
    {                                                                                              \
        FIELD_REAL, name, offsetof(struct nominal, tflops[p]), "0", 0, 1e6, NULL, about            \
    }
static const struct field nominal_fields[] = {
    {FIELD_TEXT, "gpu", offsetof(struct nominal, gpu), NULL, 0, 0, NULL, "type of GPU"},
    {FIELD_TEXT, "product", offsetof(struct nominal, product), "", 0, 0, NULL, "full name"},
    {FIELD_REAL, "memory_gib", offsetof(struct nominal, memory_gib), NULL, 0.1, 1e5, NULL, "GiB"},
    {FIELD_REAL, "memory_gbps", offsetof(struct nominal, memory_gbps), NULL, 1, 1e6, NULL, "GB/s"},
    TFLOPS("fp32_tflops", FP32, "fp32, TFLOP/s"),
    TFLOPS("tf32_tflops", TF32, "TF32 on tensor cores, TFLOP/s; 0: none"),
    TFLOPS("fp16_tflops", FP16, "fp16 on tensor cores, TFLOP/s; 0: none"),
    TFLOPS("bf16_tflops", BF16, "bf16 on tensor cores, TFLOP/s; 0: none"),
    {FIELD_TEXT, "links", offsetof(struct nominal, links), "", 0, 0, NULL,
     "between GPUs, set apart by blanks"},
    {.type = FIELD_END},
};

struct table_loading {
    struct arena *arena;
    struct diag *diag;
    struct nominal_table *table;
    size_t cap;
};

static bool take_nominal(void *user, struct mark at, const void *row)
{
    struct table_loading *l = user;
    struct nominal_table *t = l->table;

    if (nominal_of(t, ((const struct nominal *)row)->gpu))
        return diag_error(l->diag, at, "a second row of %s", ((const struct nominal *)row)->gpu);
    t->row = arena_room(l->arena, t->row, t->n, &l->cap, sizeof(*t->row));
    memcpy(&t->row[t->n++], row, sizeof(*t->row));
    return true;
}

bool nominal_load(struct arena *a, struct diag *d, const char *path, struct nominal_table *t)
{
    struct table_loading l = {a, d, t, 0};
    struct nominal row = {0};

    *t = (struct nominal_table){.path = path};
    return rows_take(a, d, tree_scalar(a, (struct mark){0}, path, strlen(path)), nominal_fields,
                     "nominal", take_nominal, &l, &row);
}

const struct nominal *nominal_of(const struct nominal_table *t, const char *gpu)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (strcmp(t->row[i].gpu, gpu) == 0)
            return &t->row[i];
    return NULL;
}

/*
 * A donor's kernels in the nearest precision that it has: tensor cores by tensor cores (their rates
 * differ by format alone), fp32 by fp32.
 */
static enum precision donor_precision(const struct gpu_cost *donor, int class, enum precision p)
{
    static const enum precision order[PRECISIONS][3] = {
        [FP32] = {FP32, FP32, FP32},
        [TF32] = {TF32, FP16, BF16},
        [FP16] = {FP16, BF16, TF32},
        [BF16] = {BF16, FP16, TF32},
    };

    for (int i = 0; i < 3; i++)
        if (donor->fit[class][order[p][i]])
            return order[p][i];
    return PRECISIONS;
}

static bool is_bytes(int term)
{
    return term == TERM_READ || term == TERM_WRITE || term == TERM_WEIGHT;
}

static void scale_fit(struct op_fit *f, double flop, double byte)
{
    for (int i = 0; i < TERMS; i++) {
        double k = i == TERM_LAUNCH ? 1 : is_bytes(i) ? byte : flop;
        f->price[i] *= k;
        f->se[i] *= k;
    }
}

/* Median over the points of a class of measured / what the donor's fit says. */
static double measured_ratio(struct arena *a, const struct calibration *c, const struct op_fit *by)
{
    double *x = arena_get(a, (c->n_points + 1) * sizeof(*x));
    size_t n = 0;

    for (size_t i = 0; i < c->n_points; i++) {
        const struct calib_point *p = &c->point[i];
        if ((int)p->class == by->class && (int)p->precision == by->precision && !p->at_floor)
            x[n++] = (p->measured - p->latency) / op_fit_time(by, p->amount);
    }
    gsl_sort(x, 1, n);
    return n ? gsl_stats_median_from_sorted_data(x, 1, n) : 0;
}

static const struct op_fit *forward_of(const struct gpu_cost *g, int class, int precision)
{
    if (class < CLASS_CONV_1X1_FORWARD || class > CLASS_CONV_OTHER_BACKWARD_FILTER)
        return NULL;
    return g->fit[class - (class - CLASS_CONV_1X1_FORWARD) % 3][precision];
}

static void carry_fit(struct arena *a, struct calibration *c, const struct gpu_cost *donor,
                      const struct nominal *mine, const struct nominal *theirs, int class,
                      enum precision p)
{
    enum precision by = donor_precision(donor, class, p);
    const struct op_fit *forward = forward_of(&c->cost, class, (int)p);
    const struct op_fit *donor_forward = forward_of(donor, class, (int)p);
    bool products = class < CLASS_ELEMENTWISE;

    if (by == PRECISIONS || (products && !(mine->tflops[p] > 0 && theirs->tflops[by] > 0)) ||
        (!products && p != FP32))
        return;
    struct op_fit *f = arena_get(a, sizeof(*f));
    *f = *donor->fit[class][by];
    double ratio = forward && donor_forward && !*forward->from && by == p
                       ? measured_ratio(a, c, donor_forward)
                       : 0;
    if (ratio > 0)
        scale_fit(f, ratio, ratio);
    else
        scale_fit(f, products ? theirs->tflops[by] / mine->tflops[p] : 1,
                  theirs->memory_gbps / mine->memory_gbps);
    f->precision = (int)p;
    f->from = *f->from ? f->from : donor->gpu;
    c->cost.fit[class][p] = f;
}

/* A figure of a link between GPUs, "peer pcie" or "all_reduce nvlink_nodes bus", is carried over to
 * those that have the link. */
static bool has_link(const struct nominal *n, const char *figure)
{
    size_t skip = strncmp(figure, "peer ", 5) == 0          ? 5
                  : strncmp(figure, "all_reduce ", 11) == 0 ? 11
                                                            : 0;
    char link[32];

    if (skip == 0)
        return true;
    snprintf(link, sizeof(link), "%.*s", (int)strcspn(figure + skip, " "), figure + skip);
    char *nodes = strstr(link, "_nodes");
    if (nodes)
        *nodes = '\0';
    return stack_word(n->links, link);
}

bool calib_carry(struct arena *a, struct diag *d, struct calibration *c,
                 const struct gpu_cost *donor)
{
    const struct nominal_table *table = &c->nominal;
    const struct nominal *mine = nominal_of(table, c->cost.gpu);
    const struct nominal *theirs = nominal_of(table, donor->gpu);
    const char *lacks = mine ? donor->gpu : c->cost.gpu;

    if (!mine || !theirs)
        return diag_error(
            d, (struct mark){0},
            "%s has no row of %s, whose nominal figures are wanted: what was measured "
            "on %s cannot be carried over",
            table->path, lacks, donor->gpu);
    for (int class = 0; class < CLASSES; class ++)
        for (int p = 0; p < PRECISIONS; p++)
            if (!c->cost.fit[class][p])
                carry_fit(a, c, donor, mine, theirs, class, (enum precision)p);
    for (uint32_t i = 0; i < donor->n_figures; i++) {
        const struct gpu_figure *f = &donor->figure[i];
        double k = strcmp(f->name, "memory") == 0 ? mine->memory_gbps / theirs->memory_gbps : 1;
        if (has_link(mine, f->name))
            calib_add_figure(a, c, f->name, f->value * k, f->unit, *f->from ? f->from : donor->gpu);
    }
    return true;
}
