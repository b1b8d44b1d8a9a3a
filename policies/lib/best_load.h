/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best_load.h - what jobs do together on a GPU, by how long each of them is there. */
#ifndef POLICIES_BEST_LOAD_H
#define POLICIES_BEST_LOAD_H

#include <stdint.h>

#define BEST_JOBS 10u

/*
 * What n jobs do together on a GPU, in exclusive seconds a second, that compute there part[i] of
 * the time (< 1) and are in equal parts otherwise: the product form of the fluid rates. peak[s]: of
 * s jobs that compute.
 */
double best_load(const double *part, uint32_t n, const double *peak);

#endif
