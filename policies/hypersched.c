/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hypersched - GPUs shift towards the best trials as the deadline of their experiment comes nearer
 * (Liaw et al., SoCC 2019), reconstructed: a trial is sent to more GPUs if that pays before the
 * deadline, start-up included, and the fewer trials run the less time is left.
 */
#include <math.h>
#include <stdlib.h>

#include "policies/lib/grow.h"
#include "policies/lib/pool.h"
#include "sim/heap.h"

#define START_UPS 64u /* the last ones that are remembered */

/* A job, by slot. */
struct seen {
    double loss;       /* last reported; INFINITY before */
    sim_time set_up;   /* when its present set-up began */
    bool ran, growing; /* it has held GPUs; its set-up is one onto more of them */
};

struct hypersched {
    double gain;
    sim_time start_up;
    bool shift;
    struct seen *seen;
    uint32_t slots;
    sim_time start_ups[START_UPS];
    uint32_t n_start_ups;
    bool stirred;         /* something happened since the last decision */
    struct heap reported; /* trials that have reported in this instant */
};

#define AT(member) offsetof(struct hypersched, member)
static const struct field fields[] = {
    {FIELD_REAL, "gain", AT(gain), "1.1", 1, 100, NULL,
     "steps until the deadline on more GPUs, over those on the present ones, from which a trial is "
     "sent there"},
    {FIELD_SECONDS, "start_up_s", AT(start_up), "30", 0, 1e6, NULL,
     "what a start on more GPUs is taken to need until one was seen"},
    {FIELD_BOOL, "shift", AT(shift), "true", 0, 0, NULL,
     "a trial that is not among the best any more gives its GPUs to the best one, if that gains "
     "from them"},
    {.type = FIELD_END},
};

static struct seen *seen_of(struct hypersched *s, struct cx *cx, job_id j)
{
    s->seen = grow(cx, s->seen, sim_slot(j), &s->slots, sizeof(*s->seen));
    return &s->seen[sim_slot(j)];
}

/* ---- start-ups ---- */

static void note_start_up(struct hypersched *s, sim_time t)
{
    s->start_ups[s->n_start_ups++ % START_UPS] = t;
}

static int by_time(const void *a, const void *b)
{
    sim_time x = *(const sim_time *)a, y = *(const sim_time *)b;

    return (x > y) - (x < y);
}

/* The 90th percentile of those seen. */
static sim_time start_up(const struct hypersched *s)
{
    sim_time t[START_UPS];
    uint32_t n = s->n_start_ups < START_UPS ? s->n_start_ups : START_UPS;

    if (n == 0)
        return s->start_up;
    for (uint32_t i = 0; i < n; i++)
        t[i] = s->start_ups[i];
    qsort(t, n, sizeof(*t), by_time);
    return t[(9 * n + 9) / 10 - 1];
}

/* ---- who comes first ---- */

/* In this order: tried trials that are among the best; new ones and plain jobs; the others. */
enum claim { CLAIM_BEST, CLAIM_NEW, CLAIM_LATE };

struct entry {
    job_id job;
    uint32_t experiment, rank; /* rank: among the trials of its experiment, from 0 */
    double loss;
    enum claim claim;
};

static int by_experiment(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    if (x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    return x->job < y->job ? -1 : 1;
}

static int by_claim(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->claim != y->claim)
        return x->claim < y->claim ? -1 : 1;
    if (x->claim != CLAIM_NEW && x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    return x->job < y->job ? -1 : 1;
}

static sim_time deadline_of(struct cx *cx, uint32_t experiment)
{
    return experiment == NO_EXPERIMENT ? SIM_NEVER : sim_experiment(cx, experiment).deadline;
}

/* How many trials of an experiment are among the best now: as many as the cluster can run at its
 * begin, one at its deadline, and in proportion between. */
static uint32_t best_now(struct cx *cx, uint32_t experiment, uint32_t gpus)
{
    struct experiment_view x = sim_experiment(cx, experiment);
    double all = fmax(1, floor((double)sim_gpus(cx) / gpus));

    return (uint32_t)fmax(
        1, ceil(all * (double)(x.deadline - sim_now(cx)) / (double)(x.deadline - x.submitted)));
}

/* Seconds of a whole trial on the first GPUs that can run it. */
static double whole_s(struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    gpu_id gpu[64];

    for (node_id k = 0; k < sim_nodes(cx); k++) {
        struct node_view n = sim_node(cx, k);
        if (!(v->types >> n.type & 1))
            continue;
        uint32_t use = v->gpus < n.gpus ? v->gpus : n.gpus;
        for (uint32_t i = 0; i < use; i++)
            gpu[i] = n.first + i;
        return v->steps_declared / sim_rate(cx, j, sim_even(cx, j, gpu, use));
    }
    return INFINITY;
}

/* A new trial starts only if there is time for its share of the GPU time that the experiment has,
 * or for all of it. */
static bool in_time(struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);
    struct experiment_view x = sim_experiment(cx, v->experiment);
    double fair = (double)(x.deadline - x.submitted) / 1e9 * sim_gpus(cx) / v->gpus / x.trials;

    return (double)(x.deadline - sim_now(cx)) / 1e9 >= fmin(fair, whole_s(cx, j));
}

static enum claim claim_of(struct hypersched *s, struct cx *cx, const struct entry *e)
{
    if (deadline_of(cx, e->experiment) == SIM_NEVER)
        return CLAIM_NEW;
    if (!seen_of(s, cx, e->job)->ran)
        return in_time(cx, e->job) ? CLAIM_NEW : CLAIM_LATE;
    return e->rank < best_now(cx, e->experiment, sim_job(cx, e->job)->gpus) ? CLAIM_BEST
                                                                            : CLAIM_LATE;
}

/* All jobs that wait or hold GPUs, in order. */
static struct entry *order(struct hypersched *s, struct cx *cx, uint32_t *n)
{
    const struct wish *w = pool_wishes(cx, n);
    struct entry *e = sim_scratch(cx, (*n + 1) * sizeof(*e));

    for (uint32_t i = 0; i < *n; i++)
        e[i] = (struct entry){.job = w[i].job,
                              .experiment = sim_job(cx, w[i].job)->experiment,
                              .loss = seen_of(s, cx, w[i].job)->loss};
    qsort(e, *n, sizeof(*e), by_experiment);
    for (uint32_t i = 1; i < *n; i++)
        e[i].rank = e[i].experiment == e[i - 1].experiment ? e[i - 1].rank + 1 : 0;
    for (uint32_t i = 0; i < *n; i++)
        e[i].claim = claim_of(s, cx, &e[i]);
    qsort(e, *n, sizeof(*e), by_claim);
    return e;
}

/* ---- starting ---- */

static void started(void *self, struct cx *cx, job_id j)
{
    struct seen *x = seen_of(self, cx, j);

    x->ran = true;
    x->growing = false;
}

/* Those that wait and have at least this claim. Before others, late ones that have reported give up
 * their GPUs. A new trial for which there is no time stays. */
static bool serve(struct hypersched *s, struct cx *cx, const struct entry *e, uint32_t n,
                  enum claim least)
{
    static const char *const why[] = {"it is among the best of its experiment", "first to arrive",
                                      "not among the best, but GPUs are left"};
    struct wish *w = sim_scratch(cx, (n + 1) * sizeof(*w));
    uint32_t m = 0;

    for (uint32_t i = 0; i < n; i++) {
        bool late = e[i].claim == CLAIM_LATE, gives = late && heap_has(&s->reported, e[i].job);
        if (late && !seen_of(s, cx, e[i].job)->ran)
            continue;
        if (e[i].claim <= least || sim_job(cx, e[i].job)->held > 0)
            w[m++] = (struct wish){e[i].job, !(gives && s->shift), why[e[i].claim]};
    }
    return pool_serve(cx, w, m, started, s);
}

/* ---- growing and shrinking ---- */

/* Free GPUs of a type, those of a node first. */
static uint32_t free_of(struct cx *cx, type_id t, node_id first, gpu_id *out, uint32_t most)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i <= sim_nodes(cx) && n < most; i++) {
        node_id k = i == 0 ? first : i - 1;
        if (i > 0 && k == first)
            continue;
        struct node_view v = sim_node(cx, k);
        for (uint64_t left = v.type == t ? v.free : 0; left && n < most; left &= left - 1)
            out[n++] = v.first + (gpu_id)__builtin_ctzll(left);
    }
    return n;
}

/* Whether a trial does more on these GPUs until its deadline: f(new) (left - start-up) over f(old)
 * left. */
static bool pays(const struct hypersched *s, struct cx *cx, job_id j, const struct placement *to,
                 double *times)
{
    struct placement held = sim_held(cx, j);
    double left = (double)(deadline_of(cx, sim_job(cx, j)->experiment) - sim_now(cx));
    double old = sim_rate(cx, j, &held) * left;

    *times = sim_rate(cx, j, to) * (left - (double)start_up(s)) / old;
    return old > 0 && *times > s->gain;
}

static bool may_grow(struct hypersched *s, struct cx *cx, job_id j)
{
    const struct job_view *v = sim_job(cx, j);

    return v->state == JOB_RUNNING && deadline_of(cx, v->experiment) != SIM_NEVER &&
           isfinite(seen_of(s, cx, j)->loss) && v->batch > v->held;
}

/* Sends a trial to the GPUs it holds and some of these, as many as pay most: one, two, four, ... or
 * all. */
static bool grow_onto(struct hypersched *s, struct cx *cx, job_id j, const gpu_id *more, uint32_t n,
                      bool all)
{
    struct placement held = sim_held(cx, j);
    uint32_t room = sim_job(cx, j)->batch - held.n, most = n < room ? n : room;
    gpu_id *gpu = sim_scratch(cx, (held.n + most) * sizeof(*gpu));
    const struct placement *best = NULL;
    double best_times = 0, times;

    for (uint32_t i = 0; i < held.n + most; i++)
        gpu[i] = i < held.n ? held.share[i].gpu : more[i - held.n];
    for (uint32_t k = all ? most : 1; k <= most; k = k < most && 2 * k > most ? most : 2 * k) {
        const struct placement *p = sim_even(cx, j, gpu, held.n + k);
        if (pays(s, cx, j, p, &times) && times > best_times) {
            best = p;
            best_times = times;
        }
    }
    if (!best || sim_resize(cx, j, best, "%.3g times the steps until the deadline on %u GPUs",
                            best_times, best->n) != ACT_OK)
        return false;
    struct seen *x = seen_of(s, cx, j);
    x->growing = sim_job(cx, j)->state == JOB_SETUP;
    x->set_up = sim_now(cx);
    if (!x->growing)
        note_start_up(s, 0);
    return true;
}

/* GPU types that those can use who wait and are not late. */
static uint64_t wanted(struct cx *cx, const struct entry *e, uint32_t n)
{
    uint64_t types = 0;

    for (uint32_t i = 0; i < n && e[i].claim < CLAIM_LATE; i++)
        if (sim_job(cx, e[i].job)->state == JOB_WAITING)
            types |= sim_job(cx, e[i].job)->types;
    return types;
}

/* GPUs that nobody waits for go to the best that gain from them. */
static void grow_best(struct hypersched *s, struct cx *cx, const struct entry *e, uint32_t n)
{
    uint64_t others = wanted(cx, e, n);

    for (uint32_t i = 0; i < n && e[i].claim == CLAIM_BEST && sim_free_gpus(cx) > 0; i++) {
        if (!may_grow(s, cx, e[i].job))
            continue;
        struct gpu_view at = sim_gpu(cx, sim_job(cx, e[i].job)->home);
        uint32_t free = others >> at.type & 1 ? 0 : sim_type(cx, at.type).free;
        gpu_id *more = sim_scratch(cx, (free + 1) * sizeof(*more));
        free = free_of(cx, at.type, at.node, more, free);
        if (free > 0)
            grow_onto(s, cx, e[i].job, more, free, false);
    }
}

/* The last that holds more GPUs than it wants, of a type that others wait for, goes back to as many
 * as it wants; false: there is none. */
static bool shrink_last(struct cx *cx, const struct entry *e, uint32_t n)
{
    uint64_t others = wanted(cx, e, n);

    for (uint32_t i = n; others > 0 && i-- > 0;) {
        uint32_t gpus = sim_job(cx, e[i].job)->gpus;
        struct placement held = sim_held(cx, e[i].job);
        if (held.n <= gpus || !(others >> sim_gpu(cx, held.share[0].gpu).type & 1))
            continue;
        gpu_id *gpu = sim_scratch(cx, held.n * sizeof(*gpu));
        for (uint32_t k = 0; k < held.n; k++)
            gpu[k] = held.share[k].gpu;
        return sim_resize(cx, e[i].job, sim_even(cx, e[i].job, gpu, gpus),
                          "others wait for GPUs") == ACT_OK;
    }
    return false;
}

/* ---- shifting ---- */

/* One that has reported and is not among the best gives its GPUs to the first of its experiment
 * that gains from all of them. */
static void shift(struct hypersched *s, struct cx *cx, const struct entry *e, uint32_t n,
                  const struct entry *from)
{
    struct placement held = sim_held(cx, from->job);
    uint32_t m = held.n;
    gpu_id *gpu = sim_scratch(cx, (m + 1) * sizeof(*gpu));
    type_id type = m > 0 ? sim_gpu(cx, held.share[0].gpu).type : NO_GPU;
    double times;

    for (uint32_t i = 0; i < m; i++)
        gpu[i] = held.share[i].gpu;
    for (uint32_t i = 0; m > 0 && i < n && e[i].claim == CLAIM_BEST; i++) {
        struct placement own = sim_held(cx, e[i].job);
        if (e[i].experiment != from->experiment || !may_grow(s, cx, e[i].job) ||
            sim_gpu(cx, own.share[0].gpu).type != type || sim_job(cx, e[i].job)->batch < own.n + m)
            continue;
        gpu_id *both = sim_scratch(cx, (own.n + m) * sizeof(*both));
        for (uint32_t k = 0; k < own.n + m; k++)
            both[k] = k < own.n ? own.share[k].gpu : gpu[k - own.n];
        if (!pays(s, cx, e[i].job, sim_even(cx, e[i].job, both, own.n + m), &times))
            continue;
        if (sim_preempt(cx, from->job, "not among the best: job %u gains from its GPUs",
                        sim_number(e[i].job)) == ACT_OK)
            grow_onto(s, cx, e[i].job, gpu, m, true);
        return;
    }
}

static void shift_all(struct hypersched *s, struct cx *cx, const struct entry *e, uint32_t n)
{
    for (uint32_t i = n; s->shift && i-- > 0 && e[i].claim == CLAIM_LATE;)
        if (heap_has(&s->reported, e[i].job) && sim_job(cx, e[i].job)->state == JOB_RUNNING)
            shift(s, cx, e, n, &e[i]);
}

static void schedule(void *self, struct cx *cx)
{
    struct hypersched *s = self;
    uint32_t n;

    if (!s->stirred)
        return;
    s->stirred = false;
    struct entry *e = order(s, cx, &n);
    bool ok = serve(s, cx, e, n, CLAIM_NEW);
    while (ok && shrink_last(cx, e, n))
        ok = serve(s, cx, e, n, CLAIM_NEW);
    grow_best(s, cx, e, n);
    shift_all(s, cx, e, n);
    serve(s, cx, e, n, CLAIM_LATE);
    for (job_id j; (j = heap_first(&s->reported)) != NO_JOB;)
        heap_drop(&s->reported, j);
}

/* ---- callbacks ---- */

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct hypersched *s = self;
    struct seen *x = seen_of(s, cx, j);
    enum job_state is = sim_job(cx, j)->state;

    s->stirred = true;
    if (was == JOB_FUTURE)
        *x = (struct seen){.loss = INFINITY};
    else if (was == JOB_SETUP && is == JOB_RUNNING && x->growing)
        note_start_up(s, sim_now(cx) - x->set_up);
    else if (is >= JOB_DONE)
        heap_drop(&s->reported, j);
}

static void job_reported(void *self, struct cx *cx, job_id j)
{
    struct hypersched *s = self;
    const struct job_view *v = sim_job(cx, j);

    s->stirred = true;
    seen_of(s, cx, j)->loss = (v->metric - v->metric_ideal) / (v->metric_start - v->metric_ideal);
    heap_set(&s->reported, j, 0);
}

static void fini(void *self)
{
    heap_free(&((struct hypersched *)self)->reported);
}

const struct policy policy_hypersched = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_PREEMPTS | POLICY_RESIZES,
    .name = "hypersched",
    .about = "more GPUs for the best trials as the deadline comes nearer (reconstructed)",
    .state_size = sizeof(struct hypersched),
    .params = fields,
    .schedule = schedule,
    .fini = fini,
    .job_changed = job_changed,
    .job_reported = job_reported,
};
