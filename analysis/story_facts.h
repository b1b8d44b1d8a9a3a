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

/* Model and batch of a trial; batch 0: the model's own. false: not known. */
bool story_trial(const struct story_run_facts *, uint32_t experiment, uint32_t trial,
                 const char **model, uint32_t *batch);

#endif
