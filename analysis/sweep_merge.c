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
    struct arena *arena; /* of one row */
    bool partial;
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
        out_char(o, ',');
        if (has && r->value[i].defined)
            metric_write(o, &metric_defs[i], &r->value[i]);
    }
    out_char(o, '\n');
}

static bool merge_point(const struct merging *m, const struct plan_point *planned)
{
    const char *path = point_path(m->arena, m->dir, planned->hash);
    struct diag *mute = diag_new(NULL);
    bool there = file_there(path);
    struct point p = {0};
    /* What cannot be read is not damaged: it is read again to say so. */
    bool good = there &&
                (point_read(m->arena, mute, path, &p) ||
                 (diag_io_errors(mute) > 0 && point_read(m->arena, m->diag, path, &p))) &&
                strcmp(p.hash, planned->hash) == 0;

    diag_free(mute);
    m->count->rows++;
    if (good) {
        put_row(m, planned, point_status_name[p.status], &p);
        return true;
    }
    if (diag_io_errors(m->diag) > 0)
        return false;
    m->count->missing++;
    put_row(m, planned, there ? "damaged" : "missing", &(struct point){0});
    return m->partial ||
           diag_error(m->diag, (struct mark){0},
                      "%s: the row of point %s is %s; run the sweep again, or merge with --partial",
                      m->dir, planned->hash, there ? "damaged" : "missing");
}

bool sweep_merge(struct diag *d, const char *dir, struct out *o, bool partial,
                 struct merge_count *count)
{
    struct arena *a = arena_new();
    struct plan plan;
    struct merging m = {d, dir, &plan, o, arena_new(), partial, count};
    bool ok = plan_read(a, d, dir, &plan);

    if (ok)
        put_header(&m);
    for (uint32_t i = 0; ok && i < plan.n; i++, arena_reset(m.arena))
        ok = merge_point(&m, &plan.point[i]);
    plan_free(&plan);
    arena_free(m.arena);
    arena_free(a);
    return ok;
}
