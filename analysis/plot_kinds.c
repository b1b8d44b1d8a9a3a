/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot_kinds.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/base/file.h"
#include "sim/text/num.h"

const struct plot_kind plot_kinds[] = {
    {"hpo_time", "HPO time by policy: mean over good trials, first and last good trial", "bars",
     PLOT_OF_RUNS, plot_hpo_time, false},
    {"jct", "JCT by policy: mean, median, 99th percentile", "bars", PLOT_OF_RUNS, plot_jct, false},
    {"change", "change against the baseline by metric, paired by seed", "change", PLOT_OF_RUNS,
     plot_change, false},
    {"best_metric", "best metric so far against time", "best_metric", PLOT_OF_RUNS,
     plot_best_metric, false},
    {"metric", "any metric by policy, with intervals", "bars", PLOT_OF_RUNS, plot_metric, false},
    {"jct_cdf", "distribution of the JCT by policy", "cdf", PLOT_OF_RUNS, plot_jct_cdf, false},
    {"slowdown_cdf", "distribution of the bounded slowdown by policy", "cdf", PLOT_OF_RUNS,
     plot_slowdown_cdf, false},
    {"fairness", "distribution of finish-time fairness by policy", "cdf", PLOT_OF_RUNS,
     plot_fairness, false},
    {"jct_box", "the JCT by policy and GPUs wanted", "box", PLOT_OF_RUNS, plot_jct_box, false},
    {"slowdown_box", "the bounded slowdown by policy and GPUs wanted", "box", PLOT_OF_RUNS,
     plot_slowdown_box, false},
    {"queue", "jobs waiting against time, by policy", "queue", PLOT_OF_RUNS, plot_queue, false},
    {"utilisation", "GPUs at work and jobs waiting against time", "utilisation", PLOT_OF_RUNS,
     plot_utilisation, false},
    {"curves", "learning curves of trials and where they stop", "curves", PLOT_OF_EACH_RUN,
     plot_curves, false},
    {"gantt", "which GPU does what, when", "gantt", PLOT_OF_EACH_RUN, plot_gantt, false},
    {"gantt_jobs", "what becomes of each job, when", "gantt_jobs", PLOT_OF_EACH_RUN,
     plot_gantt_jobs, false},
    {"job_slowdown", "slowdown against completion alone, job by job", "job_slowdown", PLOT_OF_RUNS,
     plot_job_slowdown, true},
    {"shares", "how each job's batch is split, against time", "shares", PLOT_OF_EACH_RUN,
     plot_shares, true},
    {"heat", "change against the baseline by policy and case", "heat", PLOT_OF_SWEEP, plot_heat,
     false},
    {"axis", "a metric along an axis of the sweep, by policy", "axis", PLOT_OF_EACH_AXIS, plot_axis,
     false},
    {"ablation", "what changing one axis of the first case changes", "ablation", PLOT_OF_SWEEP,
     plot_ablation, false},
    {"box_case", "what each seed gains against the baseline, by policy and case", "box_case",
     PLOT_OF_SWEEP, plot_box_case, false},
    {"box_axis", "the same by policy and value of an axis", "box_case", PLOT_OF_EACH_AXIS,
     plot_box_axis, false},
    {"fidelity", "fluid rates against step by step, run by run", "fidelity", PLOT_OF_SWEEP,
     plot_fidelity, true},
    {NULL, NULL, NULL, PLOT_OF_RUNS, NULL, false},
};

/* ---- for writers ---- */

bool plot_leave(struct plot_data *d, const char *why)
{
    d->left_out = why;
    return true;
}

static void add_number(struct plot_data *d, const char *name, bool whole, double value)
{
    BUG_ON(d->n == sizeof(d->number) / sizeof(*d->number) || !isfinite(value));
    d->number[d->n].name = name;
    d->number[d->n].text = NULL;
    d->number[d->n].whole = whole;
    d->number[d->n++].value = value;
}

void plot_count(struct plot_data *d, const char *name, uint32_t value)
{
    add_number(d, name, true, value);
}
void plot_number(struct plot_data *d, const char *name, double value)
{
    add_number(d, name, false, value);
}

void plot_text(struct plot_data *d, const char *name, const char *text)
{
    add_number(d, name, false, 0);
    d->number[d->n - 1].text = text;
}

void plot_block(struct plot_data *d, const char *columns)
{
    out_text(d->out, "\n\n");
    out_text(d->out, columns);
    out_char(d->out, '\n');
}

void plot_cell(struct plot_data *d, double x)
{
    out_char(d->out, '\t');
    if (isfinite(x))
        out_real(d->out, x);
    else
        out_text(d->out, "NaN");
}

void plot_cell_text(struct plot_data *d, const char *s)
{
    out_char(d->out, '\t');
    out_text(d->out, *s ? s : "-");
}

const char *plot_input(const struct plot_set *s, const struct result *r, const char *name)
{
    const char *path = arena_printf(s->arena, "%s/%s", r->path, name);

    return file_there(path) ? path : NULL;
}

double plot_unit(double longest_s)
{
    if (longest_s <= 600)
        return 1;
    if (longest_s <= 6 * 3600)
        return 60;
    return longest_s <= 72 * 3600 ? 3600 : 86400;
}

/* ---- terminals ---- */

#define NARROWEST 3.33
#define WIDEST    14.0

static const char *const terminal_names[] = {"svg", "pdf", "png", "latex", NULL};

const struct plot_file plot_files[] = {
    {".svg", PLOT_SVG},         {".pdf", PLOT_PDF},
    {".png", PLOT_PNG},         {"-latex.tex", PLOT_LATEX},
    {"-latex.pdf", PLOT_LATEX}, {".tsv", PLOT_ALWAYS},
    {".gp", PLOT_ALWAYS},       {NULL, 0},
};

static bool take_terminal(struct diag *d, const char *word, size_t n, unsigned *terminals)
{
    for (unsigned i = 0; terminal_names[i]; i++)
        if (strlen(terminal_names[i]) == n && memcmp(terminal_names[i], word, n) == 0) {
            *terminals |= 1u << i;
            return true;
        }
    return diag_error(d, (struct mark){0},
                      "plot: --terminal: '%.*s' is none of svg, pdf, png, latex",
                      n > 40 ? 40 : (int)n, word);
}

bool plot_terminals(struct diag *d, const char *list, unsigned *terminals)
{
    for (*terminals = 0;; list++) {
        size_t n = strcspn(list, ",");
        if (!take_terminal(d, list, n, terminals))
            return false;
        list += n;
        if (!*list)
            return true;
    }
}

bool plot_width(struct diag *d, const char *text, double *width)
{
    if (num_real(text, strlen(text), width) == NUM_OK && *width >= NARROWEST && *width <= WIDEST)
        return true;
    return diag_error(
        d, (struct mark){0},
        "plot: --width: '%.40s' is not a width in inches from 3.33 (a column) to 14; a "
        "page has 7",
        text);
}

/* ---- scripts ---- */

static const struct plot_script *find_script(const char *name)
{
    const struct plot_script *s = plot_scripts;

    while (s->name && strcmp(s->name, name) != 0)
        s++;
    if (!s->name)
        BUG("there is no script %s", name);
    return s;
}

static void put_script(struct out *o, const char *name)
{
    for (const char *const *line = find_script(name)->line; *line; line++)
        out_text(o, *line);
}

static void put_number(struct out *o, const struct plot_data *d, uint32_t i)
{
    char text[NUM_MAX + 1] = "";

    if (d->number[i].text) {
        out_printf(o, "%s = '%s'\n", d->number[i].name, d->number[i].text);
        return;
    }
    text[num_put_real(text, d->number[i].value)] = '\0';
    bool is_real = strpbrk(text, ".e") != NULL;
    out_printf(o, "%s = %s%s\n", d->number[i].name, text,
               is_real || d->number[i].whole ? "" : ".0");
}

static void put_look(struct out *o, const struct plot_request *r)
{
    const char *before = "terminals = '";

    for (unsigned i = 0; terminal_names[i]; i++) {
        if (!(r->terminals & 1u << i))
            continue;
        out_printf(o, "%s%s", before, terminal_names[i]);
        before = " ";
    }
    out_text(o, "'\nwanted_width = ");
    out_real(o, r->width);
    out_char(o, '\n');
}

bool plot_write_script(const struct plot_request *r, struct diag *diag, const char *name,
                       const struct plot_kind *k, const struct plot_data *d)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s.gp", r->out, name);
    struct out *o = out_create(diag, path);
    if (!o)
        return false;
    out_printf(o, "# %s\n# `gnuplot %s.gp` draws it from %s.tsv.\n\nname = '%s'\n", k->about, name,
               name, name);
    put_look(o, r);
    for (uint32_t i = 0; i < d->n; i++)
        put_number(o, d, i);
    out_char(o, '\n');
    put_script(o, "style");
    out_char(o, '\n');
    put_script(o, k->script);
    return out_commit(o);
}
