/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/sweep_merge.h"

#include <string.h>

#include "analysis/point.h"
#include "analysis/rundir.h"
#include "sim/base/file.h"

struct merging {
    struct diag *diag;
    const char *dir;
    const struct plan *plan;
    struct out *out;
    struct arena *arena;  /* of one row */
    bool partial, shared; /* shared: some point has the metrics of shared clusters */
    struct merge_count *count;
};

static void put_header(const struct merging *m)
{
    struct out *o = m->out;

    out_text(o, "point");
    for (uint32_t i = 0; i < m->plan->n_axes; i++) {
        out_char(o, ',');
        out_csv(o, m->plan->axis[i]);
    }
    out_text(o, ",policy,oracle,seed,status,reason,predictor,world,ended,digest");
    for (int i = 0; i < METRICS; i++)
        if (m->shared || !metric_is_shared(i))
            out_printf(o, ",%s", metric_defs[i].name);
    out_char(o, '\n');
}

static void put_cell(struct out *o, const char *text)
{
    out_char(o, ',');
    out_csv(o, text);
}

static void put_row(const struct merging *m, const struct plan_point *planned, const char *status,
                    const struct point *p)
{
    const struct result *r = &p->result;
    bool has = p->hash && p->status == POINT_COMPLETE;
    struct out *o = m->out;

    out_text(o, planned->hash);
    for (uint32_t i = 0; i < m->plan->n_axes; i++)
        put_cell(o, planned->value[i]);
    put_cell(o, planned->policy);
    put_cell(o, !p->hash ? "" : r->oracle ? "true" : "false");
    put_cell(o, planned->seed);
    put_cell(o, status);
    put_cell(o, p->hash ? p->reason : "");
    put_cell(o, p->hash ? r->predictor : "");
    put_cell(o, p->hash ? r->world : "");
    put_cell(o, has ? r->ended : "");
    out_char(o, ',');
    if (has)
        out_hex(o, r->digest);
    for (int i = 0; i < METRICS; i++) {
        if (!m->shared && metric_is_shared(i))
            continue;
        out_char(o, ',');
        if (has && r->value[i].defined)
            metric_write(o, &metric_defs[i], &r->value[i]);
    }
    out_char(o, '\n');
}

static bool merge_point(const struct merging *m, const struct plan_point *planned)
{
    struct point p = {0};
    enum point_found found = point_find(m->arena, m->diag, m->dir, planned->hash, &p);
    const char *status = point_found_name(found, &p);

    if (found == POINT_UNREADABLE)
        return false;
    m->count->rows++;
    put_row(m, planned, status, found == POINT_THERE ? &p : &(struct point){0});
    if (found == POINT_THERE)
        return true;
    m->count->missing++;
    return m->partial ||
           diag_error(m->diag, (struct mark){0},
                      "%s: the row of point %s is %s; run the sweep again, or merge with --partial",
                      m->dir, planned->hash, status);
}

/* What cannot be read is told when its row is due. */
static bool any_shared(struct merging *m)
{
    struct diag *mute = diag_new(NULL);
    bool any = false;

    for (uint32_t i = 0; i < m->plan->n && !any; i++, arena_reset(m->arena)) {
        struct point p = {0};
        any = point_find(m->arena, mute, m->dir, m->plan->point[i].hash, &p) == POINT_THERE &&
              metric_applies(p.result.value, M_SPLITS);
    }
    diag_free(mute);
    return any;
}

bool sweep_merge(struct diag *d, const char *dir, struct out *o, bool partial,
                 struct merge_count *count)
{
    struct arena *a = arena_new();
    struct plan plan;
    struct merging m = {d, dir, &plan, o, arena_new(), partial, false, count};
    bool ok = plan_read(a, d, dir, &plan);

    if (ok) {
        m.shared = any_shared(&m);
        put_header(&m);
    }
    for (uint32_t i = 0; ok && i < plan.n; i++, arena_reset(m.arena))
        ok = merge_point(&m, &plan.point[i]);
    plan_free(&plan);
    arena_free(m.arena);
    arena_free(a);
    return ok;
}
