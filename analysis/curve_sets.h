/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve_sets.h - sets of learning curves side by side, recorded or drawn from a population.
 */
#ifndef ANALYSIS_CURVE_SETS_H
#define ANALYSIS_CURVE_SETS_H

#include "analysis/curve_facts.h"
#include "analysis/plot.h"
#include "sim/model/population.h"
#include "sim/text/out.h"

/* What is drawn, and how: keys of `hetune curves draw` and, for populations, of `compare`. */
struct draw_request {
    int64_t trials, seed; /* trials 0: as many as the population was made from */
    double good_metric;
    struct draw_wish wish;
};
extern const struct field draw_request_fields[];

struct curve_set {
    const char *label;
    const struct curves *curves;
    struct curve_facts facts;
};

/* The curves of a set, or drawn from a population, whichever the file is; NULL: reported. keys: of
 * the request, as a map with marks. */
const struct curves *curve_set_open(struct arena *, struct diag *, const char *path,
                                    struct tree *keys, const struct draw_request *);
/* Drawn from a population. */
struct curves *curve_set_draw(struct arena *, struct diag *, const struct population *,
                              struct tree *keys, const struct draw_request *);

/* Writes a set: PATH.yaml, PATH.csv and PATH.trials.csv, from where it was drawn. false: reported.
 */
bool curve_set_write(struct arena *, struct diag *, const char *path, const struct curves *,
                     const char *from);

/* A table, a column a set. */
void curve_sets_print(struct out *, struct arena *, const struct curve_set *, uint32_t n);

/* Metric by time, last metrics and rank correlations as a picture, in the folder of the request.
 * false: reported. */
bool curve_sets_plot(struct arena *, struct diag *, const struct plot_request *,
                     const struct curve_set *, uint32_t n);

#endif
