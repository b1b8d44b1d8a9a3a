/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_steps OUT STEP_TIMES - t(b) = max(floor, alpha + beta * b) for every measured series.
 *
 * A series is the used one-GPU rows of a (model, GPU, stack, precision). Least squares of the
 * relative error, alpha and beta at least 0. A floor, the part at small batches where the host sets
 * the pace, is taken only if it lowers the error clearly: at least two batch sizes on either side,
 * the root mean square error down by a third, and BIC down by 2 (a third parameter has its price).
 * A series with one batch size only gives alpha = 0: time in proportion to the batch.
 */
#include <stdlib.h>

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "traces/convert/fits.h"

#define FLOOR_RMS (2.0 / 3)
#define FLOOR_BIC 2.0

struct series {
    struct step_fit fit;
    const char *precision;
    double *batch, *step, *weight; /* n each, by rising batch */
    double *error;
    size_t n, cap;
    double err_median, err_max;
};

struct input {
    struct arena *arena;
    struct series *series;
    size_t n, cap;
};

static struct series *find_series(struct input *in, const struct key *key, const char *precision)
{
    for (size_t i = 0; i < in->n; i++)
        if (key_is(&in->series[i].fit.key, key) && strcmp(in->series[i].precision, precision) == 0)
            return &in->series[i];
    in->series = mem_room(in->series, in->n, &in->cap, sizeof *in->series);
    in->series[in->n] = (struct series){.fit.key = *key, .precision = precision};
    return &in->series[in->n++];
}

/* Keeps the points in order of (batch, step). */
static void add_point(struct series *s, double batch, double step)
{
    size_t i = s->n;

    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 16;
        s->batch = mem_grow(s->batch, s->cap * sizeof(double));
        s->step = mem_grow(s->step, s->cap * sizeof(double));
        s->weight = mem_grow(s->weight, s->cap * sizeof(double));
        s->error = mem_grow(s->error, s->cap * sizeof(double));
    }
    for (;
         i > 0 && (s->batch[i - 1] > batch || (s->batch[i - 1] == batch && s->step[i - 1] > step));
         i--) {
        s->batch[i] = s->batch[i - 1];
        s->step[i] = s->step[i - 1];
        s->weight[i] = s->weight[i - 1];
    }
    s->batch[i] = batch;
    s->step[i] = step;
    s->weight[i] = 1 / (step * step);
    s->n++;
}

static bool read_row(struct csv *csv, struct input *in)
{
    struct key key = {cell_text(in->arena, csv, csv_column(csv, "model")),
                      cell_text(in->arena, csv, csv_column(csv, "gpu")),
                      cell_text(in->arena, csv, csv_column(csv, "stack"))};
    const char *precision = cell_text(in->arena, csv, csv_column(csv, "precision"));
    double batch, step;

    if (!csv_real(csv, csv_column(csv, "batch_per_gpu"), 1, 1e9, &batch) ||
        !csv_real(csv, csv_column(csv, "step_s"), 1e-9, 1e6, &step))
        return false;
    if (cell_is(csv, csv_column(csv, "gpus"), "1") && cell_is(csv, csv_column(csv, "use"), "1"))
        add_point(find_series(in, &key, precision), batch, step);
    return true;
}

static bool read_input(struct diag *diag, const char *path, struct input *in)
{
    static const char *const wanted[] = {
        "model", "gpu", "gpus", "batch_per_gpu", "step_s", "precision", "stack", "use", NULL};
    struct csv *csv = csv_open(diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1)
        good = read_row(csv, in);
    csv_close(csv);
    return good && got == 0;
}

/* The sum of squared relative errors of points from..to-1. */
static double misfit(const struct series *s, size_t from, size_t to, const struct step_fit *f)
{
    double sum = 0;

    for (size_t i = from; i < to; i++) {
        double e = step_time(f, s->batch[i]) / s->step[i] - 1;

        sum += e * e;
    }
    return sum;
}

static void fit_ray(const struct series *s, size_t from, size_t to, struct step_fit *f)
{
    double variance, chisq;

    f->alpha = 0;
    gsl_fit_wmul(s->batch + from, 1, s->weight + from, 1, s->step + from, 1, to - from, &f->beta,
                 &variance, &chisq);
}

/* The best constant. */
static double level(const struct series *s, size_t from, size_t to)
{
    return gsl_stats_wmean(s->weight + from, 1, s->step + from, 1, to - from);
}

/* The best line with alpha, beta >= 0; where the free optimum breaks that, the better edge. */
static void fit_line(const struct series *s, size_t from, size_t to, struct step_fit *f)
{
    struct step_fit ray = *f, flat = *f;
    double c00, c01, c11, chisq;

    fit_ray(s, from, to, &ray);
    if (s->batch[from] == s->batch[to - 1]) {
        *f = ray;
        return;
    }
    gsl_fit_wlinear(s->batch + from, 1, s->weight + from, 1, s->step + from, 1, to - from,
                    &f->alpha, &f->beta, &c00, &c01, &c11, &chisq);
    if (f->alpha >= 0 && f->beta >= 0)
        return;
    flat.alpha = level(s, from, to);
    flat.beta = 0;
    *f = misfit(s, from, to, &ray) <= misfit(s, from, to, &flat) ? ray : flat;
}

/* The best split into a level for the small batches and a line for the others; false: no room. */
static bool fit_floor(const struct series *s, struct step_fit *best)
{
    bool found = false;

    for (size_t cut = 2; cut + 1 < s->n; cut++) {
        struct step_fit f = {.key = best->key};

        if (s->batch[cut] == s->batch[cut - 1] || s->batch[0] == s->batch[cut - 1] ||
            s->batch[cut] == s->batch[s->n - 1])
            continue;
        fit_line(s, cut, s->n, &f);
        f.floor = level(s, 0, cut);
        if (!found || misfit(s, 0, s->n, &f) < misfit(s, 0, s->n, best))
            *best = f;
        found = true;
    }
    return found;
}

static bool floor_pays(const struct series *s, const struct step_fit *line,
                       const struct step_fit *floor)
{
    double n = (double)s->n, a = misfit(s, 0, s->n, line), b = misfit(s, 0, s->n, floor);

    return b > 0 && b <= a * FLOOR_RMS * FLOOR_RMS && n * log(a / b) - log(n) >= FLOOR_BIC;
}

static void fit_series(struct series *s)
{
    struct step_fit floor = s->fit;

    fit_line(s, 0, s->n, &s->fit);
    if (fit_floor(s, &floor) && floor_pays(s, &s->fit, &floor))
        s->fit = floor;
    s->fit.alpha = round_6(s->fit.alpha);
    s->fit.beta = round_6(s->fit.beta);
    s->fit.floor = round_6(s->fit.floor);
    for (size_t i = 0; i < s->n; i++)
        s->error[i] = fabs(step_time(&s->fit, s->batch[i]) / s->step[i] - 1);
    gsl_sort(s->error, 1, s->n);
    s->err_median = gsl_stats_median_from_sorted_data(s->error, 1, s->n);
    s->err_max = s->error[s->n - 1];
}

static int by_key(const void *a, const void *b)
{
    const struct series *x = a, *y = b;
    int order = key_order(&x->fit.key, &y->fit.key);

    return order ? order : strcmp(x->precision, y->precision);
}

static void put_series(struct out *out, const struct series *s)
{
    const struct step_fit *f = &s->fit;

    out_printf(out, "%s,%s,%s,%s,%.6g,%.6g,%.6g,%.0f,%.0f,%zu,%.4f,%.4f\n", f->key.model,
               f->key.gpu, f->key.stack, s->precision, f->alpha, f->beta, f->floor, s->batch[0],
               s->batch[s->n - 1], s->n, s->err_median, s->err_max);
}

static void drop_series(struct series *s)
{
    mem_drop(s->batch);
    mem_drop(s->step);
    mem_drop(s->weight);
    mem_drop(s->error);
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct input in = {.arena = arena_new()};
    bool good = read_input(diag, input[0], &in);

    out_text(out, "model,gpu,stack,precision,alpha_s,beta_s,floor_s,batch_min,batch_max,points,"
                  "err_median,err_max\n");
    if (in.n > 0)
        qsort(in.series, in.n, sizeof *in.series, by_key);
    for (size_t i = 0; i < in.n; i++) {
        fit_series(&in.series[i]);
        put_series(out, &in.series[i]);
        drop_series(&in.series[i]);
    }
    mem_drop(in.series);
    arena_free(in.arena);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 1, "fit_steps OUT STEP_TIMES", convert);
}
