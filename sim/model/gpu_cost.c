/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/gpu_cost.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/model/rows.h"
#include "sim/text/conf.h"
#include "sim/text/yaml.h"

const char *const precision_names[] = {"fp32", "tf32", "fp16", "bf16", NULL};

int precision_named(const char *name)
{
    for (int i = 0; precision_names[i]; i++)
        if (strcmp(precision_names[i], name) == 0)
            return i;
    return strcmp(name, "amp") == 0 ? FP16 : -1;
}

double precision_bytes(enum precision p)
{
    return p == FP16 || p == BF16 ? 2 : 4;
}

#define PRICE(name, term)                                                                          \
    {                                                                                              \
        FIELD_REAL, name, offsetof(struct op_fit, price[term]), "0", 0, 1e3, NULL,                 \
            "s a unit of the term"                                                                 \
    }
#define SE(name, term)                                                                             \
    {                                                                                              \
        FIELD_REAL, name, offsetof(struct op_fit, se[term]), "0", 0, 1e3, NULL,                    \
            "its standard error"                                                                   \
    }

const struct field op_fit_fields[] = {
    {FIELD_CHOICE, "op", offsetof(struct op_fit, class), NULL, 0, 0, op_class_names,
     "class of kernels"},
    {FIELD_CHOICE, "precision", offsetof(struct op_fit, precision), NULL, 0, 0, precision_names,
     "of the operands"},
    {FIELD_INT, "points", offsetof(struct op_fit, points), NULL, 1, 1e9, NULL,
     "measurements fitted"},
    {FIELD_INT, "set_aside", offsetof(struct op_fit, set_aside), "0", 0, 1e9, NULL,
     "measurements that a rule left out"},
    PRICE("launch_s", TERM_LAUNCH),
    PRICE("flop_s", TERM_FLOP),
    PRICE("read_s", TERM_READ),
    PRICE("write_s", TERM_WRITE),
    PRICE("weight_s", TERM_WEIGHT),
    PRICE("narrow_in_s", TERM_NARROW_IN),
    PRICE("narrow_out_s", TERM_NARROW_OUT),
    {FIELD_REAL, "floor_s", offsetof(struct op_fit, floor), "0", 0, 1e3, NULL,
     "no kernel is faster, s"},
    {FIELD_REAL, "latency_s", offsetof(struct op_fit, latency), "0", 0, 1e3, NULL,
     "the host's part of the measured times, s"},
    SE("launch_se", TERM_LAUNCH),
    SE("flop_se", TERM_FLOP),
    SE("read_se", TERM_READ),
    SE("write_se", TERM_WRITE),
    SE("weight_se", TERM_WEIGHT),
    SE("narrow_in_se", TERM_NARROW_IN),
    SE("narrow_out_se", TERM_NARROW_OUT),
    {FIELD_REAL, "err_p50", offsetof(struct op_fit, p50), NULL, 0, 1e3, NULL,
     "median of |fitted - measured| / measured"},
    {FIELD_REAL, "err_p90", offsetof(struct op_fit, p90), NULL, 0, 1e3, NULL,
     "their 90th percentile"},
    {FIELD_REAL, "work_min", offsetof(struct op_fit, flop_min), NULL, 0, 1e18, NULL,
     "least FLOP (bytes where there are none) of a measured kernel"},
    {FIELD_REAL, "work_max", offsetof(struct op_fit, flop_max), NULL, 0, 1e18, NULL,
     "and the most"},
    {FIELD_TEXT, "from", offsetof(struct op_fit, from), "", 0, 0, NULL,
     "GPU that the fit was carried over from"},
    {.type = FIELD_END},
};

const struct field gpu_figure_fields[] = {
    {FIELD_TEXT, "name", offsetof(struct gpu_figure, name), NULL, 0, 0, NULL, "what was measured"},
    {FIELD_REAL, "value", offsetof(struct gpu_figure, value), NULL, 1e-12, 1e18, NULL,
     "the figure"},
    {FIELD_TEXT, "unit", offsetof(struct gpu_figure, unit), NULL, 0, 0, NULL, "s, B/s or FLOP/s"},
    {FIELD_TEXT, "from", offsetof(struct gpu_figure, from), "", 0, 0, NULL,
     "GPU that it was carried over from"},
    {.type = FIELD_END},
};

struct head {
    const char *gpu, *product;
    double memory_gib;
};

static const struct field head_fields[] = {
    {FIELD_TEXT, "gpu", offsetof(struct head, gpu), NULL, 0, 0, NULL, "type of GPU"},
    {FIELD_TEXT, "product", offsetof(struct head, product), "", 0, 0, NULL, "its full name"},
    {FIELD_REAL_OR_NONE, "memory_gib", offsetof(struct head, memory_gib), "none", 0, 1e6, NULL,
     "its memory, GiB"},
    {.type = FIELD_END},
};

struct loading {
    struct gpu_cost *cost;
    struct arena *arena;
    struct diag *diag;
    struct gpu_figure *figure;
};

static bool take_fit(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    struct op_fit *fit = arena_get(l->arena, sizeof(*fit));
    double sum = 0;

    memcpy(fit, row, sizeof(*fit));
    if (l->cost->fit[fit->class][fit->precision])
        return diag_error(l->diag, at, "a second fit of %s in %s", op_class_names[fit->class],
                          precision_names[fit->precision]);
    for (int i = 0; i < TERMS; i++)
        sum += fit->price[i];
    if (!(sum > 0))
        return diag_error(l->diag, at, "the fit of %s in %s makes kernels of no time",
                          op_class_names[fit->class], precision_names[fit->precision]);
    l->cost->fit[fit->class][fit->precision] = fit;
    return true;
}

static bool take_figure(void *user, struct mark at, const void *row)
{
    struct loading *l = user;
    const struct gpu_figure *f = row;

    if (!isnan(gpu_cost_figure(l->cost, f->name)))
        return diag_error(l->diag, at, "a second figure '%s'", f->name);
    l->figure[l->cost->n_figures++] = *f;
    return true;
}

struct gpu_cost *gpu_cost_load(struct arena *a, struct diag *d, const char *path)
{
    static const char *const also[] = {"about", "inputs", "fits", "figures", NULL};
    struct tree *root = yaml_load(a, d, path);
    struct gpu_cost *c = arena_get(a, sizeof(*c));
    struct loading l = {c, a, d, NULL};
    struct head head = {0};
    struct op_fit fit = {0};
    struct gpu_figure figure = {0};

    if (!root || !conf_fill(a, d, root, head_fields, also, "the calibration", &head))
        return NULL;
    *c = (struct gpu_cost){
        .path = path, .gpu = head.gpu, .product = head.product, .memory_gib = head.memory_gib};
    struct tree *fits = tree_get(root, "fits"), *figures = tree_get(root, "figures");
    l.figure = arena_get(a, (1 + (figures ? figures->n : 0)) * sizeof(*l.figure));
    c->figure = l.figure;
    bool ok = rows_take(a, d, fits, op_fit_fields, "fits", take_fit, &l, &fit);
    ok = rows_take(a, d, figures, gpu_figure_fields, "figures", take_figure, &l, &figure) && ok;
    return ok ? c : NULL;
}

double gpu_cost_figure(const struct gpu_cost *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_figures; i++)
        if (strcmp(c->figure[i].name, name) == 0)
            return c->figure[i].value;
    return NAN;
}

double op_fit_time(const struct op_fit *f, const double amount[TERMS])
{
    double t = -f->latency * amount[TERM_LAUNCH];

    for (int i = 0; i < TERMS; i++)
        t += f->price[i] * amount[i];
    return fmax(t, f->floor);
}
