/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot_kinds.h - what a kind of picture is made of: a row of the table in plot_kinds.c, a writer of
 * data, and a script in analysis/plots/.
 *
 * A script is the writer's numbers as assignments, plots/style.gp, and the kind's own file. All of
 * it is constant text but for these numbers. The first block of the data has the labels of the
 * policies; blocks are set apart by two empty lines, each starts with a line of column names.
 */
#ifndef ANALYSIS_PLOT_KINDS_H
#define ANALYSIS_PLOT_KINDS_H

#include "analysis/compare.h"
#include "analysis/plot.h"

#define PLOT_STEPS 2000u /* points of one curve, and pieces of a picture, at most */
#define PLOT_TEXT  64u   /* characters of one text in a picture, at most */

/* What all pictures are made from. */
struct plot_set {
    struct arena *arena;
    struct diag *diag;
    const struct results *results;
    struct comparison cmp;        /* the policies, the baseline first */
    const char **label;           /* by policy: clean, short and distinct */
    const struct result **first;  /* by policy: its run with the lowest seed */
    const enum metric_id *metric; /* that were asked for */
    uint32_t n_metrics;
    bool shared;              /* some cluster shares its GPUs, as results tell */
    double width;             /* inches, or 0: as the kind has it */
    struct plot_sweep *sweep; /* NULL: the set is of runs, of one world */
};

/* What a writer fills. */
struct plot_data {
    struct out *out; /* NAME.tsv, its first block written */
    struct {
        const char *name;
        const char *text; /* NULL: a number */
        bool whole;
        double value;
    } number[32];
    uint32_t n;
    const char *left_out; /* set: there is nothing to draw, and why */
};

/* How many pictures of a kind there are, and from what. */
enum plot_each {
    PLOT_OF_RUNS,     /* one, from all runs */
    PLOT_OF_EACH_RUN, /* for each policy's first run */
    PLOT_OF_SWEEP,    /* one, from a sweep */
    PLOT_OF_EACH_AXIS /* for each axis of a sweep */
};

struct plot_kind {
    const char *name, *about;
    const char *script; /* analysis/plots/SCRIPT.gp */
    enum plot_each each;
    /* which: whose run, by policy, or which axis; else 0. false: reported. */
    bool (*write)(const struct plot_set *, uint32_t which, struct plot_data *);
    bool shared; /* of clusters that share their GPUs: of others it is drawn only if it is named */
};

extern const struct plot_kind plot_kinds[]; /* ended by a name of NULL */

/* The writers. */
bool plot_hpo_time(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_jct(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_change(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_best_metric(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_gantt(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_utilisation(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_jct_cdf(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_slowdown_cdf(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_fairness(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_jct_box(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_slowdown_box(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_metric(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_queue(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_curves(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_gantt_jobs(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_job_slowdown(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_shares(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_heat(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_axis(const struct plot_set *, uint32_t axis, struct plot_data *);
bool plot_ablation(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_box_case(const struct plot_set *, uint32_t policy, struct plot_data *);
bool plot_box_axis(const struct plot_set *, uint32_t axis, struct plot_data *);
bool plot_fidelity(const struct plot_set *, uint32_t policy, struct plot_data *);

/* ---- for writers ---- */

/* Leaves the picture out: returns true, so that a writer can return it. */
bool plot_leave(struct plot_data *, const char *why);
/* A number of the script. gnuplot divides whole numbers as C does: a count is one, a number is not.
 */
void plot_count(struct plot_data *, const char *name, uint32_t value);
void plot_number(struct plot_data *, const char *name, double value);
/* A text of ours, without quotes: never one from outside. */
void plot_text(struct plot_data *, const char *name, const char *text);
/* A block begins: two empty lines and the names of its columns. */
void plot_block(struct plot_data *, const char *columns);
/* Cells, each with the tab before it; NAN is written as NaN, an empty text as -. */
void plot_cell(struct plot_data *, double);
void plot_cell_text(struct plot_data *, const char *);
/* The file of a run, or NULL: it is not there. */
const char *plot_input(const struct plot_set *, const struct result *, const char *name);
/* Of sorted values: between those next to it, in proportion. */
double plot_quantile(const double *x, size_t n, double q);
/* Seconds of the unit (s, min, h, d) that suits times up to so many seconds. */
double plot_unit(double longest_s);

/* ---- text for pictures ---- */

/* The name of a metric; of a time without its _s, as axes have units of their own. */
const char *plot_metric_title(struct arena *, enum metric_id);

/* Valid UTF-8 that shows, without tabs and double quotes, at most so many characters long. */
const char *plot_clean(struct arena *, const char *, uint32_t most);
/* Labels of policies: clean, at most so many characters, no two alike. */
const char **plot_labels(struct arena *, const struct comparison *, uint32_t most);

/* ---- drawing ---- */

struct plot_script {
    const char *name;
    const char *const *line; /* ended by NULL; each with its line end */
};
extern const struct plot_script
    plot_scripts[]; /* made from analysis/plots/; ended by a name of NULL */

/* NAME.gp: numbers, style, script. false: reported. */
bool plot_write_script(const struct plot_request *, struct diag *, const char *name,
                       const struct plot_kind *, const struct plot_data *);
/* The path of gnuplot, or NULL: it is not in PATH. */
const char *plot_program(struct arena *);
/* What gnuplot wrote for LaTeX, for any LaTeX. false: reported. */
bool plot_latex(struct arena *, struct diag *, const char *path);
/* Draws NAME for each terminal. false: reported, and no picture is left. */
bool plot_draw(struct arena *, struct diag *, const char *program, const struct plot_request *,
               const char *name);

#endif
