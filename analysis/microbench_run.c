/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of a file is some ten times as large as its numbers: it lives in an arena of its own
 * while they are copied. Only the text stays, for the marks.
 */
#include "analysis/microbench_load.h"

#include <math.h>
#include <string.h>

#include "sim/base/file.h"
#include "sim/text/check.h"
#include "sim/text/conf.h"
#include "sim/text/json.h"

#define RUN_BYTES ((size_t)64 << 20)

static const struct field gpu_fields[] = {
    {FIELD_TEXT, "type", offsetof(struct run_gpu, type), NULL, 0, 0, NULL, "type of GPU"},
    {FIELD_TEXT, "product", offsetof(struct run_gpu, product), NULL, 0, 0, NULL, "its full name"},
    {FIELD_REAL_OR_NONE, "memory_gib", offsetof(struct run_gpu, memory_gib), "none", 0.0001, 1e6,
     NULL, "GiB"},
    {FIELD_INT, "sms", offsetof(struct run_gpu, sms), "0", 0, 1e6, NULL, "multiprocessors"},
    {FIELD_REAL_OR_NONE, "clock_mhz", offsetof(struct run_gpu, clock_mhz), "none", 1, 1e6, NULL,
     "boost clock"},
    {.type = FIELD_END},
};

static const struct field origin_fields[] = {
    {FIELD_TEXT, "source", offsetof(struct run_origin, source), NULL, 0, 0, NULL, "who measured"},
    {FIELD_TEXT, "commit", offsetof(struct run_origin, commit), NULL, 0, 0, NULL, "of the source"},
    {FIELD_TEXT, "licence", offsetof(struct run_origin, licence), NULL, 0, 0, NULL, "its terms"},
    {FIELD_TEXT, "note", offsetof(struct run_origin, note), "", 0, 0, NULL, "what to know"},
    {.type = FIELD_END},
};

const char *load_kept(struct loading *l, const char *text)
{
    return arena_text(l->keep, text, strlen(text));
}

bool load_no_text(struct loading *l, const struct tree *map, const char *key, const char *what)
{
    const struct tree *value = tree_get(map, key);

    return value && value->kind == TREE_SCALAR && value->len == 0 &&
           !diag_error(l->diag, value->at, "%s: empty; wanted %s", key, what);
}

struct tree *load_part(struct loading *l, const struct tree *map, const char *key,
                       enum tree_kind kind, const char *what)
{
    struct tree *value = tree_get(map, key);

    if (!value)
        diag_error(l->diag, map->at, "key '%s' is missing in %s", key, what);
    else if (value->kind == kind)
        return value;
    else
        diag_error(l->diag, value->at, "%s: %s; wanted %s", key, tree_kind_name(value),
                   kind == TREE_LIST ? "a list" : "a map");
    return NULL;
}

bool load_listed(const char *name, const char *const *words)
{
    while (*words && strcmp(*words, name) != 0)
        words++;
    return *words != NULL;
}

static bool load_gpu(struct loading *l, const struct tree *root, struct run_gpu *gpu)
{
    struct tree *map = load_part(l, root, "gpu", TREE_MAP, "the run");

    if (!map || !conf_fill(l->temp, l->diag, map, gpu_fields, NULL, "gpu", gpu) ||
        load_no_text(l, map, "type", "the name of a type of GPU"))
        return false;
    gpu->type = load_kept(l, gpu->type);
    gpu->product = load_kept(l, gpu->product);
    return true;
}

static bool load_origin(struct loading *l, const struct tree *root, struct run_origin *from)
{
    struct tree *map = load_part(l, root, "origin", TREE_MAP, "the run");

    if (!map || !conf_fill(l->temp, l->diag, map, origin_fields, NULL, "origin", from))
        return false;
    from->source = load_kept(l, from->source);
    from->commit = load_kept(l, from->commit);
    from->licence = load_kept(l, from->licence);
    from->note = load_kept(l, from->note);
    return true;
}

static bool load_software(struct loading *l, const struct tree *root, struct run *run)
{
    const struct tree *map = load_part(l, root, "software", TREE_MAP, "the run");
    const char **pair;

    if (!map)
        return false;
    run->softwares = map->n;
    run->software = pair = arena_get(l->keep, 2 * map->n * sizeof *pair + 1);
    for (size_t i = 0; i < map->n; i++) {
        const struct tree *value = map->item[i];

        if (value->kind != TREE_SCALAR)
            return diag_error(l->diag, value->at, "software: %s; wanted a text",
                              tree_kind_name(value));
        pair[2 * i] = load_kept(l, map->key[i]->text);
        pair[2 * i + 1] = load_kept(l, value->text);
    }
    return true;
}

static bool load_series(struct loading *l, const struct tree *root, struct run *run)
{
    const struct tree *list = load_part(l, root, "series", TREE_LIST, "the run");
    struct series *all;
    bool fine = true;

    if (!list)
        return false;
    if (list->n == 0)
        return diag_error(l->diag, list->at, "series: there are none");
    run->series = all = arena_get(l->keep, list->n * sizeof *all);
    for (size_t i = 0; i < list->n; i++) {
        const struct series *same;

        if (!load_one_series(l, list->item[i], &all[i])) {
            fine = false;
            continue;
        }
        same = run_series(run, all[i].op->name, all[i].kind, all[i].precision);
        if (same)
            fine = diag_error(l->diag, all[i].at,
                              "a second series '%s' of the same kind and precision; the first is "
                              "at line %u",
                              all[i].op->name, same->at.line);
        all[run->count++] = all[i];
    }
    return fine;
}

/* Whether the file is of a kind that is read here. */
static bool right_schema(struct loading *l, const struct tree *root)
{
    const struct tree *schema = tree_get(root, "schema"), *version = tree_get(root, "version");
    char shown[CHECK_SHOWN];

    if (!schema || schema->kind != TREE_SCALAR)
        return diag_error(l->diag, root->at,
                          "this is no microbenchmark run; wanted \"schema\": \"%s\"",
                          MICROBENCH_SCHEMA);
    if (strcmp(schema->text, MICROBENCH_SCHEMA) != 0)
        return diag_error(l->diag, schema->at, "schema: '%s'; wanted '%s'",
                          check_shown(shown, schema->text, schema->len), MICROBENCH_SCHEMA);
    if (version && version->kind == TREE_SCALAR &&
        strcmp(version->text, MICROBENCH_VERSION_TEXT) == 0)
        return true;
    if (!version)
        return diag_error(l->diag, root->at, "key 'version' is missing in the run");
    return diag_error(l->diag, version->at, "version: %s; this hetune reads version %s",
                      version->kind == TREE_SCALAR ? check_shown(shown, version->text, version->len)
                                                   : tree_kind_name(version),
                      MICROBENCH_VERSION_TEXT);
}

static bool no_other_keys(struct loading *l, const struct tree *root)
{
    static const char *const known[] = {"schema",   "version", "gpu", "origin",
                                        "software", "series",  NULL};
    char shown[CHECK_SHOWN];
    bool fine = true;

    for (size_t i = 0; i < root->n; i++)
        if (!load_listed(root->key[i]->text, known))
            fine = diag_unknown(l->diag, root->key[i]->at, diag_nearest(root->key[i]->text, known),
                                "unknown key '%s' in the run",
                                check_shown(shown, root->key[i]->text, root->key[i]->len));
    return fine;
}

static bool load_all(struct loading *l, const struct tree *root, struct run *run)
{
    bool fine;

    if (!right_schema(l, root))
        return false;
    fine = no_other_keys(l, root);
    fine = load_gpu(l, root, &run->gpu) && fine;
    fine = load_origin(l, root, &run->origin) && fine;
    fine = load_software(l, root, run) && fine;
    return load_series(l, root, run) && fine;
}

struct run *run_load(struct arena *a, struct diag *d, const char *path)
{
    struct loading l = {.keep = a, .temp = arena_new(), .diag = d};
    const struct source *src = file_load(a, d, path, RUN_BYTES);
    struct run *run = arena_get(a, sizeof *run);
    const struct tree *root = src ? json_parse(l.temp, d, src) : NULL;

    run->path = load_kept(&l, path);
    if (!root || !load_all(&l, root, run))
        run = NULL;
    arena_free(l.temp);
    return run;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

const struct series *run_series(const struct run *run, const char *op, const char *kind,
                                const char *precision)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct series *s = &run->series[i];

        if (strcmp(s->op->name, op) == 0 && same_text(s->kind, kind) &&
            same_text(s->precision, precision))
            return s;
    }
    return NULL;
}
