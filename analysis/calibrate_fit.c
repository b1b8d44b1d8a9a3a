/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fit for each class and precision of which there are points. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/calibrate.h"
#include "analysis/relative_fit.h"

#define NEARLY     0.9
#define BOOST      1.1  /* clocks go above the data sheet's */
#define SOLE_FLOOR 3e-6 /* s, where no launch was measured: one takes 1.6 to 2.7 us elsewhere */

/* Points from..to of one class and precision. */
struct group {
    struct calib_point *point;
    size_t n, fitted;
    unsigned terms;
    int term[TERMS], n_terms;
};

static struct group group_at(struct calibration *c, size_t from)
{
    struct group g = {.point = &c->point[from]};

    while (from + g.n < c->n_points && g.point[g.n].class == g.point->class &&
           g.point[g.n].precision == g.point->precision)
        g.fitted += !g.point[g.n++].at_floor;
    g.terms = class_terms(g.point->class);
    for (int i = 0; i < TERMS; i++)
        if (g.terms >> i & 1)
            g.term[g.n_terms++] = i;
    return g;
}

static bool complain(struct diag *d, const struct group *g, enum relative_fit_fault fault)
{
    const char *op = op_class_names[g->point->class];
    const char *in = precision_names[g->point->precision];

    switch (fault) {
    case RELATIVE_FIT_FEW:
        return diag_error(d, g->point->at,
                          "%s in %s: a fit of %d terms wants %d points or more; found %zu", op, in,
                          g->n_terms, g->n_terms + 1, g->fitted);
    case RELATIVE_FIT_RANK:
        return diag_error(d, g->point->at,
                          "%s in %s: all points have the same sizes; wanted several, to tell what "
                          "a launch, an operation and a byte cost",
                          op, in);
    default:
        return diag_error(d, g->point->at,
                          "%s in %s: the fit does not settle: the points contradict each other; "
                          "look at them, and set rows aside by a rule",
                          op, in);
    }
}

/*
 * A FLOP is no faster than the GPU's peak, in a convolution no faster than in a matrix product:
 * without a bound, bytes pay for FLOP in fits of few or small points, and large kernels come out
 * too fast. Winograd's algorithm does 3 x 3 filters with fewer multiplications than are counted.
 */
static double least_flop(const struct calibration *c, const struct group *g)
{
    int class = (int)g->point->class;
    enum precision p = g->point->precision;
    const struct nominal *n = nominal_of(&c->nominal, c->cost.gpu);
    const struct op_fit *product = c->cost.fit[CLASS_GEMM][p];

    if (class <= CLASS_BMM)
        return n && n->tflops[p] > 0 ? 1 / (n->tflops[p] * 1e12 * BOOST) : 0;
    if (class >= CLASS_CONV_3X3_FORWARD && class <= CLASS_CONV_3X3_BACKWARD_FILTER)
        return 0;
    return product && class < CLASS_ELEMENTWISE ? NEARLY * product->price[TERM_FLOP] : 0;
}

static enum relative_fit_fault solve(struct arena *a, const struct calibration *c,
                                     const struct group *g, struct relative_fit *out)
{
    double least[TERMS] = {0};
    double *amount = arena_get(a, (g->fitted + 1) * (size_t)g->n_terms * sizeof(*amount));
    double *time = arena_get(a, (g->fitted + 1) * sizeof(*time));
    size_t n = 0;

    for (int j = 0; j < g->n_terms; j++)
        least[j] = g->term[j] == TERM_FLOP ? least_flop(c, g) : 0;
    for (size_t i = 0; i < g->n; i++) {
        if (g->point[i].at_floor)
            continue;
        for (int j = 0; j < g->n_terms; j++)
            amount[n * (size_t)g->n_terms + (size_t)j] = g->point[i].amount[g->term[j]];
        time[n++] = g->point[i].measured;
    }
    return relative_fit(n, (size_t)g->n_terms, amount, time, least, out);
}

static double six_digits(double x)
{
    double unit = x > 0 ? pow(10, floor(log10(x)) - 5) : 1;

    return round(x / unit) * unit;
}

/* What the fit makes of each point, the host's latency with it, and how far that is off. */
static void judge(struct arena *a, const struct group *g, struct op_fit *f)
{
    double *error = arena_get(a, (g->fitted + 1) * sizeof(*error));
    struct op_fit whole = *f;
    size_t n = 0;

    whole.latency = 0;
    f->flop_min = INFINITY;
    for (size_t i = 0; i < g->n; i++) {
        struct calib_point *p = &g->point[i];
        p->fitted = fmax(op_fit_time(&whole, p->amount), p->latency);
        f->flop_min = fmin(f->flop_min, terms_work(p->amount));
        f->flop_max = fmax(f->flop_max, terms_work(p->amount));
        if (!p->at_floor)
            error[n++] = fabs(p->fitted / p->measured - 1);
    }
    gsl_sort(error, 1, n);
    f->p50 = six_digits(gsl_stats_quantile_from_sorted_data(error, 1, n, 0.5));
    f->p90 = six_digits(gsl_stats_quantile_from_sorted_data(error, 1, n, 0.9));
}

static int64_t aside(const struct calibration *c, const struct group *g)
{
    int64_t n = 0;

    /* Rules are about series; a class of convolutions is a part of one. */
    for (uint32_t r = 0; r < c->n_runs; r++)
        for (size_t i = 0; i < c->run[r]->count; i++) {
            const struct series *s = &c->run[r]->series[i];
            if (strcmp(s->op->name, op_class_names[g->point->class]) == 0 &&
                strcmp(s->precision, precision_names[g->point->precision]) == 0)
                n += (int64_t)s->aside_rows;
        }
    return n;
}

static bool fit_group(struct arena *a, struct diag *d, struct calibration *c, const struct group *g)
{
    struct op_fit *f = arena_get(a, sizeof(*f));
    double launch = gpu_cost_figure(&c->cost, "launch stream");
    struct relative_fit r;
    enum relative_fit_fault fault = solve(a, c, g, &r);

    if (fault)
        return complain(d, g, fault);
    f->class = (int)g->point->class;
    f->precision = (int)g->point->precision;
    f->points = (int64_t)g->fitted;
    f->set_aside = aside(c, g);
    f->from = "";
    for (int j = 0; j < g->n_terms; j++) {
        f->price[g->term[j]] = six_digits(r.x[j]);
        f->se[g->term[j]] = six_digits(r.se[j]);
    }
    for (size_t i = 0; i < g->n; i++)
        f->latency = fmax(f->latency, g->point[i].latency);
    f->latency = six_digits(fmin(f->latency, f->price[TERM_LAUNCH]));
    judge(a, g, f);
    f->floor = isnan(launch) ? SOLE_FLOOR : launch;
    c->cost.fit[f->class][f->precision] = f;
    return true;
}

bool calib_fit(struct arena *a, struct diag *d, struct calibration *c)
{
    bool ok = true;

    for (size_t i = 0; i < c->n_points;) {
        struct group g = group_at(c, i);
        ok &= fit_group(a, d, c, &g);
        i += g.n;
    }
    return ok;
}
