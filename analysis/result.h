/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result.h - results of runs, as comparisons take them: from memory or from folders.
 */
#ifndef ANALYSIS_RESULT_H
#define ANALYSIS_RESULT_H

#include "analysis/metrics.h"
#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/text/tree.h"

/* One case of a sweep: the values of its axes but policy and seed. */
struct result_case {
    uint32_t n;
    const char *const *axis, *const *value;
};

struct result {
    const char *label;            /* of the policy */
    const struct result_case *in; /* NULL: of no sweep */
    const char *predictor;
    const char *world; /* hash of what was simulated, seed apart */
    const char *ended;
    const char *path;        /* of its folder or file; NULL: it has none */
    const char *config_file; /* of results_load: the configuration that it was made from */
    bool oracle;
    uint64_t position; /* of the policy in the configuration */
    uint64_t seed, digest;
    struct metric_value value[METRICS];
};

/* A point of a sweep that has no values. */
struct lost_point {
    const char *label, *seed;
    const char *status, *reason; /* as in the merged table; reason "": there is none */
    const struct result_case *in;
};

struct results { /* zero-initialised; all of it in one arena */
    struct result *result;
    uint32_t n;
    size_t cap;
    struct lost_point *lost;
    uint32_t n_lost;
    size_t lost_cap;
    const char *first; /* label of the first run or point; NULL: there is none */
};

/* Room for one more result, zeroed. */
struct result *results_add(struct results *);
void results_free(struct results *);
/* The run of a policy with the least seed; NULL: it has none. */
const struct result *results_first(const struct results *, const char *label);

/*
 * Adds the run in a folder, or, if it is none, all runs in folders below it: policies in the order
 * of their configuration, then seeds.
 */
bool results_load(struct results *, struct arena *, struct diag *, const char *path);
/* "LABEL with PREDICTOR" instead of the label, if more than one predictor is among them. */
void results_tell_apart(struct results *, struct arena *);

/* For readers of JSON with such facts in it: all report what is missing or wrong. */
bool result_text(struct diag *, const struct tree *map, const char *key, const char **out);
bool result_schema(struct diag *, const struct tree *map); /* "schema": 1 */
bool result_facts(struct diag *, const struct tree *manifest, struct result *);
bool result_values(struct diag *, const struct tree *summary, struct result *);
/* One value, a number or null. */
bool result_value(struct diag *, const struct tree *scalar, const struct metric_def *,
                  struct metric_value *);

#endif
