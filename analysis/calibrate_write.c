/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration as YAML, and its points as a table. */
#include <math.h>
#include <string.h>

#include "analysis/calibrate.h"
#include "sim/base/sha256.h"

static void put_texts(struct out *o, const char *key, const char *value)
{
    out_printf(o, "%s: ", key);
    out_json(o, value);
    out_char(o, '\n');
}

static void put_input(struct out *o, struct diag *d, const char *path)
{
    char hex[SHA256_HEX];

    if (!sha256_file(d, path, hex))
        return;
    out_text(o, "  - {file: ");
    out_json(o, path);
    out_printf(o, ", sha256: %s}\n", hex);
}

static void put_inputs(struct out *o, struct diag *d, const struct calibration *c)
{
    if (c->n_runs + c->n_donors == 0)
        return;
    out_text(o, "inputs:\n");
    for (uint32_t i = 0; i < c->n_runs; i++)
        put_input(o, d, c->run[i]->path);
    for (uint32_t i = 0; i < c->n_donors; i++)
        put_input(o, d, c->donor[i]);
}

static void put_number(struct out *o, const char *name, double x)
{
    if (x > 0)
        out_printf(o, ", %s: %.6g", name, x);
}

static void put_fit(struct out *o, const struct op_fit *f)
{
    out_printf(o, "  - {op: %s, precision: %s, points: %lld", op_class_names[f->class],
               precision_names[f->precision], (long long)f->points);
    if (f->set_aside)
        out_printf(o, ", set_aside: %lld", (long long)f->set_aside);
    if (*f->from) {
        out_text(o, ", from: ");
        out_json(o, f->from);
    }
    out_text(o, ",\n    ");
    out_printf(o, "floor_s: %.6g", f->floor);
    put_number(o, "latency_s", f->latency);
    for (int i = 0; i < TERMS; i++) {
        char name[32];
        snprintf(name, sizeof(name), "%s_s", term_names[i]);
        put_number(o, name, f->price[i]);
    }
    out_text(o, ",\n    ");
    out_printf(o, "err_p50: %.4g, err_p90: %.4g, work_min: %.6g, work_max: %.6g", f->p50, f->p90,
               f->flop_min, f->flop_max);
    for (int i = 0; i < TERMS; i++) {
        char name[32];
        snprintf(name, sizeof(name), "%s_se", term_names[i]);
        put_number(o, name, f->se[i]);
    }
    out_text(o, "}\n");
}

void calibration_write(struct out *o, struct diag *d, const struct calibration *c)
{
    out_text(o, "# Made by `hetune calibrate`; keys and units: docs/calibration.md.\n");
    put_texts(o, "gpu", c->cost.gpu);
    put_texts(o, "product", c->cost.product);
    if (!isnan(c->cost.memory_gib))
        out_printf(o, "memory_gib: %.6g\n", c->cost.memory_gib);
    put_inputs(o, d, c);
    bool any = false;
    for (int class = 0; class < CLASSES; class ++)
        for (int p = 0; p < PRECISIONS; p++)
            if (c->cost.fit[class][p]) {
                out_text(o, any ? "" : "fits:\n");
                any = true;
                put_fit(o, c->cost.fit[class][p]);
            }
    if (c->cost.n_figures)
        out_text(o, "figures:\n");
    for (uint32_t i = 0; i < c->cost.n_figures; i++) {
        const struct gpu_figure *f = &c->cost.figure[i];
        out_printf(o, "  - {name: %s, value: %.6g, unit: %s", f->name, f->value, f->unit);
        if (*f->from) {
            out_text(o, ", from: ");
            out_json(o, f->from);
        }
        out_text(o, "}\n");
    }
}

void calibration_points(struct out *o, const struct calibration *c)
{
    out_text(o, "op\tprecision\twork\tmeasured_s\tfitted_s\tat_floor\n");
    for (size_t i = 0; i < c->n_points; i++) {
        const struct calib_point *p = &c->point[i];
        out_printf(o, "%s\t%s\t%.6g\t%.6g\t%.6g\t%d\n", op_class_names[p->class],
                   precision_names[p->precision], terms_work(p->amount), p->measured, p->fitted,
                   p->at_floor);
    }
}
