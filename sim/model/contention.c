/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contention that needs no measurements: processor sharing (eq. 19) and time slices; the list. */
#include "sim/model/contention.h"

#include <math.h>

#include "sim/model/world.h"

/* ---- processor sharing: n jobs get phi(n)/n each ---- */

/* By the distribution of the number of others that compute: Poisson-binomial. */
static double ps_stretch(const void *self, const struct world *w, type_id t, uint32_t me,
                         const uint32_t *other, const double *p, uint32_t n)
{
    double eta = w->type[t].eta, at[MOST_RESIDENTS] = {1}, sum = 0;

    (void)self, (void)me, (void)other;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k > 0; k--)
            at[k] = at[k] * (1 - p[i]) + at[k - 1] * p[i];
        at[0] *= 1 - p[i];
    }
    for (uint32_t k = 0; k <= n; k++)
        sum += at[k] * (k + 1) / contention_phi(eta, k + 1);
    return sum;
}

static double ps_peak(const void *self, const struct world *w, type_id t, uint32_t n)
{
    (void)self;
    return contention_phi(w->type[t].eta, n);
}

static const struct contention processor_sharing = {
    .name = "processor_sharing",
    .about =
        "n jobs that compute get phi(n)/n of the GPU each, phi(n) = 1 + eta (1 - 1/n) (eq. 19)",
    .equal = true,
    .stretch = ps_stretch,
    .peak = ps_peak,
};

/* ---- time slices: the same without gain ---- */

static double slice_stretch(const void *self, const struct world *w, type_id t, uint32_t me,
                            const uint32_t *other, const double *p, uint32_t n)
{
    double sum = 1;

    (void)self, (void)w, (void)t, (void)me, (void)other;
    for (uint32_t i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

static double slice_peak(const void *self, const struct world *w, type_id t, uint32_t n)
{
    (void)self, (void)w, (void)t, (void)n;
    return 1;
}

static const struct contention time_slice = {
    .name = "time_slice",
    .about = "jobs that compute take turns in equal parts, without gain",
    .equal = true,
    .stretch = slice_stretch,
    .peak = slice_peak,
};

/* ---- all of them ---- */

extern const struct contention contention_pairs, contention_partition;

const struct contention *const contentions[] = {&processor_sharing, &time_slice, &contention_pairs,
                                                &contention_partition, NULL};

static bool runs_on(const struct world *w, uint32_t model, type_id t)
{
    return model == NO_MODEL || !isnan(w->cost->step(w->cost_self, model, t, 1).busy);
}

/* Both ways. */
static bool pair_known(const struct world *w, struct diag *d, struct mark at, uint32_t a,
                       uint32_t b)
{
    const struct contention *c = w->contention;

    for (type_id t = 0; t < w->n_types; t++)
        if (runs_on(w, a, t) && runs_on(w, b, t) &&
            (!c->check(w->contention_self, w, d, at, t, a, b) ||
             !c->check(w->contention_self, w, d, at, t, b, a)))
            return false;
    return true;
}

bool contention_check(const struct world *w, struct diag *d, struct mark at, uint32_t model,
                      uint8_t *seen)
{
    uint32_t me = model == NO_MODEL ? w->n_models : model;
    bool ok = true;

    if (!w->contention || !w->contention->check || seen[me])
        return true;
    seen[me] = 1;
    for (uint32_t m = 0; ok && m <= w->n_models; m++)
        ok = !seen[m] || pair_known(w, d, at, model, m == w->n_models ? NO_MODEL : m);
    return ok;
}
