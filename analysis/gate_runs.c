/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/gate_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/point.h"
#include "analysis/sweep_plan.h"

static struct gate_run *add(struct gate_runs *all)
{
    all->run = mem_room(all->run, all->n, &all->cap, sizeof(*all->run));
    all->run[all->n] = (struct gate_run){0};
    return &all->run[all->n++];
}

void gate_runs_free(struct gate_runs *all)
{
    mem_drop(all->run);
    mem_drop(all->group);
    *all = (struct gate_runs){0};
}

/* ---- folders of runs ---- */

static const char *name_of_file(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *end = strrchr(name, '.');

    return end && end > name ? arena_text(a, name, (size_t)(end - name)) : name;
}

static bool load_folders(struct gate_runs *all, struct arena *a, struct diag *d, const char *name,
                         const char *path)
{
    struct results found = {0};
    bool ok = results_load(&found, a, d, path);

    for (uint32_t i = 0; ok && i < found.n; i++) {
        struct gate_run *run = add(all);
        const struct result *r = &found.result[i];
        run->result = *r;
        run->name = name ? name : name_of_file(a, r->config_file);
        if (strcmp(r->ended, "drained") != 0 && strcmp(r->ended, "until") != 0)
            run->fault = arena_printf(a, "the run ended as '%s'", r->ended);
    }
    results_free(&found);
    return ok;
}

/* ---- sweeps ---- */

static const char *name_of_point(struct arena *a, const struct plan *plan,
                                 const struct plan_point *p, const char *name)
{
    const char *text = name ? name : "";
    const char *between = name ? ": " : "";

    for (uint32_t i = 0; i < plan->n_axes; i++, between = ", ")
        text = arena_printf(a, "%s%s%s=%s", text, between, plan->axis[i], p->value[i]);
    return *text ? text : "sweep";
}

/* A point that is not there was not run: the baseline says whether it is missed. */
static bool load_point(struct gate_runs *all, struct arena *a, struct diag *d, const char *dir,
                       const struct plan_point *planned, const char *name)
{
    const char *path = point_path(a, dir, planned->hash);
    struct point p;

    if (access(path, F_OK) != 0)
        return true;
    if (!point_read(a, d, path, &p))
        return false;
    struct gate_run *run = add(all);
    run->name = name;
    run->result = p.result;
    if (p.status != POINT_COMPLETE)
        run->fault = arena_printf(a, "%s: %s", point_status_name[p.status], p.reason);
    return true;
}

static bool load_sweep(struct gate_runs *all, struct arena *a, struct diag *d, const char *name,
                       const char *dir)
{
    uint32_t before = all->n;
    struct plan plan;
    bool ok = plan_read(a, d, dir, &plan);

    for (uint32_t i = 0; ok && i < plan.n; i++)
        ok = load_point(all, a, d, dir, &plan.point[i],
                        name_of_point(a, &plan, &plan.point[i], name));
    if (ok && all->n == before)
        ok = diag_error(d, (struct mark){0}, "%s: no point of this sweep was run", dir);
    plan_free(&plan);
    return ok;
}

bool gate_runs_load(struct gate_runs *all, struct arena *a, struct diag *d, const char *result)
{
    const char *equals = access(result, F_OK) == 0 ? NULL : strchr(result, '=');
    const char *path = equals ? equals + 1 : result;
    const char *name = equals ? arena_text(a, result, (size_t)(equals - result)) : NULL;

    if (name && !*name)
        return diag_error(d, (struct mark){0}, "'%.80s': the name is empty; wanted NAME=RESULT",
                          result);
    if (access(arena_printf(a, "%s/plan.jsonl", path), F_OK) == 0)
        return load_sweep(all, a, d, name, path);
    return load_folders(all, a, d, name, path);
}

/* ---- groups ---- */

static bool is_of(const struct gate_run *r, const struct gate_group *g)
{
    return strcmp(r->name, g->name) == 0 && strcmp(r->result.label, g->policy) == 0 &&
           strcmp(r->result.predictor, g->predictor) == 0;
}

/* Runs of one group mostly follow each other. */
static void find_group(struct gate_runs *all, struct gate_run *r)
{
    for (r->group = all->n_groups; r->group-- > 0;)
        if (is_of(r, &all->group[r->group]))
            return;
    r->group = all->n_groups;
    all->group = mem_room(all->group, all->n_groups, &all->cap_groups, sizeof(*all->group));
    all->group[all->n_groups++] = (struct gate_group){
        .name = r->name,
        .policy = r->result.label,
        .predictor = r->result.predictor,
        .world = r->result.world,
    };
}

static int by_group(const void *a, const void *b)
{
    const struct gate_run *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->result.seed > y->result.seed) - (x->result.seed < y->result.seed);
}

static bool refuse_worlds(struct diag *d, const struct gate_group *g, const struct result *r)
{
    return diag_error(d, (struct mark){0},
                      "%s: runs of two worlds, %s and %s, under one name; tell them apart, as in "
                      "NAME=RESULT",
                      g->name, g->world, r->world);
}

bool gate_runs_group(struct gate_runs *all, struct diag *d)
{
    for (uint32_t i = 0; i < all->n; i++)
        find_group(all, &all->run[i]);
    if (all->n > 0)
        qsort(all->run, all->n, sizeof(*all->run), by_group);
    for (uint32_t i = 0; i < all->n; i++) {
        const struct gate_run *r = &all->run[i];
        struct gate_group *g = &all->group[r->group];
        if (strcmp(r->result.world, g->world) != 0)
            return refuse_worlds(d, g, &r->result);
        if (g->n > 0 && r->result.seed == r[-1].result.seed)
            return diag_error(d, (struct mark){0}, "%s, %s: seed %llu is there twice: %s and %s",
                              g->name, g->policy, (unsigned long long)r->result.seed,
                              r[-1].result.path, r->result.path);
        if (g->n++ == 0)
            g->run = r;
    }
    return true;
}
