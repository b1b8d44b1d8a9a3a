/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/curve.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

#define ABOUT "metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: curves.csv\n"
#define ROWS  "trial,epoch,metric\n0,1,0.5\n0,2,0.6\n1,1,0.25\n"

static const struct curve_case {
    const char *about, *rows, *errors; /* "" errors: it loads */
} cases[] = {
    {ABOUT, ROWS, ""},
    {ABOUT "about: x\norigin: y\nlicence: z\nclasses: 10\nepochs: 2\ntrials: 2\n", ROWS, ""},
    {"metric: loss\nbetter: lower\ninitial: 2.3\nideal: -1e300\nfile: ./curves.csv\n",
     "metric,x,trial,epoch\n-1e300,,0,1\n", ""},
    {"metric: per cent\nbetter: higher\ninitial: 10\nideal: 100\nfile: curves.csv\n",
     "trial,epoch,metric\n0,1,100\n0,2,3\n", ""},
    {"metric: loss\nbetter: lower\ninitial: 6\nideal: none\nfile: curves.csv\n",
     "trial,epoch,metric\n0,1,40\n0,2,0\n", ""},

    {"metric: accuracy\ninitial: 0.1\nfile: curves.csv\n", ROWS,
     "about.yaml:1:1: error: key 'better' is missing in the curves"},
    {"metric: accuracy\nbetter: up\ninitial: 0.1\nfile: curves.csv\n", ROWS,
     "about.yaml:2:9: error: better: 'up' is none of higher, lower"},
    {"metric: accuracy\nbetter: higher\ninitial: low\nfile: curves.csv\n", ROWS,
     "about.yaml:3:10: error: initial: 'low' is not a number"},
    {ABOUT "initail: 1\n", ROWS,
     "about.yaml:5:1: error: unknown key 'initail' in the curves (did you mean 'initial'?)"},
    {"- 1\n", ROWS, "about.yaml:1:1: error: the curves: a list; wanted a map"},
    {"metric: accuracy\nbetter: higher\ninitial: 0.1\nfile: absent.csv\n", ROWS,
     "absent.csv: cannot open: No such file or directory"},
    {"metric: per cent\nbetter: higher\ninitial: 10\nfile: curves.csv\n", ROWS,
     "about.yaml:3:10: error: initial: 10 is better than the ideal, 1; say `ideal: ` and the best "
     "there can be"},
    {"metric: loss\nbetter: lower\ninitial: 0\nfile: curves.csv\n", ROWS,
     "about.yaml:3:10: error: initial: 0 is already the ideal, 0; say `ideal: ` and the best there "
     "can be"},
    {ABOUT, "trial,epoch,metric\n0,1,0.5\n0,2,93.25\n",
     "curves.csv:3:5: error: metric: 93.25 is better than the ideal, 1; say `ideal: ` and the best "
     "there can be"},
    {ABOUT, "trial,epoch\n0,1\n", "curves.csv:1:1: error: column 'metric' is missing"},
    {ABOUT, "trial,epoch,metric\n", "curves.csv: error: there are no curves in it"},
    {ABOUT, "trial,epoch,metric\n1,1,0.5\n",
     "curves.csv:2:1: error: trial: 1; trials are numbered from 0 without gaps, each with its "
     "epochs from 1"},
    {ABOUT, "trial,epoch,metric\n0,1,0.5\n2,1,0.5\n",
     "curves.csv:3:1: error: trial: 2; trials are numbered from 0 without gaps, each with its "
     "epochs from 1"},
    {ABOUT, "trial,epoch,metric\n0,1,0.5\n1,1,0.5\n0,2,0.5\n",
     "curves.csv:4:1: error: trial: 0; trials are numbered from 0 without gaps, each with its "
     "epochs from 1"},
    {ABOUT, "trial,epoch,metric\n0,2,0.5\n",
     "curves.csv:2:1: error: trial: 0; trials are numbered from 0 without gaps, each with its "
     "epochs from 1"},
    {ABOUT, "trial,epoch,metric\n0,1,0.5\n0,3,0.5\n",
     "curves.csv:3:3: error: epoch: 3 of trial 0; wanted 2"},
    {ABOUT, "trial,epoch,metric\n0,1,0.5\n0,1,0.5\n",
     "curves.csv:3:3: error: epoch: 1 of trial 0; wanted 2"},
    {ABOUT, "trial,epoch,metric\n0,0,0.5\n",
     "curves.csv:2:3: error: epoch: 0 is below the minimum, 1"},
    {ABOUT, "trial,epoch,metric\n-1,1,0.5\n",
     "curves.csv:2:1: error: trial: -1 is below the minimum, 0"},
    {ABOUT, "trial,epoch,metric\n0,1,nan\n",
     "curves.csv:2:5: error: metric: 'nan' is not a number"},
    {ABOUT, "trial,epoch,metric\n0,1,1e301\n",
     "curves.csv:2:5: error: metric: 1e301 is above the maximum, 1e300"},
    {ABOUT, "trial,epoch,metric\n0,1\n",
     "curves.csv:2:4: error: 2 cells in this row; the header has 3"},
};

Test(curve, cases)
{
    struct scratch files;

    scratch_enter(&files);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture *c = capture_new();
        scratch_write(&files, "about.yaml", cases[i].about);
        scratch_write(&files, "curves.csv", cases[i].rows);
        struct curves *curves = curves_load(c->arena, c->diag, "about.yaml");
        cr_expect_eq(curves != NULL, *cases[i].errors == '\0', "%s%s", cases[i].about,
                     cases[i].rows);
        cr_expect_str_eq(capture_lines(c), cases[i].errors, "%s%s\n%s", cases[i].about,
                         cases[i].rows, capture_all(c));
        capture_free(c);
    }
    scratch_leave(&files);
}

Test(curve, values)
{
    struct scratch files;
    struct capture *c = capture_new();

    scratch_enter(&files);
    scratch_write(&files, "about.yaml",
                  "metric: loss\nbetter: lower\ninitial: 2.5\nfile: curves.csv\n");
    FILE *f = fopen("curves.csv", "w");
    fprintf(f, "trial,epoch,metric\n");
    for (int trial = 0; trial < 100; trial++)
        for (int epoch = 1; epoch <= 1 + trial % 7; epoch++)
            fprintf(f, "%d,%d,%d.%02d\n", trial, epoch, trial, epoch);
    fclose(f);
    struct curves *curves = curves_load(c->arena, c->diag, "about.yaml");
    unlink("curves.csv");
    scratch_leave(&files);
    cr_assert(curves && curves->trials == 100 && curves->falls && curves->start == 2.5);
    cr_assert_eq(curves->ideal, 0);
    cr_assert_str_eq(curves->name, "loss");
    cr_assert_str_eq(curves->file, "curves.csv");
    for (uint32_t trial = 0; trial < 100; trial++) {
        cr_assert_eq(curve_epochs(curves, trial), 1 + trial % 7);
        for (uint32_t epoch = 1; epoch <= 1 + trial % 7; epoch++)
            cr_assert_eq((int)(curve_at(curves, trial, epoch) * 100 + 0.5),
                         (int)(trial * 100 + epoch));
    }
    cr_assert(curve_better(curves, 1, 2) && !curve_better(curves, 2, 1) &&
              !curve_better(curves, 1, 1));
    curves->falls = false;
    cr_assert(!curve_better(curves, 1, 2) && curve_better(curves, 2, 1) &&
              !curve_better(curves, 1, 1));
    capture_free(c);
}
