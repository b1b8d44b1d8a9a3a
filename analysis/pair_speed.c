/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A world of one GPU and two DL models, whose steps are what is asked about. */
#include "analysis/pair_speed.h"

#include <string.h>

#include "sim/base/bug.h"
#include "sim/model/fluid.h"

struct pair_speed {
    struct world world;
    struct gpu_type type;
    struct node node;
    struct gpu gpu;
    struct model model[2];
    struct step_parts part[2];
    struct job_spec spec[2];
    struct share share;
    struct fluid *fluid;
};

static struct step_parts part_of(const void *self, uint32_t model, type_id t, double samples)
{
    const struct pair_speed *p = self;

    (void)t, (void)samples;
    return p->part[model];
}

static const struct cost_model two_steps = {.name = "two steps", .step = part_of};

static const struct contention *processor_sharing(void)
{
    for (int i = 0; contentions[i]; i++)
        if (strcmp(contentions[i]->name, "processor_sharing") == 0)
            return contentions[i];
    BUG_ON(true);
    return NULL;
}

struct pair_speed *pair_speed_new(struct arena *a)
{
    struct pair_speed *p = arena_get(a, sizeof(*p));

    p->type = (struct gpu_type){.name = "GPU", .gpus = 1, .large = 1};
    p->node = (struct node){.gpus = 1};
    p->gpu = (struct gpu){.speed = 1};
    p->share = (struct share){.samples = 1};
    p->world = (struct world){.n_types = 1,
                              .n_nodes = 1,
                              .n_gpus = 1,
                              .n_models = 2,
                              .type = &p->type,
                              .node = &p->node,
                              .gpu = &p->gpu,
                              .model = p->model,
                              .cost = &two_steps,
                              .cost_self = p,
                              .residents = 2,
                              .contention = processor_sharing()};
    for (uint32_t i = 0; i < 2; i++)
        p->spec[i] = (struct job_spec){.gpus = 1, .model = i, .batch = 1};
    p->fluid = fluid_new(&p->world);
    return p;
}

void pair_speed_free(struct pair_speed *p)
{
    fluid_free(p->fluid);
}

double pair_speed(struct pair_speed *p, double eta, struct step_parts me, struct step_parts other)
{
    struct placement here = {.share = &p->share, .n = 1};
    struct fluid_job job[2] = {{0, &p->spec[0], here, 1, 0}, {1, &p->spec[1], here, 1, 0}};
    struct fluid_gpu gpu = {0};

    p->type.eta = eta;
    p->part[0] = me;
    p->part[1] = other;
    fluid_solve(p->fluid, job, 2, &gpu, 1);
    return job[0].rate * (step_compute(&me) + me.gap);
}
