/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two recorded BOHB searches (traces/searches.csv): Hyperband, given the losses that were recorded
 * there, trains the same trials for the same epochs.
 */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "sim/text/csv.h"
#include "tests/laws/trials.h"

#define MOST  500 /* trials */
#define RUNGS 5

struct search {
    uint32_t n, bracket[MOST], trial[MOST]; /* in order of both */
    double loss[MOST][RUNGS];               /* at 1, 3, 9, 27, 81 epochs; NAN: not trained so far */
    uint32_t epochs[MOST];
};

static int rung_of(int64_t epochs)
{
    int k = 0;

    for (; epochs > 1; epochs /= 3)
        k++;
    return k;
}

static uint32_t find(struct search *s, uint32_t bracket, uint32_t trial)
{
    uint32_t i = s->n, at;

    while (i > 0 && (s->bracket[i - 1] > bracket ||
                     (s->bracket[i - 1] == bracket && s->trial[i - 1] >= trial)))
        i--;
    if (i < s->n && s->bracket[i] == bracket && s->trial[i] == trial)
        return i;
    cr_assert_lt(s->n, MOST);
    for (at = s->n++; at > i; at--) {
        s->bracket[at] = s->bracket[at - 1];
        s->trial[at] = s->trial[at - 1];
        s->epochs[at] = s->epochs[at - 1];
        memcpy(s->loss[at], s->loss[at - 1], sizeof s->loss[at]);
    }
    s->bracket[i] = bracket;
    s->trial[i] = trial;
    s->epochs[i] = 0;
    for (int k = 0; k < RUNGS; k++)
        s->loss[i][k] = NAN;
    return i;
}

/* Its brackets below `end`; an evaluation that failed is worse than any other. */
static struct search *read_search(struct arena *a, const char *name, int64_t end)
{
    struct diag *d = diag_new(stderr);
    struct csv *csv = csv_open(d, "traces/searches.csv");
    struct search *s = arena_get(a, sizeof *s);
    int64_t bracket, trial, epochs;
    size_t len;

    cr_assert(csv);
    while (csv_next(csv) == 1) {
        const char *cell = csv_cell(csv, csv_column(csv, "search"), &len);
        if (len != strlen(name) || memcmp(cell, name, len) != 0)
            continue;
        cr_assert(csv_int(csv, csv_column(csv, "bracket"), 0, 100, &bracket) &&
                  csv_int(csv, csv_column(csv, "trial"), 0, 100, &trial) &&
                  csv_int(csv, csv_column(csv, "epochs"), 1, 81, &epochs));
        if (bracket >= end)
            continue;
        uint32_t i = find(s, (uint32_t)bracket, (uint32_t)trial);
        double *loss = &s->loss[i][rung_of(epochs)];
        csv_cell(csv, csv_column(csv, "loss"), &len);
        *loss = 1000;
        cr_assert(len == 0 || csv_real(csv, csv_column(csv, "loss"), 0, 1000, loss));
        s->epochs[i] = epochs > s->epochs[i] ? (uint32_t)epochs : s->epochs[i];
    }
    csv_close(csv);
    diag_free(d);
    return s;
}

/* Between two budgets and beyond the last one a trial stays as it was. */
static struct small *study_of(const struct search *s, uint32_t most, const char *tuner)
{
    struct small *small = small_new(1);

    small_nodes(small, small_type(small), 4, 1);
    small_model(small, 1e9, 0, 64);
    struct experiment *x = small_study(small, 0, s->n, most, 64);
    struct curves *c = arena_get(small->arena, sizeof *c);
    *c = *x->curves;
    c->falls = true;
    c->start = 1000;
    c->ideal = 0;
    x->curves = c;
    for (uint32_t i = 0; i < s->n; i++) {
        double loss = NAN;
        for (int k = 0; isnan(loss); k++)
            loss = s->loss[i][k];
        for (uint32_t e = 1; e <= most; e++) {
            int k = rung_of(e);
            loss = isnan(s->loss[i][k]) ? loss : s->loss[i][k];
            *small_metric(x, i, e) = loss;
        }
    }
    small_tuner(small, x, tuner);
    return small;
}

static const struct {
    const char *name, *tuner;
    uint32_t end, most, trials;
} searches[] = {
    {"small", "hyperband[max_epochs=9,sizes=floor,rounds=0]", 16, 9, 84},
    {"small", "hyperband[max_epochs=9,sizes=floor,rounds=0,brackets=parallel]", 16, 9, 84},
    {"large", "hyperband[max_epochs=81,sizes=floor,rounds=0]", 15, 81, 384},
};

Test(tuners, recorded_searches)
{
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        struct arena *a = arena_new();
        struct search *search = read_search(a, searches[i].name, searches[i].end);
        struct small *s = study_of(search, searches[i].most, searches[i].tuner);
        struct history *h = history_of(s, "fifo");
        const char *recorded = "";

        cr_assert_eq(search->n, searches[i].trials);
        for (uint32_t k = 0; k < search->n; k++)
            recorded = arena_printf(a, "%s%s%u", recorded, k ? " " : "", search->epochs[k]);
        cr_expect_str_eq(trials_epochs(h, 0), recorded, "%s: %s\nrecorded: %s", searches[i].name,
                         trials_epochs(h, 0), recorded);
        history_free(h);
        small_free(s);
        arena_free(a);
    }
}
