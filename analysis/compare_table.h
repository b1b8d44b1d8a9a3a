/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_table.h - rows of comparisons as tables for machines and for papers.
 */
#ifndef ANALYSIS_COMPARE_TABLE_H
#define ANALYSIS_COMPARE_TABLE_H

#include "analysis/compare_rows.h"
#include "sim/text/out.h"

/* A line for each row, columns as docs/formats.md has them. What does not show is '?' in CSV. */
void compare_csv(struct out *, struct arena *, const struct compare_rows *);
void compare_rows_json(struct out *, struct arena *, const struct compare_rows *);

/* For people: the columns of the text, and with statistics the chief ones. Notes come after it. */
void compare_markdown(struct out *, struct arena *, const struct compare_rows *);
/* A tabular for booktabs; notes are comments before it. */
void compare_latex(struct out *, struct arena *, const struct compare_rows *);

#endif
