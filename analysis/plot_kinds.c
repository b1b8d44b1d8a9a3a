/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot_kinds.h"

#include <math.h>
#include <string.h>

#include "sim/base/bug.h"
#include "sim/base/file.h"
#include "sim/text/num.h"

const struct plot_kind plot_kinds[] = {
    {"hpo_time", "HPO time by policy: mean over good trials, first and last good trial", "bars",
     false, plot_hpo_time},
    {"jct", "JCT by policy: mean, median, 99th percentile", "bars", false, plot_jct},
    {"change", "change against the baseline by metric, paired by seed", "change", false,
     plot_change},
    {"best_metric", "best metric so far against time", "best_metric", false, plot_best_metric},
    {"jct_cdf", "distribution of the JCT by policy", "jct_cdf", false, plot_jct_cdf},
    {"utilisation", "GPUs at work and jobs waiting against time", "utilisation", false,
     plot_utilisation},
    {"gantt", "which GPU does what, when", "gantt", true, plot_gantt},
    {NULL, NULL, NULL, false, NULL},
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

bool plot_write_script(struct diag *diag, const char *path, const char *name,
                       const struct plot_kind *k, const struct plot_data *d)
{
    struct out *o = out_create(diag, path);

    if (!o)
        return false;
    out_printf(o, "# %s\n# `gnuplot %s.gp` draws %s.svg and %s.pdf from %s.tsv.\n\nname = '%s'\n",
               k->about, name, name, name, name, name);
    for (uint32_t i = 0; i < d->n; i++) {
        char text[NUM_MAX + 1] = "";
        text[num_put_real(text, d->number[i].value)] = '\0';
        bool is_real = strpbrk(text, ".e") != NULL;
        out_printf(o, "%s = %s%s\n", d->number[i].name, text,
                   is_real || d->number[i].whole ? "" : ".0");
    }
    out_char(o, '\n');
    put_script(o, "style");
    out_char(o, '\n');
    put_script(o, k->script);
    return out_commit(o);
}
