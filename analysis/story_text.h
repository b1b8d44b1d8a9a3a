/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * story_text.h - how stories say things.
 */
#ifndef ANALYSIS_STORY_TEXT_H
#define ANALYSIS_STORY_TEXT_H

#include "analysis/story.h"

/* Foreign text: '?' for each byte or character that does not show. */
void say_safe(struct out *, const char *);
/* A length of time: "3.01 s", "4149.3 s (1 h 9 min)". */
void say_time(struct out *, sim_time);
/* A moment, right-aligned in 12 columns: "    4149.3 s". */
void say_clock(struct out *, sim_time);
/* A real number with four digits that count. */
void say_real(struct out *, double);
/* "3 jobs", "1 job". */
void say_count(struct out *, uint64_t n, const char *one, const char *many);
/* "GPU 3 (2080Ti, node 1)", "4 GPUs (0-3; V100, node 0)". */
void say_gpus(struct out *, const struct story_cluster *, const struct share *, uint32_t n);
/* "job 3, job 7 and job 9". */
void say_jobs(struct out *, const uint32_t *job, uint32_t n);

/* "0-3*32 8*30": GPUs with their samples. */
void say_shares(struct out *, const struct share *, uint32_t n);
/* Of one stretch: its batch split anew, its rates beside other jobs. */
void say_splits(struct out *, const struct story_stint *, bool shared);
void say_rates(struct out *, const struct story_stint *);
void say_rate(struct out *, const struct story_stint *, double rate, double told, bool shared);
void say_why(struct out *, const char *before, const char *why); /* NULL: nothing */
#define SAY_INDENT "              "

/* The first lines: which run this is. */
void say_run(struct out *, const struct story_run_facts *);

#endif
