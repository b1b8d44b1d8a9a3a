/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot.h - pictures of runs: data files, the gnuplot scripts that draw them, SVG and PDF.
 *
 * A picture NAME is four files: NAME.tsv (its data, as analysis/README.md has them), NAME.gp,
 * NAME.svg and NAME.pdf. `gnuplot NAME.gp` in their folder draws it again. The same runs give the
 * same bytes. Foreign text (labels, names of GPU types) is in NAME.tsv only, never in a script.
 */
#ifndef ANALYSIS_PLOT_H
#define ANALYSIS_PLOT_H

#include "analysis/result.h"

/* One picture that was asked for. */
struct plot_done {
    const char *kind, *about;
    const char *name;     /* its files without their endings */
    const char *label;    /* of the policy, if it shows one run; else NULL */
    uint64_t seed;        /* of that run */
    const char *left_out; /* why there is none; NULL: it was drawn */
};

struct plots { /* zero-initialised */
    struct plot_done *plot;
    uint32_t n;
    size_t cap;
};

struct plot_request {
    const struct results *results; /* of one world */
    const char *baseline;          /* a label; NULL: the first result's */
    const char *out;               /* folder; made, with parents, if it is not there */
    const char *const *kind;       /* names; n_kinds 0: all for which there are data */
    uint32_t n_kinds;
    /* Before each picture; false: it and the others are not drawn, nothing is reported. */
    bool (*progress)(void *user, const char *what, uint32_t done, uint32_t all);
    void *user;
};

/* false: reported. A kind that was named and cannot be drawn is an error. Good as long as the
 * arena. */
bool plot_all(struct arena *, struct diag *, const struct plot_request *, struct plots *out);

void plots_free(struct plots *);

/* The endings of the files of a picture, ended by NULL. */
extern const char *const plot_endings[];

#endif
