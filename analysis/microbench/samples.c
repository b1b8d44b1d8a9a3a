/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/microbench/samples.h"

const char *mb_precision_name(enum mb_precision p)
{
    static const char *const name[] = {"", "fp32", "tf32", "fp16", "bf16"};

    return name[p];
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(const double *v, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t low = (size_t)at;

    return low + 1 < n ? v[low] + (at - (double)low) * (v[low + 1] - v[low]) : v[n - 1];
}

void mb_summarise(double *v, size_t n, struct mb_result *r)
{
    qsort(v, n, sizeof *v, by_size);
    r->value = quantile(v, n, 0.5);
    r->spread =
        n < 3 || r->value == 0 ? NAN : (quantile(v, n, 0.75) - quantile(v, n, 0.25)) / r->value;
}

double mb_round(double v, int digits)
{
    char text[40];

    if (!isfinite(v))
        return v;
    snprintf(text, sizeof text, "%.*e", digits - 1, v);
    return strtod(text, NULL);
}

/* Half the distance of neighbouring values near 1, of results. */
static double unit_of(enum mb_precision p)
{
    return p == MB_FP16 ? 0x1p-11 : p == MB_BF16 ? 0x1p-8 : 0x1p-24;
}

enum mb_status mb_judge(const struct mb_sample *s, size_t n, enum mb_precision p, double terms,
                        bool winograd, struct mb_result *r)
{
    double out = unit_of(p);
    /* TF32 rounds the inputs to 11 bits; the other formats are multiplied exactly in 32 bits.
     * Errors of sums grow with the root of the terms; partial sums may be stored as results. Right
     * results stay well within, and a wrong element is off by about one norm. */
    double inner = 32 * (p == MB_TF32 ? 0x1p-11 : 0) + 32 * 0x1p-24 * sqrt(terms) + 8 * out +
                   (winograd ? p == MB_FP32 ? 0.002 : 0.05 : 0);

    for (size_t i = 0; i < n; i++)
        if (!(fabs(s[i].got - s[i].want) <= inner * s[i].norm + 2 * out * fabs(s[i].want))) {
            snprintf(r->why, sizeof r->why, "wrong result: %.6g instead of %.6g (norm %.3g)",
                     s[i].got, s[i].want, s[i].norm);
            return MB_WRONG;
        }
    return MB_DONE;
}

bool mb_near(double got, double want, enum mb_precision p, double scale)
{
    double room = (p == MB_FP32 || p == MB_TF32 ? 2e-5 : 4 * unit_of(p)) * scale;

    return fabs(got - want) <= room + 4 * unit_of(p) * fabs(want);
}
