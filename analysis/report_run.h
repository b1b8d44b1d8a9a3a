/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_run.h - what figures show of a run, folded from its events into as much as a figure can
 * hold: memory does not grow with the run.
 */
#ifndef ANALYSIS_REPORT_RUN_H
#define ANALYSIS_REPORT_RUN_H

#include "analysis/result.h"
#include "analysis/stretches.h"

#define RUN_WIDTH   640u /* columns of time */
#define RUN_GPUS    64u  /* GPUs of a Gantt, the first ones */
#define RUN_DECADES 14u  /* of JCTs, from 1 ms */
#define RUN_BINS    64u  /* in a decade */

enum run_doing { RUN_GOOD, RUN_OTHER, RUN_SETUP, RUN_SAVE, RUN_LOST, RUN_DOINGS };

struct run_piece {
    uint32_t job;
    const char *name; /* NULL: none */
    gpu_id first, last;
    uint32_t seat;
    enum run_doing what;
    sim_time from, to;
};

struct run_drawn {
    bool there; /* false: it has no events.csv */
    sim_time end;
    uint32_t gpus, seats; /* seats: most that a GPU had at a time; 1 where GPUs are not shared */
    bool trials, shared;
    uint64_t jct[RUN_DECADES * RUN_BINS], done; /* JCTs of done jobs: how many in each bin */
    /* GPUs held and in progress, or, of shared ones, GPUs with a job that computes, and their work
     * as a part of the most that they can do; means over a column's time. */
    double held[RUN_WIDTH], running[RUN_WIDTH];
    uint32_t waiting[RUN_WIDTH]; /* jobs, the most in a column */
    struct run_piece *piece;     /* the widest */
    uint32_t n_pieces;
    size_t cap_pieces;
    uint64_t thinned;                    /* so many pieces are in `busy` only */
    float busy[RUN_GPUS][RUN_WIDTH / 2]; /* their share of two columns' time */
};

/* At most `pieces`. false: reported. Texts are good as long as the arena; then run_drawn_free. */
bool run_draw(struct arena *, struct diag *, const struct result *, uint32_t pieces,
              struct run_drawn *);
void run_drawn_free(struct run_drawn *);

#endif
