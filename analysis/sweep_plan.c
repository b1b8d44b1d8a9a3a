/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/sweep_plan.h"

#include <string.h>

#include "analysis/result.h"
#include "sim/base/file.h"
#include "sim/text/json.h"
#include "sim/text/num.h"

#define MOST_BYTES (UINT64_C(1) << 32)

/* ---- walking through the points ---- */

struct walk {
    const struct sweep *sweep;
    struct diag *diag;
    const struct plugs *plugs;
    struct identity_files files;
    struct arena *arena; /* of the present case */
    const struct config *config;
    struct identity identity;
    uint32_t *case_at; /* its positions, once there is a configuration; then those of a point */
};

static bool open_case(struct walk *w, const uint32_t *at)
{
    arena_reset(w->arena);
    w->config = sweep_config(w->arena, w->diag, w->sweep, at, w->plugs);
    memcpy(w->case_at, at, w->sweep->n_axes * sizeof(*at));
    return w->config && identity_of(w->arena, w->diag, w->config, &w->files, &w->identity);
}

static uint64_t seed_at(const struct sweep *s, const uint32_t *at)
{
    const char *text = s->axis[s->seed].text[at[s->seed]];
    int64_t seed = 0;

    num_int(text, strlen(text), &seed);
    return (uint64_t)seed;
}

static bool walk(struct walk *w, const char *libraries,
                 bool (*visit)(void *user, const struct planned *), void *user)
{
    const struct sweep *s = w->sweep;
    uint32_t *at = w->case_at + s->n_axes;
    struct planned p = {.at = at};

    for (uint64_t c = 0; c < s->n_combinations; c++) {
        if (!sweep_at(s, c, at))
            continue;
        if ((!w->config || !sweep_same_case(s, at, w->case_at)) && !open_case(w, at))
            return false;
        p.config = w->config;
        p.arena = w->arena;
        p.identity = &w->identity;
        p.policy = &w->config->policy[at[s->policy]];
        p.seed = seed_at(s, at);
        p.hash = identity_of_point(w->arena, &w->identity, p.policy->label, p.seed, libraries);
        if (!visit(user, &p))
            return false;
        p.number++;
    }
    return true;
}

bool sweep_each(const struct sweep *s, struct diag *d, const struct plugs *plugs,
                const char *libraries, bool (*visit)(void *user, const struct planned *),
                void *user)
{
    struct walk w = {.sweep = s, .diag = d, .plugs = plugs, .arena = arena_new()};

    w.case_at = mem_get(2 * s->n_axes * sizeof(*w.case_at));
    bool ok = walk(&w, libraries, visit, user);
    mem_drop(w.case_at);
    identity_files_free(&w.files);
    arena_free(w.arena);
    return ok;
}

/* ---- the plan as a file ---- */

static bool is_case_axis(const struct sweep *s, uint32_t i)
{
    return i != s->policy && i != s->seed;
}

void sweep_line(struct out *o, const struct sweep *s, const struct planned *p)
{
    const char *between = "";

    out_text(o, "{\"point\": ");
    out_json(o, p->hash);
    out_text(o, ", \"policy\": ");
    out_json(o, p->policy->label);
    out_printf(o, ", \"seed\": %llu, \"axes\": {", (unsigned long long)p->seed);
    for (uint32_t i = 0; i < s->n_axes; i++) {
        if (!is_case_axis(s, i))
            continue;
        out_text(o, between);
        out_json(o, s->axis[i].name);
        out_text(o, ": ");
        out_json(o, s->axis[i].text[p->at[i]]);
        between = ", ";
    }
    out_text(o, "}}\n");
}

/* The axes of the first line are those of all. */
static bool take_axes(struct arena *a, struct diag *d, struct plan *plan, const struct tree *axes,
                      struct plan_point *p)
{
    bool first = plan->n == 0, same = axes && axes->kind == TREE_MAP;

    if (!same)
        return false;
    if (first) {
        plan->n_axes = (uint32_t)axes->n;
        plan->axis = arena_get(a, (axes->n + 1) * sizeof(*plan->axis));
    }
    same = axes->n == plan->n_axes;
    p->value = arena_get(a, (axes->n + 1) * sizeof(*p->value));
    for (size_t i = 0; same && i < axes->n; i++) {
        if (first)
            plan->axis[i] = axes->key[i]->text;
        same = strcmp(plan->axis[i], axes->key[i]->text) == 0 && axes->item[i]->kind == TREE_SCALAR;
        p->value[i] = axes->item[i]->text;
    }
    return same || diag_error(d, axes->at, "its axes are not those of the first point");
}

static bool take_line(struct arena *a, struct diag *d, struct plan *plan, size_t *cap,
                      const struct source *line)
{
    struct tree *map = json_parse(a, d, line);
    struct plan_point p;

    if (!map)
        return false;
    if (!result_text(d, map, "point", &p.hash) || !result_text(d, map, "policy", &p.policy) ||
        !result_text(d, map, "seed", &p.seed))
        return false;
    if (strlen(p.hash) != 16 || strspn(p.hash, "0123456789abcdef") != 16)
        return diag_error(d, map->at, "point: '%.40s' is no hash of sixteen digits", p.hash);
    if (!take_axes(a, d, plan, tree_get(map, "axes"), &p))
        return diag_errors(d) > 0 ? false : diag_error(d, map->at, "key 'axes' is missing");
    plan->point = mem_room(plan->point, plan->n, cap, sizeof(*plan->point));
    plan->point[plan->n++] = p;
    return true;
}

bool plan_read(struct arena *a, struct diag *d, const char *dir, struct plan *plan)
{
    struct source *all = file_load(a, d, arena_printf(a, "%s/plan.jsonl", dir), MOST_BYTES);
    size_t cap = 0, at = 0, end;

    *plan = (struct plan){0};
    if (!all)
        return false;
    for (uint32_t number = 1; at < all->len; number++, at = end + 1) {
        const char *stop = memchr(all->text + at, '\n', all->len - at);
        struct source *line = arena_get(a, sizeof(*line));
        end = stop ? (size_t)(stop - all->text) : all->len;
        *line =
            (struct source){all->name, arena_text(a, all->text + at, end - at), end - at, number};
        if (!take_line(a, d, plan, &cap, line))
            return false;
    }
    return true;
}

void plan_free(struct plan *plan)
{
    mem_drop(plan->point);
    *plan = (struct plan){0};
}
