/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What moving jobs cost in a run, why they were relocated, and who pushed whom. */
#include <stdlib.h>
#include <string.h>

#include "analysis/story_facts.h"
#include "analysis/story_watch.h"
#include "analysis/stretches.h"

const char *const story_cost_name[COSTS] = {
    [COST_SETUP + FROM_NEW] = "set-up at first starts",
    [COST_SETUP + FROM_HERE] = "restore on the same node",
    [COST_SETUP + FROM_MOVED] = "relocation",
    [COST_SETUP + FROM_DISK] = "restore from storage, same node",
    [COST_SETUP + FROM_DISK_MOVED] = "relocation through storage",
    [COST_SETUP + FROM_NOTHING] = "start anew, without a state",
    [COST_SAVE] = "save",
    [COST_LOST] = "lost progress",
    [COST_REPLICA] = "replicas on other GPUs",
};

#define REASON 160 /* bytes of a reason, at most */

struct last {         /* of a job, by slot */
    gpu_id gpu;       /* one of its last stretch */
    char off[REASON]; /* why it was taken off them */
};

struct acts_reader {
    struct arena *arena;
    const struct story_cluster *cluster;
    struct story_acts *acts;
    struct stretches *stretches;
    struct watch watch;
    struct last *last;
    size_t n_last, cap_last;
    struct story_push *push; /* each of one time, until the end */
    size_t n_pushes, cap_pushes;
};

/* ---- costs ---- */

static void cost(struct story_acts *a, uint32_t which, sim_area time)
{
    a->cost[which].times += time > 0;
    a->cost[which].time += time;
}

static void take_stretch(void *user, const struct stretch *s)
{
    struct story_acts *a = user;
    sim_time set_up = s->ran ? s->begin : s->to;
    sim_area setup = 0, save = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        sim_time from = stretch_saves(s, &s->gpu[i]);
        setup += s->gpu[i].free < set_up ? set_up - s->gpu[i].free : 0;
        save += s->ready > from ? s->ready - from : 0;
    }
    cost(a, s->resized ? COST_REPLICA : COST_SETUP + (uint32_t)s->origin, setup);
    cost(a, COST_SAVE, save);
    cost(a, COST_LOST, (sim_area)s->lost * s->n);
}

/* ---- relocations ---- */

static const char *type_of(const struct acts_reader *x, gpu_id g)
{
    uint32_t node = story_node_of(x->cluster, g);

    return node == NODE_UNKNOWN ? "?" : x->cluster->node[node].type;
}

static struct last *last_of(struct acts_reader *x, job_id j)
{
    while (x->n_last <= sim_slot(j)) {
        x->last = mem_room(x->last, x->n_last, &x->cap_last, sizeof(*x->last));
        x->last[x->n_last++] = (struct last){.gpu = NO_GPU};
    }
    return &x->last[sim_slot(j)];
}

static const char *copy(struct acts_reader *x, const char *s)
{
    return arena_text(x->arena, s, strlen(s));
}

static void count_move(struct acts_reader *x, const struct last *was, gpu_id to, const char *why)
{
    struct story_acts *a = x->acts;
    struct story_move n = {type_of(x, was->gpu), type_of(x, to), was->off, why, 1};

    for (uint32_t i = 0; i < a->n_moves; i++) {
        struct story_move *m = &a->move[i];
        if (i == STORY_KINDS - 1 || (strcmp(m->from, n.from) == 0 && strcmp(m->to, n.to) == 0 &&
                                     strcmp(m->off, n.off) == 0 && strcmp(m->why, n.why) == 0)) {
            m->times++;
            return;
        }
    }
    if (a->n_moves == STORY_KINDS - 1)
        n = (struct story_move){"any", "any", "all further kinds", "all further kinds", 1};
    n.off = copy(x, n.off);
    n.why = copy(x, n.why);
    a->move[a->n_moves++] = n;
}

/* The most frequent first; of equal ones the one that came first. */
static void sort_moves(struct story_acts *a)
{
    for (uint32_t i = 1; i < a->n_moves; i++) {
        struct story_move m = a->move[i];
        uint32_t at = i;
        for (; at > 0 && a->move[at - 1].times < m.times; at--)
            a->move[at] = a->move[at - 1];
        a->move[at] = m;
    }
}

/* ---- pushes ---- */

/* Once for each job that was pushed by this start; those of it are the last ones in the list. */
static void note_push(struct acts_reader *x, size_t from, uint32_t job, uint32_t pushed)
{
    for (size_t i = from; i < x->n_pushes; i++)
        if (x->push[i].pushed == pushed)
            return;
    x->push = mem_room(x->push, x->n_pushes, &x->cap_pushes, sizeof(*x->push));
    x->push[x->n_pushes++] = (struct story_push){job, pushed, 1};
}

static void start(struct acts_reader *x, const struct record *r)
{
    struct last *last = last_of(x, r->job);
    size_t before = x->n_pushes;
    char why[REASON] = "";

    if (!r->share || r->n == 0)
        return;
    if (r->why)
        story_kind(why, sizeof(why), r->why);
    if ((r->origin == FROM_MOVED || r->origin == FROM_DISK_MOVED) && last->gpu != NO_GPU)
        count_move(x, last, r->share[0].gpu, why);
    last->gpu = r->share[0].gpu;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct watch_gpu *g = watch_gpu(&x->watch, r->share[i].gpu);
        if (g->last != NOBODY && g->at == r->t && g->how == REC_PREEMPT &&
            g->last != sim_number(r->job))
            note_push(x, before, sim_number(r->job), g->last);
    }
}

static int by_pair(const void *a, const void *b)
{
    const struct story_push *x = a, *y = b;

    if (x->job != y->job)
        return (x->job > y->job) - (x->job < y->job);
    return (x->pushed > y->pushed) - (x->pushed < y->pushed);
}

/* Keeps the list sorted; equal ones come in order of their jobs. */
static void insert_push(struct story_acts *a, const struct story_push *p)
{
    uint32_t at = a->n_pushes;

    while (at > 0 && a->push[at - 1].times < p->times)
        at--;
    if (at == STORY_TOP)
        return;
    uint32_t last = a->n_pushes < STORY_TOP ? a->n_pushes++ : STORY_TOP - 1;
    memmove(&a->push[at + 1], &a->push[at], (last - at) * sizeof(*a->push));
    a->push[at] = *p;
}

static void count_pushes(struct acts_reader *x)
{
    struct story_push *p = x->push;

    x->acts->pushes = x->n_pushes;
    if (x->n_pushes > 0)
        qsort(p, x->n_pushes, sizeof(*p), by_pair);
    for (size_t i = 0, k; i < x->n_pushes; i = k) {
        for (k = i + 1; k < x->n_pushes && by_pair(&p[i], &p[k]) == 0; k++)
            p[i].times++;
        insert_push(x->acts, &p[i]);
        x->acts->pairs++;
    }
}

/* ---- the whole ---- */

struct acts_reader *acts_new(struct arena *a, const struct story_cluster *c,
                             struct story_acts *acts)
{
    struct acts_reader *x = mem_get(sizeof(*x));

    *x = (struct acts_reader){.arena = a, .cluster = c, .acts = acts};
    x->stretches = stretches_new(take_stretch, acts);
    return x;
}

static void off(struct acts_reader *x, const struct record *r)
{
    struct last *last = last_of(x, r->job);

    last->off[0] = '\0';
    if (r->why)
        story_kind(last->off, sizeof(last->off), r->why);
}

void acts_take(struct acts_reader *x, const struct record *r)
{
    if (r->kind == REC_ARRIVE)
        *last_of(x, r->job) = (struct last){.gpu = NO_GPU};
    else if (r->kind == REC_START)
        start(x, r);
    else if (r->kind == REC_RESIZE && r->n > 0)
        last_of(x, r->job)->gpu = r->share[0].gpu;
    else if (r->kind == REC_PREEMPT || r->kind == REC_PAUSE)
        off(x, r);
    watch_take(&x->watch, r);
    stretches_take(x->stretches, r);
}

void acts_end(struct acts_reader *x)
{
    if (!x)
        return;
    count_pushes(x);
    sort_moves(x->acts);
    stretches_free(x->stretches);
    watch_free(&x->watch);
    mem_drop(x->last);
    mem_drop(x->push);
    mem_drop(x);
}
