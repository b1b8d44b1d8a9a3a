/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/result_sweep.h"

#include <string.h>
#include <unistd.h>

#include "analysis/point.h"
#include "analysis/story_text.h"
#include "analysis/sweep_plan.h"

bool result_is_sweep(struct arena *a, const char *dir)
{
    return access(arena_printf(a, "%s/plan.jsonl", dir), F_OK) == 0;
}

bool result_same_case(const struct result_case *a, const struct result_case *b)
{
    if (a == b || !a || !b)
        return a == b;
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++)
        same = strcmp(a->axis[i], b->axis[i]) == 0 && strcmp(a->value[i], b->value[i]) == 0;
    return same;
}

const char *result_case_text(struct arena *a, const struct result_case *c)
{
    struct out *o = out_memory();
    size_t len;

    for (uint32_t i = 0; c && i < c->n; i++) {
        out_text(o, i ? ", " : "");
        say_safe(o, c->axis[i]);
        out_char(o, '=');
        say_safe(o, c->value[i]);
    }
    const char *text = out_data(o, &len);
    text = arena_text(a, text, len);
    out_drop(o);
    return text;
}

/* ---- points ---- */

/* false: it cannot be read, and that is reported. */
static bool take_point(struct results *all, struct arena *a, struct diag *d, const char *dir,
                       const struct plan_point *planned, const struct result_case *in)
{
    struct point p = {.reason = ""};
    const char *runs = arena_printf(a, "%s/runs/%s", dir, planned->hash);
    enum point_found found = point_find(a, d, dir, planned->hash, &p);

    if (found == POINT_UNREADABLE)
        return false;
    if (found != POINT_THERE || p.status != POINT_COMPLETE) {
        all->lost = mem_room(all->lost, all->n_lost, &all->lost_cap, sizeof(*all->lost));
        all->lost[all->n_lost++] =
            (struct lost_point){planned->policy, planned->seed, point_found_name(found, &p),
                                p.reason ? p.reason : "", in};
        return true;
    }
    p.result.in = in;
    if (access(runs, F_OK) == 0)
        p.result.path = runs;
    *results_add(all) = p.result;
    return true;
}

bool results_load_sweep(struct results *all, struct arena *a, struct diag *d, const char *dir)
{
    struct plan plan;
    bool ok = plan_read(a, d, dir, &plan);
    const struct result_case *in = NULL;

    for (uint32_t i = 0; ok && i < plan.n; i++) {
        struct result_case next = {plan.n_axes, plan.axis, plan.point[i].value};
        if (!in || !result_same_case(in, &next)) {
            struct result_case *kept = arena_get(a, sizeof(*kept));
            *kept = next;
            in = kept;
        }
        ok = take_point(all, a, d, dir, &plan.point[i], in);
    }
    if (ok && plan.n > 0 && !all->first)
        all->first = plan.point[0].policy;
    plan_free(&plan);
    return ok;
}
