/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * microbench_load.h - what the two halves of the reader share (microbench_run.c and
 * microbench_series.c); nobody else includes it.
 */
#ifndef ANALYSIS_MICROBENCH_LOAD_H
#define ANALYSIS_MICROBENCH_LOAD_H

#include "analysis/microbench_run.h"
#include "sim/text/tree.h"

/* The tree is in temp and goes with it; what the run keeps is in keep. */
struct loading {
    struct arena *keep, *temp;
    struct diag *diag;
};

const char *load_kept(struct loading *, const char *text);
bool load_listed(const char *word, const char *const *words);

/* Whether the value of a key is an empty text: reported. */
bool load_no_text(struct loading *, const struct tree *map, const char *key, const char *wanted);

/* The value of a key that must be there and of a kind; NULL: reported. */
struct tree *load_part(struct loading *, const struct tree *map, const char *key, enum tree_kind,
                       const char *what);

/* One item of `series`; false: reported. */
bool load_one_series(struct loading *, struct tree *map, struct series *);

#endif
