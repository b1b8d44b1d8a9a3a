/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/perf/plant.h"

#include <string.h>

#include "tests/perf/sorted.h"

#define PER_NODE 8

static void fill_cluster(struct world *w, struct arena *a, uint32_t gpus)
{
    *w = (struct world){.n_types = 1,
                        .n_gpus = gpus,
                        .n_nodes = (gpus + PER_NODE - 1) / PER_NODE,
                        .nominal = true,
                        .seed = 1};
    w->type = arena_get(a, sizeof(*w->type));
    *w->type = (struct gpu_type){.name = "gpu"};
    w->node = arena_get(a, w->n_nodes * sizeof(*w->node));
    w->gpu = arena_get(a, gpus * sizeof(*w->gpu));
    for (node_id k = 0; k < w->n_nodes; k++) {
        uint32_t first = k * PER_NODE, left = gpus - first;
        w->node[k] = (struct node){.first = first, .gpus = left < PER_NODE ? left : PER_NODE};
    }
    for (gpu_id g = 0; g < gpus; g++)
        w->gpu[g] = (struct gpu){g / PER_NODE, 1};
    world_count(w);
}

static struct tree *label(struct arena *a, const char *text)
{
    return tree_scalar(a, (struct mark){0}, text, strlen(text));
}

struct plant *plant_new(uint32_t gpus, const char *policy_label)
{
    static const struct plugs own = {.policy = {&policy_sorted, &policy_every_quantum}};
    struct arena *a = arena_new();
    struct plant *p = arena_get(a, sizeof(*p));

    p->arena = a;
    p->diag = diag_new(stderr);
    fill_cluster(&p->world, a, gpus);
    p->belief = belief_open(a, p->diag, label(a, "exact"), &p->world);
    BUG_ON(!p->belief);
    BUG_ON(!plug_policy(&own, a, p->diag, label(a, policy_label), &p->policy));
    return p;
}

void plant_free(struct plant *p)
{
    if (!p)
        return;
    diag_free(p->diag);
    arena_free(p->arena);
}

uint64_t plant_go(const struct plant *p, struct plant_run run)
{
    struct engine *e = engine_new(&(struct engine_setup){.world = &p->world,
                                                         .trace = run.trace,
                                                         .policy = p->policy.policy,
                                                         .params = p->policy.params,
                                                         .belief = p->belief,
                                                         .sink = run.sink,
                                                         .n_sinks = run.n_sinks,
                                                         .until = SIM_NEVER,
                                                         .max_rounds = 1000,
                                                         .paranoid = run.paranoid});

    if (engine_run(e) != RUN_DRAINED) {
        engine_report(e, stderr);
        BUG("policy %s did not finish", p->policy.label);
    }
    uint64_t events = engine_events(e);
    engine_free(e);
    return events;
}
