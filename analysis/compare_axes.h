/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_axes.h - the axes of cases as columns of a table.
 */
#ifndef ANALYSIS_COMPARE_AXES_H
#define ANALYSIS_COMPARE_AXES_H

#include "analysis/compare_cases.h"

struct axes {
    uint32_t n;
    const char **name;
};

/* All that a case has, in order of appearance. Good as long as the arena. */
struct axes compare_axes(struct arena *, const struct compared *);
/* The value that a case has on an axis; "": none. */
const char *axis_value(const struct result_case *, const char *axis);

/* With '?' for what does not show. */
const char *safe_text(struct arena *, const char *);

#endif
