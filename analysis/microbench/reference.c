/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "analysis/microbench/reference.h"

double mb_ref_elementwise(const char *kind, double a, double b)
{
    size_t stem = strcspn(kind, "_");

    if (kind[stem])
        b = (double)MB_SCALAR;
    if (strncmp(kind, "add", stem) == 0)
        return a + b;
    if (strncmp(kind, "mul", stem) == 0)
        return a * b;
    if (strncmp(kind, "div", stem) == 0)
        return a / b;
    if (strncmp(kind, "pow", stem) == 0)
        return pow(a, b);
    if (strcmp(kind, "relu") == 0)
        return a > 0 ? a : 0;
    if (strcmp(kind, "gelu") == 0)
        return 0.5 * a * (1 + erf(a * M_SQRT1_2));
    return strcmp(kind, "tanh") == 0 ? tanh(a) : NAN;
}

double mb_ref_sum(const float *x, size_t width)
{
    double sum = 0;

    for (size_t i = 0; i < width; i++)
        sum += (double)x[i];
    return sum;
}

void mb_ref_softmax(const float *x, size_t width, double *y)
{
    double most = -INFINITY, sum = 0;

    for (size_t i = 0; i < width; i++)
        most = fmax(most, (double)x[i]);
    for (size_t i = 0; i < width; i++)
        sum += y[i] = exp((double)x[i] - most);
    for (size_t i = 0; i < width; i++)
        y[i] /= sum;
}

void mb_ref_softmax_back(const float *y, const float *dy, size_t width, double *dx)
{
    double dot = 0;

    for (size_t i = 0; i < width; i++)
        dot += (double)y[i] * (double)dy[i];
    for (size_t i = 0; i < width; i++)
        dx[i] = (double)y[i] * ((double)dy[i] - dot);
}

/* The mean of a row and the reciprocal of its deviation. */
static double moments(const float *x, size_t width, double *mean)
{
    double squares = 0;

    *mean = mb_ref_sum(x, width) / (double)width;
    for (size_t i = 0; i < width; i++)
        squares += ((double)x[i] - *mean) * ((double)x[i] - *mean);
    return 1 / sqrt(squares / (double)width + (double)MB_TINY);
}

void mb_ref_layer_norm(const float *x, const float *g, const float *b, size_t width, double *y)
{
    double mean, scale = moments(x, width, &mean);

    for (size_t i = 0; i < width; i++)
        y[i] = ((double)x[i] - mean) * scale * (double)g[i] + (double)b[i];
}

void mb_ref_layer_norm_back(const float *x, const float *g, const float *dy, size_t width,
                            double *dx)
{
    double mean, scale = moments(x, width, &mean), plain = 0, along = 0;

    for (size_t i = 0; i < width; i++) {
        double d = (double)dy[i] * (double)g[i];

        plain += d;
        along += d * ((double)x[i] - mean) * scale;
    }
    for (size_t i = 0; i < width; i++)
        dx[i] = scale * ((double)dy[i] * (double)g[i] -
                         (plain + ((double)x[i] - mean) * scale * along) / (double)width);
}

void mb_ref_optimizer(const char *kind, double gradient, double w[3])
{
    double step = gradient;

    if (strcmp(kind, "momentum") == 0)
        step = w[1] = (double)MB_DECAY * w[1] + gradient;
    else if (strcmp(kind, "adam") == 0) {
        w[1] = (double)MB_DECAY * w[1] + (1 - (double)MB_DECAY) * gradient;
        w[2] = (double)MB_DECAY_2 * w[2] + (1 - (double)MB_DECAY_2) * gradient * gradient;
        step = w[1] / (sqrt(w[2]) + (double)MB_TINY);
    }
    w[0] -= (double)MB_RATE * step;
}
