/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bound.h - trials bound to stations (a GPU, or a node), which take turns: the node scheduler of
 * Hermes (docs/model.md, eq. 9-10).
 *
 * A policy binds each job to stations when it arrives, and may move it later. One job at a time
 * runs on a GPU; the others wait suspended. At the end of a quantum, at arrivals and at
 * completions, each station that was touched decides who goes on: in order of arrival, in turn
 * (equal quanta), by convergence (eq. 9-10), or by what the next quantum is predicted to bring (eq.
 * 11). A job of n GPUs is bound to n stations of one GPU,
 * or to one node, and runs when all of them can serve it.
 */
#ifndef POLICIES_BOUND_H
#define POLICIES_BOUND_H

#include "policies/lib/fit.h"
#include "policies/lib/trail.h"
#include "sim/heap.h"
#include "sim/policy.h"

enum order { ORDER_FIFO, ORDER_RR, ORDER_CONVERGENCE, ORDER_REDUCTION };
enum scope { SCOPE_GPU, SCOPE_NODE };
enum compare_at { AT_COMMON_EPOCH, AT_LATEST };
enum preempt_on { ON_QUANTUM, ON_ARRIVAL, ON_ANY };
enum spread {
    SPREAD_ROUND_ROBIN,
    SPREAD_FEWEST,
    SPREAD_PER_NODE,
    SPREAD_RANDOM,
    SPREAD_LEAST_USED
};

struct bound_rules {
    int order, scope, compare_at, preempt_on, spread;
    int64_t quantum_epochs; /* used when quantum is 0 */
    sim_time quantum;
    double delta; /* hysteresis of convergence, or of the reduction */
    struct trail_rules trail;
    struct fit_rules fit;
    bool oracle; /* the reduction is the true one */
};

extern const char *const bound_orders[], *const bound_scopes[], *const bound_spreads[];
extern const char *const bound_compares[], *const bound_preempts[];

/* Rows of a table of fields, for a policy whose state is, or begins with, a struct bound. */
#define BOUND_AT(what) offsetof(struct bound, rules.what)
/* clang-format off */
#define BOUND_ORDER_FIELD(def)                                                                     \
    {FIELD_CHOICE, "order", BOUND_AT(order), def, 0, 0, bound_orders,                              \
     "who runs on a GPU: arrival, equal quanta in turn, convergence"}
#define BOUND_SPREAD_FIELD(def)                                                                    \
    {FIELD_CHOICE, "placement", BOUND_AT(spread), def, 0, 0, bound_spreads,                        \
     "where a new trial goes, blind to GPU types: GPU k mod M, fewest residents, equal counts "    \
     "per node, random, fewest residents and among these least used so far"}
#define BOUND_TURN_FIELDS(epochs, seconds)                                                         \
    {FIELD_CHOICE, "scope", BOUND_AT(scope), "gpu", 0, 0, bound_scopes,                            \
     "trials are bound to a GPU, or to a node whose free GPUs take the next one"},                 \
    {FIELD_INT, "quantum_epochs", BOUND_AT(quantum_epochs), epochs, 1, 1e6, NULL,                  \
     "quantum in epochs of the trial, if quantum_s is 0"},                                         \
    {FIELD_SECONDS, "quantum_s", BOUND_AT(quantum), seconds, 0, 1e6, NULL,                         \
     "quantum in seconds of progress; 0: quantum_epochs counts"}
#define BOUND_YIELD_FIELDS(delta_def)                                                              \
    {FIELD_CHOICE, "preempt_on", BOUND_AT(preempt_on), "arrival", 0, 0, bound_preempts,            \
     "a running trial yields at quantum ends; also when an untried one arrives; at any event"},    \
    {FIELD_REAL, "delta", BOUND_AT(delta), delta_def, 0, 1, NULL,                                  \
     "a waiting trial must be better by so much (hysteresis)"}
#define BOUND_CONVERGENCE_FIELDS                                                                   \
    {FIELD_CHOICE, "compare_at", BOUND_AT(compare_at), "common_epoch", 0, 0, bound_compares,       \
     "trials are compared at the epoch that all have reached, or at their latest"},                \
    BOUND_YIELD_FIELDS("0.02"),                                                                    \
    {FIELD_CHOICE, "measure", BOUND_AT(trail.measure), "cumulative", 0, 0, trail_measures,         \
     "convergence: eq. 9, eq. 9', the metric itself, its slope; how far it will have converged "   \
     "in the end (oracle)"},                                                                       \
    {FIELD_REAL, "weight", BOUND_AT(trail.weight), "0.3", 0.001, 1, NULL,                          \
     "of a new report in the smoothed loss"},                                                      \
    {FIELD_INT, "window", BOUND_AT(trail.window), "1", 1, 1000, NULL,                              \
     "reports over which marginal and slope look back (h of eq. 9')"}
/* clang-format on */

/* A resident that waits, with what it counts for while it does. */
struct waiter {
    job_id job;
    int64_t turn;
    double score; /* larger is better; of one that was tried */
    uint32_t reports;
    bool tried;
};

struct station {
    gpu_id first;
    uint32_t gpus;
    node_id node;
    type_id type;
    job_id *resident; /* in order of binding */
    uint32_t n, cap;
    struct waiter *waiting; /* in order of priority */
    uint32_t n_waiting, cap_waiting;
    uint32_t epoch, at_epoch; /* the common epoch, and how many have reported just as often */
    uint32_t sorted_at;       /* the common epoch of that order */
    bool stale;               /* the common epoch must be looked for */
    sim_time used;            /* progress of jobs that were bound here and have left */
};

/* A bound job, by slot. */
struct member {
    job_id job;
    uint32_t *station;
    uint32_t n, cap;
    int64_t turn;           /* when it was served last, counted; 0: never */
    uint32_t quanta;        /* ended since it was bound here */
    sim_time ran_before;    /* progressed before it was bound here */
    uint32_t epochs_before; /* reported before this quantum */
    bool over;              /* its quantum has ended */
    bool waits;             /* it is among those that wait at its stations */
    uint32_t counted;       /* its reports, as its stations count them; 0: it does not compete */
    struct trail trail;
    struct fit fit; /* through the first `fitted` reports */
    uint32_t fitted;
};

struct bound {
    struct bound_rules rules;
    struct station *station;
    uint32_t n_stations, next; /* next: of round robin */
    uint32_t n_types;
    uint32_t *first_of_node; /* the first station of each node */
    uint32_t *first_of_type; /* and of each GPU type; UINT32_MAX: it has none */
    struct member *member;
    uint32_t slots;
    int64_t turns;
    struct heap dirty;  /* stations that have to decide */
    struct heap quanta; /* running jobs by the end of their quantum in seconds */
    struct heap *room;  /* by GPU type: stations by residents */
    /* Quanta end; may be NULL. With it they end, too, while nobody waits for that. */
    void (*quantum_ended)(struct bound *, job_id);
};

void bound_init(struct bound *, struct cx *);
void bound_free(struct bound *);

struct member *bound_member(struct bound *, struct cx *, job_id);
/* Binds a job as rules.spread says. */
void bound_spread(struct bound *, struct cx *, job_id);
/* Binds a job of one station; or of several: as many as it wants GPUs. */
void bound_to(struct bound *, struct cx *, job_id, const uint32_t *stations, uint32_t n);
/* Binds it elsewhere; if it holds GPUs, it is preempted with these words. */
void bound_move(struct bound *, struct cx *, job_id, uint32_t station, const char *why);
/* The quanta of those who run there are over: a better one that comes need not wait for their end.
 */
void bound_cut(struct bound *, struct cx *, uint32_t station);
/* The station with the fewest residents of these types; UINT32_MAX: there is none. Ties: the
 * lowest. */
uint32_t bound_fewest(const struct bound *, uint64_t types);

/* The three callbacks of a policy. A new job must be bound before bound_schedule. */
void bound_changed(struct bound *, struct cx *, job_id, enum job_state was);
void bound_reported(struct bound *, struct cx *, job_id);
void bound_schedule(struct bound *, struct cx *);
/* Ends the quanta in seconds that end now; bound_schedule does it, too. */
void bound_end_quanta(struct bound *, struct cx *);

/* The same callbacks with spreading, for a policy whose state is a struct bound. */
void bound_policy_init(void *self, struct cx *);
void bound_policy_changed(void *self, struct cx *, job_id, enum job_state was);
void bound_policy_reported(void *self, struct cx *, job_id);
void bound_policy_schedule(void *self, struct cx *);
void bound_policy_fini(void *self);
void bound_policy_dump(const void *self, FILE *out);
/* As more_flags: an oracle if convergence is that in the end. */
uint32_t bound_policy_flags(const void *params);

/* ---- who competes: bound_wait.c ---- */

/* The epoch at which the trials of a station are compared: the least reports of those that wait or
 * hold GPUs and have reported; 0: none has. */
uint32_t bound_epoch(struct bound *, struct cx *, uint32_t station);
/* The resident that waits there with so many before it, NO_JOB: there are not so many. */
job_id bound_waiting(struct bound *, struct cx *, uint32_t station, uint32_t rank);
/* Its state, its reports or its stations are others than before. */
void bound_competes(struct bound *, struct cx *, job_id);
void bound_leaves(struct bound *, struct cx *, job_id); /* before its stations become others */

/* ---- who comes first: bound_order.c ---- */

struct waiter bound_waiter(struct bound *, struct cx *, job_id, uint32_t epoch);
bool bound_waits_before(const struct bound *, const struct waiter *, const struct waiter *);
/* Whether the order of those that wait hangs on the common epoch. */
bool bound_by_epoch(const struct bound *);
/* The best of those that wait there or hold its GPUs, by the order of the rules; NO_JOB: none. */
job_id bound_best(struct bound *, struct cx *, uint32_t station);
/* Whether x comes before y; both are bound and waiting or running. */
bool bound_before(struct bound *, struct cx *, job_id x, job_id y, uint32_t epoch);
/* Whether i, which holds GPUs, makes way for k, which waits. */
bool bound_yields(struct bound *, struct cx *, job_id i, job_id k, uint32_t epoch);
/* GPUs a job needs of each of its stations. */
uint32_t bound_need(const struct bound *, struct cx *, job_id);
/* Takes i off its GPUs for k, and says why. */
void bound_displace(struct bound *, struct cx *, job_id i, job_id k, uint32_t epoch);
const char *bound_why_start(const struct bound *, const struct member *);

#endif
