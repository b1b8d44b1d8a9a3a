/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/curve.h"

#include <math.h>
#include <stddef.h>

#include "sim/model/paths.h"
#include "sim/model/space.h"
#include "sim/text/conf.h"
#include "sim/text/csv.h"
#include "sim/text/yaml.h"

enum { RISES, FALLS };
static const char *const directions[] = {"higher", "lower", NULL};

struct about_curves {
    const char *metric, *file, *trials_file;
    int better;
    double initial, ideal;
};

const struct field curve_fields[] = {
    {FIELD_TEXT, "metric", offsetof(struct about_curves, metric), NULL, 0, 0, NULL,
     "what is recorded: accuracy, loss, ..."},
    {FIELD_CHOICE, "better", offsetof(struct about_curves, better), NULL, 0, 0, directions,
     "which metrics are better"},
    {FIELD_REAL, "initial", offsetof(struct about_curves, initial), NULL, 0, 0, NULL,
     "the metric before training (chance level)"},
    {FIELD_REAL_OR_NONE, "ideal", offsetof(struct about_curves, ideal), "none", -1e300, 1e300, NULL,
     "the best that the metric can be; none: 1 if higher is better, else 0"},
    {FIELD_TEXT, "file", offsetof(struct about_curves, file), NULL, 0, 0, NULL,
     "CSV file with the columns trial, epoch, metric"},
    {FIELD_TEXT, "trials_file", offsetof(struct about_curves, trials_file), "", 0, 0, NULL,
     "CSV file with a row for each trial: trial, hyper-parameters, batch, epochs planned"},
    {.type = FIELD_END},
};

/* What the file says for people, and a list. */
static const char *const descriptive[] = {"about",   "classes",      "epochs", "trials",
                                          "batch",   "model_family", "origin", "commit",
                                          "licence", "space",        NULL};

struct growing {
    struct curves *c;
    size_t n, cap, cap_first;
};

static void push_value(struct growing *g, double x)
{
    g->c->value = mem_room(g->c->value, g->n, &g->cap, sizeof(double));
    g->c->value[g->n++] = x;
}

/* An ideal that is none shows another scale: accuracy in per cent, rewards, likelihoods. */
static bool no_ideal(struct diag *d, struct mark at, const char *what, double x,
                     const struct curves *c)
{
    return diag_error(d, at,
                      "%s: %.6g is %s the ideal, %.6g; say `ideal: ` and the best there can be",
                      what, x, x == c->ideal ? "already" : "better than", c->ideal);
}

static void push_trial(struct growing *g)
{
    g->c->first = mem_room(g->c->first, g->c->trials, &g->cap_first, sizeof(uint32_t));
    g->c->first[g->c->trials++] = (uint32_t)g->n;
}

/* One row: the next epoch of the present trial, or the first of the next one. */
static bool take_row(struct growing *g, struct diag *d, struct csv *csv, const int *col,
                     int64_t *epoch)
{
    int64_t trial, e;
    double x;

    if (!csv_int(csv, col[0], 0, UINT32_MAX - 1, &trial) ||
        !csv_int(csv, col[1], 1, INT32_MAX, &e) || !csv_real(csv, col[2], -1e300, 1e300, &x))
        return false;
    if (trial == (int64_t)g->c->trials && e == 1) {
        push_trial(g);
    } else if (trial != (int64_t)g->c->trials - 1) {
        return diag_error(d, csv_mark(csv, col[0]),
                          "trial: %lld; trials are numbered from 0 without gaps, "
                          "each with its epochs from 1",
                          (long long)trial);
    } else if (e != *epoch + 1) {
        return diag_error(d, csv_mark(csv, col[1]), "epoch: %lld of trial %lld; wanted %lld",
                          (long long)e, (long long)trial, (long long)*epoch + 1);
    }
    if (curve_better(g->c, x, g->c->ideal))
        return no_ideal(d, csv_mark(csv, col[2]), "metric", x, g->c);
    *epoch = e;
    push_value(g, x);
    return true;
}

static bool read_rows(struct growing *g, struct diag *d, struct csv *csv)
{
    static const char *const names[] = {"trial", "epoch", "metric", NULL};
    int col[3], got;
    int64_t epoch = 0;

    if (!csv_require(csv, names))
        return false;
    for (int i = 0; i < 3; i++)
        col[i] = csv_column(csv, names[i]);
    while ((got = csv_next(csv)) > 0)
        if (!take_row(g, d, csv, col, &epoch))
            return false;
    struct mark file = {.src = csv_mark(csv, col[0]).src};
    if (got == 0 && g->n == 0)
        return diag_error(d, file, "there are no curves in it");
    return got == 0;
}

/* The arrays grew in memory of their own; from here on they live in the arena. */
static void settle_in(struct growing *g, struct arena *a)
{
    struct curves *c = g->c;
    uint32_t *first = arena_get(a, (c->trials + 1) * sizeof(*first));
    double *value = arena_get(a, g->n * sizeof(*value));

    for (uint32_t i = 0; i < c->trials; i++)
        first[i] = c->first[i];
    first[c->trials] = (uint32_t)g->n;
    for (size_t i = 0; i < g->n; i++)
        value[i] = c->value[i];
    mem_drop(c->first);
    mem_drop(c->value);
    c->first = first;
    c->value = value;
}

struct curves *curves_load(struct arena *a, struct diag *d, const char *path)
{
    struct about_curves about;
    struct tree *root = yaml_load(a, d, path);
    struct curves *c = arena_get(a, sizeof(*c));

    if (!root || !conf_fill(a, d, root, curve_fields, descriptive, "the curves", &about))
        return NULL;
    c->name = about.metric;
    c->falls = about.better == FALLS;
    c->start = about.initial;
    c->ideal = isnan(about.ideal) ? (c->falls ? 0 : 1) : about.ideal;
    if (!curve_better(c, c->ideal, c->start)) {
        no_ideal(d, tree_get(root, "initial")->at, "initial", c->start, c);
        return NULL;
    }
    c->file = path_of(a, tree_get(root, "file"));
    struct csv *csv = csv_open(d, c->file);
    struct growing g = {c, 0, 0, 0};
    if (!csv)
        return NULL;
    bool ok = read_rows(&g, d, csv);
    csv_close(csv);
    settle_in(&g, a);
    return ok && space_load(a, d, root, c) ? c : NULL;
}
