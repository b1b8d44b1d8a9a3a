/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dawn_curves CURVES TRIALS POINTS ABOUT TASK - DAWNBench's submissions for CIFAR10 or ImageNet.
 *
 * metric = top-1 accuracy; only ImageNet's points have a second one, top-5. Submissions number
 * their epochs from 0 or 1 or give what was trained in fractions; here they count from 1. A point
 * for epoch 0 at chance level is from before training, and of two points for an epoch the later
 * one counts. seconds = the difference of running totals. POINTS "-" reads standard input.
 */
#include "traces/convert/convert.h"

#define CHANCE_PCT 0.2 /* at most: of ImageNet's classes, with noise */

enum { ENTRY, EPOCH, HOURS, TOP1, TOP5, P_COLUMNS };
static const char *const points_columns[] = {"entry",       "epoch",       "hours",
                                             "metric1_pct", "metric2_pct", NULL};
enum { A_ENTRY, MODEL, HARDWARE, FRAMEWORK, DATE, BATCH, A_TASK, FIRST, A_COLUMNS };
static const char *const about_columns[] = {
    "entry", "model", "hardware", "framework", "date", "batch_size", "task", "first_metric", NULL};

/* Points of it are no epochs: 33 for 40 of them, at fractions. */
static const char set_aside[] = "gehc_resnet50_1_p3_16xlarge_tensorflow111";

struct point {
    const char *entry;
    bool imagenet;
    long long epoch;
    double hours, top1;
};

struct points {
    struct point *at;
    size_t n, cap;
};

static const char *task; /* the last argument */

static bool is_imagenet(void)
{
    return strcmp(task, "ImageNet") == 0;
}

static bool read_points(struct csv *csv, struct arena *arena, struct points *p)
{
    bool good = csv_require(csv, points_columns);
    int col[P_COLUMNS], got = -1;
    double epoch;
    size_t len;

    for (int i = 0; good && i < P_COLUMNS; i++)
        col[i] = csv_column(csv, points_columns[i]);
    while (good && (got = csv_next(csv)) == 1) {
        struct point at = {.entry = cell_text(arena, csv, col[ENTRY])};
        csv_cell(csv, col[TOP5], &len);
        at.imagenet = len > 0;
        good = csv_real(csv, col[EPOCH], 0, 1000, &epoch) &&
               csv_real(csv, col[HOURS], 0, 1e6, &at.hours) &&
               csv_real(csv, col[TOP1], 0, 100, &at.top1);
        at.epoch = (long long)epoch;
        p->at = mem_room(p->at, p->n, &p->cap, sizeof *p->at);
        p->at[p->n++] = at;
    }
    return good && got == 0;
}

/* false: the epochs of the entry have a gap. */
static bool put_curve(struct out *curves, const struct points *p, const char *entry,
                      long long trial)
{
    const struct point *held = NULL; /* not yet written: another for its epoch may follow */
    long long first = 0, epochs = 0;
    double before = 0;

    for (size_t i = 0; i <= p->n; i++) {
        const struct point *at = i < p->n ? &p->at[i] : NULL;
        if (at && (at->imagenet != is_imagenet() || strcmp(at->entry, entry) != 0))
            continue;
        if (held && (!at || at->epoch != held->epoch)) {
            if (held->epoch != first + epochs)
                return false;
            put_epoch(curves, trial, ++epochs, held->top1 / 100, (held->hours - before) * 3600);
            before = held->hours;
        }
        if (at && at->epoch == 0 && is_imagenet() && at->top1 < CHANCE_PCT) {
            before = at->hours;
            continue;
        }
        if (at && !held)
            first = at->epoch;
        held = at;
    }
    return epochs > 0;
}

/* A batch size that changed in the run is a list in the source and left empty. */
static void put_trial(struct out *trials, struct csv *about, const int *col, long long trial)
{
    size_t len;
    const char *batch = csv_cell(about, col[BATCH], &len);
    int64_t n;

    out_int(trials, trial);
    put_cells(trials, about, col, BATCH);
    out_char(trials, ',');
    if (num_int(batch, len, &n) == NUM_OK)
        out_int(trials, n);
    out_char(trials, '\n');
}

static bool convert_rows(struct diag *diag, struct csv *points, struct csv *about,
                         struct out *curves, struct out *trials)
{
    struct arena *arena = arena_new();
    struct points p = {0};
    bool good = read_points(points, arena, &p) && csv_require(about, about_columns);
    int col[A_COLUMNS], got = -1;
    long long trial = 0;

    for (int i = 0; good && i < A_COLUMNS; i++)
        col[i] = csv_column(about, about_columns[i]);
    out_text(curves, "trial,epoch,metric,seconds\n");
    out_text(trials, "trial,entry,model,hardware,framework,date,batch\n");
    while (good && (got = csv_next(about)) == 1) {
        if (!cell_is(about, col[A_TASK], task) || cell_is(about, col[A_ENTRY], set_aside))
            continue;
        good = (cell_is(about, col[FIRST], "top1accuracy") &&
                put_curve(curves, &p, cell_text(arena, about, col[A_ENTRY]), trial)) ||
               diag_error(diag, csv_mark(about, col[A_ENTRY]),
                          "its epochs have a gap, or their metric is no top-1 accuracy");
        put_trial(trials, about, col, trial++);
    }
    mem_drop(p.at);
    arena_free(arena);
    return good && got == 0;
}

static bool convert(struct diag *diag, char **input, struct out *out)
{
    task = input[3];
    return convert_joined(diag, input, out, convert_rows);
}

int main(int argc, char **argv)
{
    return convert_main(argc, argv, 4, "dawn_curves CURVES TRIALS POINTS ABOUT TASK", convert);
}
