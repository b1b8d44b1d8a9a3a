/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.h - a run in the formats of other tools, from its events.csv as a stream: memory is that
 * of the living jobs and of the GPUs. docs/formats.md has what is written.
 */
#ifndef ANALYSIS_EXPORT_H
#define ANALYSIS_EXPORT_H

#include "analysis/story.h"

struct node_range {
    uint32_t first, last;
};

struct export_limits {
    sim_time from, to; /* what is shown */
    const struct node_range *node;
    uint32_t n_nodes; /* 0: all nodes */
};

/* A timeline in Chrome's trace format, for Perfetto and others. false: reported, and no file is
 * left. */
bool export_chrome(struct arena *, struct diag *, const struct story_run_facts *,
                   const struct export_limits *, const char *path);

/* jobs.csv, segments.csv and schedule.json, after Batsim's, in a folder; it is made if it is not
 * there. false: reported. */
bool export_batsim(struct arena *, struct diag *, const struct story_run_facts *,
                   const char *folder);
extern const char *const export_batsim_files[]; /* ended by NULL */

#endif
