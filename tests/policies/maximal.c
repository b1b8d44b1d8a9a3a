/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything a policy may see and do, used rightly: parameters, memory of its own and of jobs, all
 * callbacks, every function of policy.h and heap.h. It lets jobs of least attained service go
 * first, moves one now and then, shifts samples between GPUs and turns away what is too large for
 * its taste.
 */
#include "sim/heap.h"
#include "x.h"

struct state {
    sim_time every;
    int64_t most;
    struct heap waiting;
    uint64_t *starts; /* by GPU */
    double told;
};

struct mine { /* of each job */
    uint32_t starts, reports;
};

static const struct field fields[] = {
    {FIELD_SECONDS, "every_s", offsetof(struct state, every), "7.5", 0.001, 1e6, NULL,
     "how often it looks"},
    {FIELD_INT, "most", offsetof(struct state, most), "3", 1, 1e6, NULL, "GPUs of a job it takes"},
    {.type = FIELD_END},
};

static void init(void *self, struct cx *cx)
{
    struct state *s = self;

    s->starts = sim_keep(cx, sim_gpus(cx) * sizeof(*s->starts));
    for (type_id t = 0; t < sim_types(cx); t++)
        if (sim_type(cx, t).gpus == 0)
            sim_fail(cx, "no GPU of type %s", sim_type(cx, t).name);
    for (uint32_t i = 0; i < sim_experiments(cx); i++)
        if (sim_experiment(cx, i).weight <= 0)
            sim_fail(cx, "experiment %s has no weight", sim_experiment(cx, i).name);
}

static void fini(void *self)
{
    heap_free(&((struct state *)self)->waiting);
}

static void job_changed(void *self, struct cx *cx, job_id j, enum job_state was)
{
    struct state *s = self;
    const struct job_view *v = sim_job(cx, j);

    (void)was;
    if (v->state == JOB_WAITING)
        heap_set(&s->waiting, j, v->ran);
    else
        heap_drop(&s->waiting, j);
}

static void job_reported(void *self, struct cx *cx, job_id j)
{
    struct mine *mine = sim_job_data(cx, j);

    (void)self;
    mine->reports += sim_job(cx, j)->epoch > 0;
}

static void dump(const void *self, FILE *out)
{
    fprintf(out, "%u wait\n", ((const struct state *)self)->waiting.n);
}

/* The GPUs that nobody holds; returns how many. */
static uint32_t free_gpus(struct cx *cx, gpu_id **free)
{
    uint32_t n = 0;

    *free = sim_scratch(cx, sim_gpus(cx) * sizeof(**free));
    for (node_id k = 0; k < sim_nodes(cx); k++)
        for (uint64_t left = sim_node(cx, k).free; left; left &= left - 1)
            (*free)[n++] = sim_node(cx, k).first + (uint32_t)__builtin_ctzll(left);
    return n;
}

/* One of the free GPUs by chance, if it will do for a job of one GPU. */
static const struct placement *by_chance(struct cx *cx, job_id j)
{
    gpu_id *free;
    uint32_t n = free_gpus(cx, &free);

    if (n == 0 || sim_job(cx, j)->gpus != 1)
        return sim_pick(cx, j);
    const struct placement *p = sim_even(cx, j, &free[sim_random(cx) % n], 1);
    return sim_gpu(cx, p->share[0].gpu).residents == 0 && sim_rate(cx, j, p) > 0 ? p
                                                                                 : sim_pick(cx, j);
}

static void start_some(struct state *s, struct cx *cx)
{
    job_id j;

    while (sim_free_gpus(cx) > 0 && (j = heap_first(&s->waiting)) != NO_JOB) {
        const struct placement *p = by_chance(cx, j);
        struct mine *mine = sim_job_data(cx, j);
        if (sim_job(cx, j)->gpus > s->most && mine->starts == 0)
            sim_reject(cx, j, "%u GPUs are more than %d", sim_job(cx, j)->gpus, (int)s->most);
        else if (!p || sim_start(cx, j, p, "%.3f s of true work left, %.3f s here, then %.3f",
                                 (double)sim_remaining(cx, j) / 1e9,
                                 (double)sim_remaining_on(cx, j, p) / 1e9,
                                 sim_true_metric(cx, j, sim_job(cx, j)->epochs)) != ACT_OK)
            return;
        else
            s->starts[p->share[0].gpu] += ++mine->starts;
        heap_drop(&s->waiting, j);
    }
}

/* Takes one sample from the first GPU of a job to its last. */
static void shift(struct cx *cx, job_id j)
{
    struct placement held = sim_held(cx, j);
    struct share *share = sim_scratch(cx, held.n * sizeof(*share));

    for (uint32_t i = 0; i < held.n; i++)
        share[i] = held.share[i];
    if (held.n < 2 || share[0].samples < 2)
        return;
    share[0].samples--;
    share[held.n - 1].samples++;
    sim_split(cx, j, &(struct placement){held.n, share}, "one sample to GPU %u",
              share[held.n - 1].gpu);
}

/* Sends a job to one GPU more, in shares with which all are done together. */
static void widen(struct cx *cx, job_id j)
{
    struct placement held = sim_held(cx, j);
    uint32_t batch = sim_job(cx, j)->batch, n = held.n + 1, *samples;
    struct sim_worker *worker = sim_scratch(cx, n * sizeof(*worker));
    struct share *share = sim_scratch(cx, n * sizeof(*share));
    gpu_id *free;

    if (free_gpus(cx, &free) == 0 || batch < n || n > SIM_WORKERS)
        return;
    samples = sim_scratch(cx, n * sizeof(*samples));
    for (uint32_t i = 0; i < n; i++) {
        share[i].gpu = i < held.n ? held.share[i].gpu : free[0];
        struct step_alone one = sim_step_alone(cx, j, share[i].gpu, 1),
                          all = sim_step_alone(cx, j, share[i].gpu, batch);
        double each = all.busy > one.busy ? (all.busy - one.busy) / batch : 1e-9;
        worker[i] = (struct sim_worker){one.busy, each, 1, batch};
    }
    if (!sim_balance(worker, n, batch, samples))
        return;
    for (uint32_t i = 0; i < n; i++)
        share[i].samples = samples[i];
    struct placement p = {n, share};
    double rate = 0;
    bool equal;
    if (sim_rate(cx, j, &p) > sim_rate(cx, j, &held) && sim_resident(cx, free[0], 0) == NO_JOB &&
        sim_true_rates(cx, &j, &p, 1, &rate) && sim_true_peak(cx, free[0], 1, &equal) == 1)
        sim_resize(cx, j, &p, "%.3f steps a second truly, jitter %.3f; a step took %.3f s", rate,
                   sim_true_jitter(cx, j), sim_measured(cx, j, NULL));
}

static void schedule(void *self, struct cx *cx)
{
    struct state *s = self;
    job_id j = sim_first(cx, JOB_RUNNING);

    start_some(s, cx);
    if (sim_now(cx) % s->every == 0 && j != NO_JOB) {
        shift(cx, j);
        if (s->waiting.n > 0 && heap_first_key(&s->waiting) < sim_job(cx, j)->ran) {
            sim_preempt(cx, j, "the next has had only %.3f s",
                        (double)heap_key(&s->waiting, heap_first(&s->waiting)) / 1e9);
            heap_set(&s->waiting, j, sim_job(cx, j)->ran);
        }
        start_some(s, cx);
    } else if (j != NO_JOB && s->waiting.n == 0) {
        widen(cx, j);
    }
    if (sim_count(cx, JOB_RUNNING) + sim_count(cx, JOB_SETUP) > 0 &&
        heap_has(&s->waiting, heap_first(&s->waiting)))
        sim_wake(cx, (sim_now(cx) / s->every + 1) * s->every);
    else
        sim_wake(cx, SIM_NEVER);
    for (j = sim_first(cx, JOB_SETUP); j != NO_JOB; j = sim_next(cx, j))
        s->told += sim_job(cx, j)->steps;
}

POLICY_X(.schedule = schedule, .init = init, .fini = fini, .job_changed = job_changed,
         .job_reported = job_reported, .dump = dump, .params = fields,
         .state_size = sizeof(struct state), .job_size = sizeof(struct mine),
         .flags = POLICY_PREEMPTS | POLICY_RESIZES | POLICY_REJECTS | POLICY_ORACLE);
