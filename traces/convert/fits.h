/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fits.h - the two fitted models, and step_fits.csv as the fitting programs read it.
 */
#ifndef TRACES_FITS_H
#define TRACES_FITS_H

#include "traces/convert/convert.h"

struct key {
    const char *model, *gpu, *stack;
};

/* One GPU: a step over b samples takes max(floor, alpha + beta * b) seconds. */
struct step_fit {
    struct key key;
    double alpha, beta, floor;
    bool tested; /* three points or more, not all of one batch size */
};

/* Seconds of communication of k replicas: base + each * (k - 2); [0] in a node, [1] across. */
struct sync_fit {
    struct key key;
    double base[2], each[2], overlap;
    bool known[2];
};

struct fits {
    struct arena *arena;
    struct step_fit *step;
    size_t steps, steps_cap;
};

static inline bool key_is(const struct key *a, const struct key *b)
{
    return strcmp(a->model, b->model) == 0 && strcmp(a->gpu, b->gpu) == 0 &&
           strcmp(a->stack, b->stack) == 0;
}

static inline int key_order(const struct key *a, const struct key *b)
{
    int order = strcmp(a->model, b->model);

    order = order ? order : strcmp(a->gpu, b->gpu);
    return order ? order : strcmp(a->stack, b->stack);
}

static inline double step_time(const struct step_fit *f, double batch)
{
    return fmax(f->floor, f->alpha + f->beta * batch);
}

/* t and net combined: (t^overlap + net^overlap)^(1/overlap). */
static inline double overlapped(double t, double net, double overlap)
{
    return overlap > 1 ? t * pow(1 + pow(net / t, overlap), 1 / overlap) : t + net;
}

static inline struct key read_key(struct fits *f, struct csv *csv)
{
    struct key key = {cell_text(f->arena, csv, csv_column(csv, "model")),
                      cell_text(f->arena, csv, csv_column(csv, "gpu")),
                      cell_text(f->arena, csv, csv_column(csv, "stack"))};

    return key;
}

static inline bool read_seconds(struct csv *csv, const char *column, double *out)
{
    return csv_real(csv, csv_column(csv, column), 0, 1e6, out);
}

static inline bool read_fit(struct csv *csv, struct step_fit *fit)
{
    double points, least, most;

    if (!read_seconds(csv, "alpha_s", &fit->alpha) || !read_seconds(csv, "beta_s", &fit->beta) ||
        !read_seconds(csv, "floor_s", &fit->floor) ||
        !csv_real(csv, csv_column(csv, "points"), 1, 1e6, &points) ||
        !csv_real(csv, csv_column(csv, "batch_min"), 1, 1e9, &least) ||
        !csv_real(csv, csv_column(csv, "batch_max"), 1, 1e9, &most))
        return false;
    fit->tested = points >= 3 && least < most;
    return true;
}

static inline bool load_steps(struct diag *diag, const char *path, struct fits *f)
{
    static const char *const wanted[] = {"model",   "gpu",       "stack",     "alpha_s", "beta_s",
                                         "floor_s", "batch_min", "batch_max", "points",  NULL};
    struct csv *csv = csv_open(diag, path);
    bool good = csv && csv_require(csv, wanted);
    int got = -1;

    while (good && (got = csv_next(csv)) == 1) {
        struct step_fit fit = {.key = read_key(f, csv)};

        good = read_fit(csv, &fit);
        f->step = mem_room(f->step, f->steps, &f->steps_cap, sizeof *f->step);
        f->step[f->steps++] = fit;
    }
    csv_close(csv);
    return good && got == 0;
}

static inline const struct step_fit *find_step(const struct fits *f, const struct key *key)
{
    for (size_t i = 0; i < f->steps; i++)
        if (key_is(&f->step[i].key, key))
            return &f->step[i];
    return NULL;
}

static inline void fits_drop(struct fits *f)
{
    arena_free(f->arena);
    mem_drop(f->step);
}

#endif
