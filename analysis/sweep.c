/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/sweep.h"

#include "analysis/sweep_values.h"

#include <inttypes.h>
#include <string.h>

#include "sim/model/paths.h"
#include "sim/text/num.h"
#include "sim/text/yaml.h"

#define MOST_AXES   32u
#define MOST_POINTS 10000000u

struct reader {
    struct sweep *s;
    struct arena *arena;
    struct diag *diag;
};

/* ---- axes ---- */

static bool add_axis(struct reader *r, const struct tree *key, struct tree *values)
{
    struct sweep *s = r->s;
    struct axis *x = &s->axis[s->n_axes];
    const char **text;

    *x = (struct axis){.name = key->text, .key = key, .group = s->n_axes};
    if (!(x->values = sweep_values(r->arena, r->diag, x->name, values)))
        return false;
    x->n = (uint32_t)x->values->n;
    x->text = text = arena_get(r->arena, x->n * sizeof(*text));
    for (uint32_t i = 0; i < x->n; i++)
        text[i] = sweep_value_text(r->arena, x->values->item[i]);
    s->n_axes++;
    return true;
}

static int find_axis(const struct sweep *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_axes; i++)
        if (strcmp(s->axis[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* A name that must be an axis; -1: reported. */
static int want_axis(const struct reader *r, const struct tree *name)
{
    const char *names[MOST_AXES + 1] = {NULL};
    const char *text = name->kind == TREE_SCALAR ? name->text : tree_kind_name(name);
    int i = name->kind == TREE_SCALAR ? find_axis(r->s, text) : -1;

    for (uint32_t k = 0; k < r->s->n_axes; k++)
        names[k] = r->s->axis[k].name;
    if (i < 0)
        diag_unknown(r->diag, name->at, diag_nearest(text, names), "unknown axis '%.60s'", text);
    return i;
}

static bool read_axes(struct reader *r, const struct tree *axes)
{
    struct sweep *s = r->s;

    s->axis = arena_get(r->arena, (MOST_AXES + 2) * sizeof(*s->axis));
    if (!axes)
        return true;
    if (axes->kind != TREE_MAP)
        return diag_error(r->diag, axes->at, "axes: %s; wanted a map of keys and their values",
                          tree_kind_name(axes));
    if (axes->n > MOST_AXES)
        return diag_error(r->diag, axes->at, "axes: %zu; wanted at most %u", axes->n, MOST_AXES);
    for (size_t i = 0; i < axes->n; i++) {
        if (strcmp(axes->key[i]->text, "seeds") == 0)
            return diag_error(
                r->diag, axes->key[i]->at,
                "axis 'seeds'; wanted 'seed' with its values, as in {from: 1, to: 10}");
        if (!add_axis(r, axes->key[i], axes->item[i]))
            return false;
    }
    return true;
}

static bool zip(struct reader *r, const struct tree *names)
{
    struct sweep *s = r->s;
    int first = -1;

    if (names->kind != TREE_LIST || names->n < 2)
        return diag_error(r->diag, names->at, "zip: %s; wanted lists of two or more axes",
                          tree_kind_name(names));
    for (size_t i = 0; i < names->n; i++) {
        int k = want_axis(r, names->item[i]);
        if (k < 0)
            return false;
        struct axis *x = &s->axis[k];
        if (x->group != (uint32_t)k || k == first)
            return diag_error(r->diag, names->item[i]->at, "axis '%s' is zipped twice", x->name);
        first = first < 0 ? k : first;
        if (x->n != s->axis[first].n)
            return diag_error(r->diag, names->item[i]->at,
                              "axis '%s' has %u values, '%s' has %u; zipped axes have as many",
                              x->name, x->n, s->axis[first].name, s->axis[first].n);
        x->group = (uint32_t)first;
    }
    return true;
}

/* Whether two values of an axis are the same, and so are those zipped with them. */
static bool same_values(const struct sweep *s, uint32_t axis, uint32_t i, uint32_t k)
{
    for (uint32_t x = axis; x < s->n_axes; x++)
        if (s->axis[x].group == axis && strcmp(s->axis[x].text[i], s->axis[x].text[k]) != 0)
            return false;
    return true;
}

static bool check_twice(struct reader *r)
{
    struct sweep *s = r->s;

    for (uint32_t x = 0; x < s->n_axes; x++)
        for (uint32_t i = 0; s->axis[x].group == x && i < s->axis[x].n && i < 1000; i++)
            for (uint32_t k = 0; k < i; k++)
                if (same_values(s, x, i, k))
                    return diag_error(r->diag, s->axis[x].values->item[i]->at,
                                      "%s: '%.40s' is there twice", s->axis[x].name,
                                      s->axis[x].text[i]);
    return true;
}

static bool read_zips(struct reader *r, const struct tree *zips)
{
    if (!zips)
        return true;
    if (zips->kind != TREE_LIST)
        return diag_error(r->diag, zips->at, "zip: %s; wanted a list of lists of axes",
                          tree_kind_name(zips));
    for (size_t i = 0; i < zips->n; i++)
        if (!zip(r, zips->item[i]))
            return false;
    return true;
}

/* An override of a key that varies would win over the axis. */
static bool check_overrides(const struct reader *r)
{
    const struct sweep *s = r->s;

    for (uint32_t i = 0; s->set && i < s->set->n; i++)
        if (find_axis(s, s->set->key[i]->text) >= 0)
            return diag_error(r->diag, s->set->key[i]->at, "set: '%s' is an axis",
                              s->set->key[i]->text);
    for (uint32_t i = 0; i < s->more.n; i++) {
        const char *text = s->more.set[i].text;
        const char *key = arena_text(r->arena, text, strcspn(text, "="));
        if (find_axis(s, key) >= 0)
            return diag_error(r->diag, (struct mark){0}, "-s: '%s' is an axis of the sweep", key);
    }
    return true;
}

/* ---- what is left out ---- */

static bool is_value(const struct axis *x, const char *text)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (strcmp(x->text[i], text) == 0)
            return true;
    return false;
}

static bool check_excluded(const struct reader *r, const struct tree *name,
                           const struct tree *values)
{
    int k = want_axis(r, name);

    if (k < 0)
        return false;
    if (values->kind != TREE_LIST) {
        const char *text = sweep_value_text(r->arena, values);
        return is_value(&r->s->axis[k], text) ||
               diag_error(r->diag, values->at, "exclude: '%.60s' is no value of axis '%s'", text,
                          name->text);
    }
    for (size_t i = 0; i < values->n; i++)
        if (!check_excluded(r, name, values->item[i]))
            return false;
    return true;
}

static bool read_excludes(struct reader *r, struct tree *exclude)
{
    r->s->exclude = exclude;
    if (!exclude)
        return true;
    if (exclude->kind != TREE_LIST)
        return diag_error(r->diag, exclude->at, "exclude: %s; wanted a list of maps",
                          tree_kind_name(exclude));
    for (size_t i = 0; i < exclude->n; i++) {
        const struct tree *map = exclude->item[i];
        if (map->kind != TREE_MAP || map->n == 0)
            return diag_error(r->diag, map->at, "exclude: %s; wanted a map of axes and values",
                              tree_kind_name(map));
        for (size_t k = 0; k < map->n; k++)
            if (!check_excluded(r, map->key[k], map->item[k]))
                return false;
    }
    return true;
}

static bool matches(const struct axis *x, uint32_t at, const struct tree *values)
{
    if (values->kind != TREE_LIST)
        return strcmp(values->text, x->text[at]) == 0;
    for (size_t i = 0; i < values->n; i++)
        if (strcmp(values->item[i]->text, x->text[at]) == 0)
            return true;
    return false;
}

static bool is_excluded(const struct sweep *s, const uint32_t *at)
{
    for (size_t i = 0; s->exclude && i < s->exclude->n; i++) {
        const struct tree *map = s->exclude->item[i];
        bool all = true;
        for (size_t k = 0; all && k < map->n; k++) {
            int x = find_axis(s, map->key[k]->text);
            all = matches(&s->axis[x], at[x], map->item[k]);
        }
        if (all)
            return true;
    }
    return false;
}

/* ---- configurations ---- */

struct config *sweep_config(struct arena *a, struct diag *d, const struct sweep *s,
                            const uint32_t *at, const struct plugs *plugs)
{
    uint32_t n = 0, fixed = s->set ? (uint32_t)s->set->n : 0;
    struct override *o = arena_get(a, (fixed + s->n_axes + s->more.n + 1) * sizeof(*o));

    for (uint32_t i = 0; i < fixed; i++)
        o[n++] = (struct override){.key = s->set->key[i], .value = s->set->item[i]};
    for (uint32_t i = 0; at && i < s->n_axes; i++) {
        const struct axis *x = &s->axis[i];
        if (i == s->policy)
            o[n++] = (struct override){.key = x->key, .value = x->values};
        else if (i != s->seed)
            o[n++] = (struct override){.key = x->key, .value = x->values->item[at[i]]};
    }
    for (uint32_t i = 0; i < s->more.n; i++)
        o[n++] = s->more.set[i];
    return config_load(a, d, s->run, o, n, plugs);
}

/* ---- policies and seeds of the run ---- */

static struct tree *scalar(const struct reader *r, struct mark at, const char *text)
{
    return tree_scalar(r->arena, at, text, strlen(text));
}

static bool add_policies(struct reader *r, const struct config *base)
{
    struct mark at = tree_get(base->root, "policy")->at;
    struct tree *list = tree_list(r->arena, at);

    for (uint32_t i = 0; i < base->n_policies; i++)
        tree_append(r->arena, list, scalar(r, at, base->policy[i].label));
    return add_axis(r, scalar(r, at, "policy"), list);
}

static bool add_seeds(struct reader *r, const struct config *base)
{
    struct mark at = base->root->at;
    struct tree *list = tree_list(r->arena, at);

    for (int64_t i = 0; i < base->seeds; i++)
        tree_append(r->arena, list,
                    scalar(r, at, arena_printf(r->arena, "%" PRId64, base->seed + i)));
    return add_axis(r, scalar(r, at, "seed"), list);
}

static bool check_seeds(const struct reader *r, const struct axis *x)
{
    int64_t seed;

    for (uint32_t i = 0; i < x->n; i++)
        if (num_int(x->text[i], strlen(x->text[i]), &seed) != NUM_OK || seed < 0)
            return diag_error(r->diag, x->values->item[i]->at,
                              "seed: '%.40s'; wanted a whole number from 0 on", x->text[i]);
    return true;
}

/* Besides the axes of the file. */
static bool add_implied(struct reader *r, const struct plugs *plugs)
{
    struct sweep *s = r->s;
    bool policies = find_axis(s, "policy") < 0, seeds = find_axis(s, "seed") < 0;
    const struct config *base =
        policies || seeds ? sweep_config(r->arena, r->diag, s, NULL, plugs) : NULL;

    if ((policies || seeds) && !base)
        return false;
    if ((policies && !add_policies(r, base)) || (seeds && !add_seeds(r, base)))
        return false;
    s->policy = (uint32_t)find_axis(s, "policy");
    s->seed = (uint32_t)find_axis(s, "seed");
    return check_seeds(r, &s->axis[s->seed]);
}

/* ---- combinations ---- */

/* Groups in their order: those of the file, then policies, then seeds, unless they are zipped with
 * others. */
static bool order_groups(struct reader *r)
{
    struct sweep *s = r->s;
    uint32_t *place = arena_get(r->arena, s->n_axes * sizeof(*place));

    s->group = arena_get(r->arena, s->n_axes * sizeof(*s->group));
    s->n_combinations = 1;
    for (int late = 0; late < 3; late++)
        for (uint32_t i = 0; i < s->n_axes; i++) {
            int own = i == s->policy ? 1 : i == s->seed ? 2 : 0;
            if (s->axis[i].group != i || own != late)
                continue;
            place[i] = s->n_groups;
            s->group[s->n_groups++] = s->axis[i].n;
            s->n_combinations *= s->axis[i].n;
            if (s->n_combinations > MOST_POINTS)
                return diag_error(r->diag, s->axis[i].key->at, "more than %u points", MOST_POINTS);
        }
    for (uint32_t i = 0; i < s->n_axes; i++)
        s->axis[i].group = place[s->axis[i].group];
    return true;
}

bool sweep_at(const struct sweep *s, uint64_t combination, uint32_t *at)
{
    uint32_t place[MOST_AXES + 2] = {0};

    for (uint32_t g = s->n_groups; g-- > 0; combination /= s->group[g])
        place[g] = (uint32_t)(combination % s->group[g]);
    for (uint32_t i = 0; i < s->n_axes; i++)
        at[i] = place[s->axis[i].group];
    return !is_excluded(s, at);
}

bool sweep_same_case(const struct sweep *s, const uint32_t *a, const uint32_t *b)
{
    for (uint32_t i = 0; i < s->n_axes; i++)
        if (i != s->policy && i != s->seed && a[i] != b[i])
            return false;
    return true;
}

/* ---- the whole ---- */

static const struct field sweep_fields[] = {
    {FIELD_TEXT, "about", offsetof(struct sweep, about), "", 0, 0, NULL, "for people"},
    {FIELD_TEXT, "run", offsetof(struct sweep, run), NULL, 0, 0, NULL,
     "the configuration that is varied"},
    {.type = FIELD_END},
};

struct sweep *sweep_load(struct arena *a, struct diag *d, const char *path,
                         const struct sweep_more *more, const struct plugs *plugs)
{
    static const char *const parts[] = {"set", "axes", "zip", "exclude", NULL};
    struct reader r = {arena_get(a, sizeof(*r.s)), a, d};
    struct tree *root = yaml_load(a, d, path);

    if (!root || !conf_fill(a, d, root, sweep_fields, parts, "the sweep", r.s))
        return NULL;
    r.s->path = path;
    r.s->more = *more;
    r.s->run = path_of(a, tree_get(root, "run"));
    r.s->set = tree_get(root, "set");
    if (r.s->set && r.s->set->kind != TREE_MAP) {
        diag_error(d, r.s->set->at, "set: %s; wanted a map of keys and their values",
                   tree_kind_name(r.s->set));
        return NULL;
    }
    if (!read_axes(&r, tree_get(root, "axes")) || !check_overrides(&r) || !add_implied(&r, plugs) ||
        !read_zips(&r, tree_get(root, "zip")) || !check_twice(&r) ||
        !read_excludes(&r, tree_get(root, "exclude")) || !order_groups(&r))
        return NULL;
    return r.s;
}
