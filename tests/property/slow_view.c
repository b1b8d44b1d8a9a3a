/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that sim/policy.h lets a policy read. */
#include <math.h>
#include <string.h>

#include "sim/base/rng.h"
#include "tests/property/slow.h"

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

/* ---- GPUs ---- */

static bool is_free(const struct engine *e, gpu_id g)
{
    return !slow_resident(e, g, 0);
}

uint32_t sim_free_gpus(const struct cx *cx)
{
    uint32_t n = 0;

    for (gpu_id g = 0; g < cx->e->world->n_gpus; g++)
        n += is_free(cx->e, g);
    return n;
}

struct gpu_view sim_gpu(const struct cx *cx, gpu_id g)
{
    const struct engine *e = cx->e;
    const struct world *w = e->world;
    type_id t = w->node[w->gpu[g].node].type;

    return (struct gpu_view){
        t,
        w->gpu[g].node,
        slow_residents(e, g),
        slow_shares(e) ? w->residents : 1,
        slow_shares(e) ? slow_free_bytes(e, g, NULL) : world_gpu_bytes(w, t),
        e->ready[g],
        world_resident_bytes(w, t),
    };
}

job_id sim_resident(const struct cx *cx, gpu_id g, uint32_t i)
{
    const struct job *j = slow_resident(cx->e, g, i);

    return j ? j->id : NO_JOB;
}

struct node_view sim_node(const struct cx *cx, node_id n)
{
    const struct node *d = &cx->e->world->node[n];
    struct node_view v = {d->type, d->first, d->gpus, 0};

    for (uint32_t i = 0; i < d->gpus; i++)
        if (is_free(cx->e, d->first + i))
            v.free |= UINT64_C(1) << i;
    return v;
}

struct type_view sim_type(const struct cx *cx, type_id t)
{
    const struct world *w = cx->e->world;
    struct type_view v = {w->type[t].name, 0, 0};

    for (gpu_id g = 0; g < w->n_gpus; g++) {
        if (w->node[w->gpu[g].node].type != t)
            continue;
        v.gpus++;
        v.free += is_free(cx->e, g);
    }
    return v;
}

/* ---- jobs ---- */

uint32_t sim_count(const struct cx *cx, enum job_state s)
{
    uint32_t n = 0;

    for (job_id j = sim_first(cx, s); j != NO_JOB; j = sim_next(cx, j))
        n++;
    return n;
}

/* The first living job in a state from a number on. */
static job_id from(const struct engine *e, enum job_state s, size_t number)
{
    for (size_t i = number; i < e->n_jobs; i++)
        if (e->job[i]->state == s && slow_alive(e->job[i]))
            return e->job[i]->id;
    return NO_JOB;
}

job_id sim_first(const struct cx *cx, enum job_state s)
{
    return from(cx->e, s, 0);
}

/* NULL: there is no such job, or it has ended and the policy has been told. */
static struct job *known(const struct cx *cx, job_id id)
{
    for (size_t i = 0; i < cx->e->n_jobs; i++)
        if (cx->e->job[i]->id == id && !cx->e->job[i]->gone)
            return cx->e->job[i];
    return NULL;
}

job_id sim_next(const struct cx *cx, job_id id)
{
    const struct job *j = known(cx, id);

    return j ? from(cx->e, j->state, (size_t)sim_number(id) + 1) : NO_JOB;
}

static void view_trial(const struct engine *e, const struct job *j, struct job_view *v)
{
    if (j->spec.experiment == NO_EXPERIMENT)
        return;
    v->metric_start = e->world->experiment[j->spec.experiment].curves->start;
    v->metric_ideal = e->world->experiment[j->spec.experiment].curves->ideal;
    v->metric_falls = e->world->experiment[j->spec.experiment].curves->falls;
}

static double steps_of(const struct engine *e, const struct job *j)
{
    double done = (double)j->whole + j->part;

    if (slow_steps(e)) {
        int64_t whole;
        double part;
        slow_progress(e, j, &whole, &part);
        return (double)whole + part;
    }
    if (j->state != JOB_RUNNING)
        return done;
    return fmin(done + j->rate * (double)(e->now - j->line), (double)j->goal);
}

static sim_time stepped_at(const struct engine *e, const struct job *j)
{
    bool whole = slow_steps(e) && j->state == JOB_RUNNING && j->spec.model != NO_MODEL;

    return whole ? j->stepped : e->now;
}

const struct job_view *sim_job(const struct cx *cx, job_id id)
{
    static const struct job_view nobody = {
        .state = JOB_DONE, .model = NO_MODEL, .experiment = NO_EXPERIMENT, .home = NO_GPU};
    struct job *j = known(cx, id);

    if (!j) {
        slow_over(cx->e, RUN_REFUSED, "the policy asks about a job that there is not");
        return &nobody;
    }
    const struct job_spec *s = &j->spec;
    sim_time ran = j->ran + (j->state == JOB_RUNNING ? cx->e->now - j->stretch : 0);

    j->view = (struct job_view){.state = j->state,
                                .gpus = s->gpus,
                                .held = j->held,
                                .model = s->model,
                                .batch = s->batch,
                                .experiment = s->experiment,
                                .epochs = s->epochs,
                                .epoch = j->epoch,
                                .types = j->types,
                                .asked = s->asked,
                                .steps_declared = s->model == NO_MODEL ? 0 : (double)s->work,
                                .metric = j->metric,
                                .metric_start = NAN,
                                .metric_ideal = NAN,
                                .submitted = s->submit,
                                .since = j->since,
                                .ran = ran,
                                .attained = (double)ran * 1e-9 * s->gpus,
                                .steps = steps_of(cx->e, j),
                                .stepped = stepped_at(cx->e, j),
                                .started = j->started,
                                .alone = j->alone,
                                .home = j->home};
    view_trial(cx->e, j, &j->view);
    return &j->view;
}

struct placement sim_held(const struct cx *cx, job_id id)
{
    struct job *j = known(cx, id);

    return j && j->held ? (struct placement){j->held, j->share} : (struct placement){0, NULL};
}

void *sim_job_data(const struct cx *cx, job_id id)
{
    struct job *j = known(cx, id);

    if (!j)
        slow_over(cx->e, RUN_REFUSED, "the policy asks for its memory of a job that there is not");
    return j ? j->data : arena_get(cx->e->arena, cx->e->policy->job_size);
}

double sim_rate(struct cx *cx, job_id id, const struct placement *p)
{
    struct job *j = known(cx, id);

    for (uint32_t i = 0; i < p->n; i++)
        if (p->share[i].gpu >= cx->e->world->n_gpus)
            return 0;
    return j ? slow_believe(cx->e, j, p) : 0;
}

struct step_alone sim_step_alone(const struct cx *cx, job_id id, gpu_id g, uint32_t samples)
{
    const struct world *w = cx->e->world;
    const struct job *j = known(cx, id);
    struct step_alone s = {0, 0, 0, 0};

    if (!j || g >= w->n_gpus || j->spec.model == NO_MODEL)
        return s;
    struct step_parts part = world_step(w, j->spec.model, g, samples);
    if (!isnan(part.busy))
        s = (struct step_alone){part.busy, part.floor, part.gap,
                                world_replica_bytes(w, j->spec.model, samples)};
    return s;
}

double sim_measured(const struct cx *cx, job_id id, double *resid)
{
    const struct job *j = known(cx, id);

    if (!j || j->state != JOB_RUNNING || !slow_shares(cx->e))
        return 0;
    for (uint32_t i = 0; i < j->held; i++)
        if (cx->e->changed[j->share[i].gpu])
            return 0;
    if (slow_steps(cx->e)) {
        for (uint32_t i = 0; resid && i < j->held && j->measured; i++)
            resid[i] = slow_step_mean(j, j->resid_sum[j->share[i].gpu]);
        return j->measured ? slow_step_mean(j, j->measured_sum) : 0;
    }
    for (uint32_t i = 0; resid && i < j->held; i++)
        resid[i] = j->resid[i];
    return (j->spec.model == NO_MODEL ? 1 : 1e-9) / j->rate;
}

/* At a rate in units a nanosecond; on its line if it runs at that rate. */
static sim_time remaining_at(const struct engine *e, const struct job *j, double rate)
{
    int64_t whole;
    double part;

    if (j->state == JOB_RUNNING && !slow_steps(e) && j->rate == rate)
        return j->line + slow_time_to(j->spec.work, j->whole, j->part, rate) - e->now;
    slow_progress(e, j, &whole, &part);
    return rate > 0 ? slow_time_to(j->spec.work, whole, part, rate) : SIM_NEVER;
}

static struct job *look_ahead(struct cx *cx, job_id id)
{
    struct job *j = known(cx, id);

    if (j && cx->e->policy->flags & POLICY_ORACLE)
        return j;
    slow_refuse(cx->e, id, j ? ACT_NOT_DECLARED : ACT_NO_JOB);
    return NULL;
}

sim_time sim_remaining(struct cx *cx, job_id id)
{
    const struct engine *e = cx->e;
    const struct job *j = look_ahead(cx, id);
    double rate = 0;

    if (!j)
        return SIM_NEVER;
    for (type_id t = 0; t < e->world->n_types; t++)
        if (j->types >> t & 1)
            rate = fmax(rate, world_type_rate(e->world, &j->spec, j->jitter, t));
    return remaining_at(e, j, j->spec.model == NO_MODEL ? rate : rate / 1e9);
}

sim_time sim_remaining_on(struct cx *cx, job_id id, const struct placement *p)
{
    const struct engine *e = cx->e;
    const struct job *j = look_ahead(cx, id);

    if (!j)
        return SIM_NEVER;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->share[i].gpu >= e->world->n_gpus)
            return SIM_NEVER;
    double rate = world_rate(e->world, &j->spec, j->jitter, p);
    return remaining_at(e, j, j->spec.model == NO_MODEL ? rate : rate / 1e9);
}

/* ---- placement ---- */

const struct placement *sim_even(struct cx *cx, job_id id, const gpu_id *gpus, uint32_t n)
{
    static const struct placement none;
    const struct job *j = known(cx, id);
    struct placement *p = sim_scratch(cx, sizeof(*p));
    struct share *share = sim_scratch(cx, n * sizeof(*share));

    if (!j)
        return &none;
    for (uint32_t i = 0; i < n; i++)
        share[i] = (struct share){gpus[i], j->spec.batch / n + (i < j->spec.batch % n)};
    *p = (struct placement){n, share};
    return p;
}

struct search {
    struct cx *cx;
    const struct job *j;
    gpu_id *gpu; /* found so far */
    uint32_t n;
};

/* Free GPUs of a node that have not been taken. */
static uint32_t room(const struct search *s, node_id n)
{
    const struct node_view v = sim_node(s->cx, n);
    uint32_t free = (uint32_t)__builtin_popcountll(v.free);

    for (uint32_t i = 0; i < s->n; i++)
        free -= s->cx->e->world->gpu[s->gpu[i]].node == n;
    return free;
}

static bool may_use(const struct search *s, node_id n, uint64_t types)
{
    return types >> s->cx->e->world->node[n].type & 1;
}

/* The node with the fewest free GPUs that suffice; most: the most free GPUs. UINT32_MAX: none. */
static node_id best_node(const struct search *s, uint64_t types, uint32_t want, bool most)
{
    node_id best = UINT32_MAX;

    for (node_id n = 0; n < s->cx->e->world->n_nodes; n++) {
        if (!may_use(s, n, types) || room(s, n) < want)
            continue;
        if (best == UINT32_MAX || (most ? room(s, n) > room(s, best) : room(s, n) < room(s, best)))
            best = n;
    }
    return best;
}

static void take(struct search *s, node_id n, uint32_t want)
{
    const struct node *d = &s->cx->e->world->node[n];

    for (gpu_id g = d->first; g < d->first + d->gpus && want > 0; g++)
        if (is_free(s->cx->e, g)) {
            s->gpu[s->n++] = g;
            want--;
        }
}

static void spread(struct search *s, type_id t)
{
    uint64_t types = UINT64_C(1) << t;

    while (s->n < s->j->spec.gpus) {
        uint32_t want = s->j->spec.gpus - s->n;
        node_id n = best_node(s, types, want, false);
        if (n == UINT32_MAX) {
            n = best_node(s, types, 1, true);
            want = room(s, n);
        }
        take(s, n, want);
    }
}

static void search(struct search *s)
{
    const struct engine *e = s->cx->e;
    const struct job *j = s->j;
    uint32_t want = j->spec.gpus;
    node_id lies = j->where == IN_HOST ? j->node : UINT32_MAX;

    if (want == 1 && lies != UINT32_MAX && may_use(s, lies, j->types) &&
        e->world->gpu[j->ran_on].node == lies && is_free(e, j->ran_on)) {
        s->gpu[s->n++] = j->ran_on;
        return;
    }
    if (lies == UINT32_MAX || !may_use(s, lies, j->types) || room(s, lies) < want)
        lies = best_node(s, j->types, want, false);
    if (lies != UINT32_MAX) {
        take(s, lies, want);
        return;
    }
    for (type_id t = 0; t < e->world->n_types; t++)
        if (j->types >> t & 1 && sim_type(s->cx, t).free >= want) {
            spread(s, t);
            return;
        }
}

const struct placement *sim_pick(struct cx *cx, job_id id)
{
    struct search s = {cx, known(cx, id), NULL, 0};

    if (!s.j)
        return NULL;
    s.gpu = sim_scratch(cx, s.j->spec.gpus * sizeof(gpu_id));
    search(&s);
    return s.n ? sim_even(cx, id, s.gpu, s.n) : NULL;
}

/* ---- memory, chance ---- */

uint64_t sim_random(struct cx *cx)
{
    if (!cx->e->random)
        cx->e->random = rng_stream(cx->e->world->seed, "policy", 0);
    return (uint64_t)gsl_rng_get(cx->e->random);
}

void *sim_keep(struct cx *cx, size_t bytes)
{
    return arena_get(cx->e->arena, bytes);
}
void *sim_scratch(struct cx *cx, size_t bytes)
{
    return arena_get(cx->e->scratch, bytes);
}
