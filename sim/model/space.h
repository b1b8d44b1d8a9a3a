/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * space.h - the hyper-parameters of a recorded set: what its trials file says of each trial.
 *
 * `trials_file` of the set names a CSV file with a row for each trial, in order. `space`, a list,
 * says which of its columns are hyper-parameters. Each becomes an axis from 0 to 1: numbers from
 * the least to the greatest of them, by their logarithms where all are positive and span more than
 * a factor of 10; names by their alphabetical order. A column `batch` has batch sizes,
 * a column `epochs` how many were planned: more than were recorded of a trial that diverged. Cells
 * of these two may be empty.
 */
#ifndef SIM_SPACE_H
#define SIM_SPACE_H

#include "sim/model/curve.h"
#include "sim/text/tree.h"

#define SPACE_MOST 64 /* axes of a set */

/* Fills axes, axis, point, batch, planned and trials_file of a set whose curves are read. False:
 * reported.
 */
bool space_load(struct arena *, struct diag *, const struct tree *set, struct curves *);

#endif
