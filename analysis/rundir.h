/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rundir.h - the folder of one run: events.csv, jobs.csv, series.csv, summary.json, manifest.json,
 * timing.json. docs/formats.md has a line for each column and key.
 *
 * summary.json is written last: where it is, the folder is complete. Who has written its last
 * folder calls out_settle.
 */
#ifndef ANALYSIS_RUNDIR_H
#define ANALYSIS_RUNDIR_H

#include "analysis/metrics.h"
#include "sim/model/config.h"

struct run_files {
    bool events, jobs, series;
    bool shared; /* of a cluster that shares its GPUs: jobs.csv has more columns */
};

struct rundir;

/* Makes the folder (parents too) and opens the files. NULL: reported. path NULL: nothing is
 * written. */
struct rundir *rundir_open(struct diag *, const char *path, struct run_files);
/* The sinks to hand to the engine: *n of them, good until the end. */
struct sink *const *rundir_sinks(struct rundir *, uint32_t *n);
struct metrics *rundir_metrics(struct rundir *);

struct run_facts {
    const struct config *config;
    const struct chosen_policy *policy;
    uint32_t position;     /* of the policy in the configuration, from 0 */
    const char *predictor; /* label */
    uint64_t seed;
    const char *inputs_json; /* [{"path": ..., "sha256": ...}, ...] */
    const char *world_hash;  /* of all that policies of one comparison share, but the seed */
    double wall_s;
    uint64_t events, unsettled; /* engine_unsettled() */
    const char *command;
};

/* Completes the folder; values: METRICS of them. Frees the rundir. false: reported, and none of its
 * files is left. */
bool rundir_close(struct rundir *, const struct run_facts *, const struct metric_value *values);
void rundir_drop(struct rundir *); /* leaves no file of its own, and no folder that it made */

/* summary.json as text: metrics, digest, how it ended. */
void summary_write(struct out *, const struct metric_value *, uint64_t digest, const char *ended);
/* One value as text: a number, or null. */
void metric_write(struct out *, const struct metric_def *, const struct metric_value *);

#endif
