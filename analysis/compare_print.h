/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_print.h - comparisons as text for people and as JSON for machines.
 */
#ifndef ANALYSIS_COMPARE_PRINT_H
#define ANALYSIS_COMPARE_PRINT_H

#include "analysis/compare_cases.h"
#include "sim/text/out.h"

extern const char *const call_word[]; /* "better", ... by enum call; "" for none */

/* The metrics worth a block of a table: those with a direction or a name every reader asks for, if
 * any policy has a value. color: emphasise what is clear. */
void compare_text(struct out *, struct arena *, const struct compared *, bool color);
void compare_json(struct out *, const struct compared *);
/* A line for each note, with a text before it. */
void compare_notes(struct out *, const struct compared *, const char *before);

#endif
