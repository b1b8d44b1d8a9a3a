/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples.h - what becomes of repeats: median and dispersion; and whether a computed value is
 * right.
 */
#ifndef MICROBENCH_SAMPLES_H
#define MICROBENCH_SAMPLES_H

#include "analysis/microbench/microbench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts v. Value: the median; spread: (third - first quartile) / median, quartiles interpolated
 * linearly, NAN of fewer than three or a median of 0. n > 0. */
void mb_summarise(double *v, size_t n, struct mb_result *);

/* Rounded to so many significant digits (1 to 15). */
double mb_round(double, int digits);

/*
 * One element of a sum of products, computed by the library under test and by a naive kernel in
 * double precision from the same inputs. norm: the root of the sum of squared products, which is
 * the size that a sum of products of random signs has.
 */
struct mb_sample {
    double got, want, norm;
};

/* Whether every sample is as near as `terms` products in this precision allow; winograd: some
 * more, for convolutions that transform their inputs. MB_WRONG: why tells the first that is not. */
enum mb_status mb_judge(const struct mb_sample *, size_t n, enum mb_precision, double terms,
                        bool winograd, struct mb_result *);

/* The same of one value that is rounded once: within the precision of `scale`. */
bool mb_near(double got, double want, enum mb_precision, double scale);

#ifdef __cplusplus
}
#endif

#endif
