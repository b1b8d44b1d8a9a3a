/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_records.h - a third reading of the accounts: from records alone the time line of every GPU
 * and every job is rebuilt, and compared with the rules and with the metrics.
 */
#ifndef PROPERTY_CHECK_RECORDS_H
#define PROPERTY_CHECK_RECORDS_H

#include "analysis/metrics.h"
#include "tests/property/worlds.h"

#define CLOSINGS (END_TARGET + 3) /* the end rules, a deadline, a budget */

/* What a test that can fail must have met. */
enum cover {
    COVER_RECORD,                                 /* + kind */
    COVER_ORIGIN = COVER_RECORD + REC_KINDS,      /* + origin */
    COVER_END = COVER_ORIGIN + ORIGINS,           /* + end */
    COVER_CLOSE = COVER_END + RUN_BAD_INPUT + 1,  /* + end rule */
    COVER_LANDS_WAITING = COVER_CLOSE + CLOSINGS, /* reports without GPUs */
    COVER_LANDS_SETUP,
    COVER_ENDING,        /* ends without GPUs */
    COVER_KILL_ENDING,   /* killed while it finished something */
    COVER_RESTART_EARLY, /* starts before it has landed */
    COVER_PREEMPT_SETUP,
    COVER_PREEMPT_TWICE, /* in an instant */
    COVER_PREEMPT_LOSES,
    COVER_PAUSE_SETUP,
    COVER_PAUSE_WAITING,
    COVER_KILL_WAITING,
    COVER_KILL_SETUP,
    COVER_KILL_RUNNING,
    COVER_KILL_PAUSED,
    COVER_REJECT_RAN,    /* a job that had run before */
    COVER_REJECT_BRINGS, /* and a trial that comes in its place */
    COVER_SAVE_WAITS,    /* a set-up that waits for the save of the last owner */
    COVER_SAVE_FULL,     /* to storage, since host memory was full */
    COVER_GANG_NODES,
    COVER_GANG_TYPES,
    COVER_SPLIT_SETUP,
    COVER_SPLIT_RUNNING,
    COVER_TOLD_WRONG,
    COVER_TIE, /* two jobs end in an instant */
    COVER_UNFINISHED_SETUP,
    COVER_UNFINISHED_RUNNING,
    COVER_SHARED, /* a world that shares its GPUs */
    COVER_BESIDE, /* takes a GPU that another job holds */
    COVER_SLOWER, /* than alone, for that */
    COVER_RESIZE_SETUP,
    COVER_RESIZE_RUNNING, /* and goes on at once */
    COVER_RESIZE_COPIES,  /* and stands still until replicas are there */
    COVER_RESIZE_MORE,
    COVER_RESIZE_FEWER,
    COVER_RESIZE_REFUSED,
    COVER_OFF_COPYING, /* taken off while replicas were copied */
    COVER_NO_SEAT,
    COVER_NO_MEMORY,
    COVER_NOT_DECLARED, /* it would be beside others */
    COVER_STEPS,        /* steps are simulated one by one */
    COVER_STEP_GIVEN_UP,
    COVER_STEP_LANDS,
    COVER_STEP_EPOCH,        /* the rest of the epoch lands */
    COVER_STEP_RESIZED,      /* given up for other GPUs */
    COVER_STEP_RESIZE_LANDS, /* or done before they are taken */
    COVER_STEP_LEFT,         /* goes on on a GPU that nobody holds any more */
    COVER_STEP_THRONG,       /* more on a GPU than it may have residents */
    COVER_STEP_TIE,          /* two jobs end a step at an instant, at goals */
    COVERS
};

#define MOST_POLICIES 32
#define MOST_TUNERS   32

struct coverage {
    uint64_t worlds[COVERS];           /* that reached it */
    const char *policy[MOST_POLICIES]; /* names */
    uint64_t of_policy[MOST_POLICIES];
    uint64_t of_tuner[MOST_TUNERS]; /* built-in ones whose experiment began */
};

/* Lines "# NAME COUNT". */
void coverage_print(const struct coverage *, FILE *out);

struct check;

struct check *check_new(const struct random_world *, struct coverage *);
uint32_t check_sinks(struct check *, struct sink **out); /* at most 2; how many */
/* After the run: says on stderr what is wrong; frees it. */
bool check_finish(struct check *, uint64_t digest);

#endif
