/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit_pairs OUT SHARING PAIRS - what pairs.csv comes to, by models and by type of GPU.
 *
 * OUT: the speed of a model beside another, over all batch sizes. SHARING: eta of a GPU,
 * from both speeds of each pair: (speed + speed) = 1 + eta / 2.
 */
#include "traces/convert/groups.h"

/* One row of PAIRS as a half of its pair. */
struct half {
    const char *pair;  /* names the pair: GPU, stack and the two jobs in alphabetical order */
    const char *where; /* GPU and stack */
    int side;          /* 0: of the first of the two; 2: they are equal */
    bool use;
    double speed;
};

struct table {
    struct groups speeds, etas;
    struct half *half;
    size_t n, cap;
};

static const char *job_text(struct arena *arena, struct csv *csv, const char *model,
                            const char *batch, const char *precision)
{
    return arena_printf(arena, "%s,%s,%s", cell_text(arena, csv, csv_column(csv, model)),
                        cell_text(arena, csv, csv_column(csv, batch)),
                        cell_text(arena, csv, csv_column(csv, precision)));
}

static void add_half(struct csv *csv, struct half h, struct table *t)
{
    struct arena *arena = t->etas.arena;
    const char *job = job_text(arena, csv, "model", "batch", "precision");
    const char *other = job_text(arena, csv, "other", "other_batch", "other_precision");
    int order = strcmp(job, other);

    h.side = order == 0 ? 2 : order > 0;
    h.pair =
        arena_printf(arena, "%s,%s,%s", h.where, order > 0 ? other : job, order > 0 ? job : other);
    t->half = mem_room(t->half, t->n, &t->cap, sizeof *t->half);
    t->half[t->n++] = h;
}

static bool read_row(struct csv *csv, struct table *t)
{
    struct arena *arena = t->etas.arena;
    const char *gpu = cell_text(arena, csv, csv_column(csv, "gpu"));
    const char *stack = cell_text(arena, csv, csv_column(csv, "stack"));
    struct half h = {.where = arena_printf(arena, "%s,%s", gpu, stack),
                     .use = cell_is(csv, csv_column(csv, "use"), "1")};

    if (!csv_real(csv, csv_column(csv, "speed"), 0, 100, &h.speed))
        return false;
    if (h.use)
        group_add(&t->speeds,
                  arena_printf(arena, "%s,%s,%s", cell_text(arena, csv, csv_column(csv, "model")),
                               cell_text(arena, csv, csv_column(csv, "other")), h.where),
                  h.speed);
    add_half(csv, h, t);
    return true;
}

static bool read_pairs(struct diag *diag, const char *path, struct table *t)
{
    static const char *const wanted[] = {
        "model",           "batch", "other", "other_batch", "gpu", "precision",
        "other_precision", "speed", "stack", "use",         NULL};
    struct csv *csv = csv_open(diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1)
        good = read_row(csv, t);
    csv_close(csv);
    return good && got == 0;
}

static int by_pair(const void *a, const void *b)
{
    const struct half *x = a, *y = b;
    int order = strcmp(x->pair, y->pair);

    order = order ? order : x->side - y->side;
    return order ? order : (x->speed > y->speed) - (x->speed < y->speed);
}

/* A pair counts if both of its jobs do. One figure for two equal jobs is the figure of each. */
static bool add_pair(struct diag *diag, struct table *t, const struct half *h, size_t n)
{
    const struct half *last = &h[n - 1];

    if (n > 2 || (h->side != 2 && (n != 2 || h->side == last->side)))
        return diag_error(diag, (struct mark){0}, "%s: wanted one row for each job, not %zu rows",
                          h->pair, n);
    if (h->use && last->use)
        group_add(&t->etas, h->where, 2 * (h->speed + last->speed - 1));
    return true;
}

static bool add_pairs(struct diag *diag, struct table *t)
{
    bool good = true;

    if (t->n > 0)
        qsort(t->half, t->n, sizeof *t->half, by_pair);
    for (size_t from = 0, to; from < t->n; from = to) {
        for (to = from + 1; to < t->n && strcmp(t->half[to].pair, t->half[from].pair) == 0; to++)
            continue;
        good = add_pair(diag, t, &t->half[from], to - from) && good;
    }
    return good;
}

static void put_eta(struct out *out, const char *key, const double *eta, size_t n)
{
    out_printf(out, "%s,%.4f,%.4f,%.4f,%zu\n", key, gsl_stats_median_from_sorted_data(eta, 1, n),
               gsl_stats_quantile_from_sorted_data(eta, 1, n, 0.25),
               gsl_stats_quantile_from_sorted_data(eta, 1, n, 0.75), n);
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    struct arena *arena = arena_new();
    struct table t = {.speeds.arena = arena, .etas.arena = arena};
    struct out *sharing = out_create(diag, input[0]);
    bool good = sharing && read_pairs(diag, input[1], &t) && add_pairs(diag, &t);

    if (good) {
        out_text(out, "model,other,gpu,stack,speed,n,low,high\n");
        group_each(&t.speeds, out, group_put_median);
        out_text(sharing, "gpu,stack,eta,eta_low,eta_high,n\n");
        group_each(&t.etas, sharing, put_eta);
        good = out_commit(sharing);
    } else {
        out_drop(sharing);
    }
    mem_drop(t.half);
    mem_drop(t.speeds.item);
    groups_drop(&t.etas);
    return good;
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 2, "fit_pairs OUT SHARING PAIRS", convert);
}
