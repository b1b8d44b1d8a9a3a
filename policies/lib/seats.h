/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seats.h - where a job goes on a cluster that shares its GPUs.
 *
 * A job whose owner asked for GPUs gets these. Any other gets those with the fewest residents in
 * the node that has the fewest, among nodes with enough GPUs of a type that can run it; if no node
 * is that large, it gets several of one type. Even shares. Jobs for which there are no seats, or no
 * memory, wait in order of arrival.
 *
 * Nodes are kept by type, number of GPUs with a seat, and residents. Waiting jobs that are alike
 * form a class: one of them that found no place speaks for all, until a GPU is left, and then only
 * nodes that were left are looked at. A job that asked for GPUs waits at one of them that has no
 * room, until somebody leaves it.
 */
#ifndef POLICIES_SEATS_H
#define POLICIES_SEATS_H

#include "sim/heap.h"
#include "sim/policy.h"

struct seat_node {
    uint32_t usable, residents; /* GPUs with a seat; of all its GPUs */
};

struct seat_class {
    uint32_t gpus, model, batch;
    uint64_t types;
    struct heap jobs;
    bool all;       /* there was no search yet, or too much has happened since the last */
    uint32_t tried; /* else: departures that it has looked at */
};

struct seat_job {
    gpu_id *gpu; /* that it holds */
    uint32_t n, cap;
    uint32_t class; /* of one that waits; if it asked for GPUs: the one it waits at */
};

#define SEATS_ASKED 64u /* GPUs that can be asked for */

/* Zero-initialised, skip_ahead is a parameter. */
struct seats {
    bool skip_ahead; /* one that finds no place does not hold up those behind it */
    struct seat_node *node;
    struct heap *room; /* nodes by residents, at type * 65 + usable */
    uint32_t n_rooms;
    uint32_t *largest; /* by type: GPUs of its largest node */
    gpu_id *first;     /* by type: some GPU of it */
    struct seat_class *class;
    uint32_t n_classes, cap_classes;
    struct heap asked; /* waiting jobs that asked for GPUs and are to be tried, by submission */
    struct heap at[SEATS_ASKED]; /* by GPU: those that wait at it */
    node_id *out;                /* room for a search */
    struct seat_job *job;        /* by slot */
    uint32_t cap_jobs;
    node_id *left; /* nodes that somebody left, in order */
    uint32_t n_left, cap_left;
};

#define SEATS_FIELD(type, member)                                                                  \
    {                                                                                              \
        FIELD_BOOL, "skip_ahead", offsetof(type, member), "true", 0, 0, NULL,                      \
            "jobs behind one that finds no seats or memory may start"                              \
    }

void seats_init(struct seats *, struct cx *);
void seats_free(struct seats *);
/* For job_changed(). The GPUs of a job that has just left are still known afterwards. */
void seats_changed(struct seats *, struct cx *, job_id, enum job_state was);
/* An act changed the job's GPUs or shares. */
void seats_note(struct seats *, struct cx *, job_id);
/* The GPUs it holds, or held last. */
const struct seat_job *seats_of(const struct seats *, job_id);
/* Starts waiting jobs. Calls started, unless NULL, after each. */
void seats_start(struct seats *, struct cx *, void (*started)(void *self, struct cx *, job_id),
                 void *self);

#endif
