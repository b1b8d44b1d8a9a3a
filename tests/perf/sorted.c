/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/perf/sorted.h"

#include <stdlib.h>

#include "sim/base/mem.h"

enum by { BY_SRTF, BY_LAS, BY_LAS2 };
static const char *const by_names[] = {"srtf", "las", "las2", NULL};

struct entry {
    int64_t value;
    job_id job;
};

struct entries {
    struct entry *item;
    size_t n, cap;
};

struct sorted {
    int by;
    sim_time quantum, threshold;
    struct entries waiting; /* at the last quantum, best first; from `next` on */
    size_t next;
    struct entries new;     /* arrived since then: too few to be worth an order */
    struct entries holding; /* worst first */
};

static const struct field fields[] = {
    {FIELD_CHOICE, "by", offsetof(struct sorted, by), NULL, 0, 0, by_names,
     "what jobs are ranked by"},
    {FIELD_SECONDS, "quantum_s", offsetof(struct sorted, quantum), NULL, 1, 1e6, NULL,
     "GPUs are taken away at its multiples"},
    {FIELD_SECONDS, "threshold_gpu_s", offsetof(struct sorted, threshold), "3600", 0, 1e9, NULL,
     "of las2"},
    {.type = FIELD_END},
};

static int64_t value_of(const struct sorted *s, struct cx *cx, job_id j)
{
    if (s->by == BY_SRTF)
        return sim_remaining(cx, j);
    int64_t ran = sim_job(cx, j)->ran;
    return s->by == BY_LAS ? ran : ran >= s->threshold;
}

static bool better(struct entry a, struct entry b)
{
    return a.value < b.value || (a.value == b.value && a.job < b.job);
}

static int best_first(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return better(*y, *x) - better(*x, *y);
}

static int worst_first(const void *a, const void *b)
{
    return best_first(b, a);
}

static void add(struct entries *e, struct entry x)
{
    e->item = mem_room(e->item, e->n, &e->cap, sizeof(*e->item));
    e->item[e->n++] = x;
}

static void add_state(struct sorted *s, struct cx *cx, struct entries *e, enum job_state state)
{
    for (job_id j = sim_first(cx, state); j != NO_JOB; j = sim_next(cx, j))
        add(e, (struct entry){value_of(s, cx, j), j});
}

static void sort_waiting(struct sorted *s, struct cx *cx)
{
    s->waiting.n = s->next = s->new.n = 0;
    add_state(s, cx, &s->waiting, JOB_WAITING);
    if (s->waiting.n)
        qsort(s->waiting.item, s->waiting.n, sizeof(struct entry), best_first);
}

static void sort_holding(struct sorted *s, struct cx *cx)
{
    s->holding.n = 0;
    add_state(s, cx, &s->holding, JOB_SETUP);
    add_state(s, cx, &s->holding, JOB_RUNNING);
    if (s->holding.n)
        qsort(s->holding.item, s->holding.n, sizeof(struct entry), worst_first);
}

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct sorted *s = self;

    if (was == JOB_FUTURE)
        add(&s->new, (struct entry){value_of(s, cx, j), j});
}

/* Takes the best that waits out; false: nobody does. */
static bool take_best(struct sorted *s, struct entry *out)
{
    size_t k = 0;

    for (size_t i = 1; i < s->new.n; i++)
        k = better(s->new.item[i], s->new.item[k]) ? i : k;
    bool old = s->next < s->waiting.n;
    if (!old && s->new.n == 0)
        return false;
    if (old && (s->new.n == 0 || better(s->waiting.item[s->next], s->new.item[k]))) {
        *out = s->waiting.item[s->next++];
    } else {
        *out = s->new.item[k];
        s->new.item[k] = s->new.item[--s->new.n];
    }
    return true;
}

static void start(struct cx *cx, job_id j)
{
    const struct placement *p = sim_pick(cx, j);

    if (p)
        sim_start(cx, j, p, "best of those that wait");
}

static void fill(struct sorted *s, struct cx *cx)
{
    struct entry w;

    while (sim_free_gpus(cx) > 0 && take_best(s, &w))
        start(cx, w.job);
}

static void exchange(struct sorted *s, struct cx *cx)
{
    size_t k = 0;

    sort_waiting(s, cx);
    fill(s, cx);
    sort_holding(s, cx);
    for (; k < s->holding.n && s->next < s->waiting.n; k++) {
        struct entry w = s->waiting.item[s->next], x = s->holding.item[k];
        if (!better(w, x))
            break;
        sim_preempt(cx, x.job, "worse than one that waits");
        start(cx, w.job);
        s->next++;
    }
    if (k)
        sort_waiting(s, cx);
}

static void schedule(void *self, struct cx *cx)
{
    struct sorted *s = self;
    sim_time now = sim_now(cx);

    if (now % s->quantum == 0)
        exchange(s, cx);
    else
        fill(s, cx);
    if (sim_count(cx, JOB_WAITING))
        sim_wake(cx, (now / s->quantum + 1) * s->quantum);
}

static void fini(void *self)
{
    struct sorted *s = self;

    mem_drop(s->waiting.item);
    mem_drop(s->new.item);
    mem_drop(s->holding.item);
}

const struct policy policy_sorted = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS | POLICY_ORACLE,
    .name = "sorted",
    .about = "ranks by sorting all jobs at every quantum, for comparison",
    .state_size = sizeof(struct sorted),
    .params = fields,
    .schedule = schedule,
    .fini = fini,
    .job_changed = job_changed,
};
