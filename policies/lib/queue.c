/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/lib/queue.h"

#include "policies/lib/grow.h"

static struct queue_class *add_class(struct queue *q, struct cx *cx, uint32_t gpus, uint64_t types)
{
    q->class = grow(cx, q->class, q->n, &q->cap, sizeof(*q->class));
    q->class[q->n] = (struct queue_class){.gpus = gpus, .types = types};
    return &q->class[q->n++];
}

void queue_put(struct queue *q, struct cx *cx, job_id j, int64_t key)
{
    const struct job_view *v = sim_job(cx, j);
    struct queue_class *c = NULL;

    for (uint32_t i = 0; i < q->n && !c; i++)
        if (q->class[i].gpus == v->gpus && q->class[i].types == v->types)
            c = &q->class[i];
    if (!c)
        c = add_class(q, cx, v->gpus, v->types);
    heap_set(&c->jobs, j, key);
}

void queue_drop(struct queue *q, job_id j)
{
    for (uint32_t i = 0; i < q->n; i++)
        heap_drop(&q->class[i].jobs, j);
}

/* The class whose first job is the first of all that may still be tried. */
static struct queue_class *first_class(struct queue *q, uint32_t most)
{
    struct queue_class *best = NULL;
    struct heap_item first = {INT64_MAX, NO_JOB};

    for (uint32_t i = 0; i < q->n; i++) {
        struct queue_class *c = &q->class[i];
        if (c->blocked || c->gpus > most || c->jobs.n == 0)
            continue;
        struct heap_item x = {heap_first_key(&c->jobs), heap_first(&c->jobs)};
        if (heap_less(x, first)) {
            first = x;
            best = c;
        }
    }
    return best;
}

void queue_start(struct queue *q, struct cx *cx, bool skip_ahead, const char *why)
{
    struct queue_class *c;

    for (uint32_t i = 0; i < q->n; i++)
        q->class[i].blocked = false;
    while ((c = first_class(q, skip_ahead ? sim_free_gpus(cx) : UINT32_MAX)) != NULL) {
        job_id j = heap_first(&c->jobs);
        const struct placement *p = sim_pick(cx, j);
        if (!p && !skip_ahead)
            return;
        c->blocked = !p;
        if (!p)
            continue;
        if (sim_start(cx, j, p, "%s", why) != ACT_OK)
            return;
        heap_drop(&c->jobs, j);
    }
}

void queue_free(struct queue *q)
{
    for (uint32_t i = 0; i < q->n; i++)
        heap_free(&q->class[i].jobs);
    q->n = 0;
}
