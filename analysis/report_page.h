/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_page.h - the parts of a report's page.
 */
#ifndef ANALYSIS_REPORT_PAGE_H
#define ANALYSIS_REPORT_PAGE_H

#include "analysis/report.h"

#define REPORT_ROWS  2000u /* rows of tables, at most */
#define REPORT_LABEL 80u   /* characters of a label, at most */

/* Foreign text: five characters are escaped, what does not show becomes U+FFFD; cut to so many
 * characters. */
void page_text(struct out *, const char *, size_t most);
void page_label(struct out *, const struct policy_change *);

/* Up to <body>, and from </body>. */
void page_begin(struct out *, const char *title);
void page_end(struct out *);

/* The metric that the verdict is about. */
enum metric_id page_headline(const struct comparison *);

void page_verdict(struct out *, const struct report_case *);
/* Returns the rows written. all: every metric worth a block, else the first. */
uint32_t page_tables(struct out *, const struct report_case *, bool all);
void page_changes(struct out *, const struct comparison *); /* figure: intervals of changes */

void page_limits(struct out *, const struct report *);
/* false: reported. */
bool page_provenance(struct arena *, struct diag *, struct out *, const struct report *);

/* Figures of the first run of each policy, from their events. false: reported. */
bool page_runs(struct arena *, struct diag *, struct out *, const struct report_case *);

#endif
