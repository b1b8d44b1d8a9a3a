/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sorted.h - preemption by rank in the plain way: at every quantum all jobs are looked at and
 * sorted.
 *
 * What policies/lib/ranked.c must equal and beat, for jobs of one GPU each:
 * sorted[by=srtf|las|las2,quantum_s=...,threshold_gpu_s=...].
 */
#ifndef PERF_SORTED_H
#define PERF_SORTED_H

#include "sim/policy.h"

extern const struct policy policy_sorted;
extern const struct policy policy_every_quantum; /* rr, with a look at the end of each quantum */

#endif
