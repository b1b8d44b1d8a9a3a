/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot_scatter.h - predictions against measurements, a point each, as a picture of plot.h's kind:
 * NAME.tsv, NAME.gp and what the terminals make.
 */
#ifndef ANALYSIS_PLOT_SCATTER_H
#define ANALYSIS_PLOT_SCATTER_H

#include "analysis/plot.h"

#define SCATTER_MOST                                                                               \
    500u /* points of a series that are drawn: of more, every second, third, ...                   \
          */

struct scatter_point {
    uint32_t series;
    double x, y;
    bool fitted; /* drawn hollow */
};

struct scatter {
    const char *name, *about, *x, *y; /* x, y: titles of the axes, ours */
    bool errors;        /* y is an error in percent; else both axes are alike, and logarithmic */
    const char **label; /* of the series; those without points are left out */
    uint32_t n_labels;
    const struct scatter_point *point; /* x > 0 */
    size_t n;
};

/* Draws one into the folder r->out, which is there, on r->terminals; without gnuplot only data and
 * script are written. false: reported. */
bool plot_scatter(struct arena *, struct diag *, const struct plot_request *r,
                  const struct scatter *);

#endif
