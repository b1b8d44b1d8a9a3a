/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gate_state.h - what gate.c and gate_values.c share; nobody else's. */
#ifndef ANALYSIS_GATE_STATE_H
#define ANALYSIS_GATE_STATE_H

#include "analysis/gate.h"

/* One run of the baseline and the group that is checked against it. */
struct pairing {
    struct arena *arena;
    struct gate *gate;
    const struct baseline_run *old;
    const struct gate_group *new;
    struct gate_item blank;
    uint32_t n; /* common seeds that have values */
    const struct gate_run **run;
    uint32_t *at; /* their positions in old */
};

/* Seeds as a text: "seed 3", "seeds 3, 5 and 8 more". */
struct seed_list {
    uint64_t first[2];
    uint32_t n;
};

void gate_list_seed(struct seed_list *, uint64_t seed);
const char *gate_seeds_text(struct arena *, const struct seed_list *);
void gate_add(struct gate *, struct gate_item);

/* Of the common seeds. */
void gate_digest(struct pairing *);
void gate_metric(struct pairing *, int id);

#endif
