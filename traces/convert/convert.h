/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * convert.h - what the converters share: rows of step_times.csv, tables of names, the way out.
 *
 * Every converter is one file and one program. Its source's rules stand in that file, and every row
 * that a rule sets aside says so in the column `reason`.
 */
#ifndef TRACES_CONVERT_H
#define TRACES_CONVERT_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/text/csv.h"
#include "sim/text/num.h"
#include "sim/text/out.h"

#define STEP_COLUMNS                                                                               \
    "model,gpu,gpus,nodes,batch_per_gpu,step_s,precision,stack,use,reason,source,commit,licence\n"

struct origin {
    const char *repository, *commit, *licence;
};

struct step_row {
    const char *model, *gpu, *precision, *stack;
    int64_t gpus, nodes, batch;
    double step_s;
    const char *reason; /* the rule that sets the row aside; NULL: it is used */
};

static inline void put_step(struct out *out, const struct step_row *r, const struct origin *from)
{
    out_printf(out, "%s,%s,%lld,%lld,%lld,%.6g,%s,%s,%d,%s,%s,%s,%s\n", r->model, r->gpu,
               (long long)r->gpus, (long long)r->nodes, (long long)r->batch, r->step_s,
               r->precision, r->stack, r->reason == NULL, r->reason ? r->reason : "",
               from->repository, from->commit, from->licence);
}

/* A source's name for a thing and ours; tables end with theirs == NULL. */
struct name {
    const char *theirs, *ours;
};

static inline bool cell_is(const struct csv *csv, int col, const char *text)
{
    size_t len;
    const char *s = csv_cell(csv, col, &len);

    return len == strlen(text) && memcmp(s, text, len) == 0;
}

/* Our name for a cell, or NULL. */
static inline const char *cell_name(const struct csv *csv, int col, const struct name *table)
{
    for (; table->theirs; table++)
        if (cell_is(csv, col, table->theirs))
            return table->ours;
    return NULL;
}

/* A copy of a cell that lives as long as the arena. */
static inline const char *cell_text(struct arena *arena, const struct csv *csv, int col)
{
    size_t len;
    const char *s = csv_cell(csv, col, &len);

    return arena_text(arena, s, len);
}

/* To six significant digits, so that a table does not depend on the last bits of a sum. */
static inline double round_6(double x)
{
    char text[32];
    double rounded = 0;
    int n = snprintf(text, sizeof text, "%.6g", x);

    num_real(text, (size_t)n, &rounded);
    return rounded;
}

/*
 * The body of every main: OUT and then the inputs. convert() writes to out and returns false for
 * what it has reported; OUT appears only if all went well. Exit code: 0 fine, 2 wrong use or bad
 * input, 3 the disk.
 */
static inline int convert_main(int argc, char **argv, int inputs, const char *usage,
                               bool (*convert)(struct diag *, char **input, struct out *out))
{
    struct diag *diag;
    struct out *out;
    int code;

    if (argc < 2 + inputs) {
        fprintf(stderr, "usage: %s\n", usage);
        return 2;
    }
    diag = diag_new(stderr);
    out = out_create(diag, argv[1]);
    if (out && convert(diag, argv + 2, out))
        out_commit(out);
    else
        out_drop(out);
    code = diag_errors(diag) ? 2 : diag_io_errors(diag) ? 3 : 0;
    diag_free(diag);
    return code;
}

/* The body of convert() where a set of curves goes to OUT and its trials to the first input. */
static inline bool convert_curves(struct diag *diag, char **input, struct out *curves,
                                  bool (*rows)(struct csv *, struct out *curves,
                                               struct out *trials))
{
    struct out *trials = out_create(diag, input[0]);
    struct csv *csv = csv_open(diag, input[1]);
    bool good = trials && csv && rows(csv, curves, trials);

    csv_close(csv);
    if (good)
        return out_commit(trials);
    out_drop(trials);
    return false;
}

/* The same for sources that have curves and trials in two tables, the second and third input. */
static inline bool convert_joined(struct diag *diag, char **input, struct out *curves,
                                  bool (*rows)(struct diag *, struct csv *points, struct csv *about,
                                               struct out *curves, struct out *trials))
{
    struct out *trials = out_create(diag, input[0]);
    struct csv *points = csv_open(diag, input[1]);
    struct csv *about = csv_open(diag, input[2]);
    bool good = trials && points && about && rows(diag, points, about, curves, trials);

    csv_close(points);
    csv_close(about);
    if (good)
        return out_commit(trials);
    out_drop(trials);
    return false;
}

/* The cells of a row of TRIALS that are taken as they are. */
static inline void put_cells(struct out *trials, const struct csv *csv, const int *col, int n)
{
    struct arena *arena = arena_new();

    for (int i = 0; i < n; i++) {
        out_char(trials, ',');
        out_csv(trials, cell_text(arena, csv, col[i]));
    }
    arena_free(arena);
}

/* A row of CURVES; seconds NAN: not recorded. */
static inline void put_epoch(struct out *curves, long long trial, long long epoch, double metric,
                             double seconds)
{
    out_printf(curves, "%lld,%lld,", trial, epoch);
    out_real(curves, round(metric * 1e6) / 1e6);
    out_char(curves, ',');
    if (!isnan(seconds))
        out_real(curves, round(seconds * 1e3) / 1e3);
    out_char(curves, '\n');
}

#endif
