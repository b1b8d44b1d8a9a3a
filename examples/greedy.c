/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * greedy - an example policy of one's own: of the jobs that fit now, the one that wants most GPUs
 * starts first. Build and run it without touching hetune:
 *
 *   gcc -shared -fPIC $(pkg-config --cflags hetune) -o greedy.so greedy.c
 *   hetune run FILE.yaml --policy-lib ./greedy.so -s policy=greedy
 *
 * A million jobs may wait. So they are kept by what they want: if the first of a kind finds no
 * room, the others of that kind find none either, and a call costs no more than there are kinds.
 */
#include <string.h>

#include "sim/heap.h"
#include "sim/policy.h"

/* Waiting jobs that want as many GPUs of the same types, in order of submission. */
struct kind {
    uint32_t gpus;
    uint64_t types;
    struct heap jobs;
    bool blocked; /* there was no room for it in this call */
};

struct greedy {
    struct kind *kind;
    uint32_t n, cap;
};

static struct kind *kind_of(struct greedy *s, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);

    for (uint32_t i = 0; i < s->n; i++)
        if (s->kind[i].gpus == v->gpus && s->kind[i].types == v->types)
            return &s->kind[i];
    if (s->n == s->cap) {
        struct kind *more = sim_keep(cx, (s->cap + 8) * 2 * sizeof(*more));
        if (s->n > 0)
            memcpy(more, s->kind, s->n * sizeof(*more));
        s->kind = more;
        s->cap = (s->cap + 8) * 2;
    }
    s->kind[s->n] = (struct kind){.gpus = v->gpus, .types = v->types};
    return &s->kind[s->n++];
}

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct kind *k = kind_of(self, cx, j);

    (void)was;
    if (sim_job(cx, j)->state == JOB_WAITING)
        heap_set(&k->jobs, j, 0); /* equal keys: in order of submission */
    else
        heap_drop(&k->jobs, j);
}

/* The kind that wants most GPUs of those that may fit; of equal ones, that with the first job. */
static struct kind *largest(struct greedy *s, uint32_t free)
{
    struct kind *best = NULL;

    for (uint32_t i = 0; i < s->n; i++) {
        struct kind *k = &s->kind[i];
        if (k->jobs.n == 0 || k->blocked || k->gpus > free)
            continue;
        if (!best || k->gpus > best->gpus ||
            (k->gpus == best->gpus && heap_first(&k->jobs) < heap_first(&best->jobs)))
            best = k;
    }
    return best;
}

static void schedule(void *self, struct cx *cx)
{
    struct greedy *s = self;
    struct kind *k;

    for (uint32_t i = 0; i < s->n; i++)
        s->kind[i].blocked = false;
    while ((k = largest(s, sim_free_gpus(cx))) != NULL) {
        job_id j = heap_first(&k->jobs);
        const struct placement *p = sim_pick(cx, j);
        k->blocked = p == NULL;
        if (p && sim_start(cx, j, p, "largest of those that fit") != ACT_OK)
            return;
        if (p)
            heap_drop(&k->jobs, j);
    }
}

static void fini(void *self)
{
    struct greedy *s = self;

    for (uint32_t i = 0; i < s->n; i++)
        heap_free(&s->kind[i].jobs);
}

SIM_API const struct policy policy = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "greedy",
    .about = "of the jobs that fit, the one that wants most GPUs",
    .state_size = sizeof(struct greedy),
    .schedule = schedule,
    .fini = fini,
    .job_changed = job_changed,
};
