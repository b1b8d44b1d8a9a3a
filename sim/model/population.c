/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/population.h"

#include <math.h>
#include <string.h>

#include "sim/text/conf.h"
#include "sim/text/yaml.h"

#define MOST_ITEMS 1000u /* of one list */

const char *const common_names[COMMONS] = {"deviation", "spread", "persistence"};

static const char *const directions[] = {"higher", "lower", NULL};
static const char *const scales[] = {"linear", "log", NULL};

struct about_population {
    const char *metric, *family;
    int better, scale;
    double initial, ideal, worst, diverged_share;
    int64_t trials, epochs;
};

#define AT(member) offsetof(struct about_population, member)
const struct field population_fields[] = {
    {FIELD_TEXT, "metric", AT(metric), NULL, 0, 0, NULL, "what was recorded: accuracy, loss, ..."},
    {FIELD_CHOICE, "better", AT(better), NULL, 0, 0, directions, "which metrics are better"},
    {FIELD_REAL, "initial", AT(initial), NULL, 0, 0, NULL,
     "the metric before training (chance level)"},
    {FIELD_REAL, "ideal", AT(ideal), NULL, 0, 0, NULL, "the best that the metric can be"},
    {FIELD_REAL, "worst", AT(worst), NULL, 0, 0, NULL, "no trial gets worse"},
    {FIELD_CHOICE, "scale", AT(scale), "linear", 0, 0, scales,
     "whether losses are of the metric or of its logarithm"},
    {FIELD_INT, "trials", AT(trials), NULL, 1, 1e6, NULL, "how many recordings it was made from"},
    {FIELD_INT, "epochs", AT(epochs), NULL, 2, MOST_ITEMS, NULL, "of the recordings"},
    {FIELD_TEXT, "family", AT(family), NULL, 0, 0, NULL,
     "of trials that learn: power, exponential or log_power"},
    {FIELD_REAL, "diverged_share", AT(diverged_share), "0", 0, 1, NULL,
     "how likely a trial diverges"},
    {.type = FIELD_END},
};

/* What the file says for people. */
static const char *const parts[] = {"about",     "origin",    "commit", "licence",
                                    "made_from", "deviation", "spread", "persistence",
                                    "learned",   "diverged",  "length", NULL};

/* ---- lists ---- */

struct reading {
    struct arena *arena;
    struct diag *diag;
    bool ok;
};

/* least .. most: how many numbers; min .. max: how large each may be. */
static double *read_list(struct reading *r, struct tree *map, const char *key, uint32_t least,
                         uint32_t most, double min, double max, uint32_t *n)
{
    const struct field one = {FIELD_REAL, key, 0, NULL, min, max, NULL, NULL};
    struct tree *t = tree_get(map, key);

    *n = 0;
    if (!t || t->kind != TREE_LIST || t->n < least || t->n > most) {
        r->ok = least == most
                    ? diag_error(r->diag, t ? t->at : map->at, "%s: wanted a list of %u numbers",
                                 key, least)
                    : diag_error(r->diag, t ? t->at : map->at,
                                 "%s: wanted a list of %u to %u numbers", key, least, most);
        return NULL;
    }
    double *x = arena_get(r->arena, t->n * sizeof(*x));
    for (size_t i = 0; i < t->n; i++)
        r->ok &= conf_value(r->arena, r->diag, t->item[i], &one, &x[i]);
    *n = (uint32_t)t->n;
    return x;
}

static void read_table(struct reading *r, struct tree *map, const char *key,
                       struct trait_table *out)
{
    out->q = read_list(r, map, key, 2, MOST_ITEMS, 0, 1, &out->n);
    for (uint32_t i = 1; i < out->n; i++)
        if (out->q[i] < out->q[i - 1]) {
            r->ok = diag_error(r->diag, tree_get(map, key)->item[i]->at,
                               "%s: %.6g after %.6g; quantiles do not fall", key, out->q[i],
                               out->q[i - 1]);
            return;
        }
}

static void read_example(struct reading *r, const struct tree *t, const char *key,
                         const struct family *f, double out[TRAITS])
{
    const struct field field[TRAITS] = {
        {FIELD_REAL, "final", 0, NULL, 0, 1e6, NULL, NULL},
        {FIELD_REAL, "progress", 0, NULL, 0, 1, NULL, NULL},
        {FIELD_REAL, "shape", 0, NULL, f->min[FAMILY_SHAPE], f->max[FAMILY_SHAPE], NULL, NULL},
        {FIELD_REAL, "noise", 0, NULL, 0, 1e6, NULL, NULL}};

    if (t->kind != TREE_LIST || t->n != TRAITS) {
        r->ok =
            diag_error(r->diag, t->at, "%s: wanted lists of final, progress, shape, noise", key);
        return;
    }
    for (int i = 0; i < TRAITS; i++)
        r->ok &= conf_value(r->arena, r->diag, t->item[i], &field[i], &out[i]);
}

static void read_class(struct reading *r, struct tree *root, const char *key,
                       struct population_class *c)
{
    struct tree *t = tree_get(root, key);

    if (!t || t->kind != TREE_LIST || t->n < 2 || t->n > MOST_ITEMS) {
        r->ok = diag_error(r->diag, t ? t->at : root->at, "%s: wanted a list of 2 to %u trials",
                           key, MOST_ITEMS);
        return;
    }
    c->n = (uint32_t)t->n;
    c->example = arena_get(r->arena, t->n * sizeof(*c->example));
    for (uint32_t i = 0; i < c->n && r->ok; i++) {
        read_example(r, t->item[i], key, c->family, c->example[i]);
        if (r->ok && i && c->example[i][TRAIT_FINAL] < c->example[i - 1][TRAIT_FINAL])
            r->ok = diag_error(r->diag, t->item[i]->at,
                               "%s: a final loss of %.6g after %.6g; wanted the best trial first",
                               key, c->example[i][TRAIT_FINAL], c->example[i - 1][TRAIT_FINAL]);
    }
}

static void read_diverged(struct reading *r, struct tree *root, struct population *p)
{
    p->diverged.family = &family_diverged;
    if (p->diverged_share > 0 || tree_get(root, "diverged")) {
        read_class(r, root, "diverged", &p->diverged);
        read_table(r, root, "length", &p->length);
    }
}

/* ---- the whole ---- */

static double on_scale(bool log_scale, double metric)
{
    return log_scale ? log(metric) : metric;
}

double population_loss(const struct population *p, double metric)
{
    double ideal = on_scale(p->log, p->ideal);

    return (on_scale(p->log, metric) - ideal) / (on_scale(p->log, p->start) - ideal);
}

double population_metric(const struct population *p, double loss)
{
    double ideal = on_scale(p->log, p->ideal);
    double x = ideal + loss * (on_scale(p->log, p->start) - ideal);

    return p->log ? exp(x) : x;
}

static bool worse(bool falls, double a, double b)
{
    return falls ? a > b : a < b;
}

static bool take_about(struct reading *r, struct tree *root, const struct about_population *about,
                       struct population *p)
{
    p->name = about->metric;
    p->falls = about->better == 1;
    p->start = about->initial;
    p->ideal = about->ideal;
    p->worst = about->worst;
    p->log = about->scale == 1;
    p->trials = (uint32_t)about->trials;
    p->epochs = (uint32_t)about->epochs;
    p->diverged_share = about->diverged_share;
    p->learning.family = family_find(about->family);
    if (!p->learning.family || p->learning.family == &family_diverged)
        return diag_error(r->diag, tree_get(root, "family")->at,
                          "family: '%.40s' is none of power, exponential, log_power",
                          about->family);
    if (!worse(p->falls, p->start, p->ideal) || worse(p->falls, p->start, p->worst))
        return diag_error(r->diag, tree_get(root, "initial")->at,
                          "initial: %.6g; wanted one between the worst, %.6g, and the ideal, %.6g",
                          p->start, p->worst, p->ideal);
    if (p->log && (p->ideal <= 0 || p->start <= 0 || p->worst <= 0))
        return diag_error(r->diag, tree_get(root, "scale")->at, "scale: log needs metrics above 0");
    return true;
}

struct population *population_load(struct arena *a, struct diag *d, const char *path)
{
    struct about_population about;
    struct tree *root = yaml_load(a, d, path);
    struct population *p = arena_get(a, sizeof(*p));
    struct reading r = {a, d, true};
    uint32_t n;

    if (!root || !conf_fill(a, d, root, population_fields, parts, "the population", &about) ||
        !take_about(&r, root, &about, p))
        return NULL;
    read_class(&r, root, "learned", &p->learning);
    read_diverged(&r, root, p);
    for (int i = 0; i < COMMONS; i++)
        p->common[i] = read_list(&r, root, common_names[i], p->epochs, p->epochs,
                                 i == COMMON_SPREAD        ? 0
                                 : i == COMMON_PERSISTENCE ? -1
                                                           : -1e6,
                                 i == COMMON_PERSISTENCE ? 1 : 1e6, &n);
    return r.ok ? p : NULL;
}

double trait_quantile(const struct trait_table *t, double u)
{
    double at = u * (t->n - 1);
    uint32_t i = at < 0 ? 0 : at >= t->n - 1 ? t->n - 2 : (uint32_t)at;

    return t->q[i] + (at - i) * (t->q[i + 1] - t->q[i]);
}

double population_final(const struct population_class *c, double u)
{
    double at = u * (c->n - 1);
    uint32_t i = at <= 0 ? 0 : at >= c->n - 1 ? c->n - 2 : (uint32_t)at;
    double low = c->example[i][TRAIT_FINAL], high = c->example[i + 1][TRAIT_FINAL];

    return low + (at - i) * (high - low);
}

double population_share(const struct population_class *c, double loss)
{
    uint32_t i = 0;

    if (loss <= c->example[0][TRAIT_FINAL])
        return 0;
    while (i + 1 < c->n && c->example[i + 1][TRAIT_FINAL] < loss)
        i++;
    if (i + 1 == c->n)
        return 1;
    double low = c->example[i][TRAIT_FINAL], high = c->example[i + 1][TRAIT_FINAL];
    return (i + (loss - low) / (high - low)) / (c->n - 1);
}
