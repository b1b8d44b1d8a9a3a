/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep_values.h - the values of one axis of a sweep: a list, or a range {from, to, step}.
 */
#ifndef ANALYSIS_SWEEP_VALUES_H
#define ANALYSIS_SWEEP_VALUES_H

#include "sim/text/tree.h"

/* A list of scalars and of lists of scalars. NULL: reported. axis: its name, for messages. */
struct tree *sweep_values(struct arena *, struct diag *, const char *axis, struct tree *);

/* How tables and results show a value. */
const char *sweep_value_text(struct arena *, const struct tree *);

#endif
