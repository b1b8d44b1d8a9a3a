/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/result.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/file.h"
#include "sim/text/json.h"
#include "sim/text/num.h"

#define MOST_DEPTH   4
#define MOST_SECONDS 1e25 /* GPU time of all GPUs until the end of time, and more */

struct result *results_add(struct results *r)
{
    r->result = mem_room(r->result, r->n, &r->cap, sizeof(*r->result));
    r->result[r->n] = (struct result){0};
    return &r->result[r->n++];
}

const struct result *results_first(const struct results *all, const char *label)
{
    const struct result *first = NULL;

    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->result[i].label, label) == 0 &&
            (!first || all->result[i].seed < first->seed))
            first = &all->result[i];
    return first;
}

void results_free(struct results *r)
{
    mem_drop(r->result);
    mem_drop(r->lost);
    *r = (struct results){0};
}

/* ---- one folder ---- */

bool result_text(struct diag *d, const struct tree *map, const char *key, const char **out)
{
    const struct tree *t = tree_get(map, key);

    if (!t || t->kind != TREE_SCALAR)
        return diag_error(d, map->at, "key '%s' is missing", key);
    *out = t->text;
    return true;
}

bool result_value(struct diag *d, const struct tree *t, const struct metric_def *def,
                  struct metric_value *v)
{
    v->defined = t->quoted || strcmp(t->text, "null") != 0;
    if (!v->defined)
        return true;
    bool is_time = def->kind == METRIC_TIME || def->kind == METRIC_GPU_TIME;
    double x;
    if (num_real(t->text, t->len, &x) != NUM_OK)
        return diag_error(d, t->at, "%s: '%.40s' is not a number", def->name, t->text);
    if (!(fabs(x) < MOST_SECONDS))
        return diag_error(d, t->at, "%s: %.40s is too large", def->name, t->text);
    v->number = is_time ? 0 : x;
    v->time = is_time ? (sim_area)rint(x * 1e9) : 0; /* for texts with an exponent */
    sim_time exact;
    if (is_time && num_seconds(t->text, t->len, &exact) == NUM_OK)
        v->time = exact;
    return true;
}

static bool get_value(struct diag *d, const struct tree *map, int id, struct metric_value *v)
{
    const struct metric_def *def = &metric_defs[id];
    const struct tree *t = tree_get(map, def->name);

    if (!t && metric_is_shared(id)) {
        *v = (struct metric_value){0};
        return true;
    }
    if (!t || t->kind != TREE_SCALAR)
        return diag_error(d, map->at, "key '%s' is missing", def->name);
    return result_value(d, t, def, v);
}

static bool get_count(struct diag *d, const struct tree *map, const char *key, uint64_t *out)
{
    const char *text = "";
    int64_t x;

    if (!result_text(d, map, key, &text))
        return false;
    if (num_int(text, strlen(text), &x) != NUM_OK || x < 0)
        return diag_error(d, tree_get(map, key)->at, "%s: '%.40s' is not a whole number", key,
                          text);
    *out = (uint64_t)x;
    return true;
}

bool result_schema(struct diag *d, const struct tree *map)
{
    const char *schema = "";

    if (map->kind != TREE_MAP)
        return diag_error(d, map->at, "%s; wanted a map", tree_kind_name(map));
    if (!result_text(d, map, "schema", &schema))
        return false;
    return strcmp(schema, "1") == 0 ||
           diag_error(d, tree_get(map, "schema")->at,
                      "schema %.20s is not known; this version reads schema 1", schema);
}

bool result_facts(struct diag *d, const struct tree *manifest, struct result *r)
{
    const char *oracle = "";

    if (!result_text(d, manifest, "policy", &r->label) ||
        !result_text(d, manifest, "world", &r->world) ||
        !result_text(d, manifest, "predictor", &r->predictor) ||
        !result_text(d, manifest, "oracle", &oracle) || !get_count(d, manifest, "seed", &r->seed) ||
        !get_count(d, manifest, "position", &r->position))
        return false;
    r->oracle = strcmp(oracle, "true") == 0;
    return true;
}

bool result_values(struct diag *d, const struct tree *summary, struct result *r)
{
    const char *digest = "";

    if (!result_text(d, summary, "ended", &r->ended) || !result_text(d, summary, "digest", &digest))
        return false;
    r->digest = strtoull(digest, NULL, 16);
    for (int i = 0; i < METRICS; i++)
        if (!get_value(d, summary, i, &r->value[i]))
            return false;
    return true;
}

static bool load_run(struct results *all, struct arena *a, struct diag *d, const char *path)
{
    struct tree *summary = json_load(a, d, arena_printf(a, "%s/summary.json", path));
    struct tree *manifest =
        summary ? json_load(a, d, arena_printf(a, "%s/manifest.json", path)) : NULL;
    struct result r = {.path = path};

    if (!manifest || !result_schema(d, summary) || !result_schema(d, manifest) ||
        !result_facts(d, manifest, &r) || !result_values(d, summary, &r) ||
        !result_text(d, manifest, "config_file", &r.config_file))
        return false;
    *results_add(all) = r;
    return true;
}

/* ---- folders of folders ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **list_dir(struct arena *a, struct diag *d, const char *path, uint32_t *n)
{
    const char **names = NULL;
    size_t cap = 0;
    DIR *dir = opendir(path);

    *n = 0;
    if (!dir) {
        diag_io(d, path, errno, "open the folder");
        return NULL;
    }
    names = mem_room(names, 0, &cap, sizeof(*names));
    for (struct dirent *e; errno = 0, (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] == '.')
            continue;
        names = mem_room(names, *n, &cap, sizeof(*names));
        names[(*n)++] = arena_text(a, e->d_name, strlen(e->d_name));
    }
    if (errno != 0) {
        diag_io(d, path, errno, "read the folder");
        mem_drop(names);
        names = NULL;
    }
    closedir(dir);
    if (names)
        qsort(names, *n, sizeof(*names), by_name);
    return names;
}

/* A link that leads nowhere is no folder. false: reported. */
static bool is_dir(struct diag *d, const char *path, bool *yes)
{
    struct stat st;
    bool there = stat(path, &st) == 0;

    *yes = there && S_ISDIR(st.st_mode);
    return there || errno == ENOENT || errno == ELOOP || diag_io(d, path, errno, "look at");
}

static bool load_below(struct results *all, struct arena *a, struct diag *d, const char *path,
                       int depth)
{
    uint32_t n;

    if (file_there(arena_printf(a, "%s/summary.json", path)))
        return load_run(all, a, d, path);
    if (depth == MOST_DEPTH)
        return true;
    const char **names = list_dir(a, d, path, &n);
    bool ok = names != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        const char *below = arena_printf(a, "%s/%s", path, names[i]);
        bool folder;
        ok = is_dir(d, below, &folder) && (!folder || load_below(all, a, d, below, depth + 1));
    }
    mem_drop(names);
    return ok;
}

static int by_position(const void *a, const void *b)
{
    const struct result *x = a, *y = b;

    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    if (strcmp(x->label, y->label) != 0)
        return strcmp(x->label, y->label);
    return (x->seed > y->seed) - (x->seed < y->seed);
}

bool results_load(struct results *all, struct arena *a, struct diag *d, const char *path)
{
    uint32_t before = all->n;

    if (!load_below(all, a, d, path, 0))
        return false;
    if (all->n == before)
        return diag_error(d, (struct mark){0}, "%s: there is no summary.json in it or below it",
                          path);
    qsort(all->result + before, all->n - before, sizeof(*all->result), by_position);
    if (!all->first)
        all->first = all->result[before].label;
    return true;
}

void results_tell_apart(struct results *r, struct arena *a)
{
    bool differ = false;

    for (uint32_t i = 1; i < r->n; i++)
        differ |= strcmp(r->result[i].predictor, r->result[0].predictor) != 0;
    for (uint32_t i = 0; differ && i < r->n; i++)
        r->result[i].label =
            arena_printf(a, "%s with %s", r->result[i].label, r->result[i].predictor);
}
