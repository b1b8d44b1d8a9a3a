/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of runs into points: class, amounts, seconds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/calibrate.h"

/* A kernel that takes less than this many latencies says nothing of its sizes. */
#define FLOOR_LATENCIES 1.5

/* Cells of a row by name; 0: the series has no such column. */
static double cell(const struct series *s, size_t row, const char *name)
{
    int c = series_column(s, name);

    return c < 0 ? 0 : series_cell(s, row, (size_t)c);
}

static void conv_point(const struct series *s, size_t i, double bytes, struct calib_point *p)
{
    static const char *const passes[] = {"forward", "backward_data", "backward_filter"};
    struct conv_shape c = {.n = cell(s, i, "n"),
                           .c = cell(s, i, "c"),
                           .h = cell(s, i, "h"),
                           .w = cell(s, i, "w"),
                           .k = cell(s, i, "k"),
                           .r = cell(s, i, "r"),
                           .s = cell(s, i, "s"),
                           .groups = 1};
    double down = cell(s, i, "stride_h"), across = cell(s, i, "stride_w");
    int pass = 2;

    while (pass > 0 && strcmp(s->kind, passes[pass]) != 0)
        pass--;
    c.p = floor((c.h + 2 * cell(s, i, "pad_h") - c.r) / down) + 1;
    c.q = floor((c.w + 2 * cell(s, i, "pad_w") - c.s) / across) + 1;
    c.strided = down > 1 || across > 1;
    p->class = conv_class(&c, (enum conv_pass)pass);
    conv_terms(&c, (enum conv_pass)pass, bytes, p->amount);
}

/* Bytes that cross the memory for each element, in elements. */
static double passes_of(const struct series *s)
{
    static const char *const two_inputs[] = {"add", "mul", "div", "pow", NULL};
    static const struct {
        const char *op, *kind;
        double passes;
    } table[] = {
        {"softmax", "backward", 3},    {"layer_norm", "backward", 3}, {"batch_norm", "forward", 3},
        {"batch_norm", "backward", 5}, {"reduce", "sum", 1},          {"optimizer", "sgd", 3},
        {"optimizer", "momentum", 5},  {"optimizer", "adam", 7},      {"embedding", "backward", 3}};

    for (int i = 0; strcmp(s->op->name, "elementwise") == 0 && two_inputs[i]; i++)
        if (strcmp(s->kind, two_inputs[i]) == 0)
            return 3;
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
        if (strcmp(s->op->name, table[i].op) == 0 && strcmp(s->kind, table[i].kind) == 0)
            return table[i].passes;
    return 2;
}

static bool memory_point(const struct series *s, size_t i, double bytes, struct calib_point *p)
{
    static const struct {
        const char *op;
        enum op_class class;
    } classes[] = {{"elementwise", CLASS_ELEMENTWISE}, {"softmax", CLASS_SOFTMAX},
                   {"layer_norm", CLASS_LAYER_NORM},   {"batch_norm", CLASS_BATCH_NORM},
                   {"reduce", CLASS_REDUCE},           {"embedding", CLASS_EMBEDDING},
                   {"optimizer", CLASS_OPTIMIZER}};
    double elements = cell(s, i, "elements");

    if (elements <= 0)
        elements = cell(s, i, "rows") * cell(s, i, "width");
    if (elements <= 0)
        elements = cell(s, i, "n") * cell(s, i, "c") * cell(s, i, "h") * cell(s, i, "w");
    memory_terms(bytes * elements * passes_of(s), 0, p->amount);
    for (size_t j = 0; j < sizeof(classes) / sizeof(*classes); j++)
        if (strcmp(s->op->name, classes[j].op) == 0) {
            p->class = classes[j].class;
            return true;
        }
    return false;
}

/* Whether the series is one of timed kernels. */
static bool point_of(const struct series *s, size_t i, double bytes, struct calib_point *p)
{
    const char *op = s->op->name;

    if (strcmp(op, "conv") == 0) {
        conv_point(s, i, bytes, p);
    } else if (strcmp(op, "gemm") == 0 || strcmp(op, "linear") == 0) {
        p->class = op[0] == 'g' ? CLASS_GEMM : CLASS_LINEAR;
        gemm_terms(1, cell(s, i, "m"), cell(s, i, "n"), cell(s, i, "k"), bytes, p->amount);
    } else if (strcmp(op, "bmm") == 0) {
        p->class = CLASS_BMM;
        gemm_terms(cell(s, i, "batch"), cell(s, i, "m"), cell(s, i, "n"), cell(s, i, "k"), bytes,
                   p->amount);
    } else {
        return memory_point(s, i, bytes, p);
    }
    return true;
}

/* The 1 % quantile of a series' times. */
static double shortest(struct arena *a, const struct series *s)
{
    double *t = arena_get(a, (s->rows + 1) * sizeof(*t));

    for (size_t i = 0; i < s->rows; i++)
        t[i] = series_cell(s, i, s->result);
    gsl_sort(t, 1, s->rows);
    return gsl_stats_quantile_from_sorted_data(t, 1, s->rows, 0.01);
}

/*
 * What a framework's host takes for an operator, which the times of such a run hold: its shortest
 * ones. Runs that time kernels alone have no `linear`.
 */
static double latency_of(struct arena *a, const struct run *r)
{
    double least = INFINITY;
    bool framework = false;

    for (size_t i = 0; i < r->count; i++) {
        const struct series *s = &r->series[i];
        framework |= strcmp(s->op->name, "linear") == 0;
        if (s->op->computes && !s->is_rate && s->rows > 0)
            least = fmin(least, shortest(a, s));
    }
    return framework ? least : 0;
}

static void take_series(struct calibration *c, const struct series *s, double latency)
{
    int precision = precision_named(s->precision);

    if (precision < 0 || s->is_rate || !s->op->computes)
        return;
    for (size_t i = 0; i < s->rows; i++) {
        struct calib_point *p = &c->point[c->n_points];
        *p = (struct calib_point){.precision = (enum precision)precision,
                                  .measured = series_cell(s, i, s->result),
                                  .latency = latency,
                                  .at = s->row_at[i]};
        if (!point_of(s, i, precision_bytes((enum precision)precision), p))
            return;
        p->at_floor = p->measured < FLOOR_LATENCIES * latency;
        c->n_points++;
    }
}

/*
 * By class and precision, else in the order of the runs. Where kernels were timed alone, times of a
 * framework do not count: they are those of the algorithms that it picks.
 */
static void sort_points(struct arena *a, struct calibration *c)
{
    struct calib_point *sorted = arena_get(a, (c->n_points + 1) * sizeof(*sorted));
    bool alone[CLASSES][PRECISIONS] = {0};
    size_t n = 0;

    for (size_t i = 0; i < c->n_points; i++)
        alone[c->point[i].class][c->point[i].precision] |= !(c->point[i].latency > 0);
    for (int class = 0; class < CLASSES; class ++)
        for (int p = 0; p < PRECISIONS; p++)
            for (size_t i = 0; i < c->n_points; i++)
                if ((int)c->point[i].class == class && (int)c->point[i].precision == p &&
                    !(alone[class][p] && c->point[i].latency > 0))
                    sorted[n++] = c->point[i];
    c->point = sorted;
    c->n_points = n;
}

bool calib_collect(struct arena *a, struct diag *d, struct calibration *c)
{
    size_t most = 1;

    (void)d;
    for (uint32_t r = 0; r < c->n_runs; r++)
        for (size_t i = 0; i < c->run[r]->count; i++)
            most += c->run[r]->series[i].rows;
    c->point = arena_get(a, most * sizeof(*c->point));
    for (uint32_t r = 0; r < c->n_runs; r++) {
        double latency = latency_of(a, c->run[r]);
        for (size_t i = 0; i < c->run[r]->count; i++)
            take_series(c, &c->run[r]->series[i], latency);
    }
    sort_points(a, c);
    return true;
}
