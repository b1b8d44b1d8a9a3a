/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit.h - where a trial is going: a curve through what it reported (docs/model.md, eq. 11a-11c).
 *
 * Two families that fall to a limit of 0 or more are fitted to the last reports by weighted least
 * squares (GSL), an older report weighing less. What comes out depends on the reports alone, and
 * its cost on the window alone.
 */
#ifndef POLICIES_FIT_H
#define POLICIES_FIT_H

#include "sim/policy.h"

enum fit_family { FIT_BEST, FIT_SUBLINEAR, FIT_EXPONENTIAL, FIT_FLAT };
#define FIT_LEAST 4 /* reports: there are up to four numbers to find */

extern const char *const fit_families[]; /* that may be asked for */

struct fit_rules {
    int family;
    double decay; /* weight of a report against that of the next one */
    int64_t window, reports;
};

/* Rows of a table of fields. */
/* clang-format off */
#define FIT_FIELDS(type, member)                                                                   \
    {FIELD_CHOICE, "family", offsetof(type, member.family), "best", 0, 0, fit_families,            \
     "curve through the reports: 1/(a k^2 + b k + c) + d, mu^(k-b) + c, or what fits better"},     \
    {FIELD_REAL, "decay", offsetof(type, member.decay), "0.9", 0.01, 1, NULL,                      \
     "weight of a report against that of the next one"},                                           \
    {FIELD_INT, "window", offsetof(type, member.window), "20", FIT_LEAST, 1000, NULL,              \
     "last reports that the curve is fitted to"},                                                  \
    {FIELD_INT, "reports", offsetof(type, member.reports), "4", FIT_LEAST, 1000, NULL,             \
     "with fewer reports a trial counts as untried"}
/* clang-format on */

/* Of losses by epoch, 1 before training. */
struct fit {
    enum fit_family family; /* never FIT_BEST */
    double span;            /* epochs that are 1 on the curve's axis */
    double p[4];            /* logarithms of what the family is made of; FIT_FLAT: the loss */
    double covar[4][4];     /* of p */
    double variance;        /* of a report around the curve */
};

/* Through losses 1 .. n; n is at least FIT_LEAST. */
struct fit fit_losses(const double *loss, uint32_t n, const struct fit_rules *);
double fit_at(const struct fit *, double epoch);
/* The standard error of what will be reported then. */
double fit_error(const struct fit *, double epoch);

#endif
