/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/baseline.h"

#include <math.h>
#include <string.h>

#include "sim/text/check.h"
#include "sim/text/conf.h"
#include "sim/text/json.h"

static const char *const checks[] = {"exact", "mean", "none", NULL};
static const char *const answers[] = {"fail", "pass", NULL};

static const struct field fields[] = {
    {FIELD_CHOICE, "check", offsetof(struct tolerance, check), NULL, 0, 0, checks, NULL},
    {FIELD_REAL, "absolute", offsetof(struct tolerance, absolute), NULL, 0, 1e300, NULL, NULL},
    {FIELD_REAL, "relative", offsetof(struct tolerance, relative), NULL, 0, 1e6, NULL, NULL},
    {FIELD_CHOICE, "better", offsetof(struct tolerance, better), NULL, 0, 0, answers, NULL},
    {FIELD_CHOICE, "unclear", offsetof(struct tolerance, unclear), NULL, 0, 0, answers, NULL},
    {FIELD_TEXT, "about", offsetof(struct tolerance, about), NULL, 0, 0, NULL, NULL},
    {FIELD_END, NULL, 0, NULL, 0, 0, NULL, NULL},
};

struct reader {
    struct arena *arena;
    struct diag *diag;
    struct tolerance digest, metric[METRICS]; /* of the file */
    struct baseline_run *run;                 /* that is being read */
};

/* ---- tolerances ---- */

/* Lays what is said over what holds without it. */
static bool overlay(struct reader *r, const struct tree *map, struct tolerance *t)
{
    const char *known[sizeof(fields) / sizeof(*fields)] = {0};
    bool ok = map->kind == TREE_MAP || diag_error(r->diag, map->at, "wanted a map of tolerances");

    for (int f = 0; fields[f].name; f++)
        known[f] = fields[f].name;
    for (size_t i = 0; map->kind == TREE_MAP && i < map->n; i++) {
        const char *key = map->key[i]->text;
        char shown[CHECK_SHOWN];
        int f = 0;
        while (known[f] && strcmp(known[f], key) != 0)
            f++;
        if (known[f])
            ok = conf_value(r->arena, r->diag, map->item[i], &fields[f],
                            (char *)t + fields[f].offset) &&
                 ok;
        else
            ok = diag_unknown(r->diag, map->key[i]->at, diag_nearest(key, known),
                              "unknown key '%s' in a tolerance",
                              check_shown(shown, key, map->key[i]->len));
    }
    if (!tree_get(map, "check") && (tree_get(map, "absolute") || tree_get(map, "relative")))
        t->check = CHECK_MEAN;
    return ok;
}

static int find_metric(const char *name)
{
    int id = 0;

    while (id < METRICS && strcmp(metric_defs[id].name, name) != 0)
        id++;
    return id < METRICS ? id : -1;
}

static bool refuse_metric(struct reader *r, const struct tree *key, bool tolerances)
{
    static const char *const others[] = {"digest", "counts", "default", NULL};
    struct diag_near near = {.word = key->text};
    char shown[CHECK_SHOWN];

    for (int id = 0; id < METRICS; id++)
        diag_consider(&near, metric_defs[id].name);
    for (int i = 0; tolerances && others[i]; i++)
        diag_consider(&near, others[i]);
    return diag_unknown(r->diag, key->at, near.nearest, "unknown metric '%s'",
                        check_shown(shown, key->text, key->len));
}

static bool read_digest(struct reader *r, const struct tree *map, struct tolerance *t)
{
    if (!overlay(r, map, t))
        return false;
    return t->check != CHECK_MEAN ||
           diag_error(r->diag, map->at, "digest: it has no mean; wanted \"check\": exact or none");
}

static bool read_kind(struct reader *r, const struct tree *map, bool counts,
                      struct tolerance metric[METRICS])
{
    bool ok = true;

    for (int id = 0; ok && id < METRICS; id++)
        if ((metric_defs[id].kind == METRIC_COUNT) == counts)
            ok = overlay(r, map, &metric[id]);
    return ok;
}

/* Those of kinds of metrics first, as the others are laid over them. */
static bool read_tolerances(struct reader *r, const struct tree *map, struct tolerance *digest,
                            struct tolerance metric[METRICS])
{
    const struct tree *counts = tree_get(map, "counts"), *rest = tree_get(map, "default");
    bool ok = true;

    if (map->kind != TREE_MAP)
        return diag_error(r->diag, map->at, "tolerances: wanted a map");
    ok = !counts || read_kind(r, counts, true, metric);
    ok = (!rest || read_kind(r, rest, false, metric)) && ok;
    for (size_t i = 0; i < map->n; i++) {
        const struct tree *key = map->key[i], *value = map->item[i];
        int id = find_metric(key->text);
        if (value == counts || value == rest)
            continue;
        if (strcmp(key->text, "digest") == 0)
            ok = read_digest(r, value, digest) && ok;
        else
            ok = (id < 0 ? refuse_metric(r, key, true) : overlay(r, value, &metric[id])) && ok;
    }
    return ok;
}

/* ---- runs ---- */

static bool refuse_keys(struct diag *d, const struct tree *map, const char *const *known,
                        const char *what)
{
    bool ok = map->kind == TREE_MAP || diag_error(d, map->at, "%s: wanted a map", what);

    for (size_t i = 0; map->kind == TREE_MAP && i < map->n; i++) {
        const struct tree *key = map->key[i];
        char shown[CHECK_SHOWN];
        int k = 0;
        while (known[k] && strcmp(known[k], key->text) != 0)
            k++;
        if (!known[k])
            ok = diag_unknown(d, key->at, diag_nearest(key->text, known), "unknown key '%s' in %s",
                              check_shown(shown, key->text, key->len), what);
    }
    return ok;
}

static bool read_text(struct diag *d, const struct tree *map, const char *key, const char **out)
{
    const struct tree *t = tree_get(map, key);

    if (!t)
        return diag_error(d, map->at, "key '%s' is missing", key);
    if (t->kind != TREE_SCALAR || !t->quoted)
        return diag_error(d, t->at, "%s: wanted a text in quotes", key);
    *out = t->text;
    return true;
}

/* A list with an item for each seed. */
static const struct tree *read_list(struct reader *r, const struct tree *list, const char *key)
{
    if (list->kind != TREE_LIST) {
        diag_error(r->diag, list->at, "%s: wanted a list with an item for each seed", key);
        return NULL;
    }
    if (list->n != r->run->n) {
        diag_error(r->diag, list->at, "%s: %zu items; there are %u seeds", key, list->n, r->run->n);
        return NULL;
    }
    for (size_t i = 0; i < list->n; i++)
        if (list->item[i]->kind != TREE_SCALAR) {
            diag_error(r->diag, list->item[i]->at, "%s: wanted a value", key);
            return NULL;
        }
    return list;
}

static bool read_seeds(struct reader *r)
{
    struct baseline_run *run = r->run;
    const struct tree *seeds = tree_get(run->map, "seeds");

    if (!seeds || seeds->kind != TREE_LIST || seeds->n == 0)
        return diag_error(r->diag, seeds ? seeds->at : run->at, "seeds: wanted a list of seeds");
    run->n = (uint32_t)seeds->n;
    run->seed = arena_get(r->arena, run->n * sizeof(*run->seed));
    for (uint32_t i = 0; i < run->n; i++) {
        const struct tree *t = seeds->item[i];
        int64_t seed;
        if (t->kind != TREE_SCALAR || t->quoted || num_int(t->text, t->len, &seed) != NUM_OK ||
            seed < 0)
            return diag_error(r->diag, t->at, "seeds: wanted whole numbers from 0 on");
        run->seed[i] = (uint64_t)seed;
        if (i > 0 && run->seed[i] <= run->seed[i - 1])
            return diag_error(r->diag, t->at, "seeds: %s follows %llu; wanted them rising", t->text,
                              (unsigned long long)run->seed[i - 1]);
    }
    return true;
}

static bool read_digests(struct reader *r)
{
    struct baseline_run *run = r->run;
    const struct tree *list = tree_get(run->map, "digests");

    if (!list)
        return diag_error(r->diag, run->at, "key 'digests' is missing");
    run->digests_at = list->at;
    if (!read_list(r, list, "digests"))
        return false;
    run->digest = arena_get(r->arena, run->n * sizeof(*run->digest));
    for (uint32_t i = 0; i < run->n; i++) {
        const struct tree *t = list->item[i];
        if (!t->quoted || t->len != 16 || strspn(t->text, "0123456789abcdef") != 16)
            return diag_error(r->diag, t->at, "digests: wanted sixteen digits of 0-9a-f in quotes");
        for (const char *c = t->text; *c; c++)
            run->digest[i] = run->digest[i] << 4 | (uint64_t)(*c <= '9' ? *c - '0' : *c - 'a' + 10);
    }
    return true;
}

static bool read_metric(struct reader *r, const struct tree *key, const struct tree *list)
{
    struct baseline_run *run = r->run;
    int id = find_metric(key->text);
    bool ok = true;

    if (id < 0)
        return refuse_metric(r, key, false);
    const struct metric_def *def = &metric_defs[id];
    run->metric_at[id] = key->at;
    if (!read_list(r, list, def->name))
        return false;
    run->value[id] = arena_get(r->arena, run->n * sizeof(**run->value));
    for (uint32_t i = 0; i < run->n; i++) {
        const struct tree *t = list->item[i];
        struct metric_value *v = &run->value[id][i];
        if (t->quoted)
            ok = diag_error(r->diag, t->at, "%s: a text in quotes; wanted a number or null",
                            def->name);
        else if (!result_value(r->diag, t, def, v))
            ok = false;
        else if (def->kind == METRIC_COUNT && v->defined && v->number != floor(v->number))
            ok = diag_error(r->diag, t->at, "%s: %s is not a whole number", def->name, t->text);
    }
    return ok;
}

static bool read_metrics(struct reader *r)
{
    const struct tree *map = tree_get(r->run->map, "metrics");
    bool ok = true;

    if (!map || map->kind != TREE_MAP)
        return diag_error(r->diag, map ? map->at : r->run->at,
                          "metrics: wanted a map of metrics and their values");
    for (size_t i = 0; i < map->n; i++)
        ok = read_metric(r, map->key[i], map->item[i]) && ok;
    return ok;
}

static bool read_run(struct reader *r)
{
    static const char *const known[] = {"case",  "policy",  "predictor", "world", "tolerances",
                                        "seeds", "digests", "metrics",   NULL};
    struct baseline_run *run = r->run;
    const struct tree *own = tree_get(run->map, "tolerances");

    run->at = run->map->at;
    run->of_digest = r->digest;
    memcpy(run->tolerance, r->metric, sizeof(r->metric));
    if (!refuse_keys(r->diag, run->map, known, "a run of the baseline") ||
        !read_text(r->diag, run->map, "case", &run->name) ||
        !read_text(r->diag, run->map, "policy", &run->policy) ||
        !read_text(r->diag, run->map, "predictor", &run->predictor) ||
        !read_text(r->diag, run->map, "world", &run->world) ||
        (own && !read_tolerances(r, own, &run->of_digest, run->tolerance)))
        return false;
    run->world_at = tree_get(run->map, "world")->at;
    return read_seeds(r) && read_digests(r) && read_metrics(r);
}

struct baseline_run *baseline_find(const struct baseline *b, const struct gate_group *g)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (strcmp(b->run[i]->name, g->name) == 0 && strcmp(b->run[i]->policy, g->policy) == 0 &&
            strcmp(b->run[i]->predictor, g->predictor) == 0)
            return b->run[i];
    return NULL;
}

/* ---- the file ---- */

static bool read_runs(struct reader *r, struct baseline *b, const struct tree *runs)
{
    bool ok = true;

    if (!runs || runs->kind != TREE_LIST)
        return diag_error(r->diag, runs ? runs->at : b->root->at, "runs: wanted a list");
    b->run = arena_get(r->arena, (runs->n + 1) * sizeof(*b->run));
    for (size_t i = 0; i < runs->n && !diag_full(r->diag); i++) {
        struct baseline_run *run = r->run = arena_get(r->arena, sizeof(*run));
        run->map = runs->item[i];
        if (!read_run(r)) {
            ok = false;
            continue;
        }
        const struct gate_group key = {
            .name = run->name, .policy = run->policy, .predictor = run->predictor};
        const struct baseline_run *first = baseline_find(b, &key);
        if (first)
            ok = diag_error(r->diag, run->at,
                            "case '%.40s', policy '%.40s' is there twice; the first is at line %u",
                            run->name, run->policy, first->at.line);
        b->run[b->n++] = run;
    }
    return ok;
}

static bool take(struct arena *a, struct diag *d, struct tree *root, struct baseline *b)
{
    static const char *const known[] = {"schema", "version", "tolerances", "runs", NULL};
    struct reader r = {.arena = a, .diag = d};
    const char *version;

    *b = (struct baseline){.root = root};
    if (!root || !result_schema(d, root))
        return false;
    if (!tree_get(root, "tolerances") && !tree_get(root, "runs"))
        return diag_error(d, root->at, "this is no baseline: it has neither tolerances nor runs");
    if (!refuse_keys(d, root, known, "the baseline") || !read_text(d, root, "version", &version))
        return false;
    const struct tree *tolerances = tree_get(root, "tolerances");
    if (!tolerances)
        return diag_error(d, root->at, "key 'tolerances' is missing");
    for (int id = 0; id < METRICS; id++)
        r.metric[id] = (struct tolerance){
            .check = metric_defs[id].kind == METRIC_COUNT ? CHECK_EXACT : CHECK_MEAN,
            .better = ANSWER_PASS,
        };
    bool ok = read_tolerances(&r, tolerances, &r.digest, r.metric);
    return read_runs(&r, b, tree_get(root, "runs")) && ok;
}

bool baseline_read(struct arena *a, struct diag *d, const char *path, struct baseline *b)
{
    return take(a, d, json_load(a, d, path), b);
}

/* The same inputs give the same bytes: what is beyond 1e-12 is no rounding. */
void baseline_new(struct arena *a, struct baseline *b)
{
    static const char text[] =
        "{\"schema\": 1, \"version\": \"\", \"tolerances\": {\"digest\": {\"check\": \"exact\"}, "
        "\"counts\": {\"check\": \"exact\"}, \"default\": {\"check\": \"mean\", \"absolute\": 0, "
        "\"relative\": 1e-12, \"better\": \"pass\", \"unclear\": \"fail\"}}, \"runs\": []}";
    struct source *src = arena_get(a, sizeof(*src));
    struct diag *d = diag_new(NULL);

    *src = (struct source){.name = "", .text = text, .len = sizeof(text) - 1, .first_line = 1};
    bool ok = take(a, d, json_parse(a, d, src), b);
    BUG_ON(!ok);
    diag_free(d);
}
