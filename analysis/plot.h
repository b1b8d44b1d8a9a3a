/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot.h - pictures of runs and of sweeps: data files and the gnuplot scripts that draw them.
 *
 * A picture NAME is NAME.tsv (its data, as analysis/README.md has them), NAME.gp, and what the
 * wanted terminals make. `gnuplot NAME.gp` in their folder draws it again. The same runs give the
 * same bytes. Foreign text (labels, names of GPU types) is in NAME.tsv and pictures only, never in
 * a script.
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

/* What a picture is drawn as: bits of a set. */
enum {
    PLOT_SVG = 1,
    PLOT_PDF = 2,
    PLOT_PNG = 4,
    PLOT_LATEX = 8, /* a .tex file to \input, with its texts as LaTeX, and a PDF that it includes */
    PLOT_ALWAYS = 16
};
/* Files of a picture: what stands after NAME, and which terminals make it. */
struct plot_file {
    const char *ending;
    unsigned terminal;
};
extern const struct plot_file plot_files[]; /* ended by NULL */

/* "svg,png"; false: reported. */
bool plot_terminals(struct diag *, const char *list, unsigned *terminals);
/* Inches, as "3.33"; false: reported. */
bool plot_width(struct diag *, const char *text, double *width);

struct plot_request {
    const struct results *results; /* of one world; NULL: of a sweep */
    const char *sweep;             /* its folder */
    const char *baseline;          /* a label; NULL: the first result's */
    const char *out;               /* folder; made, with parents, if it is not there */
    const char *const *kind;       /* names; n_kinds 0: all for which there are data */
    uint32_t n_kinds;
    const char *const *metric; /* names, for the kinds that can show any */
    uint32_t n_metrics;
    unsigned terminals;
    double width; /* inches; 0: as the kind has it */
    /* Before each picture; false: it and the others are not drawn, nothing is reported. */
    bool (*progress)(void *user, const char *what, uint32_t done, uint32_t all);
    void *user;
};

/* false: reported. A kind that was named and cannot be drawn is an error. Good as long as the
 * arena. */
bool plot_all(struct arena *, struct diag *, const struct plot_request *, struct plots *out);

void plots_free(struct plots *);

/* Whether gnuplot is there; false: reported, as what could not be drawn. */
bool plot_can_draw(struct arena *, struct diag *);

#endif
