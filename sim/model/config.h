/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.h - a run's configuration: configs/runs/NAME.yaml with what it refers to and the
 * overrides.
 *
 * `cluster`, `cost`, `overheads` and `draw` are maps, or the names of files that hold them.
 * Everything is read and checked once; then each seed has its own world, and each (seed, policy) is
 * one run.
 */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include "sim/model/plug.h"
#include "sim/model/population.h"
#include "sim/model/trace.h"
#include "sim/model/world.h"
#include "sim/text/conf.h"

#define EXPERIMENTS_MOST 65535 /* kinds of them */

/* Which recordings are trials: shuffled for each seed, or the first. */
enum { DRAW_RANDOM, DRAW_FIRST };

/* What one experiment of the file asks for; trials are drawn for each seed. */
struct experiment_conf {
    const char *name, *curves_path, *population_path;
    struct draw_wish wish; /* of a population */
    sim_time submit, deadline, gap;
    int64_t trials, gpus, good_best, count;
    double good_metric, target, weight, budget;
    int draw, end;
    uint32_t n_models, n_batches;
    uint32_t *model, *batch; /* no batches: each trial has the one it was recorded with */
    struct mark at;
    struct curves *curves;         /* recorded; NULL: trials are of a population */
    struct population *population; /* or NULL */
    struct chosen_tuner tuner;
};

/* How many trials it draws; 0: it does not say, and there are no recordings. */
static inline int64_t experiment_trials(const struct experiment_conf *x)
{
    return x->trials || !x->curves ? x->trials : x->curves->trials;
}

struct config {
    const char *path;
    struct tree *root; /* resolved: overrides and defaults are in it */
    const char *about;
    const char *trace;         /* path of plain jobs; NULL: none, or they are drawn */
    struct job_draw *draw;     /* NULL: they are not */
    struct tree *predictor;    /* its label */
    const struct plugs *plugs; /* loaded policies and tuners; only while it is read */
    uint32_t n_policies;
    struct chosen_policy *policy;
    int64_t seed, seeds; /* the seeds are seed .. seed + seeds - 1 */
    sim_time until;
    int64_t max_rounds;
    bool count_refusals;
    bool write_events, write_jobs, write_series;
    const char *input[64]; /* paths of all files that were read, ended by NULL */
    uint32_t n_inputs;
    uint32_t n_experiments;
    struct experiment_conf *experiment;
    struct world base;   /* without the draws of a seed */
    double *speed_sigma; /* by node */
};

/* NULL: reported. Overrides are applied one after the other. Good as long as the arena. */
struct config *config_load(struct arena *, struct diag *, const char *path, const struct override *,
                           uint32_t n, const struct plugs *);

/* The world of one seed; good as long as both arenas. */
struct world *config_world(const struct config *, struct arena *, uint64_t seed);

/* The tables behind the keys, for documentation: section by section, ended by a NULL name. */
struct config_section {
    const char *name, *about;
    const struct field *fields;
};
extern const struct config_section config_sections[];

/* Adds a file to the inputs; false: too many. */
bool config_input(struct config *, struct diag *, const char *path);

/* ---- the parts, in files of their own; each reports all that is wrong with it ---- */

bool load_cluster(struct config *, struct arena *, struct diag *, struct tree *);
bool load_cost(struct config *, struct arena *, struct diag *, struct tree *);
bool load_sharing(struct config *, struct arena *, struct diag *, struct tree *); /* after cost */
bool load_overheads(struct config *, struct arena *, struct diag *, struct tree *);
bool load_draw(struct config *, struct arena *, struct diag *, struct tree *);
bool draw_can_run(const struct config *, struct diag *); /* when all else is fine */
bool load_experiments(struct config *, struct arena *, struct diag *, struct tree *);
bool experiments_can_run(const struct config *, struct diag *); /* when all else is fine */
void draw_experiments(const struct config *, struct arena *, struct world *);

/* A number of a sharing map; NAN if it is `none` or absent. */
double sharing_default(struct arena *, struct diag *, const struct tree *sharing, const char *key);

extern const struct field gpu_type_fields[], node_fields[], cost_fields[], model_fields[],
    fit_fields[], sync_fields[], op_cost_fields[], measured_step_fields[], overhead_fields[],
    experiment_fields[], sharing_fields[], draw_fields[], draw_range_fields[], pair_fields[],
    slice_fields[];

#endif
