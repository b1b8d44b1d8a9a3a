/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts.h - what a run has to say of itself: versions, clocks, method, how much of the grid.
 */
#ifndef MICROBENCH_FACTS_H
#define MICROBENCH_FACTS_H

#include "analysis/microbench/nvml.h"
#include "analysis/microbench/report.h"

enum { MB_FACTS = 16 };

struct mb_facts {
    struct mb_fact list[MB_FACTS];
    size_t n;
    char text[MB_FACTS][320];
};

/* Cases left out for one reason. */
struct mb_skip {
    const char *op;
    char why[MB_WHY];
    size_t cases;
};

enum { MB_SKIPS = 24 };

struct mb_skips {
    struct mb_skip list[MB_SKIPS]; /* what does not fit is counted with the last */
    size_t n;
};

void mb_skip_add(struct mb_skips *, const char *op, const char *why);

/* Fills facts, whose texts are good as long as they are. */
void mb_facts_fill(struct mb_facts *, const struct mb_gpu *, const struct mb_nvml *before,
                   const struct mb_nvml *after, const struct mb_effort *);
/* One more; cut to what a text holds. */
void mb_facts_add(struct mb_facts *, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
