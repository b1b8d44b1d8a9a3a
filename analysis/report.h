/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - runs or a sweep as one HTML page: verdict, tables, figures, limits, provenance.
 *
 * The page stands alone: it loads nothing, its content security policy allows no more than its own
 * style and script, by hash, and all of it can be read without the script. Foreign text is escaped.
 */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include "analysis/compare.h"
#include "analysis/sweep_plan.h"

struct report_case {   /* runs of one world */
    const char *title; /* NULL: it is the only one */
    struct results of;
    struct comparison c;
};

struct report_missing { /* a point of a sweep without values */
    const char *hash, *policy, *seed, *reason;
};

struct report {           /* zero-initialised */
    const char *path;     /* what it is a report of */
    const char *baseline; /* a label; NULL: the first */
    const char *command;
    bool sweep;
    struct report_case *of;
    uint32_t n;
    size_t cap;
    struct report_missing *missing;
    uint32_t n_missing;
    size_t cap_missing;
};

/* The runs of a folder, or the points of a sweep's folder. false: reported. Good as long as the
 * arena; then report_free in any case. */
bool report_load(struct arena *, struct diag *, struct report *);
void report_free(struct report *);

/* false: reported, and no file is left. */
bool report_write(struct arena *, struct diag *, const struct report *, const char *file);

#endif
