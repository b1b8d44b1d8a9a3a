/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_sync OUT [--sync-column] STEP_FITS TABLE... - what several replicas wait for each other.
 *
 *   step = (t(b)^overlap + net^overlap)^(1/overlap)
 *   net  = node_base + node_per_gpu * (k - 2)           all k replicas in one node
 *          cluster_base + cluster_per_gpu * (k - 2)     across nodes
 *
 * with t(b) from step_fits.csv, so that the table serves the model that will use it: least squares
 * of the relative error of the whole step, all parameters at least 0, overlap from 1 to 10 in
 * quarters.
 *
 * With --sync-column, t is taken to be the recorded step less the recorded wait instead; the errors
 * are those of the model with t(b) all the same. They come out larger: hosts that launch kernels
 * ahead record much of the computation as waiting, and on others the computation itself slows down
 * beside other replicas, which no wait shows.
 */
#include <stdlib.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "traces/convert/adaptdl.h"
#include "traces/convert/fits.h"

#define MAX_ROUNDS 60
#define ENOUGH     1e-12 /* relative gain of a round below which it ends */

struct row {
    int64_t nodes, gpus, batch;
    double step, sync;
};

struct series {
    struct key key;
    struct row *row;
    size_t n, cap;
};

/* One way of synchronisation of one series, as the fit sees it. */
struct problem {
    const double *t, *others, *step; /* one replica's time, k - 2, measured step */
    size_t n;
    double overlap;
};

struct line {
    double base, each, misfit;
};

struct input {
    struct fits fits;
    struct series *series;
    size_t n, cap;
    bool sync_column;
};

static int by_content(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = (x->nodes > y->nodes) - (x->nodes < y->nodes);

    order = order ? order : (x->gpus > y->gpus) - (x->gpus < y->gpus);
    order = order ? order : (x->batch > y->batch) - (x->batch < y->batch);
    order = order ? order : (x->step > y->step) - (x->step < y->step);
    return order ? order : (x->sync > y->sync) - (x->sync < y->sync);
}

/* The scalability tables repeat rows of the placement tables. */
static void drop_repeats(struct series *s)
{
    size_t kept = 0;

    qsort(s->row, s->n, sizeof *s->row, by_content);
    for (size_t i = 0; i < s->n; i++)
        if (kept == 0 || by_content(&s->row[kept - 1], &s->row[i]) != 0)
            s->row[kept++] = s->row[i];
    s->n = kept;
}

static struct series *find_series(struct input *in, const struct key *key)
{
    for (size_t i = 0; i < in->n; i++)
        if (key_is(&in->series[i].key, key))
            return &in->series[i];
    in->series = mem_room(in->series, in->n, &in->cap, sizeof *in->series);
    in->series[in->n] = (struct series){.key = *key};
    return &in->series[in->n++];
}

static bool read_table(struct diag *diag, const char *path, struct input *in)
{
    struct adaptdl table;
    struct adaptdl_row r;
    int got;

    if (!adaptdl_open(diag, path, &table))
        return false;
    while ((got = adaptdl_next(&table, &r)) == 1) {
        struct key key = {r.model, r.gpu, r.stack};
        struct series *s;

        if (r.gpus < 2)
            continue;
        s = find_series(in, &key);
        s->row = mem_room(s->row, s->n, &s->cap, sizeof *s->row);
        s->row[s->n++] = (struct row){r.nodes, r.gpus, r.batch, r.step_s, r.sync_s};
    }
    csv_close(table.csv);
    return got == 0;
}

static double misfit(const struct problem *p, double base, double each)
{
    double sum = 0;

    for (size_t i = 0; i < p->n; i++) {
        double net = base + each * p->others[i];
        double e = overlapped(p->t[i], net, p->overlap) / p->step[i] - 1;

        sum += e * e;
    }
    return sum;
}

/* Normal equations of the linearised problem: h = (bb, be, ee), g = (b, e). */
static void linearise(const struct problem *p, const struct line *at, double h[3], double g[2])
{
    h[0] = h[1] = h[2] = g[0] = g[1] = 0;
    for (size_t i = 0; i < p->n; i++) {
        double net = at->base + at->each * p->others[i];
        double whole = overlapped(p->t[i], net, p->overlap);
        double slope = (p->overlap > 1 ? pow(net / whole, p->overlap - 1) : 1) / p->step[i];
        double other = slope * p->others[i], e = whole / p->step[i] - 1;

        h[0] += slope * slope;
        h[1] += slope * other;
        h[2] += other * other;
        g[0] += slope * e;
        g[1] += other * e;
    }
}

static void try_step(const struct problem *p, double base, double each, struct line *best)
{
    struct line l = {fmax(base, 0), fmax(each, 0), 0};

    l.misfit = misfit(p, l.base, l.each);
    if (l.misfit < best->misfit)
        *best = l;
}

/*
 * One round of Levenberg-Marquardt, projected: the full step and the steps to either edge. Returns
 * the better point, or at itself when no damping helps.
 */
static struct line improve(const struct problem *p, struct line at, double *damping)
{
    double h[3], g[2];
    struct line best = at;

    linearise(p, &at, h, g);
    for (int i = 0; i < 12 && best.misfit >= at.misfit; i++) {
        double a = h[0] * (1 + *damping) + 1e-30, c = h[2] * (1 + *damping) + 1e-30;
        double det = a * c - h[1] * h[1];

        if (det > 0)
            try_step(p, at.base - (c * g[0] - h[1] * g[1]) / det,
                     at.each - (a * g[1] - h[1] * g[0]) / det, &best);
        try_step(p, 0, at.each - g[1] / c, &best);
        try_step(p, at.base - g[0] / a, 0, &best);
        *damping = best.misfit < at.misfit ? fmax(*damping / 5, 1e-9) : *damping * 6;
    }
    return best;
}

static struct line descend(const struct problem *p, double base, double each)
{
    struct line at = {base, each, misfit(p, base, each)};
    double damping = 1e-3;

    for (int i = 0; i < MAX_ROUNDS; i++) {
        struct line next = improve(p, at, &damping);
        bool done = at.misfit - next.misfit <= ENOUGH * at.misfit;

        at = next;
        if (done)
            break;
    }
    return at;
}

/* The best non-negative line for a given overlap, from three starting points. */
static struct line fit_way(const struct problem *p)
{
    double mean = 0, others = 0;
    struct line best, l;

    if (p->n == 0)
        return (struct line){0};
    for (size_t i = 0; i < p->n; i++) {
        double ratio = p->step[i] / p->t[i];

        if (ratio > 1)
            mean += p->t[i] * pow(pow(ratio, p->overlap) - 1, 1 / p->overlap) / (double)p->n;
        others += p->others[i] / (double)p->n;
    }
    others = fmax(others, 1);
    best = descend(p, mean, 0);
    l = descend(p, mean / 2, mean / 2 / others);
    best = l.misfit < best.misfit ? l : best;
    l = descend(p, 0, mean / others);
    return l.misfit < best.misfit ? l : best;
}

/* Columns of t, k - 2 and step for the rows in a node (way 0) or across nodes (way 1). */
static void set_problem(const struct input *in, const struct series *s, int way,
                        const struct step_fit *one, double *room, struct problem *p)
{
    double *t = room, *others = room + s->n, *step = room + 2 * s->n;

    *p = (struct problem){t, others, step, 0, 1};
    for (size_t i = 0; i < s->n; i++) {
        const struct row *r = &s->row[i];

        if ((r->nodes > 1) != way)
            continue;
        t[p->n] =
            in->sync_column ? fmax(r->step - r->sync, 1e-6) : step_time(one, (double)r->batch);
        others[p->n] = (double)(r->gpus - 2);
        step[p->n++] = r->step;
    }
}

static void fit_series(const struct input *in, const struct series *s, const struct step_fit *one,
                       struct sync_fit *fit)
{
    double *room = mem_get(6 * s->n * sizeof *room), best = INFINITY;
    struct problem p[2];

    for (int way = 0; way < 2; way++) {
        set_problem(in, s, way, one, room + way * 3 * (ptrdiff_t)s->n, &p[way]);
        fit->known[way] = p[way].n > 0;
    }
    for (int quarters = 4; quarters <= 40; quarters++) {
        double overlap = quarters / 4.0;
        struct line l[2];

        p[0].overlap = p[1].overlap = overlap;
        l[0] = fit_way(&p[0]);
        l[1] = fit_way(&p[1]);
        if (l[0].misfit + l[1].misfit >= best)
            continue;
        best = l[0].misfit + l[1].misfit;
        fit->overlap = overlap;
        for (int way = 0; way < 2; way++) {
            fit->base[way] = round_6(l[way].base);
            fit->each[way] = round_6(l[way].each);
        }
    }
    mem_drop(room);
}

static void put_way(struct out *out, const struct sync_fit *fit, int way)
{
    if (fit->known[way])
        out_printf(out, "%.6g,%.6g,", fit->base[way], fit->each[way]);
    else
        out_text(out, ",,");
}

static void put_fit(struct out *out, const struct series *s, const struct step_fit *one,
                    const struct sync_fit *fit)
{
    double *error = mem_get(s->n * sizeof *error);

    for (size_t i = 0; i < s->n; i++) {
        const struct row *r = &s->row[i];
        int way = r->nodes > 1;
        double net = fit->base[way] + fit->each[way] * (double)(r->gpus - 2);

        error[i] =
            fabs(overlapped(step_time(one, (double)r->batch), net, fit->overlap) / r->step - 1);
    }
    gsl_sort(error, 1, s->n);
    out_printf(out, "%s,%s,%s,", s->key.model, s->key.gpu, s->key.stack);
    put_way(out, fit, 0);
    put_way(out, fit, 1);
    out_printf(out, "%.6g,%zu,%.4f,%.4f\n", fit->overlap, s->n,
               gsl_stats_median_from_sorted_data(error, 1, s->n), error[s->n - 1]);
    mem_drop(error);
}

static int by_key(const void *a, const void *b)
{
    const struct series *x = a, *y = b;

    return key_order(&x->key, &y->key);
}

static void write_fits(struct input *in, struct out *out)
{
    out_text(out, "model,gpu,stack,node_base_s,node_per_gpu_s,cluster_base_s,cluster_per_gpu_s,"
                  "overlap,points,err_median,err_max\n");
    if (in->n > 0)
        qsort(in->series, in->n, sizeof *in->series, by_key);
    for (size_t i = 0; i < in->n; i++) {
        struct series *s = &in->series[i];
        const struct step_fit *one = find_step(&in->fits, &s->key);
        struct sync_fit fit = {.key = s->key};

        if (one) {
            drop_repeats(s);
            fit_series(in, s, one, &fit);
            put_fit(out, s, one, &fit);
        }
        mem_drop(s->row);
    }
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct input in = {.fits.arena = arena_new()};
    bool good;

    in.sync_column = strcmp(*input, "--sync-column") == 0;
    input += in.sync_column;
    good = *input && load_steps(diag, *input, &in.fits);
    while (good && *++input)
        good = read_table(diag, *input, &in);
    write_fits(&in, out);
    mem_drop(in.series);
    fits_drop(&in.fits);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "fit_sync OUT [--sync-column] STEP_FITS TABLE...", convert);
}
