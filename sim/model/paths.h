/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths.h - files named in configurations: relative to the file that names them.
 */
#ifndef SIM_PATHS_H
#define SIM_PATHS_H

#include "sim/text/tree.h"

/* The path a scalar means: relative to its own file, or, from the command line, to where one is. */
const char *path_of(struct arena *, const struct tree *scalar);

#endif
