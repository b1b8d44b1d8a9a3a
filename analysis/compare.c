/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/compare.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

/* ---- statistics ---- */

struct interval interval_of(const double *value, uint32_t n)
{
    struct interval x = {NAN, NAN, NAN, n};

    if (n == 0)
        return x;
    x.mean = gsl_stats_mean(value, 1, n);
    if (n < 2)
        return x;
    double half = gsl_cdf_tdist_Pinv(0.975, n - 1) * gsl_stats_sd_m(value, 1, n, x.mean) / sqrt(n);
    x.low = x.mean - half;
    x.high = x.mean + half;
    return x;
}

struct interval ratio_of(const double *y, const double *x, uint32_t n)
{
    struct interval r = {NAN, NAN, NAN, n};

    if (n == 0)
        return r;
    double mx = gsl_stats_mean(x, 1, n), my = gsl_stats_mean(y, 1, n);
    r.mean = mx == 0 ? 0 : my / mx - 1;
    if (n < 2 || mx == 0)
        return r;
    /* Roots of (my - r mx)^2 = t^2/n (syy - 2 r sxy + r^2 sxx). */
    double t = gsl_cdf_tdist_Pinv(0.975, n - 1), k = t * t / n;
    double sxx = gsl_stats_variance_m(x, 1, n, mx), syy = gsl_stats_variance_m(y, 1, n, my);
    double sxy = gsl_stats_covariance_m(x, 1, y, 1, n, mx, my);
    double a = mx * mx - k * sxx, b = mx * my - k * sxy, c = my * my - k * syy,
           root = b * b - a * c;
    if (a <= 0)
        return r;
    root = root > 0 ? sqrt(root) : 0;
    r.low = (b - root) / a - 1;
    r.high = (b + root) / a - 1;
    return r;
}

static double as_number(enum metric_id id, const struct metric_value *v)
{
    enum metric_kind k = metric_defs[id].kind;

    return k == METRIC_TIME || k == METRIC_GPU_TIME ? (double)v->time / 1e9 : v->number;
}

static enum call call_of(const struct metric_change *m, enum metric_better better)
{
    const struct interval *c = &m->change;

    if (c->n == 0 || better == BETTER_NONE)
        return CALL_NONE;
    if (c->mean == 0 && !(c->low < c->high))
        return CALL_SAME;
    if (!(c->low > 0 || c->high < 0)) /* no interval, or 0 is in it */
        return CALL_UNCLEAR;
    return (c->mean < 0) == (better == BETTER_LOWER) ? CALL_BETTER : CALL_WORSE;
}

/* ---- pairing ---- */

static const struct result *find(const struct results *r, const char *label, uint64_t seed)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (r->result[i].seed == seed && strcmp(r->result[i].label, label) == 0)
            return &r->result[i];
    return NULL;
}

/* x: room for two numbers a result. */
static void change_of(const struct results *r, const char *base, const char *label,
                      enum metric_id id, double *x, struct metric_change *out)
{
    uint32_t n = 0, pairs = 0;
    double *y = x + r->n;

    for (uint32_t i = 0; i < r->n; i++)
        if (strcmp(r->result[i].label, label) == 0 && r->result[i].value[id].defined)
            x[n++] = as_number(id, &r->result[i].value[id]);
    out->value = interval_of(x, n);
    for (uint32_t i = 0; i < r->n; i++) {
        const struct result *new = &r->result[i];
        if (strcmp(new->label, label) != 0)
            continue;
        const struct result *old = find(r, base, new->seed);
        if (!old || !old->value[id].defined || !new->value[id].defined)
            continue;
        x[pairs] = as_number(id, &old->value[id]);
        y[pairs++] = as_number(id, &new->value[id]);
    }
    out->change = ratio_of(y, x, pairs);
    if (pairs > 0 && gsl_stats_mean(x, 1, pairs) == 0 && out->value.mean != 0)
        out->change.n = 0; /* nothing can be relative to 0 */
    out->call = call_of(out, metric_defs[id].better);
}

static bool check_worlds(struct diag *d, const struct results *r)
{
    for (uint32_t i = 1; i < r->n; i++) {
        if (strcmp(r->result[i].world, r->result[0].world) != 0)
            return diag_error(d, (struct mark){0},
                              "the runs are not of one world: %s (%s) and %s (%s) differ in inputs "
                              "or configuration",
                              r->result[0].label, r->result[0].world, r->result[i].label,
                              r->result[i].world);
        for (uint32_t k = 0; k < i; k++)
            if (r->result[k].seed == r->result[i].seed &&
                strcmp(r->result[k].label, r->result[i].label) == 0)
                return diag_error(d, (struct mark){0}, "%s with seed %llu is there twice",
                                  r->result[i].label, (unsigned long long)r->result[i].seed);
    }
    return true;
}

static bool listed(const struct comparison *c, const char *label)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (strcmp(c->policy[i].label, label) == 0)
            return true;
    return false;
}

/* The labels in order of appearance, the baseline first. */
static bool list_labels(struct arena *a, struct diag *d, const struct results *r,
                        const char *baseline, struct comparison *c)
{
    const struct result *base = NULL;

    for (uint32_t i = 0; i < r->n && !base; i++)
        if (!baseline || strcmp(r->result[i].label, baseline) == 0)
            base = &r->result[i];
    if (!base)
        return diag_error(d, (struct mark){0}, "there is no run of the baseline '%.80s'", baseline);
    c->policy = arena_get(a, (r->n + 1) * sizeof(*c->policy));
    c->policy[c->n++] = (struct policy_change){.label = base->label, .oracle = base->oracle};
    for (uint32_t i = 0; i < r->n; i++)
        if (!listed(c, r->result[i].label))
            c->policy[c->n++] =
                (struct policy_change){.label = r->result[i].label, .oracle = r->result[i].oracle};
    return true;
}

bool compare(struct arena *a, struct diag *d, const struct results *r, const char *baseline,
             struct comparison *c)
{
    double *x = arena_get(a, (2 * r->n + 1) * sizeof(*x));

    *c = (struct comparison){0};
    if (r->n == 0)
        return diag_error(d, (struct mark){0}, "there is nothing to compare");
    if (!check_worlds(d, r) || !list_labels(a, d, r, baseline, c))
        return false;
    for (uint32_t p = 0; p < c->n; p++) {
        for (int id = 0; id < METRICS; id++)
            change_of(r, c->policy[0].label, c->policy[p].label, (enum metric_id)id, x,
                      &c->policy[p].metric[id]);
        for (uint32_t i = 0; i < r->n; i++)
            c->policy[p].seeds += strcmp(r->result[i].label, c->policy[p].label) == 0 &&
                                  find(r, c->policy[0].label, r->result[i].seed) != NULL;
    }
    return true;
}
