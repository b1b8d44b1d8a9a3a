/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Power law: eq. 6 and 7. Exponential with a shape (Janoschek) and log-power are among the models
 * of T. Domhan, J. T. Springenberg and F. Hutter, Speeding up automatic hyperparameter optimization
 * of deep neural networks by extrapolation of learning curves, IJCAI 2015, table 1.
 */
#include "sim/model/family.h"

#include <math.h>
#include <string.h>

#define HALVINGS 60

const char *const family_param_names[FAMILY_PARAMS] = {"limit", "scale", "shape"};

static double power(double x, double k)
{
    return -expm1(-k * log1p(x));
}

static void power_slopes(double x, double k, double slope[2])
{
    double h = exp(-k * log1p(x));

    slope[0] = k * x / (1 + x) * h;
    slope[1] = k * log1p(x) * h;
}

static double exponential(double x, double k)
{
    return -expm1(-pow(x, k));
}

static void exponential_slopes(double x, double k, double slope[2])
{
    double v = pow(x, k), dv = v * exp(-v);

    slope[0] = k * dv;
    slope[1] = k * dv * log(x);
}

static double log_power(double x, double k)
{
    double v = pow(x, k);

    return v / (1 + v);
}

static void log_power_slopes(double x, double k, double slope[2])
{
    double v = pow(x, k), dv = v / ((1 + v) * (1 + v));

    slope[0] = k * dv;
    slope[1] = k * dv * log(x);
}

static const struct family power_law = {"power",      "1 - (1 + x)^-shape", power,
                                        power_slopes, {0, 1e-5, 0.02},      {1.0, 1e3, 20.0}};
static const struct family exponential_law = {"exponential",  "1 - exp(-x^shape)",
                                              exponential,    exponential_slopes,
                                              {0, 1e-5, 0.1}, {1.0, 1e3, 8.0}};
static const struct family log_power_law = {"log_power",    "x^shape / (1 + x^shape)",
                                            log_power,      log_power_slopes,
                                            {0, 1e-5, 0.1}, {1.0, 1e3, 10.0}};

const struct family *const families[] = {&power_law, &exponential_law, &log_power_law, NULL};
const struct family family_diverged = {"diverged",         "1 - exp(-x)",    exponential,
                                       exponential_slopes, {0.5, 1e-5, 1.0}, {3.0, 1e3, 1.0}};

const struct family *family_find(const char *name)
{
    for (int i = 0; families[i]; i++)
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
    return strcmp(family_diverged.name, name) == 0 ? &family_diverged : NULL;
}

double family_value(const struct family *f, const double param[FAMILY_PARAMS], double t)
{
    return 1 - (1 - param[FAMILY_LIMIT]) * f->rise(t / param[FAMILY_SCALE], param[FAMILY_SHAPE]);
}

static double progress_of(const struct family *f, double scale, double shape, double t)
{
    return f->rise(t / scale, shape) / f->rise(1 / scale, shape);
}

double family_progress(const struct family *f, const double param[FAMILY_PARAMS], double t)
{
    return progress_of(f, param[FAMILY_SCALE], param[FAMILY_SHAPE], t);
}

static double within(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

/* The scale with which so much progress is made: the larger the scale, the less of it. */
static double scale_for(const struct family *f, double progress, double t, double shape)
{
    double low = log(f->min[FAMILY_SCALE]), high = log(f->max[FAMILY_SCALE]);

    for (int i = 0; i < HALVINGS; i++) {
        double mid = (low + high) / 2;
        if (progress_of(f, exp(mid), shape, t) > progress)
            low = mid;
        else
            high = mid;
    }
    return exp((low + high) / 2);
}

/* With the longest scale all but the power law have made t^shape of their way: a slower start needs
 * a larger shape. */
void family_through(const struct family *f, double final, double progress, double t, double shape,
                    double param[FAMILY_PARAMS])
{
    double k = within(shape, f->min[FAMILY_SHAPE], f->max[FAMILY_SHAPE]);

    if (t < 1 && progress < progress_of(f, f->max[FAMILY_SCALE], k, t))
        k = within(log(progress) / log(t) * 1.05, k, f->max[FAMILY_SHAPE]);
    param[FAMILY_SHAPE] = k;
    param[FAMILY_SCALE] = t < 1 ? scale_for(f, progress, t, k) : 1;
    param[FAMILY_LIMIT] = 1 - (1 - final) / f->rise(1 / param[FAMILY_SCALE], k);
}
