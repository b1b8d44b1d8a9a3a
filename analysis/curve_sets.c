/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/curve_sets.h"

#include <math.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/text/conf.h"
#include "sim/text/yaml.h"

#define LABEL 18 /* characters of a column's head */

#define AT(member) offsetof(struct draw_request, member)
const struct field draw_request_fields[] = {
    {FIELD_INT, "trials", AT(trials), "0", 0, 1e6, NULL,
     "how many; 0: as many as the population was made from"},
    {FIELD_INT, "seed", AT(seed), "1", 0, 9e15, NULL, "of the random streams"},
    {FIELD_REAL_OR_NONE, "good_metric", AT(good_metric), "none", -1e300, 1e300, NULL,
     "trials whose last metric is at least as good are good"},
    DRAW_WISH_ROWS(struct draw_request, wish),
    {.type = FIELD_END},
};

/* ---- in ---- */

struct curves *curve_set_draw(struct arena *a, struct diag *d, const struct population *p,
                              struct tree *keys, const struct draw_request *r)
{
    uint32_t trials = r->trials ? (uint32_t)r->trials : p->trials;

    if (!population_can(p, d, keys, &r->wish, trials, r->good_metric))
        return NULL;
    return population_draw(p, a, &r->wish, trials, r->good_metric, (uint64_t)r->seed, 0);
}

const struct curves *curve_set_open(struct arena *a, struct diag *d, const char *path,
                                    struct tree *keys, const struct draw_request *r)
{
    struct tree *root = yaml_load(a, d, path);

    if (!root)
        return NULL;
    if (!tree_get(root, "family"))
        return curves_load(a, d, path);
    struct population *p = population_load(a, d, path);
    return p ? curve_set_draw(a, d, p, keys, r) : NULL;
}

/* ---- out ---- */

static bool write_rows(struct diag *d, const char *path, const struct curves *c)
{
    struct out *o = out_create(d, path);

    if (!o)
        return false;
    out_text(o, "trial,epoch,metric\n");
    for (uint32_t k = 0; k < c->trials; k++)
        for (uint32_t e = 1; e <= curve_epochs(c, k); e++) {
            out_printf(o, "%u,%u,", k, e);
            out_real(o, curve_at(c, k, e));
            out_char(o, '\n');
        }
    return out_commit(o);
}

static bool write_trials(struct diag *d, const char *path, const struct curves *c)
{
    struct out *o = out_create(d, path);

    if (!o)
        return false;
    out_text(o, "trial,epochs");
    for (uint32_t i = 0; i < c->axes; i++)
        out_printf(o, ",%s", c->axis[i]);
    out_char(o, '\n');
    for (uint32_t k = 0; k < c->trials; k++) {
        out_printf(o, "%u,%u", k, curve_planned(c, k));
        for (uint32_t i = 0; i < c->axes; i++) {
            out_char(o, ',');
            out_real(o, c->point[(size_t)k * c->axes + i]);
        }
        out_char(o, '\n');
    }
    return out_commit(o);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool curve_set_write(struct arena *a, struct diag *d, const char *path, const struct curves *c,
                     const char *from)
{
    size_t n = strlen(path);
    const char *stem = arena_text(a, path, n > 5 && !strcmp(path + n - 5, ".yaml") ? n - 5 : n);
    const char *name = base_name(stem), *head = arena_printf(a, "%s.yaml", stem);

    if (!file_spares(d, head, from) || !write_rows(d, arena_printf(a, "%s.csv", stem), c) ||
        !write_trials(d, arena_printf(a, "%s.trials.csv", stem), c))
        return false;
    struct out *o = out_create(d, head);
    if (!o)
        return false;
    out_text(o, "# Learning curves drawn by `hetune curves draw`.\norigin: ");
    out_json(o, from);
    out_text(o, "\nmetric: ");
    out_json(o, c->name);
    out_printf(o, "\nbetter: %s\ninitial: ", c->falls ? "lower" : "higher");
    out_real(o, c->start);
    out_text(o, "\nideal: ");
    out_real(o, c->ideal);
    out_printf(o, "\ntrials: %u\nfile: ", c->trials);
    out_json(o, arena_printf(a, "%s.csv", name));
    out_text(o, "\ntrials_file: ");
    out_json(o, arena_printf(a, "%s.trials.csv", name));
    for (uint32_t i = 0; i < c->axes; i++)
        out_printf(o, "%s%s", i ? ", " : "\nspace: [", c->axis[i]);
    out_text(o, c->axes ? "]\n" : "\n");
    return out_commit(o);
}

/* ---- side by side ---- */

/* decimals: below 0 five digits in all. */
static void put_row(struct out *o, const char *what, const struct curve_set *set, uint32_t n,
                    int decimals, double of(const struct curve_facts *, int), int which)
{
    out_printf(o, "%-40s", what);
    for (uint32_t i = 0; i < n; i++) {
        double x = of(&set[i].facts, which);
        if (isnan(x))
            out_printf(o, "  %*s", LABEL, "-");
        else if (decimals < 0)
            out_printf(o, "  %*.5g", LABEL, x);
        else
            out_printf(o, "  %*.*f", LABEL, decimals, x);
    }
    out_char(o, '\n');
}

static double trials_of(const struct curve_facts *f, int which)
{
    return which == 0 ? f->trials : which == 1 ? f->ended_early : f->epochs;
}

static double final_of(const struct curve_facts *f, int which)
{
    return f->final[which];
}

static double crossings_of(const struct curve_facts *f, int which)
{
    return which ? 100 * f->never : f->crossings;
}

static double rank_of(const struct curve_facts *f, int which)
{
    return f->rank[which];
}

static double whole_of(const struct curve_facts *f, int which)
{
    return f->rank_whole[which];
}

void curve_sets_print(struct out *o, struct arena *a, const struct curve_set *set, uint32_t n)
{
    out_printf(o, "%-40s", "");
    for (uint32_t i = 0; i < n; i++)
        out_printf(o, "  %*.*s", LABEL, LABEL, set[i].label);
    out_char(o, '\n');
    put_row(o, "trials", set, n, 0, trials_of, 0);
    put_row(o, "  that ended early", set, n, 0, trials_of, 1);
    put_row(o, "planned epochs, at most", set, n, 0, trials_of, 2);
    for (int i = 0; i < FACT_QUANTILES; i++)
        put_row(o, arena_printf(a, "last metric, p%02.0f", 100 * fact_quantiles[i]), set, n, -1,
                final_of, i);
    put_row(o, "crossings of a pair", set, n, 2, crossings_of, 0);
    put_row(o, "pairs that never cross, %", set, n, 1, crossings_of, 1);
    for (int i = 0; i < FACT_TIMES; i++)
        put_row(o, arena_printf(a, "rank correlation, %.0f %% to last", 100 * fact_times[i]), set,
                n, 3, rank_of, i);
    for (int i = 0; i < FACT_TIMES; i++)
        put_row(o,
                arena_printf(a, "  without those that ended early, %.0f %%", 100 * fact_times[i]),
                set, n, 3, whole_of, i);
}
