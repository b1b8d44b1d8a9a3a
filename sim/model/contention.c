/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contention that needs no measurements: processor sharing (eq. 19) and time slices. */
#include "sim/model/contention.h"

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

const struct contention *const contentions[] = {&processor_sharing, &time_slice, NULL};
