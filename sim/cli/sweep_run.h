/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep_run.h - carries out the points of a sweep that are not there yet, several at a time.
 */
#ifndef SIM_SWEEP_RUN_H
#define SIM_SWEEP_RUN_H

#include "analysis/point.h"
#include "analysis/sweep_plan.h"
#include "sim/cli/cli.h"

struct sweep_job {
    const struct sweep *sweep;
    const struct plugs *plugs;
    struct diag *diag;
    const char *dir, *libraries;
    uint64_t points;        /* of the whole plan */
    uint32_t shard, shards; /* this one (from 0) of so many */
    uint32_t processes;
    bool retry;     /* points without values are run again */
    bool keep_runs; /* each point has its folder in DIR/runs */
    bool quiet, paranoid;
};

struct sweep_count {
    uint64_t by_status[POINT_STATUSES], missing, damaged;
};

/* An exit code: EXIT_FINE if every point of the shard has a row by now. count: what they are. */
int sweep_run(struct sweep_job *, struct sweep_count *);

/* The row of a point: false: there is none, or it is damaged; counted in any case.
 * What cannot be read is reported. */
bool sweep_row(struct arena *, struct diag *, const char *dir, const char *hash, struct point *,
               struct sweep_count *);

#endif
