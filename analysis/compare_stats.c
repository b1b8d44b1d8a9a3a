/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of one change, a line each. */
#include <math.h>

#include "analysis/compare_print.h"

static const char *unit_of(enum metric_id id)
{
    enum metric_kind kind = metric_defs[id].kind;

    return kind == METRIC_TIME || kind == METRIC_GPU_TIME ? " s" : "";
}

static void put_bounds(struct out *o, const char *name, const struct interval *x, double scale,
                       const char *unit)
{
    char text[64];

    compare_bounds(text, sizeof(text), x, scale);
    out_printf(o, "      %-22s%s%s\n", name, *text ? text : "no interval", *text ? unit : "");
}

static void put_estimate(struct out *o, const char *name, double x, const char *unit)
{
    if (isfinite(x))
        out_printf(o, "    %-24s%+.*f%s\n", name, compare_decimals(x), x, unit);
    else
        out_printf(o, "    %-24snone\n", name);
}

static void put_differences(struct out *o, const struct change_stats *s, const char *unit)
{
    put_estimate(o, "difference of means", s->difference.mean, unit);
    put_bounds(o, "Student", &s->difference, 1, unit);
    put_bounds(o, "bootstrap, expanded", &s->resampled.expanded, 1, unit);
    put_bounds(o, "bootstrap, BCa", &s->resampled.bca, 1, unit);
    put_bounds(o, "bootstrap, percentile", &s->resampled.percentile, 1, unit);
    put_estimate(o, "Hodges-Lehmann shift", s->shift.mean, unit);
    put_bounds(o, "signed ranks", &s->shift, 1, unit);
}

static void put_ratios(struct out *o, const struct change_stats *s, const struct interval *fieller)
{
    put_estimate(o, "ratio of means, less 1", 100 * s->ratio.expanded.mean, " %");
    if (!isfinite(s->ratio.expanded.mean))
        return;
    put_bounds(o, "Fieller", fieller, 100, " %");
    put_bounds(o, "bootstrap, expanded", &s->ratio.expanded, 100, " %");
    put_bounds(o, "bootstrap, BCa", &s->ratio.bca, 100, " %");
    put_bounds(o, "bootstrap, percentile", &s->ratio.percentile, 100, " %");
    put_estimate(o, "Hodges-Lehmann ratio", 100 * s->ratio_shift.mean, " %");
    put_bounds(o, "signed ranks of logs", &s->ratio_shift, 100, " %");
}

static void put_p(struct out *o, const char *name, double p, double holm)
{
    if (isnan(p))
        return;
    out_printf(o, "    %-24sp = %.4g", name, p);
    if (!isnan(holm))
        out_printf(o, ", after Holm %.4g", holm);
    out_char(o, '\n');
}

static void put_size(struct out *o, const char *name, double x)
{
    if (isfinite(x))
        out_printf(o, "    %-24s%+.2f\n", name, x);
}

void compare_stats(struct out *o, const struct compare_row *r)
{
    const struct change_stats *s = r->stats;
    const struct metric_change *m = row_change(r);

    if (s->difference.n == 0)
        return;
    put_differences(o, s, unit_of(r->id));
    put_ratios(o, s, &m->change);
    put_p(o, "paired t-test", m->p, m->holm);
    put_p(o, "sign-flip test", s->sign_flip.p, s->sign_flip_holm);
    put_p(o, "Wilcoxon's test", s->wilcoxon.p, s->wilcoxon_holm);
    put_size(o, "effect size d_z", s->d_z);
    put_size(o, "rank-biserial", s->rank_biserial);
    if (s->runs_to_halve > 0)
        out_printf(o, "    %-24s%u runs in all\n", "half the width takes", s->runs_to_halve);
}
