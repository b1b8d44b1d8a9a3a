/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng - fills GPU 0, then takes jobs off it that hold another GPU, in the middle of their steps,
 * and fills it again: more replicas compute there than it may have residents.
 */
#include "tests/property/draw.h"

#define WIDE 36u /* jobs that begin on both GPUs */
#define JOBS 100u

struct throng {
    sim_time span; /* of alarms */
};

#define AT(member) offsetof(struct throng, member)
static const struct field fields[] = {
    {FIELD_SECONDS, "span_s", AT(span), "0.000001", 0, 1e6, NULL, "of alarms"},
    {.type = FIELD_END},
};

static bool has_seat(const struct cx *cx, gpu_id g)
{
    return sim_gpu(cx, g).residents < sim_gpu(cx, g).most;
}

static void fill(struct cx *cx)
{
    static const gpu_id both[] = {0, 1};
    job_id next;

    for (job_id j = sim_first(cx, JOB_WAITING); j != NO_JOB && has_seat(cx, 0); j = next) {
        next = sim_next(cx, j);
        sim_start(cx, j, sim_even(cx, j, both, sim_job(cx, j)->gpus), "fills");
    }
}

static void thin(struct cx *cx)
{
    static const gpu_id other = 1;

    for (job_id j = sim_first(cx, JOB_RUNNING); j != NO_JOB; j = sim_next(cx, j))
        if (sim_held(cx, j).n == 2)
            sim_resize(cx, j, sim_even(cx, j, &other, 1), "makes room");
}

static void schedule(void *self, struct cx *cx)
{
    struct throng *s = self;

    if (!has_seat(cx, 0) && sim_count(cx, JOB_WAITING) > 0)
        thin(cx);
    fill(cx);
    if (sim_count(cx, JOB_WAITING) > 0)
        sim_wake(cx, sim_now(cx) + 1 + (sim_time)(sim_random(cx) % (uint64_t)(s->span + 1)));
}

const struct policy policy_throng = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .flags = POLICY_RESIZES | POLICY_SHARES,
    .name = "throng",
    .about = "more replicas on a GPU than residents",
    .state_size = sizeof(struct throng),
    .params = fields,
    .schedule = schedule,
};

void throng_cluster(struct draw *d)
{
    struct world *w = &d->r->world;

    w->n_nodes = w->n_types = 1;
    w->n_gpus = 2;
    w->node[0].type = 0;
    w->node[0].gpus = 2;
    w->gpu[1] = (struct gpu){0, w->gpu[0].speed};
    w->type[0].memory = 0;
    world_count(w);
}

void throng_jobs(struct draw *d)
{
    struct random_world *r = d->r;
    bool plain = !r->world.contention->sliced;

    r->job = arena_get(d->arena, JOBS * sizeof(*r->job));
    for (; r->n_jobs < JOBS; r->n_jobs++) {
        struct job_spec *s = &r->job[r->n_jobs];
        *s = (struct job_spec){.experiment = NO_EXPERIMENT,
                               .trial = r->n_jobs,
                               .model = NO_MODEL,
                               .gpus = r->n_jobs < WIDE ? 2 : 1,
                               .work = worlds_duration(d)};
        if (plain && chance_of(&d->c, 20))
            continue;
        s->model = chance_below(&d->c, r->world.n_models);
        s->batch = worlds_between(d, s->gpus, 4);
        s->epochs = 1;
        s->work = s->per_epoch = worlds_between(d, 1, 2);
    }
}

/* Alarms within a step among so many. */
const char *throng_label(struct draw *d)
{
    return arena_printf(d->arena, "throng[span_s=%.9f]",
                        (double)d->r->scale * worlds_between(d, 20, 200) / 1e9);
}
