/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.h - waiting jobs by a key, for policies that start them in an order and never preempt.
 *
 * Jobs that want the same number of GPUs of the same types form a class with a heap of its own, so
 * that "the next one that may fit" costs O(classes), not O(waiting jobs).
 */
#ifndef POLICIES_QUEUE_H
#define POLICIES_QUEUE_H

#include "sim/heap.h"
#include "sim/policy.h"

struct queue_class {
    uint32_t gpus;
    uint64_t types;
    struct heap jobs;
    bool blocked; /* no room for its kind in this round */
};

/* Zero-initialised; queue_free in fini(). */
struct queue {
    struct queue_class *class;
    uint32_t n, cap;
};

void queue_put(struct queue *, struct cx *, job_id, int64_t key);
void queue_drop(struct queue *, job_id); /* if it is in */
/* Starts jobs by (key, id) while there is room; one that finds none blocks all, or only its class.
 */
void queue_start(struct queue *, struct cx *, bool skip_ahead, const char *why);
void queue_free(struct queue *);

#endif
