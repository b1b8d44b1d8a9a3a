/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/plot_sweep.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analysis/point.h"
#include "analysis/sweep_plan.h"

/* ---- axes and cases ---- */

static uint32_t value_of(struct plot_axis *x, const char *text)
{
    for (uint32_t v = 0; v < x->n; v++)
        if (strcmp(x->text[v], text) == 0)
            return v;
    x->text[x->n] = text;
    return x->n++;
}

/* The plan has the points of a case one after the other. */
static void take_cases(struct plot_set *s, struct plot_sweep *w, const struct plan *plan,
                       uint32_t *which)
{
    size_t bytes = (plan->n_axes + 1) * sizeof(**w->at);
    uint32_t *at = arena_get(s->arena, bytes);

    w->at = arena_get(s->arena, (plan->n + 1) * sizeof(*w->at));
    for (uint32_t i = 0; i < plan->n; i++) {
        for (uint32_t x = 0; x < w->n_axes; x++)
            at[x] = value_of(&w->axis[x], plan->point[i].value[x]);
        if (w->n_cases == 0 || memcmp(w->at[w->n_cases - 1], at, bytes) != 0) {
            w->at[w->n_cases] = arena_get(s->arena, bytes);
            memcpy(w->at[w->n_cases++], at, bytes);
        }
        which[i] = w->n_cases - 1;
    }
}

/* The name of a file without its folders and its ending; other texts as they are. */
static const char *stem_of(struct arena *a, const char *text)
{
    static const char ending[] = ".yaml";
    size_t len = strlen(text), end = sizeof(ending) - 1;
    const char *slash = strrchr(text, '/');

    if (len <= end || strcmp(text + len - end, ending) != 0)
        return text;
    text = slash ? slash + 1 : text;
    return arena_printf(a, "%.*s", (int)(strlen(text) - end), text);
}

/* Files are shown by their names alone if that tells them apart. */
static void shorten(struct plot_set *s, struct plot_axis *x)
{
    const char **stem = arena_get(s->arena, (x->n + 1) * sizeof(*stem));
    bool apart = true;

    for (uint32_t v = 0; v < x->n; v++) {
        stem[v] = stem_of(s->arena, x->text[v]);
        for (uint32_t k = 0; k < v; k++)
            apart &= strcmp(stem[k], stem[v]) != 0;
    }
    if (apart)
        x->text = stem;
}

static bool are_zipped(const struct plot_sweep *w, uint32_t x, uint32_t y)
{
    bool same = true;

    for (uint32_t c = 0; same && c < w->n_cases; c++)
        same = w->at[c][x] == w->at[c][y];
    return same;
}

static void take_axes(struct plot_set *s, struct plot_sweep *w, const struct plan *plan,
                      uint32_t *which)
{
    w->n_axes = plan->n_axes;
    w->axis = arena_get(s->arena, (plan->n_axes + 1) * sizeof(*w->axis));
    for (uint32_t x = 0; x < w->n_axes; x++) {
        w->axis[x].name = plan->axis[x];
        w->axis[x].text = arena_get(s->arena, (plan->n + 1) * sizeof(*w->axis[x].text));
    }
    take_cases(s, w, plan, which);
    for (uint32_t x = 0; x < w->n_axes; x++) {
        shorten(s, &w->axis[x]);
        w->axis[x].same_as = x;
        for (uint32_t y = x; y-- > 0;)
            if (are_zipped(w, x, y))
                w->axis[x].same_as = y;
    }
}

/* ---- policies ---- */

static uint32_t policy_of(struct plot_set *s, const char *label)
{
    uint32_t p = 0;

    while (p < s->cmp.n && strcmp(s->cmp.policy[p].label, label) != 0)
        p++;
    if (p == s->cmp.n)
        s->cmp.policy[s->cmp.n++].label = label;
    return p;
}

static bool take_policies(struct plot_set *s, const struct plan *plan, const char *baseline)
{
    s->cmp.policy = arena_get(s->arena, (plan->n + 1) * sizeof(*s->cmp.policy));
    s->first = arena_get(s->arena, (plan->n + 1) * sizeof(*s->first));
    for (uint32_t i = 0; baseline && i < plan->n; i++)
        if (strcmp(plan->point[i].policy, baseline) == 0)
            policy_of(s, baseline);
    if (baseline && s->cmp.n == 0)
        return diag_error(s->diag, (struct mark){0},
                          "plot: --baseline: the sweep has no policy '%.60s'", baseline);
    for (uint32_t i = 0; i < plan->n; i++)
        policy_of(s, plan->point[i].policy);
    return true;
}

/* ---- points ---- */

static bool take_point(struct plot_set *s, struct plot_sweep *w, const char *path, uint32_t which,
                       uint32_t policy)
{
    struct point point;

    if (access(path, F_OK) != 0) {
        w->missing++;
        return true;
    }
    if (!point_read(s->arena, s->diag, path, &point))
        return false;
    if (point.status != POINT_COMPLETE) {
        w->missing++;
        return true;
    }
    w->point[w->n] = (struct plot_point){which, policy, point.result.seed, point.result};
    s->cmp.policy[policy].oracle |= point.result.oracle;
    if (!s->first[policy] || point.result.seed < s->first[policy]->seed)
        s->first[policy] = &w->point[w->n].result;
    w->n++;
    return true;
}

static bool take_points(struct plot_set *s, struct plot_sweep *w, const struct plan *plan,
                        const uint32_t *which, const char *dir)
{
    static const struct result none;

    w->point = arena_get(s->arena, (plan->n + 1) * sizeof(*w->point));
    for (uint32_t i = 0; i < plan->n; i++)
        if (!take_point(s, w, point_path(s->arena, dir, plan->point[i].hash), which[i],
                        policy_of(s, plan->point[i].policy)))
            return false;
    for (uint32_t p = 0; p < s->cmp.n; p++)
        s->first[p] = s->first[p] ? s->first[p] : &none;
    if (w->n == 0)
        return diag_error(s->diag, (struct mark){0}, "%s: no point of the sweep is complete", dir);
    return true;
}

/* How many seeds a case and a policy have at most. */
static uint32_t most_seeds(const struct plot_set *s)
{
    const struct plot_sweep *w = s->sweep;
    uint32_t *n = arena_get(s->arena, (size_t)w->n_cases * s->cmp.n * sizeof(*n)), most = 0;

    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t *here = &n[w->point[i].which * s->cmp.n + w->point[i].policy];
        most = ++*here > most ? *here : most;
    }
    return most;
}

bool plot_sweep_load(struct plot_set *s, const struct plot_request *r)
{
    struct plot_sweep *w = arena_get(s->arena, sizeof(*w));
    struct plan plan;
    bool ok = plan_read(s->arena, s->diag, r->sweep, &plan);

    if (ok && plan.n == 0)
        ok = diag_error(s->diag, (struct mark){0}, "%s/plan.jsonl: there is no point", r->sweep);
    if (ok) {
        uint32_t *which = arena_get(s->arena, plan.n * sizeof(*which));
        s->sweep = w;
        take_axes(s, w, &plan, which);
        ok = take_policies(s, &plan, r->baseline) && take_points(s, w, &plan, which, r->sweep);
    }
    for (uint32_t p = 0, seeds = ok ? most_seeds(s) : 0; ok && p < s->cmp.n; p++)
        s->cmp.policy[p].seeds = seeds;
    plan_free(&plan);
    return ok;
}

/* ---- values ---- */

double plot_metric_number(const struct result *r, enum metric_id id)
{
    enum metric_kind k = metric_defs[id].kind;
    const struct metric_value *v = &r->value[id];

    if (!v->defined)
        return NAN;
    return k == METRIC_TIME || k == METRIC_GPU_TIME ? (double)v->time / 1e9 : v->number;
}

/* Points are in the order of cases. */
static uint32_t first_of_case(const struct plot_sweep *w, uint32_t which)
{
    uint32_t lo = 0, hi = w->n;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (w->point[mid].which < which)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct plot_point *plot_sweep_next(const struct plot_set *s, struct plot_group g,
                                         const struct plot_point *last)
{
    const struct plot_sweep *w = s->sweep;
    uint32_t i = last ? (uint32_t)(last - w->point) + 1 : first_of_case(w, g.which);

    while (i < w->n && w->point[i].which == g.which && w->point[i].policy != g.policy)
        i++;
    return i < w->n && w->point[i].which == g.which ? &w->point[i] : NULL;
}

static const struct plot_point *of_seed(const struct plot_set *s, struct plot_group g,
                                        uint64_t seed)
{
    const struct plot_point *p = NULL;

    while ((p = plot_sweep_next(s, g, p)) != NULL)
        if (p->seed == seed)
            return p;
    return NULL;
}

struct interval plot_sweep_change(const struct plot_set *s, struct plot_group from,
                                  struct plot_group to, enum metric_id id)
{
    uint32_t n = 0, most = s->cmp.policy[0].seeds;
    double *x = mem_get((most + 1) * sizeof(*x)), *y = mem_get((most + 1) * sizeof(*y));
    bool alike = true; /* seeds change nothing: they are one observation */
    const struct plot_point *a = NULL;
    uint64_t old = 0, new = 0; /* the histories of the first pair */

    while (n < most && (a = plot_sweep_next(s, from, a)) != NULL) {
        const struct plot_point *b = of_seed(s, to, a->seed);
        x[n] = plot_metric_number(&a->result, id);
        y[n] = b ? plot_metric_number(&b->result, id) : NAN;
        if (!b || !isfinite(x[n]) || !isfinite(y[n]))
            continue;
        old = n ? old : a->result.digest;
        new = n ? new : b->result.digest;
        alike = alike && a->result.digest == old && b->result.digest == new;
        n++;
    }
    struct interval change = ratio_of(y, x, alike && n > 0 ? 1 : n);
    mem_drop(x);
    mem_drop(y);
    change.n = isfinite(change.mean) ? change.n : 0;
    return change;
}

bool plot_says_nothing(const struct plot_sweep *w, uint32_t axis)
{
    const struct plot_axis *x = &w->axis[axis], *first = &w->axis[x->same_as];
    bool same = x != first;

    for (uint32_t v = 0; same && v < x->n; v++)
        same = strcmp(x->text[v], first->text[v]) == 0;
    return same;
}

const char *plot_case_text(const struct plot_set *s, uint32_t which, uint32_t axis, bool names)
{
    const struct plot_sweep *w = s->sweep;
    const char *text = "";

    for (uint32_t x = 0; x < w->n_axes; x++) {
        if ((axis < w->n_axes && w->axis[x].same_as != axis) || plot_says_nothing(w, x))
            continue;
        const char *value = plot_clean(s->arena, w->axis[x].text[w->at[which][x]], 16);
        const char *name = names ? plot_clean(s->arena, w->axis[x].name, 28) : "";
        text = arena_printf(s->arena, "%s%s%s%s%s", text, *text ? ", " : "", name, names ? "=" : "",
                            value);
    }
    return text;
}
