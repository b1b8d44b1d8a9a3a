/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_report OUT STEP_FITS SYNC_FITS STEP_TIMES - how far the fits are from the measured rows.
 *
 * Two tables by GPU type: one GPU, fits with three points or more of several batch sizes (others
 * pass through their points); and several GPUs, the even placements kept in step_times.csv,
 * predicted from both fits. Relative errors of the step time.
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "traces/convert/fits.h"

#define MAX_TYPES 64

struct type {
    const char *gpu;
    double *error;
    size_t n, cap;
};

struct table {
    struct type type[MAX_TYPES + 1]; /* [0]: all of them */
    size_t n;
};

struct syncs {
    struct sync_fit *fit;
    size_t n, cap;
};

static void add_to(struct type *t, double error)
{
    t->error = mem_room(t->error, t->n, &t->cap, sizeof *t->error);
    t->error[t->n++] = error;
}

static void add(struct table *t, const char *gpu, double error)
{
    size_t i = 1;

    t->type[0].gpu = "all";
    while (i <= t->n && strcmp(t->type[i].gpu, gpu) != 0)
        i++;
    if (i > t->n) {
        if (t->n == MAX_TYPES)
            BUG("more than %d GPU types", MAX_TYPES);
        t->type[++t->n].gpu = gpu;
    }
    add_to(&t->type[i], error);
    add_to(&t->type[0], error);
}

static void put_type(struct out *out, struct type *t)
{
    gsl_sort(t->error, 1, t->n);
    out_printf(out, "%-12s %6zu %8.1f %8.1f %8.1f\n", t->gpu, t->n,
               100 * gsl_stats_median_from_sorted_data(t->error, 1, t->n),
               100 * gsl_stats_quantile_from_sorted_data(t->error, 1, t->n, 0.9),
               100 * t->error[t->n - 1]);
    mem_drop(t->error);
}

static void put_table(struct out *out, const char *title, struct table *t)
{
    out_printf(out, "%s\n%-12s %6s %8s %8s %8s\n", title, "gpu", "rows", "median %", "p90 %",
               "worst %");
    for (size_t i = 1; i <= t->n; i++)
        put_type(out, &t->type[i]);
    if (t->n > 0)
        put_type(out, &t->type[0]);
}

/* Both cells of a way of synchronisation are empty where it was not measured. */
static bool read_way(struct csv *csv, const char *base, const char *each, int way,
                     struct sync_fit *fit)
{
    fit->known[way] = !cell_is(csv, csv_column(csv, base), "");
    return !fit->known[way] ||
           (read_seconds(csv, base, &fit->base[way]) && read_seconds(csv, each, &fit->each[way]));
}

static bool load_syncs(struct diag *diag, const char *path, struct fits *f, struct syncs *syncs)
{
    static const char *const wanted[] = {"model",
                                         "gpu",
                                         "stack",
                                         "node_base_s",
                                         "node_per_gpu_s",
                                         "cluster_base_s",
                                         "cluster_per_gpu_s",
                                         "overlap",
                                         NULL};
    struct csv *csv = csv_open(diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1) {
        struct sync_fit fit = {.key = read_key(f, csv)};

        good = read_way(csv, "node_base_s", "node_per_gpu_s", 0, &fit) &&
               read_way(csv, "cluster_base_s", "cluster_per_gpu_s", 1, &fit) &&
               csv_real(csv, csv_column(csv, "overlap"), 1, 100, &fit.overlap);
        syncs->fit = mem_room(syncs->fit, syncs->n, &syncs->cap, sizeof *syncs->fit);
        syncs->fit[syncs->n++] = fit;
    }
    csv_close(csv);
    return good && got == 0;
}

static const struct sync_fit *find_sync(const struct syncs *s, const struct key *key)
{
    for (size_t i = 0; i < s->n; i++)
        if (key_is(&s->fit[i].key, key))
            return &s->fit[i];
    return NULL;
}

static bool read_row(struct csv *csv, struct fits *fits, const struct syncs *syncs,
                     struct table *one, struct table *several)
{
    struct key key = read_key(fits, csv);
    const struct step_fit *step = find_step(fits, &key);
    const struct sync_fit *sync = find_sync(syncs, &key);
    int64_t gpus, nodes, way;
    double batch, measured, t;

    if (!csv_int(csv, csv_column(csv, "gpus"), 1, 100000, &gpus) ||
        !csv_int(csv, csv_column(csv, "nodes"), 1, 100000, &nodes) ||
        !csv_real(csv, csv_column(csv, "batch_per_gpu"), 1, 1e9, &batch) ||
        !csv_real(csv, csv_column(csv, "step_s"), 1e-9, 1e6, &measured))
        return false;
    if (!step || !cell_is(csv, csv_column(csv, "use"), "1"))
        return true;
    t = step_time(step, batch);
    way = nodes > 1;
    if (gpus == 1 && step->tested)
        add(one, key.gpu, fabs(t / measured - 1));
    if (gpus > 1 && sync && sync->known[way]) {
        double net = sync->base[way] + sync->each[way] * (double)(gpus - 2);

        add(several, key.gpu, fabs(overlapped(t, net, sync->overlap) / measured - 1));
    }
    return true;
}

static bool read_rows(struct diag *diag, const char *path, struct fits *fits,
                      const struct syncs *syncs, struct table *one, struct table *several)
{
    static const char *const wanted[] = {"model",         "gpu",    "stack", "gpus", "nodes",
                                         "batch_per_gpu", "step_s", "use",   NULL};
    struct csv *csv = csv_open(diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1)
        good = read_row(csv, fits, syncs, one, several);
    csv_close(csv);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct fits fits = {.arena = arena_new()};
    struct syncs syncs = {0};
    struct table one = {0}, several = {0};
    bool good = load_steps(diag, input[0], &fits) && load_syncs(diag, input[1], &fits, &syncs) &&
                read_rows(diag, input[2], &fits, &syncs, &one, &several);

    put_table(out, "one GPU", &one);
    put_table(out, "\nseveral GPUs", &several);
    mem_drop(syncs.fit);
    fits_drop(&fits);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 3, "fit_report OUT STEP_FITS SYNC_FITS STEP_TIMES", convert);
}
