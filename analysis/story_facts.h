/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * story_facts.h - what stories are read from.
 */
#ifndef ANALYSIS_STORY_FACTS_H
#define ANALYSIS_STORY_FACTS_H

#include "analysis/events.h"
#include "analysis/story.h"

/* The run's events.csv. NULL: reported, with how to get one. */
struct events *story_open(struct arena *, struct diag *, const struct story_run_facts *);

/* The job of that number, or of that name in the trace, and the experiment of a job named by its
 * number. false: reported. */
bool story_find(struct arena *, struct diag *, const struct story_run_facts *, const char *job,
                uint32_t *number, uint32_t *experiment);

/* Model and batch of a trial; batch 0: the model's own. false: not known. */
bool story_trial(const struct story_run_facts *, uint32_t experiment, uint32_t trial,
                 const char **model, uint32_t *batch);

/* A reason with # for each number: reasons of a kind become equal. */
void story_kind(char *to, size_t size, const char *why);

/* Folds records into story_acts; memory: the living jobs, and a pair for each push. */
struct acts_reader;
struct acts_reader *acts_new(struct arena *, const struct story_cluster *, struct story_acts *);
void acts_take(struct acts_reader *, const struct record *);
void acts_end(struct acts_reader *); /* completes the acts, and frees; NULL is fine */

#endif
