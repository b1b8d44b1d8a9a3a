/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/model/trace.h"

#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"

struct drawn {
    struct trace trace;
    const struct job_draw *draw;
    const struct world *world;
    gsl_rng *rng;
    uint32_t row, jobs;
    sim_time last;
};

static gsl_rng *stream(struct drawn *t, const char *name)
{
    rng_rewind(t->rng, t->world->seed, name, t->row);
    return t->rng;
}

static uint64_t below(gsl_rng *r, uint64_t n)
{
    return gsl_rng_uniform_int(r, n);
}

static int64_t within(gsl_rng *r, const struct draw_range *x)
{
    return x->from + (int64_t)below(r, (uint64_t)(x->to - x->from) + 1);
}

/* One after the other by weight, among those that are left. */
static uint64_t ask(gsl_rng *r, const double *weight, uint32_t n_gpus, uint32_t wanted)
{
    uint64_t asked = 0;

    for (; wanted > 0; wanted--) {
        double sum = 0;
        gpu_id last = 0;
        for (gpu_id g = 0; g < n_gpus; g++)
            sum += asked >> g & 1 ? 0 : weight[g];
        double x = gsl_rng_uniform(r) * sum;
        for (gpu_id g = 0; g < n_gpus && x >= 0; g++) {
            if (asked >> g & 1 || weight[g] <= 0)
                continue;
            x -= weight[g];
            last = g;
        }
        asked |= UINT64_C(1) << last;
    }
    return asked;
}

static sim_time next_submission(struct drawn *t)
{
    if (t->row == 0 || t->draw->gap_s <= 0)
        return t->last;
    double gap = gsl_ran_exponential(stream(t, "draw-gap"), t->draw->gap_s) * (double)SIM_SECOND;
    if (gap >= (double)(SIM_LATEST - t->last))
        return SIM_LATEST;
    return t->last + (sim_time)(gap + 0.5);
}

uint64_t draw_batch(const struct job_draw *x, const struct world *w, uint32_t model, uint32_t gpus)
{
    uint64_t batch = x->batch ? x->batch : (uint64_t)w->model[model].batch;

    return x->batch_of == DRAW_GPU ? batch * gpus : batch;
}

static int next_drawn(struct trace *trace, struct job_spec *j)
{
    struct drawn *t = (struct drawn *)trace;
    const struct job_draw *x = t->draw;

    if (t->row == t->jobs)
        return 0;
    t->last = next_submission(t);
    *j = (struct job_spec){.experiment = NO_EXPERIMENT, .trial = t->row, .submit = t->last};
    j->model = x->model[below(stream(t, "draw-model"), x->n_models)];
    j->work = j->per_epoch = within(stream(t, "draw-steps"), &x->steps);
    j->epochs = 1;
    j->gpus = x->gpus[below(stream(t, "draw-gpus"), x->n_gpus)];
    j->batch = (uint32_t)draw_batch(x, t->world, j->model, j->gpus);
    if (x->weight)
        j->asked = ask(stream(t, "draw-asked"), x->weight, t->world->n_gpus, j->gpus);
    t->row++;
    return 1;
}

static void close_drawn(struct trace *trace)
{
    gsl_rng_free(((struct drawn *)trace)->rng);
    mem_drop(trace);
}

struct trace *trace_drawn(const struct job_draw *x, const struct world *w)
{
    struct drawn *t = mem_get(sizeof(*t));

    t->trace = (struct trace){next_drawn, close_drawn};
    t->draw = x;
    t->world = w;
    t->rng = rng_stream(w->seed, "draw-jobs", 0);
    t->jobs = (uint32_t)within(t->rng, &x->jobs);
    return &t->trace;
}
