/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stacks' factors, from steps of the types of GPU that may be fitted.
 *
 * Of a stack with few points only the factor is fitted; with more, a time a launch as well: in
 * which the GPU stands still (gap), or beside its work (host), whichever describes the steps
 * better.
 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/accuracy.h"
#include "analysis/relative_fit.h"

#define FOR_LAUNCHES 5   /* points, at least */
#define BOUND_LEAST  3   /* of them the host must hold up, to be fitted */
#define PAYS         0.8 /* a second parameter must bring the error down to this share */
#define SIGMA_LEAST  0.03

/* What is fitted: seconds of the kernels, launches, seconds measured less what is known. */
struct sample {
    double kernels, launches, time;
};

static bool is_fitted(const struct accuracy_point *p, const char *without)
{
    return without ? strcmp(p->gpu, without) != 0 : p->fitted;
}

/* Points of a stack; without one: of all that the default stands for. */
static size_t samples_of(const struct accuracy *x, const struct stack *s, const char *without,
                         struct sample *out)
{
    size_t n = 0;

    for (uint32_t i = 0; i < x->n_points; i++) {
        const struct accuracy_point *p = &x->point[i];
        if (p->answer.stack == s && is_fitted(p, without))
            out[n++] = (struct sample){p->answer.guess.gpu, p->answer.launches,
                                       p->measured - p->answer.transfer};
    }
    return n;
}

static double median_of(double *v, size_t n)
{
    gsl_sort(v, 1, n);
    return gsl_stats_median_from_sorted_data(v, 1, n);
}

static double model(const struct sample *s, double factor, double host, double gap)
{
    return fmax(factor * s->kernels, host * s->launches) + gap * s->launches;
}

/* Mean of |ln(model / measured)|. */
static double misfit(const struct sample *s, size_t n, double factor, double host, double gap,
                     double *room)
{
    for (size_t i = 0; i < n; i++)
        room[i] = fabs(log(model(&s[i], factor, host, gap) / s[i].time));
    return gsl_stats_mean(room, 1, n);
}

static double fit_factor(const struct sample *s, size_t n, double *room)
{
    for (size_t i = 0; i < n; i++)
        room[i] = s[i].time / s[i].kernels;
    return median_of(room, n);
}

/* The launch time of one of the points, with the factor of those that it does not bind. */
static double fit_host(const struct sample *s, size_t n, double *factor, double *host, double *room)
{
    double best = INFINITY;

    *factor = *host = 0;
    for (size_t j = 0; j < n; j++) {
        double h = s[j].time / s[j].launches, f;
        size_t free = 0;
        for (size_t i = 0; i < n; i++)
            if (h * s[i].launches < s[i].time * 0.95)
                room[free++] = s[i].time / s[i].kernels;
        if (free == 0 || n - free < BOUND_LEAST)
            continue;
        f = median_of(room, free);
        double off = misfit(s, n, f, h, 0, room);
        if (off < best)
            best = off, *factor = f, *host = h;
    }
    return best;
}

static double fit_gap(struct arena *a, const struct sample *s, size_t n, double *factor,
                      double *gap, double *room)
{
    double *amount = arena_get(a, 2 * n * sizeof(*amount)), *time = arena_get(a, n * sizeof(*time));
    struct relative_fit r;

    for (size_t i = 0; i < n; i++) {
        amount[2 * i] = s[i].kernels;
        amount[2 * i + 1] = s[i].launches;
        time[i] = s[i].time;
    }
    if (relative_fit(n, 2, amount, time, NULL, &r) != RELATIVE_FIT_OK || !(r.x[0] > 0))
        return INFINITY;
    *factor = r.x[0];
    *gap = r.x[1];
    return misfit(s, n, *factor, 0, *gap, room);
}

/* To four digits, as the file of stacks has them. */
static double four_digits(double x)
{
    double unit = x > 0 ? pow(10, floor(log10(x)) - 3) : 1;

    return round(x / unit) * unit;
}

static void fit_stack(struct arena *a, struct stack *s, const struct sample *sample, size_t n)
{
    double *room = arena_get(a, (n + 1) * sizeof(*room));
    double factor = fit_factor(sample, n, room), host = 0, gap = 0;

    if (n >= FOR_LAUNCHES) {
        double f[2] = {0}, h = 0, g = 0;
        double alone = misfit(sample, n, factor, 0, 0, room);
        double by_host = fit_host(sample, n, &f[0], &h, room);
        double by_gap = fit_gap(a, sample, n, &f[1], &g, room);
        if (by_host < PAYS * alone && by_host <= by_gap)
            factor = f[0], host = h;
        else if (by_gap < PAYS * alone)
            factor = f[1], gap = g;
    }
    s->factor = four_digits(factor);
    s->host = four_digits(host);
    s->gap = four_digits(gap);
    s->points = (int64_t)n;
    for (size_t i = 0; i < n; i++)
        room[i] = fabs(log(model(&sample[i], factor, host, gap) / sample[i].time));
    s->sigma = four_digits(fmax(SIGMA_LEAST, 1.4826 * median_of(room, n)));
}

/* The stack that another one goes by: the one that it names, else the first that was fitted. */
static const struct stack *pattern(const struct accuracy *x, const struct stack *s)
{
    const struct stack *first = NULL;

    for (uint32_t i = 0; i < x->n_stacks; i++) {
        const struct stack *t = &x->stack[i];
        if (t->precision != s->precision || t->points == 0 || *t->like)
            continue;
        if (*s->like && strcmp(t->name, s->like) == 0 && strcmp(t->models, s->models) == 0)
            return t;
        if (!first && !*t->models)
            first = t;
    }
    return first;
}

/* What no stack was fitted to: another's factor and gap, and the host that was measured. */
static void borrow(struct accuracy *x)
{
    for (uint32_t i = 0; i < x->n_stacks; i++) {
        struct stack *s = &x->stack[i];
        const struct stack *from = s->points > 0 ? NULL : pattern(x, s);
        if (from) {
            s->factor = from->factor;
            s->gap = from->gap;
            s->sigma = from->sigma;
        }
        if (!(s->host > 0) && s->gap < x->host)
            s->host = x->host;
    }
}

/* What an operator takes on a framework's host, of the first type of GPU that is fitted. */
static double measured_host(struct diag *d, struct accuracy *x, struct arena *a)
{
    const char *gpu = arena_text(a, x->fit_gpus, strcspn(x->fit_gpus, " "));
    const struct gpu_cost *g = step_library_gpu(x->library, d, (struct mark){0}, gpu);
    const struct op_fit *f = g ? g->fit[CLASS_ELEMENTWISE][FP32] : NULL;

    return f ? four_digits(f->latency) : 0;
}

bool accuracy_fit(struct arena *a, struct diag *d, struct accuracy *x, const char *without)
{
    struct sample *sample = arena_get(a, (x->n_points + 1) * sizeof(*sample));

    x->host = measured_host(d, x, a);
    /* What a fit before this one borrowed must not stay. */
    memcpy(x->stack, x->given, x->n_stacks * sizeof(*x->stack));
    for (uint32_t i = 0; i < x->n_stacks; i++) {
        struct stack *s = &x->stack[i];
        size_t n = *s->like ? 0 : samples_of(x, s, without, sample);
        if (n > 0)
            fit_stack(a, s, sample, n);
    }
    borrow(x);
    return diag_errors(d) == 0;
}
