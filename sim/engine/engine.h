/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine.h - one run: a world, a trace, a predictor and a policy in; records out.
 *
 * An engine is one value without globals and single-threaded; the same setup gives the same
 * records, byte for byte. It owns nothing it is handed.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdio.h>

#include "sim/engine/record.h"
#include "sim/model/predictor.h"
#include "sim/model/trace.h"
#include "sim/policy.h"

struct engine_setup {
    const struct world *world;
    struct trace *trace; /* may be NULL: experiments only */
    const struct policy *policy;
    const void *params; /* the policy's parameters: state_size bytes, copied; may be NULL */
    const struct belief *belief;
    struct sink *const *sink; /* every record goes to each, in order */
    uint32_t n_sinks;
    sim_time until;      /* stop after this time; SIM_NEVER: when nothing is left */
    uint32_t max_rounds; /* decision rounds allowed in one instant */
    bool count_refusals; /* a refused act does not end the run */
    bool paranoid; /* check all invariants: after every instant of a small world, else less often */
};

enum run_end {
    RUN_DRAINED, /* every job has ended */
    RUN_UNTIL,
    RUN_STALLED,  /* jobs wait and nothing is left to happen */
    RUN_LIVELOCK, /* max_rounds in one instant */
    RUN_REFUSED,  /* a strict run met a refused act */
    RUN_FAILED,   /* the policy gave up: sim_fail */
    RUN_BAD_INPUT /* the trace broke off; diag says where */
};

struct engine *engine_new(const struct engine_setup *);
void engine_free(struct engine *);
enum run_end engine_run(struct engine *); /* engine_step() until it says no */
bool engine_step(struct engine *);        /* one instant; false: the run has ended */

enum run_end engine_end(const struct engine *);
sim_time engine_now(const struct engine *);
uint64_t engine_events(const struct engine *); /* events handled so far */
uint64_t engine_refusals(const struct engine *);
/* Groups of jobs whose rates did not settle within the cluster's rounds: the last ones stood. */
uint64_t engine_unsettled(const struct engine *);

/* Why a run ended as it did, for people: policy, time, jobs, reason, last records, the policy's
 * dump. */
void engine_report(const struct engine *, FILE *out);
const char *engine_reason(const struct engine *); /* one line; "" after a clean end */

#endif
