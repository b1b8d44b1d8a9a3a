/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_records.h - a third reading of the accounts: from records alone the time line of every GPU
 * and every job is rebuilt, and compared with the rules and with the metrics.
 */
#ifndef PROPERTY_CHECK_RECORDS_H
#define PROPERTY_CHECK_RECORDS_H

#include "tests/property/worlds.h"

struct check;

struct check *check_new(const struct random_world *);
uint32_t check_sinks(struct check *, struct sink **out);        /* at most 2; how many */
/* After the run: says on stderr what is wrong; frees it. */
bool check_finish(struct check *, uint64_t digest);

/* What was reached by all checked runs of this process: lines "# NAME COUNT". */
void check_coverage(FILE *out);

#endif
