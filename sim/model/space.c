/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/paths.h"
#include "sim/text/check.h"
#include "sim/text/csv.h"

/* One axis while the file is read: the first trial decides whether it has numbers or names. */
struct column {
    const struct tree *item; /* of `space` */
    int col;
    const char **name; /* by trial; NULL: they are numbers */
};

struct reading {
    struct arena *arena;
    struct diag *diag;
    struct csv *csv;
    struct curves *c;
    int trial, batch, epochs; /* columns */
    struct column column[SPACE_MOST];
};

/* ---- rows ---- */

static bool is_number(const char *s, size_t len)
{
    double x;

    return num_real(s, len, &x) == NUM_OK;
}

static bool take_name(struct reading *r, struct column *col, const char *s, size_t len, uint32_t k)
{
    char shown[CHECK_SHOWN];
    struct mark at = csv_mark(r->csv, col->col);

    if (len == 0)
        return diag_error(r->diag, at, "%s: empty; wanted a name", col->item->text);
    if (is_number(s, len))
        return diag_error(r->diag, at, "%s: %s is a number; '%s' of trial 0 is none",
                          col->item->text, check_shown(shown, s, len), col->name[0]);
    col->name[k] = arena_text(r->arena, s, len);
    return true;
}

static bool take_axis(struct reading *r, uint32_t axis, uint32_t k)
{
    struct column *col = &r->column[axis];
    size_t len;
    const char *s = csv_cell(r->csv, col->col, &len);
    double *point = &r->c->point[(size_t)k * r->c->axes + axis];

    if (k == 0 && len > 0 && !is_number(s, len)) {
        col->name = arena_get(r->arena, r->c->trials * sizeof(*col->name));
        col->name[0] = arena_text(r->arena, s, len);
        return true;
    }
    return col->name ? take_name(r, col, s, len, k)
                     : csv_real(r->csv, col->col, -1e300, 1e300, point);
}

static bool take_batch(struct reading *r, uint32_t k)
{
    size_t len;
    int64_t batch = 0;

    csv_cell(r->csv, r->batch, &len);
    if (len > 0 && !csv_int(r->csv, r->batch, 1, 1 << 23, &batch))
        return false;
    if (r->batch >= 0)
        r->c->batch[k] = (uint32_t)batch;
    return true;
}

/* As planned: a trial that diverged has fewer. */
static bool take_epochs(struct reading *r, uint32_t k)
{
    uint32_t recorded = curve_epochs(r->c, k);
    int64_t planned = recorded;
    size_t len;

    csv_cell(r->csv, r->epochs, &len);
    if (len > 0 && !csv_int(r->csv, r->epochs, 1, 100000, &planned))
        return false;
    if (planned < recorded)
        return diag_error(r->diag, csv_mark(r->csv, r->epochs),
                          "epochs: %lld were planned; %u are recorded", (long long)planned,
                          recorded);
    if (r->epochs >= 0)
        r->c->planned[k] = (uint32_t)planned;
    return true;
}

static bool take_row(struct reading *r, uint32_t k)
{
    int64_t trial;
    bool ok = true;

    if (!csv_int(r->csv, r->trial, 0, UINT32_MAX - 1, &trial))
        return false;
    if (k == r->c->trials)
        return diag_error(r->diag, csv_mark(r->csv, r->trial),
                          "trial: %lld; there are curves of %u trials", (long long)trial, k);
    if (trial != k)
        return diag_error(r->diag, csv_mark(r->csv, r->trial),
                          "trial: %lld; wanted %u: each has one row, in order", (long long)trial,
                          k);
    for (uint32_t axis = 0; axis < r->c->axes; axis++)
        ok &= take_axis(r, axis, k);
    ok &= take_batch(r, k);
    return take_epochs(r, k) && ok;
}

static bool read_rows(struct reading *r)
{
    uint32_t k = 0;
    int got;

    while ((got = csv_next(r->csv)) > 0)
        if (!take_row(r, k++))
            return false;
    if (got == 0 && k < r->c->trials)
        return diag_error(r->diag, (struct mark){.src = csv_mark(r->csv, r->trial).src},
                          "trial %u is missing; there are curves of %u trials", k, r->c->trials);
    return got == 0;
}

/* ---- from 0 to 1 ---- */

static double *of_trial(const struct curves *c, uint32_t axis, uint32_t k)
{
    return &c->point[(size_t)k * c->axes + axis];
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names become their ranks. */
static void number_names(struct arena *a, const struct curves *c, uint32_t axis,
                         const char *const *name)
{
    const char **sorted = arena_get(a, c->trials * sizeof(*sorted));
    uint32_t n = 1;

    memcpy(sorted, name, c->trials * sizeof(*sorted));
    qsort(sorted, c->trials, sizeof(*sorted), by_text);
    for (uint32_t k = 1; k < c->trials; k++)
        if (strcmp(sorted[k], sorted[n - 1]) != 0)
            sorted[n++] = sorted[k];
    for (uint32_t k = 0; k < c->trials; k++) {
        const char **at = bsearch(&name[k], sorted, n, sizeof(*sorted), by_text);
        *of_trial(c, axis, k) = (double)(at - sorted);
    }
}

/* False: reported. names: what stands there are ranks. */
static bool scale(struct diag *d, const struct curves *c, uint32_t axis, const struct column *col)
{
    double low = INFINITY, high = -INFINITY;

    for (uint32_t k = 0; k < c->trials; k++) {
        low = fmin(low, *of_trial(c, axis, k));
        high = fmax(high, *of_trial(c, axis, k));
    }
    if (low == high)
        return diag_error(d, col->item->at, "space: '%s' is the same in all trials; leave it out",
                          col->item->text);
    bool log_scale = !col->name && low > 0 && high / low > 10;
    for (uint32_t k = 0; k < c->trials; k++) {
        double *x = of_trial(c, axis, k);
        /* Halves, so that their difference is finite. */
        *x = log_scale ? (log(*x) - log(low)) / (log(high) - log(low))
                       : (*x / 2 - low / 2) / (high / 2 - low / 2);
    }
    return true;
}

/* ---- the list ---- */

static bool find_column(struct reading *r, const struct tree *item, uint32_t axis)
{
    struct column *col = &r->column[axis];
    struct diag_near near = {.word = item->text};

    for (uint32_t i = 0; i < axis; i++)
        if (strcmp(r->c->axis[i], item->text) == 0)
            return diag_error(r->diag, item->at, "space: '%s' stands there twice", item->text);
    r->c->axis[axis] = item->text;
    *col = (struct column){.item = item, .col = csv_column(r->csv, item->text)};
    if (col->col >= 0 && col->col != r->trial)
        return true;
    for (size_t i = 0; i < csv_columns(r->csv); i++)
        if ((int)i != r->trial)
            diag_consider(&near, csv_name(r->csv, (int)i));
    return diag_unknown(r->diag, item->at, near.nearest, "space: no hyper-parameter '%s' in %s",
                        item->text, r->c->trials_file);
}

static bool check_space(struct diag *d, const struct tree *space)
{
    bool ok = space->kind == TREE_LIST && space->n > 0;

    for (size_t i = 0; ok && i < space->n; i++)
        ok = space->item[i]->kind == TREE_SCALAR;
    if (!ok)
        return diag_error(d, space->at, "space: %s; wanted a list of columns of the trials file",
                          space->kind == TREE_LIST && space->n == 0 ? "an empty list"
                          : space->kind == TREE_LIST                ? "a list of other things"
                                                                    : tree_kind_name(space));
    if (space->n > SPACE_MOST)
        return diag_error(d, space->at, "space: %zu columns; %d are the most", space->n,
                          SPACE_MOST);
    return true;
}

static bool read_space(struct reading *r, const struct tree *space)
{
    struct curves *c = r->c;
    bool ok = true;

    c->axes = space ? (uint32_t)space->n : 0;
    c->axis = arena_get(r->arena, c->axes * sizeof(*c->axis));
    c->point = arena_get(r->arena, (size_t)c->axes * c->trials * sizeof(*c->point));
    if (r->batch >= 0)
        c->batch = arena_get(r->arena, c->trials * sizeof(*c->batch));
    if (r->epochs >= 0)
        c->planned = arena_get(r->arena, c->trials * sizeof(*c->planned));
    for (uint32_t axis = 0; axis < c->axes; axis++)
        ok &= find_column(r, space->item[axis], axis);
    if (!ok || !read_rows(r))
        return false;
    for (uint32_t axis = 0; axis < c->axes; axis++) {
        if (r->column[axis].name)
            number_names(r->arena, c, axis, r->column[axis].name);
        ok &= scale(r->diag, c, axis, &r->column[axis]);
    }
    return ok;
}

bool space_load(struct arena *a, struct diag *d, const struct tree *set, struct curves *c)
{
    static const char *const wanted[] = {"trial", NULL};
    const struct tree *file = tree_get(set, "trials_file"), *space = tree_get(set, "space");
    struct reading r = {.arena = a, .diag = d, .c = c};

    if (space && !check_space(d, space))
        return false;
    if (!file->len)
        return !space || diag_error(d, space->at, "space: it needs the key trials_file");
    c->trials_file = path_of(a, file);
    r.csv = csv_open(d, c->trials_file);
    if (!r.csv)
        return false;
    r.trial = csv_column(r.csv, "trial");
    r.batch = csv_column(r.csv, "batch");
    r.epochs = csv_column(r.csv, "epochs");
    bool ok = csv_require(r.csv, wanted) && read_space(&r, space);
    csv_close(r.csv);
    return ok;
}
