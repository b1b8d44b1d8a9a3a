/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/report.h"

#include <string.h>
#include <unistd.h>

#include "analysis/compare_rows.h"
#include "analysis/point.h"
#include "analysis/report_page.h"

/* ---- what it is about ---- */

static struct report_case *add_case(struct report *r, const char *title)
{
    r->of = mem_room(r->of, r->n, &r->cap, sizeof(*r->of));
    r->of[r->n] = (struct report_case){.title = title};
    return &r->of[r->n++];
}

/* The values of the axes but policy and seed, as a title. */
static const char *title_of(struct arena *a, const struct plan *plan, const struct plan_point *p)
{
    const char *title = "";

    for (uint32_t i = 0; i < plan->n_axes; i++)
        if (strcmp(plan->axis[i], "policy") != 0 && strcmp(plan->axis[i], "seed") != 0)
            title = arena_printf(a, "%s%s%s = %s", title, *title ? ", " : "", plan->axis[i],
                                 p->value[i]);
    return title;
}

static struct report_case *case_of(struct report *r, const char *title)
{
    for (uint32_t i = r->n; i > 0; i--)
        if (strcmp(r->of[i - 1].title, title) == 0)
            return &r->of[i - 1];
    return add_case(r, title);
}

static void miss(struct report *r, const struct plan_point *p, const char *reason)
{
    r->missing = mem_room(r->missing, r->n_missing, &r->cap_missing, sizeof(*r->missing));
    r->missing[r->n_missing++] = (struct report_missing){p->hash, p->policy, p->seed, reason};
}

/* false: it cannot be read, and that is reported. */
static bool take_point(struct arena *a, struct diag *d, struct report *r, const struct plan *plan,
                       uint32_t i)
{
    const struct plan_point *p = &plan->point[i];
    struct report_case *c = case_of(r, title_of(a, plan, p));
    struct point point;
    enum point_found found = point_find(a, d, r->path, p->hash, &point);

    if (found == POINT_MISSING)
        miss(r, p, "it has not been run");
    else if (found == POINT_DAMAGED)
        miss(r, p, "its file is damaged");
    else if (found == POINT_THERE && point.status != POINT_COMPLETE)
        miss(r, p, *point.reason ? point.reason : point_status_name[point.status]);
    else if (found == POINT_THERE)
        *results_add(&c->of) = point.result;
    return found != POINT_UNREADABLE;
}

static bool load_sweep(struct arena *a, struct diag *d, struct report *r)
{
    struct plan plan = {0};
    bool ok = plan_read(a, d, r->path, &plan);

    for (uint32_t i = 0; ok && i < plan.n; i++)
        ok = take_point(a, d, r, &plan, i);
    plan_free(&plan);
    return ok;
}

static bool load_runs(struct arena *a, struct diag *d, struct report *r)
{
    struct report_case *c = add_case(r, NULL);
    bool ok = results_load(&c->of, a, d, r->path);

    results_tell_apart(&c->of, a);
    return ok;
}

static bool has(const struct results *r, const char *label)
{
    for (uint32_t i = 0; label && i < r->n; i++)
        if (strcmp(r->result[i].label, label) == 0)
            return true;
    return !label;
}

/* Verdicts are those of all comparisons of a metric at once, as compare has them. */
static void hold(struct arena *a, const struct report *r)
{
    struct compared all = {.n = r->n, .of = arena_get(a, (r->n + 1) * sizeof(*all.of))};

    for (uint32_t i = 0; i < r->n; i++)
        all.of[i].c = r->of[i].c;
    compare_holm(a, &all, NULL, 0, HOLM_FROM_THREE);
    compared_free(&all);
}

bool report_load(struct arena *a, struct diag *d, struct report *r)
{
    bool any = false;

    r->sweep = access(arena_printf(a, "%s/plan.jsonl", r->path), F_OK) == 0;
    bool ok = r->sweep ? load_sweep(a, d, r) : load_runs(a, d, r);
    for (uint32_t i = 0; ok && i < r->n; i++) {
        struct report_case *c = &r->of[i];
        if (c->of.n == 0 || (r->sweep && !has(&c->of, r->baseline)))
            continue;
        ok = compare(a, d, &c->of, r->baseline, &c->c);
        any = true;
    }
    if (ok)
        hold(a, r);
    return ok && (any || diag_error(d, (struct mark){0}, "%s: no point has values%s", r->path,
                                    r->baseline ? " and a run of the baseline" : ""));
}

void report_free(struct report *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        results_free(&r->of[i].of);
    mem_drop(r->of);
    mem_drop(r->missing);
    *r = (struct report){0};
}

/* ---- the page ---- */

static void put_what(struct out *o, const struct report *r)
{
    const struct report_case *c = &r->of[0];
    uint32_t runs = 0;

    for (uint32_t i = 0; i < r->n; i++)
        runs += r->of[i].of.n;
    out_text(o, "<p>");
    if (r->sweep)
        out_printf(o, "A sweep of %u case%s, %u run%s with values, %u without.", r->n,
                   r->n == 1 ? "" : "s", runs, runs == 1 ? "" : "s", r->n_missing);
    else
        out_printf(o, "%u polic%s, %u run%s of one world.", c->c.n, c->c.n == 1 ? "y" : "ies", runs,
                   runs == 1 ? "" : "s");
    out_text(o,
             " The same seed gives every policy the same jobs, curves and noise, so that changes "
             "are paired by seed.</p>\n");
}

static void put_cases(struct out *o, const struct report *r)
{
    uint32_t rows = 0, left = 0;

    out_text(o, "<h2 id=\"verdict\">Verdict</h2>\n");
    for (uint32_t i = 0; i < r->n; i++) {
        const struct report_case *c = &r->of[i];
        if (rows > REPORT_ROWS) {
            left++;
            continue;
        }
        if (c->title) {
            out_text(o, "<h3>");
            page_text(o, *c->title ? c->title : "the only case", 200);
            out_text(o, "</h3>\n");
        }
        if (c->c.n == 0) {
            out_text(o, "<p>There is nothing to compare in this case.</p>\n");
            continue;
        }
        page_verdict(o, c);
        if (r->sweep)
            rows += page_tables(o, c, false);
    }
    if (left > 0)
        out_printf(o, "<p>%u further cases are left out; the merged table has them.</p>\n", left);
}

static bool put_body(struct arena *a, struct diag *d, struct out *o, const struct report *r)
{
    out_text(o, "<main>\n<h1>");
    page_text(o, r->path, 200);
    out_text(o, "</h1>\n");
    put_what(o, r);
    put_cases(o, r);
    if (!r->sweep) {
        out_text(o, "<h2 id=\"changes\">Changes</h2>\n");
        page_changes(o, &r->of[0].c);
        out_text(o, "<h2 id=\"tables\">Tables</h2>\n");
        page_tables(o, &r->of[0], true);
        if (!page_runs(a, d, o, &r->of[0]))
            return false;
    }
    page_limits(o, r);
    bool ok = page_provenance(a, d, o, r);
    out_text(o, "</main>\n");
    return ok;
}

bool report_write(struct arena *a, struct diag *d, const struct report *r, const char *file)
{
    struct out *o = out_create(d, file);

    if (!o)
        return false;
    page_begin(o, r->path);
    if (!put_body(a, d, o, r)) {
        out_drop(o);
        return false;
    }
    page_end(o);
    return out_commit(o);
}
