/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/calibrate.h"

#include <math.h>
#include <string.h>

#include "sim/base/sha256.h"

static bool load_runs(struct arena *a, struct diag *d, const struct calib_request *q,
                      struct calibration *c)
{
    const struct run **run = arena_get(a, (q->n_paths + 1) * sizeof(*run));
    bool ok = true;

    for (uint32_t i = 0; i < q->n_paths; i++) {
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(q->path[j], q->path[i]) == 0)
                return diag_error(d, (struct mark){0},
                                  "%s: given twice; its points would count twice", q->path[i]);
        struct run *r = run_load(a, d, q->path[i]);
        if (!r) {
            ok = false;
            continue;
        }
        if (!c->cost.gpu)
            c->cost.gpu = r->gpu.type;
        if (strcmp(c->cost.gpu, r->gpu.type) != 0)
            ok = diag_error(d, (struct mark){0},
                            "%s: a run on %s; wanted %s: a calibration is of one type of GPU",
                            q->path[i], r->gpu.type, c->cost.gpu);
        if (!c->cost.product)
            c->cost.product = r->gpu.product;
        if (isnan(c->cost.memory_gib))
            c->cost.memory_gib = r->gpu.memory_gib;
        run[c->n_runs++] = r;
    }
    c->run = run;
    return ok;
}

/* Kernels that only move bytes, by the memory's figure: where none was timed. */
static void stream_fit(struct arena *a, struct calibration *c)
{
    double rate = gpu_cost_figure(&c->cost, "memory"),
           launch = gpu_cost_figure(&c->cost, "launch stream");
    struct op_fit *f = arena_get(a, sizeof(*f));

    if (isnan(rate))
        return;
    *f = (struct op_fit){.class = CLASS_STREAM, .precision = FP32, .points = 1, .from = ""};
    for (uint32_t i = 0; i < c->cost.n_figures; i++)
        if (strcmp(c->cost.figure[i].name, "memory") == 0)
            f->from = c->cost.figure[i].from;
    f->price[TERM_READ] = 1 / rate;
    f->floor = isnan(launch) ? 3e-6 : launch;
    f->flop_max = 1e18;
    c->cost.fit[CLASS_STREAM][FP32] = f;
}

static bool carry(struct arena *a, struct diag *d, const struct calib_request *q,
                  struct calibration *c)
{
    const struct nominal *mine = nominal_of(&c->nominal, c->cost.gpu);

    if (q->n_donors && !q->nominal)
        return diag_error(d, (struct mark){0},
                          "calibrate: --donor wants --nominal, a table of nominal figures");
    if (mine) {
        c->cost.product = c->cost.product ? c->cost.product : mine->product;
        c->cost.memory_gib = isnan(c->cost.memory_gib) ? mine->memory_gib : c->cost.memory_gib;
    }
    for (uint32_t i = 0; i < q->n_donors; i++) {
        struct gpu_cost *donor = gpu_cost_load(a, d, q->donor[i]);
        if (!donor || !calib_carry(a, d, c, donor))
            return false;
    }
    return true;
}

struct calibration *calibrate(struct arena *a, struct diag *d, const struct calib_request *q)
{
    struct calibration *c = arena_get(a, sizeof(*c));

    c->cost.gpu = q->gpu;
    c->cost.memory_gib = NAN;
    c->donor = q->donor;
    c->n_donors = q->n_donors;
    if (!load_runs(a, d, q, c) || (q->nominal && !nominal_load(a, d, q->nominal, &c->nominal)))
        return NULL;
    if (!calib_collect(a, d, c) || !calib_figures(a, d, c) || !calib_fit(a, d, c))
        return NULL;
    if (!q->n_donors && !c->n_points && !c->cost.n_figures) {
        diag_error(
            d, (struct mark){0},
            "%s: nothing to calibrate: no times of operators in fp32, tf32, fp16 or bf16, and "
            "no figures",
            q->path[0]);
        return NULL;
    }
    if (!carry(a, d, q, c))
        return NULL;
    stream_fit(a, c);
    if (!c->cost.product)
        c->cost.product = "";
    return c;
}
