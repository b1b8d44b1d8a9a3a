/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of how far predictions are off. */
#include <math.h>
#include <string.h>

#include "analysis/accuracy.h"

void accuracy_count(struct accuracy_tally *t, const struct accuracy_point *p)
{
    double e = accuracy_error(p);

    t->n++;
    t->sum += fabs(e);
    t->bias += e;
    t->inside += p->measured >= p->answer.low && p->measured <= p->answer.high;
    if (fabs(e) > fabs(t->worst) || !t->at_worst)
        t->worst = e, t->at_worst = p;
}

void accuracy_put_tally(struct out *o, const char *what, const struct accuracy_tally *t)
{
    if (t->n)
        out_printf(o, "  %-44s %4u %8.1f %+8.1f %8.1f   %s %s %g%s\n", what, t->n,
                   100 * t->sum / t->n, 100 * t->bias / t->n, 100 * t->worst, t->at_worst->gpu,
                   t->at_worst->model, t->at_worst->samples,
                   t->at_worst->inference ? " inference" : "");
}

typedef const char *key_of(const struct accuracy_point *);

static const char *by_gpu(const struct accuracy_point *p)
{
    return p->gpu;
}
static const char *by_stack(const struct accuracy_point *p)
{
    return p->stack;
}
static const char *by_model(const struct accuracy_point *p)
{
    return p->model;
}

/* A line for each value of a key, in the order of the points. */
static void put_by(struct out *o, struct arena *a, const struct accuracy *x, int group, bool fitted,
                   const char *what, key_of *key)
{
    bool *done = arena_get(a, x->n_points + 1);

    for (uint32_t i = 0; i < x->n_points; i++) {
        struct accuracy_tally t = {0};
        for (uint32_t j = i; j < x->n_points; j++) {
            const struct accuracy_point *p = &x->point[j];
            if (done[j] || p->group != group || p->fitted != fitted ||
                strcmp(key(p), key(&x->point[i])) != 0)
                continue;
            done[j] = true;
            accuracy_count(&t, p);
        }
        accuracy_put_tally(o, arena_printf(a, "%s %s", what, key(&x->point[i])), &t);
    }
}

static void put_group(struct out *o, struct arena *a, const struct accuracy *x, int group)
{
    for (int fitted = 1; fitted >= 0; fitted--) {
        struct accuracy_tally all = {0}, saturated = {0};
        for (uint32_t i = 0; i < x->n_points; i++) {
            const struct accuracy_point *p = &x->point[i];
            if (p->group == group && p->fitted == fitted)
                accuracy_count(&all, p);
            if (p->group == group && p->fitted == fitted && p->saturated)
                accuracy_count(&saturated, p);
        }
        if (!all.n)
            continue;
        out_printf(o, "%s, %s\n", x->group[group].name, fitted ? "fitted" : "held out");
        accuracy_put_tally(o, "all", &all);
        accuracy_put_tally(o, "of these, GPU saturated", &saturated);
        put_by(o, a, x, group, fitted, "GPU", by_gpu);
        put_by(o, a, x, group, fitted, "source", by_stack);
        put_by(o, a, x, group, fitted, "model", by_model);
        out_printf(o, "  within the 80 %% interval: %.0f %%\n", 100.0 * all.inside / all.n);
    }
}

void accuracy_print(struct out *o, struct arena *a, const struct accuracy *x)
{
    out_printf(o, "%u measured steps (%u others passed over); stacks are fitted on %s\n",
               x->n_points, x->passed_over, x->fit_gpus);
    out_printf(o, "%-12s %-5s %8s %10s %10s %8s %7s\n", "stack", "", "factor", "host us", "gap us",
               "sigma %", "points");
    for (uint32_t i = 0; i < x->n_stacks; i++) {
        const struct stack *s = &x->stack[i];
        out_printf(o, "%-12s %-5s %8.4g %10.4g %10.4g %8.3g %7lld\n", s->name,
                   precision_names[s->precision], s->factor, 1e6 * s->host, 1e6 * s->gap,
                   100 * s->sigma, (long long)s->points);
    }
    out_printf(o, "\n  %-44s %4s %8s %8s %8s   %s\n", "", "n", "mean |e|", "mean e", "worst",
               "at (error in %)");
    for (uint32_t g = 0; g < x->n_groups; g++)
        put_group(o, a, x, (int)g);
}

void accuracy_write_points(struct out *o, const struct accuracy *x)
{
    out_text(o, "group,model,gpu,batch,mode,precision,stack,fitted,measured_s,predicted_s,low_s,"
                "high_s,error,saturated,kernels_s,host_s,gap_s,transfer_s,conv_s,product_s,norm_s,"
                "elementwise_s,layout_s,optimizer_s,extrapolated,carried\n");
    for (uint32_t i = 0; i < x->n_points; i++) {
        const struct accuracy_point *p = &x->point[i];
        const struct step_answer *s = &p->answer;
        out_csv(o, x->group[p->group].name);
        out_char(o, ',');
        out_csv(o, p->model);
        out_char(o, ',');
        out_csv(o, p->gpu);
        out_printf(o, ",%g,%s,%s,", p->samples, p->inference ? "inference" : "training",
                   precision_names[p->precision]);
        out_csv(o, p->stack);
        out_printf(o, ",%d,%.6g,%.6g,%.6g,%.6g,%.4f,%d,%.6g,%.6g,%.6g,%.6g", p->fitted, p->measured,
                   s->s, s->low, s->high, accuracy_error(p), p->saturated, s->kernels, s->host,
                   s->gap, s->transfer);
        for (int j = 0; j < STEP_PARTS; j++)
            out_printf(o, ",%.6g", s->guess.part[j]);
        out_printf(o, ",%.3f,%.3f\n", s->guess.extrapolated, s->guess.carried);
    }
}

void accuracy_write_stacks(struct out *o, const struct accuracy *x)
{
    out_text(o, "# Made by `hetune accuracy -o DIR`; keys: docs/calibration.md.\nstacks:\n");
    for (uint32_t i = 0; i < x->n_stacks; i++) {
        const struct stack *s = &x->stack[i];
        out_printf(o,
                   "  - {stack: %s, precision: %s, factor: %.4g, host_s: %.4g, gap_s: %.4g, "
                   "sigma: %.4g, points: %lld",
                   s->name, precision_names[s->precision], s->factor, s->host, s->gap, s->sigma,
                   (long long)s->points);
        if (!s->transposes)
            out_text(o, ", transposes: false");
        if (!s->optimizer)
            out_text(o, ", optimizer: false");
        if (*s->covers)
            out_printf(o, ",\n     covers: %s", s->covers);
        if (*s->models)
            out_printf(o, ", models: %s", s->models);
        if (*s->like)
            out_printf(o, ", like: %s", s->like);
        if (*s->host_parameters)
            out_printf(o, ",\n     host_parameters: %s", s->host_parameters);
        out_text(o, "}\n");
    }
}
