/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * baseline.h - what runs amounted to when somebody agreed with it, as a file to commit.
 *
 *   {"schema": 1, "version": "0.1.0",
 *    "tolerances": {"digest": T, "counts": T, "default": T, METRIC: T...},
 *    "runs": [{"case": TEXT, "policy": LABEL, "predictor": LABEL, "world": HASH,
 *              "tolerances": {...}, "seeds": [1, 2], "digests": [HEX, HEX],
 *              "metrics": {METRIC: [VALUE, VALUE], ...}}]}
 *
 * with T = {"check": exact|mean|none, "absolute": X, "relative": X, "better": pass|fail, "unclear":
 * pass|fail, "about": TEXT}. What T of a metric leaves out is that of counts or default; a
 * metric with a tolerance and no check is checked by its mean. A run's own tolerances, which it may
 * do without, are laid over those of the file.
 */
#ifndef ANALYSIS_BASELINE_H
#define ANALYSIS_BASELINE_H

#include "analysis/gate_runs.h"

enum tolerance_check { CHECK_EXACT, CHECK_MEAN, CHECK_NONE };
enum tolerance_answer { ANSWER_FAIL, ANSWER_PASS };

struct tolerance {
    int check;
    double absolute, relative; /* a change that is within either passes */
    int better;                /* answer to a change for the better that is beyond them */
    int unclear;               /* to one that may be chance: the paired interval holds 0 */
    const char *about;         /* for people */
};

struct baseline_run {
    const char *name, *policy, *predictor, *world;
    struct mark at, world_at, digests_at, metric_at[METRICS];
    uint32_t n; /* seeds, all different */
    uint64_t *seed, *digest;
    struct metric_value *value[METRICS]; /* by seed; NULL: the file has none */
    struct tolerance of_digest, tolerance[METRICS];
    struct tree *map;
};

struct baseline {
    struct tree *root;
    uint32_t n;
    struct baseline_run **run;
};

/* false: reported, all of it. Good as long as the arena. */
bool baseline_read(struct arena *, struct diag *, const char *path, struct baseline *);
/* One without runs, with the default tolerances. */
void baseline_new(struct arena *, struct baseline *);

/* The run of a case, policy and predictor, or NULL. */
struct baseline_run *baseline_find(const struct baseline *, const struct gate_group *);

/*
 * Takes the values of a group without faults over into the tree. Seeds that it lacks keep theirs if
 * they are of its world, and go otherwise; tolerances stay.
 */
void baseline_put(struct arena *, struct baseline *, const struct gate_group *);
/* The file as a text of its own, for mem_drop. */
char *baseline_text(const struct baseline *);
/* With this version in it. false: reported, and the old file is as it was. */
bool baseline_write(struct arena *, struct diag *, const char *path, struct baseline *);

#endif
