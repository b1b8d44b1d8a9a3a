/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * population.h - a population of learning curves: a distribution from which trials are drawn.
 *
 * Made by `hetune curves fit` from a recorded set (schema: docs/formats.md; what is drawn:
 * docs/model.md). Losses are scaled (family.h). Trials that learn are of one family; a share of all
 * trials diverged. Of each class there are examples, recorded trials with four traits:
 *
 *   final     the loss at the end          shape  of the family
 *   progress  the share of the way to it   noise  standard deviation about the curve
 *             made by a tenth of the epochs
 *
 * A trial is drawn by its rank: its final loss lies between those of the examples next to that, the
 * other traits are those of an example near by, so that they go together as in the recordings.
 */
#ifndef SIM_POPULATION_H
#define SIM_POPULATION_H

#include "sim/model/curve.h"
#include "sim/model/family.h"
#include "sim/text/tree.h"

enum trait { TRAIT_FINAL, TRAIT_PROGRESS, TRAIT_SHAPE, TRAIT_NOISE, TRAITS };

#define POPULATION_EARLY 0.1 /* the time of trait progress */
/* A rank correlation that is asked for is met by so much where there are 16 trials or more. */
#define POPULATION_NEAR 0.02

struct trait_table { /* quantiles 0 .. 1, evenly spaced, not falling */
    uint32_t n;
    double *q;
};

struct population_class {
    const struct family *family;
    uint32_t n; /* examples, by final, the best first; 0: there are no such trials */
    double (*example)[TRAITS];
};

/* What is common to all trials that learn, by epoch of the recordings. */
enum common { COMMON_DEVIATION, COMMON_SPREAD, COMMON_PERSISTENCE, COMMONS };
extern const char *const common_names[COMMONS];

struct population {
    const char *name; /* of the metric */
    bool falls;
    double start, ideal, worst; /* metrics; none that is drawn is worse than `worst` */
    bool log;                   /* the loss is of the metric's logarithm */
    uint32_t trials, epochs;    /* of the recordings */
    double diverged_share;
    struct population_class learning, diverged;
    struct trait_table length; /* of diverged trials: share of the planned epochs */
    double *common[COMMONS];   /* epochs of each: deviation from the family, in noise's units how
                                  far trials spread, correlation with the epoch before */
};

extern const struct field population_fields[]; /* for documentation */

/* NULL: reported. Good as long as the arena. */
struct population *population_load(struct arena *, struct diag *, const char *path);

/* Losses from metrics and back. */
double population_loss(const struct population *, double metric);
double population_metric(const struct population *, double loss);

/* The value of a table below which a share u lies. */
double trait_quantile(const struct trait_table *, double u);
/* The final loss below which a share u of a class is, and the share below a loss. */
double population_final(const struct population_class *, double u);
double population_share(const struct population_class *, double loss);

/* A row for each key of the wish below, for a table of a struct that has it at `member`. */
/* clang-format off */
#define DRAW_WISH_ROWS(type, member) \
    {FIELD_INT, "epochs", offsetof(type, member.epochs), "0", 0, 100000, NULL, \
     "population: epochs that are planned; 0: as many as were recorded"}, \
    {FIELD_REAL_OR_NONE, "good_share", offsetof(type, member.good_share), "none", 0, 1, NULL, \
     "population: this share of the trials reaches good_metric, and no other; none: as drawn"}, \
    {FIELD_REAL_OR_NONE, "rank_correlation", offsetof(type, member.rank_correlation), "none", \
     -0.1, 1, NULL, \
     "population: of the metric at a tenth of the epochs with the last one; none: as drawn"}, \
    {FIELD_REAL_OR_NONE, "diverged_share", offsetof(type, member.diverged_share), "none", 0, 1, \
     NULL, "population: how likely a trial diverges; none: as recorded"}, \
    {FIELD_INT, "axes", offsetof(type, member.axes), "0", 0, 16, NULL, \
     "population: hyper-parameters whose values a tuner may know"}, \
    {FIELD_REAL, "explained", offsetof(type, member.explained), "0.7", 0, 1, NULL, \
     "population: share of the variance of final ranks that the axes explain"}
/* clang-format on */

/* What is wanted of the trials that are drawn. NAN: as the population has it. */
struct draw_wish {
    int64_t epochs; /* planned; 0: as the recordings */
    double good_share, rank_correlation, diverged_share;
    int64_t axes;     /* hyper-parameters, which ... */
    double explained; /* ... explain this share of the variance of final ranks */
};

/* Whether the wish can be met with so many trials of which those that reach good_metric (NAN: not
 * given) are good; false: reported, at the key of map. */
bool population_can(const struct population *, struct diag *, struct tree *map,
                    const struct draw_wish *, uint32_t trials, double good_metric);

/*
 * So many trials, by the streams of (seed, index) and nothing else, in the arena. With a
 * rank_correlation, the Spearman correlation of the metric at a tenth of the epochs with the last
 * one, over trials that did not diverge, is as near to it as the trials allow.
 */
struct curves *population_draw(const struct population *, struct arena *, const struct draw_wish *,
                               uint32_t trials, double good_metric, uint64_t seed, uint32_t index);

#endif
