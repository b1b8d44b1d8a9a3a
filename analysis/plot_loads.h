/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot_loads.h - what the GPUs of a shared cluster do against time, from the load events of a run.
 */
#ifndef ANALYSIS_PLOT_LOADS_H
#define ANALYSIS_PLOT_LOADS_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"

struct plot_load { /* from t on, summed over GPUs */
    double t;      /* s */
    double active; /* part of the time in which some job computes there */
    double work;   /* of the most work that a GPU can do */
};

struct plot_loads { /* zero-initialised */
    struct plot_load *load;
    size_t n, cap;
};

/* Reads events.csv. false: reported. mem_drop(load) in any case. */
bool plot_loads(struct diag *, const char *path, struct plot_loads *);

#endif
