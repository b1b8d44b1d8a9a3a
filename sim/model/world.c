/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/world.h"

#include <math.h>

#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"

void world_count(struct world *w)
{
    for (type_id t = 0; t < w->n_types; t++) {
        w->type[t].gpus = w->type[t].large = 0;
        w->type[t].input_rate = -1;
    }
    w->fed = false;
    for (node_id k = 0; k < w->n_nodes; k++) {
        const struct node *n = &w->node[k];
        struct gpu_type *t = &w->type[n->type];
        t->gpus += n->gpus;
        t->large = n->gpus > t->large ? n->gpus : t->large;
        if (n->input_rate <= 0)
            t->input_rate = 0;
        else if (t->input_rate != 0)
            t->input_rate = fmax(t->input_rate, n->input_rate);
        w->fed |= n->input_rate > 0;
    }
}

struct job_spec world_trial(const struct world *w, uint32_t experiment, uint32_t trial,
                            sim_time now)
{
    const struct experiment *x = &w->experiment[experiment];
    const struct trial_spec *t = &x->trial[trial];
    uint32_t epochs = curve_planned(x->curves, t->curve);
    int64_t samples = w->model[t->model].samples_per_epoch;
    int64_t per_epoch = (samples + t->batch - 1) / t->batch;

    return (struct job_spec){
        .submit = now,
        .work = per_epoch * epochs,
        .per_epoch = per_epoch,
        .gpus = x->gpus,
        .model = t->model,
        .batch = t->batch,
        .epochs = epochs,
        .experiment = experiment,
        .trial = trial,
    };
}

double world_state_bytes(const struct world *w, uint32_t model)
{
    if (model == NO_MODEL)
        return 0;
    return 4 * w->model[model].parameters * (double)(1 + w->model[model].optimizer_slots);
}

double world_host_rate(const struct world *w, node_id k)
{
    double of_type = w->type[w->node[k].type].host;

    return of_type > 0 ? of_type : w->overheads.host;
}

sim_time world_context(const struct world *w, const struct placement *p)
{
    sim_time longest = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        sim_time t = w->type[w->node[w->gpu[p->share[i].gpu].node].type].context;
        longest = t > longest ? t : longest;
    }
    return longest;
}

double world_jitter(const struct world *w, const struct job_spec *s)
{
    if (w->jitter <= 0 || s->model == NO_MODEL)
        return 1;
    gsl_rng *r = rng_stream(w->seed, "jitter", world_job_key(s));
    double x = gsl_ran_lognormal(r, -w->jitter * w->jitter / 2, w->jitter);
    gsl_rng_free(r);
    return x;
}

/* ---- eq. 1, 3, 4 ---- */

/* A job given by its duration runs at the pace of its slowest GPU. */
static double nominal_rate(const struct world *w, const struct placement *p)
{
    double v = INFINITY;

    for (uint32_t i = 0; i < p->n; i++)
        v = fmin(v, w->gpu[p->share[i].gpu].speed);
    return v;
}

/* On a slice of a GPU that is cut into slices; else on a whole one. */
struct step_parts world_type_step(const struct world *w, uint32_t model, type_id t, double samples)
{
    struct step_parts s = w->cost->step(w->cost_self, model, t, samples);

    if (w->contention && w->contention->sliced)
        s.busy *= w->contention->stretch(w->contention_self, w, t, model, NULL, NULL, 0);
    return s;
}

struct step_parts world_step(const struct world *w, uint32_t model, gpu_id gpu, double samples)
{
    const struct gpu *g = &w->gpu[gpu];
    struct step_parts s = world_type_step(w, model, w->node[g->node].type, samples);

    s.busy /= g->speed;
    s.floor /= g->speed;
    return s;
}

const char *world_basis(const struct world *w, uint32_t model, const struct placement *p)
{
    enum step_basis worst = BASIS_UNSAID;

    if (model == NO_MODEL || !w->cost->basis)
        return NULL;
    for (uint32_t i = 0; i < p->n; i++) {
        type_id t = w->node[w->gpu[p->share[i].gpu].node].type;
        if (i > 0 && p->share[i].samples == p->share[i - 1].samples &&
            t == w->node[w->gpu[p->share[i - 1].gpu].node].type)
            continue;
        enum step_basis b = w->cost->basis(w->cost_self, model, t, p->share[i].samples);
        worst = b > worst ? b : worst;
    }
    return step_basis_names[worst];
}

/* Seconds until the slowest share has been computed; *gap is the longest. */
static double compute_s(const struct world *w, uint32_t model, const struct placement *p,
                        double *gap)
{
    double slowest = 0;

    *gap = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        struct step_parts part = world_step(w, model, p->share[i].gpu, p->share[i].samples);
        double s = step_compute(&part);
        if (!(s <= slowest) && !isnan(slowest)) /* an unknown step time wins, too, and stays */
            slowest = s;
        *gap = part.gap > *gap ? part.gap : *gap;
    }
    return slowest;
}

static double one_sync(const struct sync_cost *c, uint32_t gpus, bool one_node)
{
    double base = one_node ? c->node_base_s : c->cluster_base_s;
    double more = one_node ? c->node_per_gpu_s : c->cluster_per_gpu_s;

    return gpus < 2 ? 0 : base + more * (gpus - 2);
}

/* (t_compute^gm + t_sync^gm)^(1/gm); pow() only where there is overlap to model. */
static double overlapped(double compute, double sync, double gm)
{
    if (sync <= 0 || gm <= 1)
        return compute + sync;
    return pow(pow(compute, gm) + pow(sync, gm), 1 / gm);
}

/* The slowest over the types and nodes of a placement. */
static double synced_s(const struct world *w, uint32_t model, const struct placement *p,
                       double compute)
{
    node_id first = w->gpu[p->share[0].gpu].node;
    bool one_node = true;
    double slowest = compute;

    for (uint32_t i = 1; i < p->n; i++)
        one_node &= w->gpu[p->share[i].gpu].node == first;
    for (uint32_t i = 0; i < p->n; i++) {
        node_id k = w->gpu[p->share[i].gpu].node;
        if (i > 0 && k == w->gpu[p->share[i - 1].gpu].node)
            continue;
        struct sync_cost c = w->cost->sync(w->cost_self, model, w->node[k].type);
        slowest = fmax(slowest, overlapped(compute, one_sync(&c, p->n, one_node), c.overlap));
    }
    return slowest;
}

static node_id node_of(const struct world *w, const struct placement *p, uint32_t i)
{
    return w->gpu[p->share[i].gpu].node;
}

/* What the loaders of its nodes allow: the samples that a node's GPUs need a step, wherever they
 * stand in the placement (eq. 4). */
static double input_s(const struct world *w, const struct placement *p)
{
    double slowest = 0;

    for (uint32_t i = 0; w->fed && i < p->n; i++) {
        node_id k = node_of(w, p, i);
        double samples = 0, r = w->node[k].input_rate;
        if (r <= 0 || (i > 0 && node_of(w, p, i - 1) == k))
            continue;
        for (uint32_t x = 0; x < p->n; x++)
            samples += node_of(w, p, x) == k ? p->share[x].samples : 0;
        slowest = fmax(slowest, samples / r);
    }
    return slowest;
}

double world_step_end(const struct world *w, uint32_t model, const struct placement *p,
                      double compute, double gap)
{
    if (p->n > 1)
        compute = synced_s(w, model, p, compute);
    return fmax(compute + gap, input_s(w, p));
}

double world_any_rate(const struct world *w, const struct job_spec *s, double jitter,
                      const struct placement *p)
{
    double gap;

    if (s->model == NO_MODEL)
        return nominal_rate(w, p);
    double t = compute_s(w, s->model, p, &gap);
    return t > 0 ? 1 / (world_step_end(w, s->model, p, t, gap) * jitter) : 0;
}

double world_type_rate(const struct world *w, const struct job_spec *s, double jitter, type_id t)
{
    const struct gpu_type *type = &w->type[t];

    if (type->gpus < s->gpus)
        return 0;
    if (s->model == NO_MODEL)
        return 1;
    double each = ceil((double)s->batch / s->gpus);
    struct step_parts part = world_type_step(w, s->model, t, each);
    double c = step_compute(&part);
    if (!(c > 0))
        return 0;
    struct sync_cost y = w->cost->sync(w->cost_self, s->model, t);
    double step = overlapped(c, one_sync(&y, s->gpus, s->gpus <= type->large), y.overlap);
    step += part.gap;
    if (type->input_rate > 0) {
        double most = s->gpus <= type->large ? s->batch : each * type->large;
        step = fmax(step, most / type->input_rate);
    }
    return 1 / (step * jitter);
}

double world_replica_bytes(const struct world *w, uint32_t model, double samples)
{
    if (model == NO_MODEL || w->model[model].memory_fixed <= 0)
        return 0;
    return ceil(w->model[model].memory_fixed + w->model[model].memory_per_sample * samples);
}

double world_gpu_bytes(const struct world *w, type_id t)
{
    return w->type[t].memory > 0 ? w->type[t].memory : INFINITY;
}

double world_resident_bytes(const struct world *w, type_id t)
{
    bool sliced = w->contention && w->contention->sliced;

    return sliced ? world_gpu_bytes(w, t) / w->residents : world_gpu_bytes(w, t);
}

uint32_t world_most_samples(const struct world *w, uint32_t model, type_id t, uint32_t batch)
{
    uint32_t least = 0, most = batch;

    while (least < most) { /* bytes are rounded up: no formula has the last sample right */
        uint32_t half = least + (most - least + 1) / 2;
        if (world_replica_bytes(w, model, half) <= world_resident_bytes(w, t))
            least = half;
        else
            most = half - 1;
    }
    return least;
}

/* Whether so many samples of a model fit a GPU of a type; what is not known fits. */
static bool samples_fit(const struct world *w, uint32_t model, type_id t, double samples)
{
    return world_replica_bytes(w, model, samples) <= world_resident_bytes(w, t);
}

bool world_fits(const struct world *w, uint32_t model, const struct placement *p)
{
    if (model == NO_MODEL)
        return true;
    for (uint32_t i = 0; i < p->n; i++)
        if (!samples_fit(w, model, w->node[w->gpu[p->share[i].gpu].node].type, p->share[i].samples))
            return false;
    return true;
}

bool world_asked_runs(const struct world *w, struct diag *d, struct mark at, const char *key,
                      uint32_t model, gpu_id g, uint32_t samples)
{
    type_id t = w->node[w->gpu[g].node].type;

    if (isnan(world_step(w, model, g, samples).busy))
        return diag_error(d, at, "%s: the cost model knows no step time of %s on GPU %u (%s)", key,
                          w->model[model].name, g, w->type[t].name);
    if (!samples_fit(w, model, t, samples))
        return diag_error(d, at,
                          "%s: an even share, %u sample%s of %s, does not fit the memory of GPU %u "
                          "(%s)",
                          key, samples, samples == 1 ? "" : "s", w->model[model].name, g,
                          w->type[t].name);
    return true;
}

bool world_type_fits(const struct world *w, const struct job_spec *s, type_id t)
{
    return s->model == NO_MODEL || samples_fit(w, s->model, t, ceil((double)s->batch / s->gpus));
}

bool world_can_run(const struct world *w, const struct job_spec *s)
{
    for (type_id t = 0; s->batch >= s->gpus && t < w->n_types; t++)
        if (world_type_rate(w, s, 1, t) > 0 && world_type_fits(w, s, t))
            return true;
    return false;
}
