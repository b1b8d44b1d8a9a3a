/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios between types of GPU, and each type left out of the fit. */
#include <math.h>
#include <string.h>

#include "analysis/accuracy.h"

/* ---- ratios ---- */

struct ratio_tally {
    uint32_t n;
    double sum, worst, low, high; /* errors; measured ratios */
};

static const char *software(const struct accuracy_point *p)
{
    const struct stack *s = p->answer.stack;

    return *s->like ? s->like : s->name;
}

static bool comparable(const struct accuracy_point *p, const struct accuracy_point *q)
{
    return strcmp(p->gpu, q->gpu) < 0 && strcmp(p->model, q->model) == 0 &&
           p->samples == q->samples && p->inference == q->inference && p->group == q->group &&
           strcmp(software(p), software(q)) == 0;
}

static double measured_ratio(const struct accuracy_ratio *r)
{
    return r->a->measured / r->b->measured;
}

static double ratio_error(const struct accuracy_ratio *r)
{
    return r->a->answer.s / r->b->answer.s / measured_ratio(r) - 1;
}

size_t accuracy_ratio_list(const struct accuracy *x, struct accuracy_ratio *out)
{
    size_t n = 0;

    for (uint32_t i = 0; i < x->n_points; i++)
        for (uint32_t j = 0; j < x->n_points; j++)
            if (comparable(&x->point[i], &x->point[j])) {
                if (out)
                    out[n] = (struct accuracy_ratio){&x->point[i], &x->point[j]};
                n++;
            }
    return n;
}

static void count_ratio(struct ratio_tally *t, const struct accuracy_ratio *r)
{
    double e = ratio_error(r), m = measured_ratio(r);

    t->low = t->n ? fmin(t->low, m) : m;
    t->high = fmax(t->high, m);
    t->n++;
    t->sum += fabs(e);
    t->worst = fabs(e) > fabs(t->worst) ? e : t->worst;
}

static void put_ratio(struct out *o, const char *what, const struct ratio_tally *t)
{
    if (t->n)
        out_printf(o, "  %-46s %4u   %6.2f to %5.2f %8.1f %8.1f\n", what, t->n, t->low, t->high,
                   100 * t->sum / t->n, 100 * t->worst);
}

static bool same_row(const struct accuracy_ratio *a, const struct accuracy_ratio *b)
{
    return strcmp(a->a->model, b->a->model) == 0 && strcmp(a->a->gpu, b->a->gpu) == 0 &&
           strcmp(a->b->gpu, b->b->gpu) == 0 && a->a->group == b->a->group;
}

static void put_by_model(struct out *o, struct arena *a, const struct accuracy_ratio *r, size_t n)
{
    bool *done = arena_get(a, n + 1);

    for (size_t i = 0; i < n; i++) {
        struct ratio_tally t = {0};
        for (size_t j = i; j < n; j++)
            if (!done[j] && same_row(&r[i], &r[j])) {
                done[j] = true;
                count_ratio(&t, &r[j]);
            }
        put_ratio(o,
                  arena_printf(a, "%s %s %s : %s", r[i].a->model,
                               precision_names[r[i].a->precision], r[i].a->gpu, r[i].b->gpu),
                  &t);
    }
}

static void put_by_batch(struct out *o, struct arena *a, const struct accuracy_ratio *r, size_t n)
{
    static const double edges[] = {1, 16, 64, 256, 1024, INFINITY};

    for (size_t k = 0; k + 1 < sizeof(edges) / sizeof(*edges); k++) {
        struct ratio_tally t = {0};
        for (size_t i = 0; i < n; i++)
            if (r[i].a->samples >= edges[k] && r[i].a->samples < edges[k + 1])
                count_ratio(&t, &r[i]);
        put_ratio(o,
                  isinf(edges[k + 1])
                      ? arena_printf(a, "batch %g and more", edges[k])
                      : arena_printf(a, "batch %g to %g", edges[k], edges[k + 1] - 1),
                  &t);
    }
}

void accuracy_ratios(struct out *o, struct arena *a, const struct accuracy *x)
{
    size_t n = accuracy_ratio_list(x, NULL);
    struct accuracy_ratio *r = arena_get(a, (n + 1) * sizeof(*r));
    struct ratio_tally all = {0}, saturated = {0};

    accuracy_ratio_list(x, r);
    out_printf(
        o, "\nratios of step times, same model, batch and software\n  %-46s %4s   %15s %8s %8s\n",
        "", "n", "measured", "mean |e|", "worst %");
    for (size_t i = 0; i < n; i++) {
        count_ratio(&all, &r[i]);
        if (r[i].a->saturated && r[i].b->saturated)
            count_ratio(&saturated, &r[i]);
    }
    put_ratio(o, "all", &all);
    put_ratio(o, "of these, both GPUs saturated", &saturated);
    put_by_model(o, a, r, n);
    put_by_batch(o, a, r, n);
}

/* ---- each GPU left out ---- */

static bool seen_before(const struct accuracy *x, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (strcmp(x->point[j].gpu, x->point[i].gpu) == 0)
            return true;
    return false;
}

static void put_left_out(struct out *o, struct arena *a, const struct accuracy *x, const char *gpu)
{
    for (uint32_t g = 0; g < x->n_groups; g++) {
        struct accuracy_tally t = {0};
        for (uint32_t i = 0; i < x->n_points; i++)
            if (strcmp(x->point[i].gpu, gpu) == 0 && x->point[i].group == (int)g)
                accuracy_count(&t, &x->point[i]);
        accuracy_put_tally(o, arena_printf(a, "%s: %s", gpu, x->group[g].name), &t);
    }
}

bool accuracy_leave_out(struct out *o, struct arena *a, struct diag *d, struct accuracy *x)
{
    bool ok = true;

    out_text(o, "\neach type of GPU, stacks fitted on all others\n");
    for (uint32_t i = 0; ok && i < x->n_points; i++) {
        if (seen_before(x, i))
            continue;
        ok = accuracy_fit(a, d, x, x->point[i].gpu) && accuracy_predict(d, x);
        if (ok)
            put_left_out(o, a, x, x->point[i].gpu);
    }
    return ok && accuracy_fit(a, d, x, NULL) && accuracy_predict(d, x);
}
