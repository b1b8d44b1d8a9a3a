/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_print.h - comparisons as text for people and as JSON for machines.
 */
#ifndef ANALYSIS_COMPARE_PRINT_H
#define ANALYSIS_COMPARE_PRINT_H

#include "analysis/compare_rows.h"
#include "sim/text/out.h"

extern const char *const call_word[]; /* "better", ... by enum call; "" for none */

/* A block for each metric of each case, a line for each policy; with statistics, those below it.
 * color: emphasise what is clear. */
void compare_text(struct out *, struct arena *, const struct compare_rows *, bool color);
void compare_json(struct out *, const struct compared *); /* all metrics */
/* A line for each note, with a text before it. */
void compare_notes(struct out *, const struct compared *, const char *before);

/* Parts of these, for other tables. */
void compare_stats(struct out *, const struct compare_row *);     /* a line each */
void compare_json_case(struct out *, const struct result_case *); /* "case": {...} */
void compare_json_notes(struct out *, const struct compared *);   /* , "notes": [...], if any */
int compare_decimals(double);                                     /* that tables show */
void compare_value(char *text, size_t size, enum metric_id, const struct interval *);
/* "[-4.5, +3.1]", or "" without an interval. */
void compare_bounds(char *text, size_t size, const struct interval *, double scale);

#endif
