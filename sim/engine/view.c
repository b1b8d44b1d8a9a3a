/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy reads. Nothing here changes the run, except that lists are sorted when asked for.
 */
#include "sim/engine/share.h"
#include "sim/engine/tune.h"

sim_time sim_now(const struct cx *cx)
{
    return cx->e->now;
}
uint32_t sim_gpus(const struct cx *cx)
{
    return cx->e->world->n_gpus;
}
uint32_t sim_nodes(const struct cx *cx)
{
    return cx->e->world->n_nodes;
}
uint32_t sim_types(const struct cx *cx)
{
    return cx->e->world->n_types;
}
uint32_t sim_experiments(const struct cx *cx)
{
    return cx->e->world->n_experiments;
}
uint32_t sim_free_gpus(const struct cx *cx)
{
    return cx->e->gpus.free;
}

static void *scratch(struct engine *e, size_t bytes)
{
    e->scratch_used = true;
    return arena_get(e->scratch, bytes);
}

static job_id id_of(const struct engine *e, uint32_t slot)
{
    return slot == NO_SLOT ? NO_JOB : e->link[slot].id;
}

struct gpu_view sim_gpu(const struct cx *cx, gpu_id g)
{
    const struct engine *e = cx->e;

    if (g >= e->world->n_gpus)
        return (struct gpu_view){UINT32_MAX, UINT32_MAX, 0, 0, 0, SIM_NEVER, 0};
    const struct gpu_now *now = &e->gpus.gpu[g];
    type_id t = e->gpus.node[now->node].type;
    double left = world_gpu_bytes(e->world, t), slice = world_resident_bytes(e->world, t);
    uint32_t n = now->owner != NO_OWNER;
    if (is_shared(e)) {
        n = e->gpus.shared[g].n;
        left = fmin(slice, left - e->gpus.shared[g].used);
    }
    return (struct gpu_view){t, now->node, n, e->gpus.most, left, now->ready, slice};
}

job_id sim_resident(const struct cx *cx, gpu_id g, uint32_t i)
{
    const struct engine *e = cx->e;

    if (g >= e->world->n_gpus)
        return NO_JOB;
    if (is_shared(e))
        return i < e->gpus.shared[g].n ? gpus_residents(&e->gpus, g)[i].job : NO_JOB;
    return i == 0 ? id_of(e, e->gpus.gpu[g].owner) : NO_JOB;
}

struct node_view sim_node(const struct cx *cx, node_id k)
{
    const struct engine *e = cx->e;

    if (k >= e->world->n_nodes)
        return (struct node_view){UINT32_MAX, NO_GPU, 0, 0};
    const struct node *n = &e->world->node[k];
    return (struct node_view){n->type, n->first, n->gpus, e->gpus.node[k].free};
}

struct type_view sim_type(const struct cx *cx, type_id t)
{
    const struct engine *e = cx->e;

    if (t >= e->world->n_types)
        return (struct type_view){NULL, 0, 0};
    return (struct type_view){e->world->type[t].name, e->world->type[t].gpus, e->gpus.room[t].free};
}

/* ---- jobs ---- */

uint32_t sim_count(const struct cx *cx, enum job_state s)
{
    return s < JOB_DONE ? cx->e->list[s].n : 0;
}

job_id sim_first(const struct cx *cx, enum job_state s)
{
    struct engine *e = cx->e;

    if (s >= JOB_DONE)
        return NO_JOB;
    if (!e->list[s].sorted)
        list_sort(e, &e->list[s]);
    return id_of(e, e->list[s].head);
}

job_id sim_next(const struct cx *cx, job_id id)
{
    struct engine *e = cx->e;
    const struct job *j = job_find(e, id);

    if (!j)
        return NO_JOB;
    if (!e->list[j->state].sorted)
        list_sort(e, &e->list[j->state]);
    return id_of(e, e->link[sim_slot(id)].next);
}

static const struct job_view nobody = {
    .state = JOB_DONE, .model = NO_MODEL, .experiment = NO_EXPERIMENT, .home = NO_GPU};

/* What does not change while the job lives. */
static void fill_view(const struct engine *e, const struct job *j, struct job_view *v)
{
    const struct job_spec *s = &j->spec;

    *v = (struct job_view){.gpus = s->gpus,
                           .model = s->model,
                           .batch = s->batch,
                           .experiment = s->experiment,
                           .epochs = s->epochs,
                           .types = j->types,
                           .asked = s->asked,
                           .steps_declared = s->model == NO_MODEL ? 0 : (double)s->work,
                           .metric_start = NAN,
                           .metric_ideal = NAN,
                           .submitted = s->submit};
    if (s->experiment != NO_EXPERIMENT) {
        v->metric_start = e->world->experiment[s->experiment].curves->start;
        v->metric_ideal = e->world->experiment[s->experiment].curves->ideal;
        v->metric_falls = e->world->experiment[s->experiment].curves->falls;
    }
}

static struct job_view *view_of(struct engine *e, struct job *j)
{
    uint32_t slot = sim_slot(j->id);
    struct block *b = &e->block[slot / JOB_CHUNK];

    if (!b->view)
        b->view = arena_get(e->arena, JOB_CHUNK * sizeof(*b->view));
    if (!j->shown)
        fill_view(e, j, &b->view[slot % JOB_CHUNK]);
    j->shown = true;
    return &b->view[slot % JOB_CHUNK];
}

const struct job_view *sim_job(const struct cx *cx, job_id id)
{
    struct engine *e = cx->e;
    struct job *j = job_find(e, id);

    if (!j) {
        engine_stop(e, RUN_REFUSED,
                    "policy %s asked about job %u, which does not exist or has ended",
                    e->set.policy->name, sim_number(id));
        return &nobody;
    }
    struct job_view *v = view_of(e, j);
    v->state = j->state;
    v->held = j->n_held;
    v->epoch = j->epoch;
    v->metric = j->metric;
    v->since = j->since;
    v->home = j->home;
    v->steps = life_steps(e, j);
    v->ran = life_ran(e, j);
    v->stepped = e->now;
    if (e->steps && j->state == JOB_RUNNING && j->spec.model != NO_MODEL)
        v->stepped = j->line.since;
    v->started = j->started;
    v->alone = j->alone;
    v->attained = (double)v->ran * 1e-9 * j->spec.gpus;
    return v;
}

struct placement sim_held(const struct cx *cx, job_id id)
{
    const struct job *j = job_find(cx->e, id);

    return j ? job_held(j) : (struct placement){0, NULL};
}

void *sim_job_data(const struct cx *cx, job_id id)
{
    const struct engine *e = cx->e;
    uint32_t slot = sim_slot(id);

    if (!job_find(e, id) || !e->set.policy->job_size) {
        engine_stop(cx->e, RUN_REFUSED, "policy %s asked for its memory of job %u, which has none",
                    e->set.policy->name, sim_number(id));
        return scratch(cx->e, e->set.policy->job_size + 1);
    }
    return e->block[slot / JOB_CHUNK].data + slot % JOB_CHUNK * e->set.policy->job_size;
}

double sim_rate(struct cx *cx, job_id id, const struct placement *p)
{
    const struct engine *e = cx->e;
    const struct job *j = job_find(e, id);

    if (!j || !gpus_exist(&e->gpus, p))
        return 0;
    struct known_job known = life_known(j);
    return belief_rate(e->set.belief, &known, p);
}

struct step_alone sim_step_alone(const struct cx *cx, job_id id, gpu_id g, uint32_t samples)
{
    const struct engine *e = cx->e;
    const struct job *j = job_find(e, id);

    if (!j || g >= e->world->n_gpus || j->spec.model == NO_MODEL)
        return (struct step_alone){0, 0, 0, 0};
    struct step_parts s = world_step(e->world, j->spec.model, g, samples);
    if (isnan(s.busy))
        return (struct step_alone){0, 0, 0, 0};
    return (struct step_alone){s.busy, s.floor, s.gap,
                               world_replica_bytes(e->world, j->spec.model, samples)};
}

double sim_measured(const struct cx *cx, job_id id, double *resid)
{
    const struct job *j = job_find(cx->e, id);

    return j ? share_measured(cx->e, j, resid) : 0;
}

/* ---- placements ---- */

/* Even shares of a job's batch, the first ones a sample larger where it does not divide. */
static void share_out(const struct job *j, struct share *s, uint32_t n)
{
    uint32_t each = n ? j->spec.batch / n : 0, more = n ? j->spec.batch % n : 0;

    for (uint32_t i = 0; i < n; i++)
        s[i].samples = each + (i < more);
}

const struct placement *sim_even(struct cx *cx, job_id id, const gpu_id *gpus, uint32_t n)
{
    static const struct placement none;
    const struct job *j = job_find(cx->e, id);
    struct placement *p = scratch(cx->e, sizeof(*p));
    struct share *s = scratch(cx->e, n * sizeof(*s));

    if (!j)
        return &none;
    for (uint32_t i = 0; i < n; i++)
        s[i].gpu = gpus[i];
    share_out(j, s, n);
    *p = (struct placement){n, s};
    return p;
}

const struct placement *sim_pick(struct cx *cx, job_id id)
{
    struct engine *e = cx->e;
    const struct job *j = job_find(e, id);

    if (!j)
        return NULL;
    node_id home =
        j->saved == SAVED_HOST && j->types >> e->gpus.node[j->host].type & 1 ? j->host : UINT32_MAX;
    gpu_id home_gpu = j->ran_on;
    if (home != UINT32_MAX && e->gpus.gpu[home_gpu].node != home)
        home_gpu = e->gpus.node[home].first;
    if (!gpus_pick(&e->gpus, j->spec.gpus, j->types, home, home_gpu, e->picked))
        return NULL;
    if (j->spec.batch)
        share_out(j, e->picked, j->spec.gpus);
    e->pick = (struct placement){j->spec.gpus, e->picked};
    return &e->pick;
}

/* ---- other ---- */

struct experiment_view sim_experiment(const struct cx *cx, uint32_t i)
{
    const struct engine *e = cx->e;

    if (i >= e->world->n_experiments)
        return (struct experiment_view){.deadline = SIM_NEVER, .gpu_left = INFINITY};
    const struct experiment *x = &e->world->experiment[i];
    const struct study *s = &e->study[i];
    sim_area spent = s->spent + (sim_area)(e->now - s->held_since) * s->held;
    return (struct experiment_view){
        .name = x->name,
        .weight = x->weight,
        .submitted = x->submit,
        .deadline = x->deadline > 0 ? later(x->submit, x->deadline) : SIM_NEVER,
        .gpu_left = x->budget > 0 ? (double)(x->budget - spent) * 1e-9 : INFINITY,
        .target = x->target,
        .trials = x->n_trials,
        .ended = s->n_ended,
        .closed = s->closed};
}

uint64_t sim_random(struct cx *cx)
{
    struct engine *e = cx->e;

    if (!e->random)
        e->random = rng_stream(e->world->seed, "policy", 0);
    return (uint64_t)gsl_rng_get(e->random);
}

void *sim_keep(struct cx *cx, size_t bytes)
{
    return arena_get(cx->e->arena, bytes);
}
void *sim_scratch(struct cx *cx, size_t bytes)
{
    return scratch(cx->e, bytes);
}
