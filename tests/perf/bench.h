/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench.h - cases that are timed, what came of them, and the targets they are held against.
 *
 * Each case runs in a child process of its own, which has its own peak memory and measures the
 * calibration kernel cal.hold4 beside it; the present folder is a temporary one for its files.
 * Times never fail a run; a digest or a sum that is not what it must be does.
 */
#ifndef PERF_BENCH_H
#define PERF_BENCH_H

#include <stdio.h>

#include "sim/base/mem.h"
#include "sim/text/out.h"
#include "sim/text/tree.h"

#define NAME_SIZE 40

/* What was measured of a case. */
struct outcome {
    char name[NAME_SIZE];
    char unit[16]; /* what is counted: job, row, hold, ... */
    double units;  /* of one repetition */
    unsigned reps;
    double best, median; /* ns of CPU a unit; cases of whole processes: of wall time */
    double cal;          /* ns a hold of cal.hold4 in the same process; 0: not measured */
    double anchor;       /* ns a unit of the least that could do the same; 0: there is none */
    double instructions; /* a unit; 0: not counted */
    int64_t rss_kib;     /* peak of the process */
    uint64_t preemptions;
    uint64_t digest; /* of the results; 0: there are none */
    char note[80];
    char fault[120]; /* what came out wrong; "": nothing */
};

struct bench_case {
    const char *name, *unit;
    uint32_t jobs, gpus; /* or rows, pending events, pages */
    const char *policy;  /* its label; NULL */
    int variant;         /* tells cases of one file apart */
    uint8_t reps;        /* of the pass that is timed; one more comes before, to warm up */
    bool once;           /* a single cold pass, without that: memory, and what takes long */
    bool slow;           /* not with --quick */
    bool asked;          /* only if its whole name is given */
    bool wall;           /* by the wall clock: the work is done by other processes */
    const char *twin;    /* a case that must have the same digest; NULL */
    /* Makes ready, outside of the time measured. NULL: it cannot run here, the note says why. */
    void *(*open)(const struct bench_case *, struct outcome *);
    /* The work, timed. Sets units, digest and, if something is wrong, fault. */
    void (*pass)(void *self, struct outcome *);
    /* Frees self. What is dear to find out is found out here: a digest of the files that were left.
     */
    void (*close)(void *self, struct outcome *);
};

/* Tables of cases, each ended by one without a name. */
extern const struct bench_case cal_cases[], fcfs_cases[], replay_cases[], memory_cases[],
    io_cases[], e2e_cases[], pre_cases[], start_cases[], ps_cases[], share_cases[], predict_cases[],
    hpo_cases[];

/* ---- meter.c ---- */

double meter_cal(void); /* best of some short runs: ns a hold */
bool meter_case(const struct bench_case *,
                struct outcome *);      /* in a child process; false: interrupted */
uint64_t meter_bytes(const char *path); /* a digest of a file's bytes */

/* ---- outcome.c ---- */

struct outcomes {
    struct outcome *item;
    size_t n, cap;
};
struct outcome *outcomes_add(struct outcomes *);
const struct outcome *outcomes_find(const struct outcomes *,
                                    const char *name);      /* NULL: not measured */
void outcomes_write(const struct outcomes *, struct out *); /* JSON, one case a line */
/* Reads what outcomes_write has written; *machine (may be NULL) is the line about it. false:
 * reported. */
bool outcomes_read(struct outcomes *, struct diag *, struct arena *, const char *path,
                   const char **machine);

/* ---- targets.c ---- */

enum verdict_word { VERDICT_NONE, VERDICT_MISSED, VERDICT_REACHED, VERDICT_STRETCH };

struct target_result {
    const char *id, *what, *unit, *from; /* from: the case, or cases, it is made of */
    double value, must, stretch;         /* stretch NAN: there is none */
    bool up;                             /* more is better */
    enum verdict_word verdict;           /* NONE: its cases were not measured */
};
extern const char *const verdict_names[];
size_t targets_count(void);
struct target_result targets_get(const struct outcomes *, size_t);
/* The target of one case alone, for its row; verdict NONE and id "": it has none. */
struct target_result targets_of_case(const struct outcomes *, const struct outcome *);

/* ---- table.c ---- */

void table_head(FILE *); /* rows while the suite runs */
void table_row(FILE *, const struct outcomes *, const struct outcome *);
void table_targets(FILE *, const struct outcomes *);
void table_markdown(struct out *, const struct outcomes *, const char *machine);

/* ---- compare.c ---- */

int compare_files(struct diag *, const char *a, const char *b); /* the exit code */

#endif
