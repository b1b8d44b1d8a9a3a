/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * family.h - families of learning curves: the loss of a trial by time, a row a family.
 *
 * The loss is scaled: 1 before training, 0 at the ideal. Time is a share of the epochs that were
 * planned, above 0 and up to 1. All families have three parameters and one form,
 *
 *   y(t) = 1 - (1 - limit) r(t / scale; shape)              (eq. 6 and 7),
 *
 * in which r rises from 0 to 1. Those in families[] are of trials that learn; a diverged trial
 * stays at the start or gets worse: its limit is near 1 or above.
 */
#ifndef SIM_FAMILY_H
#define SIM_FAMILY_H

#include <stddef.h>

enum family_param { FAMILY_LIMIT, FAMILY_SCALE, FAMILY_SHAPE, FAMILY_PARAMS };

struct family {
    const char *name;
    const char *formula; /* of r */
    double (*rise)(double x, double shape);
    /* dr / d ln x and dr / d ln shape. */
    void (*slopes)(double x, double shape, double slope[2]);
    double min[FAMILY_PARAMS], max[FAMILY_PARAMS]; /* equal: the parameter is fixed */
};

extern const struct family *const families[]; /* ended by NULL */
extern const struct family family_diverged;

extern const char *const family_param_names[FAMILY_PARAMS];

const struct family *family_find(const char *name); /* NULL: there is none */

/* The loss at a time. */
double family_value(const struct family *, const double param[FAMILY_PARAMS], double t);

/* The share of the way from the start to the loss at time 1 that is made by a time before it. */
double family_progress(const struct family *, const double param[FAMILY_PARAMS], double t);

/*
 * The curve with a given loss at time 1 and given progress at a time before it, of a given shape,
 * or, where no curve of that shape has it, of the nearest shape or progress that has.
 */
void family_through(const struct family *, double final, double progress, double t, double shape,
                    double param[FAMILY_PARAMS]);

#endif
