/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * draw.h - random variates that are the same bits on every machine.
 *
 * Only + - * / and sqrt are used, which IEEE 754 rounds the same everywhere; exp and log of a C
 * library may differ in the last bit.
 */
#ifndef PERF_DRAW_H
#define PERF_DRAW_H

#include <gsl/gsl_rng.h>

double draw_exp(double x); /* |x| <= 700 */
double draw_log(double x); /* x > 0, normal */

double draw_exponential(gsl_rng *, double mean);
double draw_lognormal(gsl_rng *, double mu, double sigma);

#endif
